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

static void set_law(struct arrivals *a, const struct demand_spec *spec, const double *drawn)
{
    double cv = number_value(&spec->cv, drawn);
    a->law = cv == 1.0 ? LAW_POISSON : spec->law;
    if (a->law == ARRIVALS_GAMMA) {
        a->shape = 1 / (cv * cv);
        a->scale = cv * cv;
    } else if (a->law == ARRIVALS_WEIBULL) {
        a->shape = weibull_shape(cv);
        a->scale = 1 / gsl_sf_gamma(1 + 1 / a->shape);
    }
}

static double draw_gap(struct arrivals *a)
{
    switch (a->law) {
    case ARRIVALS_GAMMA:
        return gsl_ran_gamma(a->rng, a->shape, a->scale);
    case ARRIVALS_WEIBULL:
        return gsl_ran_weibull(a->rng, a->scale, a->shape);
    default:
        return random_exponential(gsl_rng_state(a->rng));
    }
}

/* ---- a walk ---- */

void arrivals_next(struct arrivals *a)
{
    double gap = draw_gap(a);
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
    set_law(a, p->spec, drawn);
    if (!demand_begin(&a->demand, p, world, drawn)) {
        a->next_s = HUGE_VAL;
        return;
    }
    a->at_s = a->demand.from_s;
    arrivals_next(a);
}
