/* SPDX-License-Identifier: GPL-3.0-or-later
 * See rate_doubt.h. Purchases of a ladder are alike: the first stands for all of them, so that the
 * work does not grow with their number. */
#include "scenarios/study/rate_doubt.h"

#include "models/commitments/normalisation.h"

/* A savings plan with an assumed rate, and the type whose reserved price that is made of. */
struct assumed_rate {
    const struct commitment *plan;
    const char *type;
};

static bool same_terms(const struct commitment *a, const struct commitment *b)
{
    return a->term_years == b->term_years && a->payment == b->payment;
}

/* Instances reserved whose price the rate is made of. */
static int64_t reserved_of(const struct commitment_plan *plan, const struct assumed_rate *rate)
{
    const enum offer_kind class =
        rate->plan->kind == COMMITMENT_COMPUTE_SAVINGS ? OFFER_CONVERTIBLE : OFFER_STANDARD;
    int64_t sum = 0;
    for (size_t i = 0; i < plan->count; i++) {
        const struct commitment *c = &plan->items[i];
        if (plan->rungs[i].rung == 0 && commitment_is_reserved(c) && c->offering_class == class &&
            same_terms(c, rate->plan) && instance_same_family(c->type, rate->type)) {
            sum += c->count * plan->rungs[i].rungs;
        }
    }
    return sum;
}

/* Commitment an hour, in plans like this one whose rate for the type is assumed. */
static money_t assumed_of(const struct commitment_plan *plan, const struct assumed_rate *rate)
{
    money_t sum = 0;
    for (size_t k = 0; plan->reserved_rates != NULL && k < plan->count; k++) {
        const struct commitment *c = &plan->items[k];
        if (plan->rungs[k].rung > 0 || c->kind != rate->plan->kind || !same_terms(c, rate->plan)) {
            continue;
        }
        for (size_t g = 0; g < plan->group_count; g++) {
            if (plan->reserved_rates[commitment_plan_cell(plan, g, k)].stated == 0 &&
                instance_same_family(plan->groups[g].type, rate->type)) {
                (void)money_add(&sum, money_times(c->hourly, plan->rungs[k].rungs));
                break;
            }
        }
    }
    return sum;
}

/* Whether `with` has more of an assumed plan, and `against` more of what its rate is made of. */
static bool doubts(const struct commitment_plan *with, const struct commitment_plan *against)
{
    for (size_t k = 0; with->reserved_rates != NULL && k < with->count; k++) {
        for (size_t g = 0; with->rungs[k].rung == 0 && g < with->group_count; g++) {
            const struct assumed_rate rate = {&with->items[k], with->groups[g].type};
            if (with->reserved_rates[commitment_plan_cell(with, g, k)].stated == 0 &&
                reserved_of(against, &rate) > reserved_of(with, &rate) &&
                assumed_of(with, &rate) > assumed_of(against, &rate)) {
                return true;
            }
        }
    }
    return false;
}

bool rate_doubt(const struct study *s, size_t a, size_t b)
{
    const struct commitment_plan *x = &s->strategies[a].commitments;
    const struct commitment_plan *y = &s->strategies[b].commitments;
    return doubts(x, y) || doubts(y, x);
}
