/* SPDX-License-Identifier: GPL-3.0-or-later
 * See commitment_results.h. Shares are taken world by world, then averaged: a world with little
 * usage counts as much as one with plenty. */
#include "scenarios/output/commitment_results.h"

#include "scenarios/output/result_rows.h"
#include "scenarios/output/world_quantiles.h"

#include <math.h>
#include <stdlib.h>

/* Of one commitment, or of all of a strategy: index SIZE_MAX. */
struct subject {
    const struct run *run;
    size_t strategy, index;
    double *values; /* a column of worlds */
    struct committed_account plan_world;
    money_t total, paid; /* signed; of it paid inside the horizon */
    double in_force_h;   /* inside the horizon */
};

static const struct commitment_plan *plan_of(const struct subject *s)
{
    return &s->run->study->strategies[s->strategy].commitments;
}

/* A capacity reservation: nothing is signed, and what it comes to differs from world to world. */
static const struct held_capacity *reservation_of(const struct subject *s)
{
    const struct commitment_plan *plan = plan_of(s);
    const size_t first = plan->count + plan->sunk;
    return s->index == SIZE_MAX || s->index < first ? NULL
                                                    : &plan->reservations.items[s->index - first];
}

/* From before the plan: it signs for nothing, is no purchase of it, and its cost is in no bill. */
static bool is_sunk(const struct subject *s)
{
    return s->index != SIZE_MAX && s->index >= plan_of(s)->count && reservation_of(s) == NULL;
}

/* Time in which reserved capacity was idle, which commitments cover too. */
static int64_t idle_us(const struct commitment_plan *plan, const struct committed_account *accounts)
{
    int64_t sum = 0;
    for (size_t i = 0; i < plan->reservations.count; i++) {
        const struct held_capacity *h = &plan->reservations.items[i];
        sum +=
            (h->to_us - h->from_us) * h->count - accounts[plan->count + plan->sunk + i].covered_us;
    }
    return sum;
}

/* The account of a world. */
static struct committed_account account_of(const struct subject *s, uint32_t world)
{
    const struct committed_account *accounts =
        results_accounts(&s->run->results, world, s->strategy);
    if (s->index != SIZE_MAX) {
        return accounts[s->index];
    }
    struct committed_account sum = {0};
    for (size_t k = 0; k < plan_of(s)->count; k++) {
        sum.covered_us += accounts[k].covered_us;
        (void)money_add(&sum.covered, accounts[k].covered);
        (void)money_add(&sum.used, accounts[k].used);
        (void)money_add(&sum.unused, accounts[k].unused);
        sum.later += accounts[k].later;
        (void)money_add(&sum.used_inside, accounts[k].used_inside);
        sum.others_us += accounts[k].others_us;
    }
    const struct metric_cells *all =
        results_cells(&s->run->results, world, s->strategy, s->run->results.workloads);
    double hours = 0;
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        hours += all->node_h[PURCHASE_ON_DEMAND][a];
    }
    sum.eligible_us = (int64_t)llround(hours * (double)HOUR_US) + idle_us(plan_of(s), accounts);
    return sum;
}

/* ---- columns of worlds ---- */

enum account_column {
    COVERED,
    USED,
    UNUSED,
    LATER,
    COVERED_H,
    OTHERS_H,
    UTILISATION, /* inside the horizon */
    COVERAGE
};

static double share(double part, double whole)
{
    return whole > 0 ? fmin(part / whole, 1) : (double)NAN;
}

static double column_value(const struct committed_account *a, enum account_column column)
{
    switch (column) {
    case COVERED:
        return money_to_double(a->covered);
    case USED:
        return money_to_double(a->used);
    case UNUSED:
        return money_to_double(a->unused);
    case LATER:
        return money_to_double(a->later);
    case COVERED_H:
        return (double)a->covered_us / (double)HOUR_US;
    case OTHERS_H:
        return (double)a->others_us / (double)HOUR_US;
    case UTILISATION:
        return share((double)a->used_inside, (double)a->used_inside + (double)a->unused);
    case COVERAGE:
        return share((double)a->covered_us, (double)a->eligible_us);
    }
    return (double)NAN;
}

/* Worlds in which the value exists. */
static size_t fill(const struct subject *s, enum account_column column)
{
    size_t n = 0;
    for (uint32_t i = 0; i < s->run->results.replications; i++) {
        struct committed_account a = account_of(s, i);
        double value = column_value(&a, column);
        if (!isnan(value)) {
            s->values[n++] = value;
        }
    }
    return n;
}

/* Worlds whose work was cut off: what is used may still grow then. */
static size_t count_cut(const struct subject *s)
{
    const struct results *r = &s->run->results;
    size_t cut = 0;
    for (uint32_t i = 0; i < r->replications; i++) {
        cut += metric_censored(results_cells(r, i, s->strategy, r->workloads), METRIC_COVERED);
    }
    return cut;
}

