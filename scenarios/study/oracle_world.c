/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/oracle_world.h"

#include "models/market/hidden_process.h"
#include "models/policies/hindsight.h"

#include <math.h>
#include <stdlib.h>

#define TICK_S       HIDDEN_STEP_S
#define HOUR_S       3600.0
#define HOUR_TICKS   ((size_t)(HOUR_S / TICK_S) + 1) /* that an hour from within a tick meets */
#define LEAST_CHANCE 1e-9

_Static_assert(HINDSIGHT_WAYS >= 1 + 2 * ORACLE_MOST_ZONES, "a paid and a free way in each zone");

/* Ticks from that of the submission. */
struct oracle_room {
    const struct study *study;
    size_t ticks;                  /* of the longest gang, and an hour more */
    uint32_t *most, *least;        /* capacity in each tick */
    double *per_s[HINDSIGHT_WAYS]; /* of the gang */
};

struct oracle_room *oracle_room_new(const struct study *study)
{
    struct oracle_room *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    r->study = study;
    for (size_t i = 0; i < study->oracle.gang_count; i++) {
        size_t ticks = study->oracle.gangs[i].ticks + HOUR_TICKS + 2;
        r->ticks = ticks > r->ticks ? ticks : r->ticks;
    }
    size_t ticks = study->oracle.worlds == 0 ? 1 : r->ticks + 1;
    r->most = calloc(ticks, sizeof *r->most);
    r->least = calloc(ticks, sizeof *r->least);
    bool ok = r->most != NULL && r->least != NULL;
    for (size_t i = 0; ok && i < HINDSIGHT_WAYS; i++) {
        r->per_s[i] = malloc(ticks * sizeof *r->per_s[i]);
        ok = r->per_s[i] != NULL;
    }
    if (!ok) {
        oracle_room_free(r);
        return NULL;
    }
    return r;
}

void oracle_room_free(struct oracle_room *r)
{
    if (r == NULL) {
        return;
    }
    for (size_t i = 0; i < HINDSIGHT_WAYS; i++) {
        free(r->per_s[i]);
    }
    free(r->most);
    free(r->least);
    free(r);
}

/* A gang in a world. */
struct hindsight_scene {
    const struct oracle_gang *gang;
    struct oracle_room *room;
    struct market *market;
    struct hindsight_job job;
    size_t first, ticks; /* of the market; ticks: that are known, an hour more than the job's */
};

/* ---- what the market was ---- */

/* The index behind the last tick that the stretch up to `until_s` meets. */
static size_t tick_behind(const struct hindsight_scene *s, double until_s)
{
    double ticks = fmin(ceil(until_s / TICK_S) - (double)s->first, (double)s->ticks);
    return ticks > 0 ? (size_t)ticks : 0;
}

/* Whole or broken ticks of a stretch that begins at from_s. */
static size_t tick_of(const struct hindsight_scene *s, double from_s)
{
    size_t tick = (size_t)(from_s / TICK_S);
    return tick > s->first ? tick - s->first : 0;
}

static void see_capacity(const struct hindsight_scene *s, int pool, uint32_t cap)
{
    struct oracle_room *r = s->room;
    double at_s = (double)s->first * TICK_S, end_s = (double)(s->first + s->ticks) * TICK_S;
    for (size_t k = 0; k < s->ticks; k++) {
        r->most[k] = 0;
        r->least[k] = cap;
    }
    while (at_s < end_s) {
        uint32_t nodes = market_capacity(s->market, pool, at_s, cap);
        double next_s = market_next_change(s->market, pool, at_s, cap);
        size_t behind = tick_behind(s, next_s);
        for (size_t k = tick_of(s, at_s); k < behind; k++) {
            r->most[k] = nodes > r->most[k] ? nodes : r->most[k];
            r->least[k] = nodes < r->least[k] ? nodes : r->least[k];
        }
        at_s = next_s;
    }
}

static void forget_prices(const struct hindsight_scene *s, double *per_s)
{
    for (size_t k = 0; k < s->ticks; k++) {
        per_s[k] = HUGE_VAL;
    }
}

/* The least price of the gang in each tick, if it is less than what stands there. */
static void see_prices(const struct hindsight_scene *s, int pool, double *per_s)
{
    const double nodes = s->gang->plan->work.nodes;
    double at_s = (double)s->first * TICK_S, end_s = (double)(s->first + s->ticks) * TICK_S;
    while (at_s < end_s) {
        double until_s;
        double price = money_to_double(market_price(s->market, pool, at_s, &until_s));
        size_t behind = tick_behind(s, until_s);
        for (size_t k = tick_of(s, at_s); k < behind; k++) {
            per_s[k] = fmin(per_s[k], price * nodes / HOUR_S);
        }
        at_s = until_s;
    }
}

/* ---- ways to run ---- */

