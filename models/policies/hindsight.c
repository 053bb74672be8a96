/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/policies/hindsight.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_STEPS = 60 }; /* of the search for lambda; some ten do */
#define ROUNDING 1e-9     /* relative, taken off: sums of many doubles */
#define ALL_WORK 1e9      /* lambda over the dearest price: work alone counts */

/* The cheapest way to be where one is: what it cost and how much work it did. */
struct course {
    double cost, work;
    bool possible;
};

static double value(const struct course *c, double lambda)
{
    return c->possible ? c->cost - lambda * c->work : HUGE_VAL;
}

static const struct course *better(const struct course *a, const struct course *b, double lambda)
{
    return value(b, lambda) < value(a, lambda) ? b : a;
}

static struct course after(const struct course *c, double cost, double work)
{
    return (struct course){c->cost + cost, c->work + work, c->possible};
}

/* Launched in the place of a gang that goes: booted beside it, or after it. */
static struct course relieve(const struct hindsight_job *job, const struct hindsight_way *w,
                             const struct course *gone, double lambda)
{
    double beside = job->boot_s * w->least_per_s;
    bool after_it = lambda * job->boot_s < beside;
    return after(gone, after_it ? 0 : beside, -job->restore_s - (after_it ? job->boot_s : 0));
}

/* What the search knows at the beginning of a tick. */
struct standing {
    struct course fresh; /* the first launch is still to come; its boot is taken off already */
    struct course idle;
    struct course gone; /* the best of the gangs that run */
    struct course runs[HINDSIGHT_WAYS];
};

/* The best gang of this kind that is launched now, or runs already. */
static struct course go_on(const struct hindsight_job *job, const struct standing *s, size_t way,
                           double lambda)
{
    struct course launched = after(&s->idle, 0, -job->boot_s - job->restore_s);
    struct course relieved = relieve(job, &job->ways[way], &s->gone, lambda);
    const struct course *c = better(&s->runs[way], &s->fresh, lambda);
    c = better(c, &launched, lambda);
    return *better(c, &relieved, lambda);
}

/* Gangs that are lost at this instant, one launched just before among them, work through their
 * notice. */
static void lose(const struct hindsight_job *job, struct standing *s, size_t tick, double lambda)
{
    for (size_t i = 0; tick > 0 && i < job->way_count; i++) {
        const struct hindsight_way *w = &job->ways[i];
        if (isnan(w->per_s[tick]) && !isnan(w->per_s[tick - 1]) && lambda > w->least_per_s) {
            struct course c = go_on(job, s, i, lambda);
            s->runs[i] = after(&c, w->notice_s * w->least_per_s, w->notice_s);
        }
    }
}

static void find_gone(const struct hindsight_job *job, struct standing *s, double lambda)
{
    s->gone.possible = false;
    for (size_t i = 0; i < job->way_count; i++) {
        s->gone = *better(&s->gone, &s->runs[i], lambda);
    }
}

/* The plan of least cost - lambda work that launches at all. */
static struct course best_plan(const struct hindsight_job *job, double lambda)
{
    struct standing s = {.fresh = {0, -job->boot_s, true}};
    for (size_t k = 0; k < job->ticks; k++) {
        struct course runs[HINDSIGHT_WAYS];
        find_gone(job, &s, lambda);
        lose(job, &s, k, lambda);
        find_gone(job, &s, lambda);
        for (size_t i = 0; i < job->way_count; i++) {
            const double per_s = job->ways[i].per_s[k];
            runs[i] = (struct course){0, 0, false};
            if (!isnan(per_s)) {
                struct course c = go_on(job, &s, i, lambda);
                runs[i] = after(&c, job->tick_s * per_s, job->tick_s);
            }
        }
        s.idle = *better(&s.idle, &s.gone, lambda);
        for (size_t i = 0; i < job->way_count; i++) {
            s.runs[i] = runs[i];
        }
    }
    find_gone(job, &s, lambda);
    return *better(better(&s.idle, &s.gone, lambda), &s.fresh, lambda);
}

static double dearest_per_s(const struct hindsight_job *job)
{
    double dearest = 1e-12;
    for (size_t i = 0; i < job->way_count; i++) {
        for (size_t k = 0; k < job->ticks; k++) {
            dearest = fmax(dearest, job->ways[i].per_s[k]); /* passes over NaN */
        }
    }
    return dearest;
}

/* Two plans, one with too little work and one with enough: the lambda at which they are equally
 * good finds a third between them, or shows that there is none. */
double hindsight_bound(const struct hindsight_job *job)
{
    const double work_s = job->work_s * (1 - ROUNDING);
    struct course little = {0, -job->boot_s, true};
    struct course enough = best_plan(job, ALL_WORK * dearest_per_s(job));
    double bound = 0;
    if (work_s <= 0) {
        return 0;
    }
    if (enough.work < work_s) {
        return (double)NAN;
    }
    for (int step = 0; step < MOST_STEPS; step++) {
        double lambda = fmax((enough.cost - little.cost) / (enough.work - little.work), 0);
        struct course plan = best_plan(job, lambda);
        double low = value(&plan, lambda), line = value(&little, lambda);
        bound = fmax(bound, low + lambda * work_s);
        if (low >= line - ROUNDING * (fabs(line) + enough.cost)) {
            break;
        }
        if (plan.work < work_s) {
            little = plan;
        } else {
            enough = plan;
        }
    }
    return bound * (1 - ROUNDING);
}