static double mean_of(const struct subject *s, enum account_column column)
{
    size_t n = fill(s, column);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += s->values[i];
    }
    return n > 0 ? sum / (double)n : (double)NAN;
}

static void put_share(struct result_rows *rows, const struct subject *s, enum account_column column)
{
    struct world_quantiles q = {NAN, NAN, NAN, NAN, NAN, NAN};
    size_t n = fill(s, column);
    if (n > 0 && !world_quantiles(&q, s->values, NULL, n)) {
        rows_fail(rows);
        return;
    }
    rows_number(rows, q.mean);
    rows_number(rows, q.p10);
    rows_number(rows, q.p90);
}

/* ---- rows ---- */

static void put_terms(struct result_rows *rows, const struct subject *s)
{
    const struct commitment_plan *plan = plan_of(s);
    const int64_t start_unix_s = s->run->study->scenario->start.unix_s;
    const bool all = s->index == SIZE_MAX;
    const struct commitment *c = all ? NULL : &plan->items[s->index];
    rows_text(rows, study_strategy_name(s->run->study, s->strategy));
    rows_integer(rows, all || is_sunk(s) ? COLUMN_MISSING_INTEGER : (int64_t)s->index + 1);
    rows_text(rows, all ? STUDY_ALL : c->name);
    rows_text(rows, all ? NULL : commitment_kind_names[c->kind]);
    rows_text(rows,
              !all && commitment_is_reserved(c) ? offering_class_names[c->offering_class] : NULL);
    rows_integer(rows, all || c->term_years == 0 ? COLUMN_MISSING_INTEGER : c->term_years);
    rows_text(rows, all || c->term_years == 0 ? NULL : payment_option_names[c->payment]);
    rows_integer(rows, all || c->count == 0 ? COLUMN_MISSING_INTEGER : c->count);
    rows_number(rows, all || c->hourly == 0 ? (double)NAN : money_to_double(c->hourly));
    const bool bought = !all && !is_sunk(s);
    rows_integer(rows, bought ? plan->rungs[s->index].rung + 1 : COLUMN_MISSING_INTEGER);
    rows_integer(rows, bought ? plan->rungs[s->index].rungs : COLUMN_MISSING_INTEGER);
    rows_integer(rows, all ? COLUMN_MISSING_INTEGER : start_unix_s + c->start_us / MICROSECONDS);
    rows_integer(rows, all      ? COLUMN_MISSING_INTEGER
                       : bought ? start_unix_s + c->end_us / MICROSECONDS
                                : plan->account->specs[s->index - plan->count].ends.unix_s);
}

static void put_reservation(struct result_rows *rows, const struct subject *s)
{
    const struct held_capacity *h = reservation_of(s);
    const int64_t start_unix_s = s->run->study->scenario->start.unix_s;
    rows_text(rows, study_strategy_name(s->run->study, s->strategy));
    rows_integer(rows, COLUMN_MISSING_INTEGER);
    rows_text(rows, h->name);
    rows_text(rows, commitment_kind_names[COMMITMENT_CAPACITY_RESERVATION]);
    rows_text(rows, NULL);
    rows_integer(rows, COLUMN_MISSING_INTEGER);
    rows_text(rows, NULL);
    rows_integer(rows, h->count);
    rows_number(rows, (double)NAN);
    rows_integer(rows, COLUMN_MISSING_INTEGER);
    rows_integer(rows, COLUMN_MISSING_INTEGER);
    rows_integer(rows, start_unix_s + h->from_us / MICROSECONDS);
    rows_integer(rows, start_unix_s + h->to_us / MICROSECONDS);
}

/* Share of the worlds in which more than this part of its cost inside the horizon is for nothing.
 */
static double chance_unused(const struct subject *s, double part)
{
    size_t n = fill(s, UTILISATION), more = 0;
    for (size_t i = 0; i < n; i++) {
        more += 1 - s->values[i] > part + 1e-12;
    }
    return n > 0 ? (double)more / (double)n : (double)NAN;
}

static void put_money(struct result_rows *rows, const struct subject *s)
{
    const bool known = s->run->plan_worlds[s->strategy] != UINT32_MAX;
    const struct committed_account *p = &s->plan_world;
    const bool grows = count_cut(s) > 0;
    rows_money(rows, s->total);
    rows_money(rows, s->paid);
    rows_number(rows, grows ? (double)NAN : mean_of(s, COVERED));
    rows_number(rows, grows ? (double)NAN : mean_of(s, USED));
    rows_number(rows, mean_of(s, UNUSED));
    rows_number(rows, mean_of(s, LATER));
    rows_money(rows, known ? p->covered : COLUMN_MISSING_INTEGER);
    rows_money(rows, known ? p->used : COLUMN_MISSING_INTEGER);
    rows_money(rows, known ? p->unused : COLUMN_MISSING_INTEGER);
    rows_money(rows, known ? p->later : COLUMN_MISSING_INTEGER);
}

