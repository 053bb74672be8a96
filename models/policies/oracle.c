/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/policies/oracle.h"

#include <math.h>
#include <stdlib.h>

#define HOUR_S 3600.0

/* What ran in the tick before: nothing, or a way to buy for so many ticks since its launch, counted
 * up to the one from which on a tick is all work. */
struct modes {
    size_t since;    /* 1 … since */
    int64_t *useful; /* units of work in the m-th tick since a launch, m = 1 … since */
    size_t count;    /* 1 + 2 × since */
};

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static size_t mode_of(const struct modes *m, bool spot, size_t ticks)
{
    return 1 + (spot ? m->since : 0) + (ticks < m->since ? ticks : m->since) - 1;
}

/* Ticks since its launch if `spot` goes on or is launched after this mode. */
static size_t next_ticks(const struct modes *m, size_t mode, bool spot)
{
    if (mode == 0) {
        return 1;
    }
    bool was_spot = mode > m->since;
    return was_spot == spot ? (mode - 1) % m->since + 2 : 1;
}

static bool modes_init(struct modes *m, const struct oracle_job *job, int64_t unit_s)
{
    m->since = (size_t)((job->overhead_s + job->tick_s - 1) / job->tick_s) + 1;
    m->count = 1 + 2 * m->since;
    m->useful = malloc((m->since + 1) * sizeof *m->useful);
    for (size_t k = 1; m->useful != NULL && k <= m->since; k++) {
        int64_t pending_s = job->overhead_s - (int64_t)(k - 1) * job->tick_s;
        pending_s = pending_s < 0 ? 0 : pending_s;
        m->useful[k] = pending_s >= job->tick_s ? 0 : (job->tick_s - pending_s) / unit_s;
    }
    return m->useful != NULL;
}

/* The cheaper of what is known and of running one tick on this way to buy. */
static double run_tick(const struct modes *m, const double *later, size_t units, size_t mode,
                       int64_t left, bool spot, double tick_cost, double best)
{
    size_t ticks = next_ticks(m, mode, spot);
    int64_t useful = m->useful[ticks < m->since ? ticks : m->since];
    int64_t rest = left > useful ? left - useful : 0;
    double cost = tick_cost + later[mode_of(m, spot, ticks) * units + (size_t)rest];
    return cost < best ? cost : best;
}

enum oracle_status oracle_cost(const struct oracle_job *job, double *cost)
{
    int64_t unit_s = gcd(gcd(job->tick_s, job->work_s), job->overhead_s);
    size_t units = (size_t)(job->work_s / unit_s) + 1;
    struct modes m;
    if (!modes_init(&m, job, unit_s)) {
        return ORACLE_NO_MEMORY;
    }
    if ((double)units * (double)m.count * (double)job->ticks > ORACLE_MOST_STATES) {
        free(m.useful);
        return ORACLE_TOO_LARGE;
    }
    double *later = malloc(m.count * units * sizeof *later);
    double *now = malloc(m.count * units * sizeof *now);
    bool ok = later != NULL && now != NULL;
    for (size_t i = 0; ok && i < m.count * units; i++) {
        later[i] = i % units == 0 ? 0 : HUGE_VAL;
    }
    double share = (double)job->tick_s / HOUR_S;
    for (size_t k = job->ticks; ok && k-- > 0;) {
        double spot = job->spot_per_hour[k] * share, on_demand = job->on_demand_per_hour[k] * share;
        for (size_t mode = 0; mode < m.count; mode++) {
            now[mode * units] = 0;
            for (size_t left = 1; left < units; left++) {
                double best = later[left]; /* nothing runs */
                best = run_tick(&m, later, units, mode, (int64_t)left, false, on_demand, best);
                if (spot > 0) {
                    best = run_tick(&m, later, units, mode, (int64_t)left, true, spot, best);
                }
                now[mode * units + left] = best;
            }
        }
        double *swap = later;
        later = now;
        now = swap;
    }
    *cost = ok ? later[units - 1] : 0;
    free(later);
    free(now);
    free(m.useful);
    return !ok ? ORACLE_NO_MEMORY : isinf(*cost) ? ORACLE_LATE : ORACLE_FOUND;
}