static void add_way(struct hindsight_scene *s, double notice_s)
{
    const double *per_s = s->room->per_s[s->job.way_count];
    double least = HUGE_VAL;
    for (size_t k = 0; k < s->job.ticks; k++) {
        least = fmin(least, per_s[k]); /* passes over NaN */
    }
    s->job.ways[s->job.way_count++] = (struct hindsight_way){
        .per_s = per_s, .least_per_s = isinf(least) ? 0 : least, .notice_s = notice_s};
}

/* Of a gang launched in a tick, who is interrupted within an hour is free: all that are above what
 * the pool still has then. Per second of the gang, NaN where nobody can be. */
static void make_free(const struct hindsight_scene *s, const double *paid, double *per_s,
                      uint32_t others, double notice_s)
{
    const struct oracle_room *r = s->room;
    const uint32_t nodes = s->gang->plan->work.nodes, all = nodes + others;
    size_t falls = s->ticks; /* the next tick in which the pool has too little */
    for (size_t k = s->ticks; k-- > 0;) {
        falls = r->least[k] < all ? k : falls;
        double after_s = ((double)falls - (double)k - 1) * TICK_S + notice_s;
        per_s[k] = (double)NAN;
        if (falls >= s->job.ticks || after_s >= HOUR_S || isnan(paid[k])) {
            continue;
        }
        uint32_t stay = all;
        for (size_t j = falls; j <= k + HOUR_TICKS && j < s->ticks; j++) {
            stay = r->least[j] < stay ? r->least[j] : stay;
        }
        double share = stay > others ? (double)(stay - others) / nodes : 0;
        per_s[k] = share * paid[k];
    }
}

/* False when there is no bound: see the head of this module. */
static bool add_spot(struct hindsight_scene *s, int pool, uint32_t others)
{
    const uint32_t nodes = s->gang->plan->work.nodes;
    const bool is_free = market_first_hour_free(s->market, pool);
    const double notice_s = market_notice_s(s->market, pool);
    double *paid = s->room->per_s[s->job.way_count];
    if (is_free && market_ends_nodes(s->market, pool)) {
        return false;
    }
    see_capacity(s, pool, nodes + others);
    forget_prices(s, paid);
    see_prices(s, pool, paid);
    for (size_t k = 0; k < s->ticks; k++) {
        paid[k] = s->room->most[k] >= nodes ? paid[k] : (double)NAN;
    }
    add_way(s, notice_s);
    if (is_free) {
        make_free(s, paid, s->room->per_s[s->job.way_count], others, notice_s);
        add_way(s, notice_s);
    }
    return true;
}

/* ---- a world ---- */

/* The least that it takes; false when the drawn parameters are impossible. */
static bool least_of(const struct variate *v, const double *drawn, double *least_s)
{
    struct distribution d;
    if (!variate_resolve(v, drawn, &d)) {
        return false;
    }
    *least_s = fmax(
        d.family == DISTRIBUTION_CONSTANT ? d.p[0] : distribution_quantile(&d, LEAST_CHANCE), 0);
    return true;
}

static bool set_job(struct hindsight_scene *s, const double *drawn)
{
    const struct training_plan *plan = s->gang->plan;
    const double submit_s = work_submit_s(&plan->work, drawn);
    s->first = (size_t)(submit_s / TICK_S);
    s->job.tick_s = TICK_S;
    s->job.work_s = training_work_s(plan, drawn);
    s->job.ticks = s->gang->ticks > s->first ? s->gang->ticks - s->first : 0;
    s->ticks = s->job.ticks + HOUR_TICKS + 1;
    return submit_s < s->gang->last_s && isfinite(s->job.work_s) &&
           least_of(&plan->spec->boot, drawn, &s->job.boot_s) &&
           least_of(&plan->spec->checkpoint.restore, drawn, &s->job.restore_s);
}

static double bound_of(struct oracle_room *r, const struct oracle_gang *g, struct market *market,
                       const double *drawn)
{
    struct hindsight_scene s = {.gang = g, .room = r, .market = market};
    if (g->spot_count == 0 || g->too_many || !set_job(&s, drawn)) {
        return (double)NAN;
    }
    forget_prices(&s, r->per_s[0]);
    for (size_t i = 0; i < g->on_demand_count; i++) {
        see_prices(&s, g->on_demand[i], r->per_s[0]);
    }
    if (g->on_demand_count > 0) {
        add_way(&s, 0);
    }
    for (size_t i = 0; i < g->spot_count; i++) {
        if (!add_spot(&s, g->spot[i], g->others[i])) {
            return (double)NAN;
        }
    }
    return hindsight_bound(&s.job);
}

void oracle_world(struct oracle_room *r, struct market *market, const double *drawn, double *bounds)
{
    const struct oracle_plan *p = &r->study->oracle;
    for (size_t i = 0; i < p->gang_count; i++) {
        bounds[i] = bound_of(r, &p->gangs[i], market, drawn);
    }
}