static void put_row(struct result_rows *rows, const struct subject *s)
{
    const bool known = s->run->plan_worlds[s->strategy] != UINT32_MAX;
    rows_next(rows);
    if (reservation_of(s) != NULL) {
        put_reservation(rows, s);
    } else {
        put_terms(rows, s);
    }
    put_money(rows, s);
    put_share(rows, s, UTILISATION);
    rows_number(rows, known ? column_value(&s->plan_world, UTILISATION) : (double)NAN);
    put_share(rows, s, COVERAGE);
    rows_number(rows, known ? column_value(&s->plan_world, COVERAGE) : (double)NAN);
    rows_number(rows, count_cut(s) > 0 ? (double)NAN : mean_of(s, COVERED_H));
    rows_number(rows, s->in_force_h > 0 ? mean_of(s, UNUSED) / s->in_force_h : (double)NAN);
    rows_number(rows, chance_unused(s, 0.10));
    rows_number(rows, chance_unused(s, 0.25));
    rows_number(rows, chance_unused(s, 0.50));
    rows_integer(rows, (int64_t)count_cut(s));
    rows_number(rows,
                account_matters(&s->run->study->account) ? mean_of(s, OTHERS_H) : (double)NAN);
}

/* Those of the account, alike in every strategy but for what they cover. */
static void put_sunk(struct result_rows *rows, const struct subject *of, uint32_t world)
{
    const int64_t horizon_us = of->run->study->frame.horizon_us;
    const struct commitment_plan *plan = plan_of(of);
    for (size_t k = plan->count; k < plan->count + plan->sunk; k++) {
        struct subject s = *of;
        s.index = k;
        s.total = s.paid = COLUMN_MISSING_INTEGER;
        s.in_force_h =
            (double)commitment_overlap_us(&plan->items[k], 0, horizon_us) / (double)HOUR_US;
        if (world != UINT32_MAX) {
            s.plan_world = account_of(&s, world);
        }
        put_row(rows, &s);
    }
}

static void put_reservations(struct result_rows *rows, const struct subject *of, uint32_t world)
{
    const struct commitment_plan *plan = plan_of(of);
    for (size_t k = 0; k < plan->reservations.count; k++) {
        const struct held_capacity *h = &plan->reservations.items[k];
        struct subject s = *of;
        s.index = plan->count + plan->sunk + k;
        s.total = 0;
        s.paid = COLUMN_MISSING_INTEGER;
        s.in_force_h = (double)(h->to_us - h->from_us) / (double)HOUR_US;
        if (world != UINT32_MAX) {
            s.plan_world = account_of(&s, world);
        }
        put_row(rows, &s);
    }
}

static void put_strategy(struct result_rows *rows, const struct run *run, size_t strategy,
                         double *values)
{
    const int64_t horizon_us = run->study->frame.horizon_us;
    const uint32_t world = run->plan_worlds[strategy];
    struct subject all = {.run = run, .strategy = strategy, .index = SIZE_MAX, .values = values};
    const struct commitment_plan *plan = plan_of(&all);
    for (size_t k = 0; k < plan->count; k++) {
        const struct commitment *c = &plan->items[k];
        struct subject s = all;
        s.index = k;
        s.total = commitment_obligation(c);
        s.paid = commitment_paid(c, INT64_MIN / 4, horizon_us);
        s.in_force_h =
            (double)commitment_overlap_us(c, INT64_MIN / 4, horizon_us) / (double)HOUR_US;
        if (world != UINT32_MAX) {
            s.plan_world = account_of(&s, world);
        }
        put_row(rows, &s);
        (void)money_add(&all.total, s.total);
        (void)money_add(&all.paid, s.paid);
    }
    if (plan->count > 1) {
        all.in_force_h = (double)horizon_us / (double)HOUR_US;
        if (world != UINT32_MAX) {
            all.plan_world = account_of(&all, world);
        }
        put_row(rows, &all);
    }
    put_sunk(rows, &all, world);
    put_reservations(rows, &all, world);
}

struct table *commitment_results_table(const struct run *run)
{
    struct result_rows rows;
    double *values = malloc(((size_t)run->results.replications + 1) * sizeof *values);
    rows_begin(&rows, "commitments", run->study->scenario->currency);
    if (values == NULL) {
        rows_fail(&rows);
    }
    for (size_t k = 0; values != NULL && k < run->results.strategies; k++) {
        if (results_has_accounts(&run->results, k)) {
            put_strategy(&rows, run, k, values);
        }
    }
    free(values);
    return rows_end(&rows);
}
