/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/arrivals.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

enum { LAW_POISSON = -1 };

bool arrivals_init(struct arrivals *a, const char *workload_name)
{
    *a = (struct arrivals){.next_s = HUGE_VAL,
                           .source = random_source("workload/%s/arrivals", workload_name)};
    a->rng = random_gsl_new((struct random_world){0}, a->source);
    return a->rng != NULL;
}

void arrivals_release(struct arrivals *a)
{
    if (a->rng != NULL) {
        gsl_rng_free(a->rng);
        a->rng = NULL;
    }
}

/* ---- gaps ---- */

/* Variance over squared mean of a Weibull law, which falls with its shape. */
static double weibull_variation(double shape)
{
    return expm1(gsl_sf_lngamma(1 + 2 / shape) - 2 * gsl_sf_lngamma(1 + 1 / shape));
}

/* The shape of the Weibull law with this variation: by halving, since its ends are known. */
static double weibull_shape(double cv)
{
    double low = 0.1, high = 200.0; /* of variations from 429 to 0.0064 */
    for (int i = 0; i < 100; i++) {
        double middle = sqrt(low * high);
        *(weibull_variation(middle) > cv * cv ? &low : &high) = middle;
    }
    return sqrt(low * high);
}

struct arrival_gaps arrival_gaps_of(int law, double cv)
{
    struct arrival_gaps g = {.law = cv == 1.0 ? LAW_POISSON : law};
    if (g.law == ARRIVALS_GAMMA) {
        g.shape = 1 / (cv * cv);
        g.scale = cv * cv;
    } else if (g.law == ARRIVALS_WEIBULL) {
        g.shape = weibull_shape(cv);
        g.scale = 1 / gsl_sf_gamma(1 + 1 / g.shape);
    }
    return g;
}

double arrival_gap(const struct arrival_gaps *g, gsl_rng *rng)
{
    switch (g->law) {
    case ARRIVALS_GAMMA:
        return gsl_ran_gamma(rng, g->shape, g->scale);
    case ARRIVALS_WEIBULL:
        return gsl_ran_weibull(rng, g->scale, g->shape);
    default:
        return random_exponential(gsl_rng_state(rng));
    }
}

/* ---- a trace ---- */

static double trace_time(const struct request_trace *t, size_t i)
{
    return t->items[i].at_s - t->items[0].at_s;
}

/* To the trace's next request; false when there is none. */
static bool trace_step(struct arrivals *a)
{
    const struct request_trace *t = a->demand.plan->trace;
    if (++a->at == t->count) {
        a->at = 0;
        a->laps++;
        return a->demand.plan->spec->loop;
    }
    return true;
}

/* The demand stands where t_s is; false when that is past its end. */
static bool demand_reaches(struct demand *d, double t_s)
{
    while (d->to_s <= t_s) {
        if (!demand_next(d)) {
            return false;
        }
    }
    return true;
}

/* How many come for the trace's request that a->at names. */
static double draw_copies(struct arrivals *a)
{
    double whole = floor(a->demand.rate), rest = a->demand.rate - whole;
    return whole + (rest > 0 && random_uniform(gsl_rng_state(a->rng)) < rest);
}

/* From the trace's request that a->at names on, the first for which any comes. */
static void trace_take(struct arrivals *a)
{
    const struct request_trace *t = a->demand.plan->trace;
    for (bool any = a->laps == 0 || a->demand.plan->spec->loop; any; any = trace_step(a)) {
        double lap_s = a->origin_s + a->laps * a->lap_s, at_s = lap_s + trace_time(t, a->at);
        if (!demand_reaches(&a->demand, at_s)) {
            break;
        }
        a->more = draw_copies(a);
        if (a->more >= 1) {
            bool last = a->at + 1 == t->count;
            a->gap_end_s = lap_s + (last ? a->lap_s : trace_time(t, a->at + 1));
            a->next_s = at_s;
            a->prompt_tokens = t->items[a->at].prompt_tokens;
            a->output_tokens = t->items[a->at].output_tokens;
            a->cached_tokens = t->items[a->at].cached_tokens;
            return;
        }
    }
    a->next_s = HUGE_VAL;
}

static void trace_next(struct arrivals *a)
{
    if (--a->more >= 1) {
        /* The least of so many uniform times that are left. */
        double u = random_uniform(gsl_rng_state(a->rng));
        a->next_s += (a->gap_end_s - a->next_s) * -expm1(log1p(-u) / a->more);
        if (a->next_s >= a->demand.end_s) {
            a->next_s = HUGE_VAL;
        }
    } else if (trace_step(a)) {
        trace_take(a);
    } else {
        a->next_s = HUGE_VAL;
    }
}

static void trace_begin(struct arrivals *a)
{
    const struct demand_plan *p = a->demand.plan;
    double phase_s = 0;
    a->lap_s = request_trace_period_s(p->trace);
    a->at = 0;
    a->laps = 0;
    if (p->begins_at_random) {
        phase_s = a->lap_s * random_uniform(gsl_rng_state(a->rng));
        size_t past = p->trace->count; /* the first request at or after the phase, by halving */
        while (a->at < past) {
            size_t middle = a->at + (past - a->at) / 2;
            if (trace_time(p->trace, middle) < phase_s) {
                a->at = middle + 1;
            } else {
                past = middle;
            }
        }
    }
    a->origin_s = a->demand.begin_s - phase_s;
    if (a->at == p->trace->count) {
        a->at = 0;
        a->laps = 1;
    }
    trace_take(a);
}

/* ---- a walk ---- */

void arrivals_next(struct arrivals *a)
{
    if (a->demand.plan->trace != NULL) {
        trace_next(a);
        return;
    }
    double gap = arrival_gap(&a->gaps, a->rng);
    for (;;) {
        double left = (a->demand.to_s - a->at_s) * a->demand.rate;
        if (gap < left) {
            a->at_s += gap / a->demand.rate;
            a->next_s = a->at_s;
            return;
        }
        gap -= left;
        if (!demand_next(&a->demand)) {
            a->next_s = HUGE_VAL;
            return;
        }
        a->at_s = a->demand.from_s;
    }
}

void arrivals_begin(struct arrivals *a, const struct demand_plan *p, struct random_world world,
                    const double *drawn)
{
    random_stream_init(gsl_rng_state(a->rng), world, a->source);
    a->prompt_tokens = a->output_tokens = a->cached_tokens = 0;
    if (p->trace == NULL) {
        a->gaps = arrival_gaps_of(p->spec->law, number_value(&p->spec->cv, drawn));
    }
    if (!demand_begin(&a->demand, p, world, drawn)) {
        a->next_s = HUGE_VAL;
        return;
    }
    if (p->trace != NULL) {
        trace_begin(a);
        return;
    }
    a->at_s = a->demand.from_s;
    arrivals_next(a);
}
