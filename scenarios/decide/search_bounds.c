/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_bounds.h"

#include "models/training/reliability_plan.h"
#include "models/training/training_work.h"

#include <math.h>
#include <stdlib.h>

/* Counts of nodes of an elastic job that are looked at; of more nothing is said. */
#define MOST_COUNTS 256
/* Sums are rounded: a bound stays below them. */
#define BELOW (1 - 1e-9)

struct market_bounds {
    const struct study *study;
    struct market *market;
    double *drawn;
    double *least_price; /* by pool, an hour, in this world; NaN: not looked at */
    bool known;          /* there is such a world */
};

struct market_bounds *market_bounds_new(const struct study *study)
{
    struct market_bounds *m = calloc(1, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    m->study = study;
    m->market = market_new(study->market);
    m->drawn = calloc(inputs_count(study->scenario->inputs) + 1, sizeof *m->drawn);
    m->least_price = calloc(market_plan_pools(study->market) + 1, sizeof *m->least_price);
    if (m->market == NULL || m->drawn == NULL || m->least_price == NULL) {
        market_bounds_free(m);
        return NULL;
    }
    return m;
}

void market_bounds_free(struct market_bounds *m)
{
    if (m != NULL) {
        market_free(m->market);
        free(m->drawn);
        free(m->least_price);
        free(m);
    }
}

bool market_bounds_begin(struct market_bounds *m, uint32_t world)
{
    const struct scenario *sc = m->study->scenario;
    const struct random_world w = {(uint64_t)sc->seed, world};
    inputs_draw(sc->inputs, w, m->drawn);
    for (size_t p = 0; p < market_plan_pools(m->study->market); p++) {
        m->least_price[p] = (double)NAN;
    }
    m->known = market_begin(m->market, w, m->drawn);
    return m->known;
}

/* ---- work ---- */

/* What the work takes on one count of nodes or another: the least time, and node time. */
struct least_work {
    double time_s, node_s;
};

static struct least_work least_work(const struct training_plan *p, const double *drawn)
{
    const double all_s = training_work_time(p, drawn).all_s;
    const uint32_t nodes = p->work.nodes;
    if (!isfinite(all_s)) {
        return (struct least_work){0};
    }
    if (!p->elastic.is) {
        return (struct least_work){all_s, nodes * all_s};
    }
    const uint32_t least = p->elastic.least > 0 ? p->elastic.least : 1;
    struct least_work w = {HUGE_VAL, HUGE_VAL};
    if (nodes < least || nodes - least >= MOST_COUNTS) {
        return (struct least_work){0};
    }
    for (uint32_t k = least; k <= nodes; k++) {
        const double pace = elastic_pace(p, k, drawn);
        if (!(pace > 0) || !isfinite(pace)) {
            return (struct least_work){0};
        }
        w.time_s = fmin(w.time_s, all_s / pace);
        w.node_s = fmin(w.node_s, k * all_s / pace);
    }
    return w;
}

static const struct training_plan *bounded(const struct work_plan *plan)
{
    return plan->finite && plan->cut_at_horizon && plan->kind == &work_training
               ? training_plan_of(plan)
               : NULL;
}

double least_end_s(const struct market_bounds *m, size_t strategy, size_t workload)
{
    const struct work_plan *plan = m->study->strategies[strategy].plans[workload];
    const struct training_plan *p = m->known ? bounded(plan) : NULL;
    return p == NULL
               ? 0
               : BELOW * ((plan->awaits ? 0 : plan->submit_s) + least_work(p, m->drawn).time_s);
}

/* ---- prices ---- */

static double least_price(struct market_bounds *m, int pool)
{
    double *least = &m->least_price[pool];
    if (isnan(*least)) {
        double at_s = 0, until_s = 0;
        *least = HUGE_VAL;
        for (; at_s < m->study->scenario->horizon_s; at_s = until_s) {
            *least = fmin(*least, money_to_double(market_price(m->market, pool, at_s, &until_s)));
            if (!(until_s > at_s)) { /* a price that cannot be followed bounds nothing */
                *least = 0;
                break;
            }
        }
    }
    return *least;
}

/* Of a node, an hour; 0: there is no bound. */
static double cheapest(struct market_bounds *m, const struct work_plan *plan)
{
    double least = plan->pool_count == 0 ? 0 : HUGE_VAL;
    for (size_t i = 0; i < plan->pool_count; i++) {
        const struct work_pool *p = &plan->pools[i];
        const bool paid =
            p->purchase == PURCHASE_ON_DEMAND ||
            (p->purchase == PURCHASE_SPOT && !market_first_hour_free(m->market, p->pool));
        least = paid ? fmin(least, least_price(m, p->pool)) : 0;
        if (!(least > 0)) {
            return 0;
        }
    }
    return least;
}

/* Whether the list price of its nodes is what is paid. */
static bool pays_lists(const struct study *s, size_t strategy)
{
    return !study_is_covered(s, strategy) &&
           s->strategies[strategy].commitments.reservations.count == 0 &&
           s->strategies[strategy].owned_count == 0 && s->strategies[strategy].window_count == 0 &&
           !account_matters(&s->account) && s->charges.discount_item == SIZE_MAX &&
           !s->charges.of_invoice;
}

double least_cost(struct market_bounds *m, size_t strategy)
{
    double sum = 0;
    if (!m->known || !pays_lists(m->study, strategy)) {
        return 0;
    }
    for (size_t w = 0; w < m->study->workload_count; w++) {
        const struct work_plan *plan = m->study->strategies[strategy].plans[w];
        const struct training_plan *p = bounded(plan);
        const double price = p == NULL ? 0 : cheapest(m, plan);
        if (price > 0) {
            sum += least_work(p, m->drawn).node_s / 3600 * price;
        }
    }
    return BELOW * sum;
}
