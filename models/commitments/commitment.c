/* SPDX-License-Identifier: GPL-3.0-or-later
 * See commitment.h. */
#include "models/commitments/commitment.h"

#include "models/commitments/normalisation.h"

#include <assert.h>

__extension__ typedef unsigned __int128 uint128;

const char *const commitment_kind_names[] = {"zonal reserved instances",
                                             "regional reserved instances",
                                             "EC2 Instance Savings Plan",
                                             "Compute Savings Plan",
                                             "capacity block",
                                             "capacity reservation",
                                             NULL};
const char *const offering_class_names[] = {
    [OFFER_STANDARD] = "standard", [OFFER_CONVERTIBLE] = "convertible", NULL};

enum { HOURS_A_YEAR = 8760 };

bool commitment_is_reserved(const struct commitment *c)
{
    return c->kind == COMMITMENT_ZONAL_RESERVED || c->kind == COMMITMENT_REGIONAL_RESERVED;
}

bool commitment_is_savings_plan(const struct commitment *c)
{
    return c->kind == COMMITMENT_INSTANCE_SAVINGS || c->kind == COMMITMENT_COMPUTE_SAVINGS;
}

int64_t commitment_term_us(int years)
{
    return (int64_t)years * HOURS_A_YEAR * HOUR_US;
}

/* ---- setting ------------------------------------------------------------------ */

void commitment_set_reserved(struct commitment *c, int64_t count, money_t upfront_each,
                             money_t hourly_each)
{
    c->count = count;
    c->hourly = 0;
    c->upfront = money_times(upfront_each, count);
    c->recurring_per_hour = money_times(hourly_each, count);
    c->end_us = c->start_us + commitment_term_us(c->term_years);
}

void commitment_set_savings_plan(struct commitment *c, money_t hourly)
{
    static const int64_t halves_recurring[PAYMENT_COUNT] = {2, 1, 0};
    c->count = 0;
    c->hourly = hourly;
    c->recurring_per_hour =
        halves_recurring[c->payment] == 2 ? hourly : hourly / 2 * halves_recurring[c->payment];
    c->upfront = money_times(hourly - c->recurring_per_hour, (int64_t)c->term_years * HOURS_A_YEAR);
    c->end_us = c->start_us + commitment_term_us(c->term_years);
}

void commitment_set_block(struct commitment *c, int64_t count, money_t per_hour_each)
{
    c->count = count;
    c->hourly = 0;
    c->upfront = money_for_time(money_times(per_hour_each, count), c->end_us - c->start_us);
    c->recurring_per_hour = 0;
}

void commitment_set_capacity_reservation(struct commitment *c, int64_t count, money_t per_hour_each)
{
    c->count = count;
    c->hourly = 0;
    c->upfront = 0;
    c->recurring_per_hour = money_times(per_hour_each, count);
}

/* ---- money over time ------------------------------------------------------------- */

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* total × part / whole, rounded down; total >= 0, 0 <= part <= whole. */
static money_t share_down(money_t total, int64_t part, int64_t whole)
{
    return (money_t)((uint128)total * (uint64_t)part / (uint64_t)whole);
}

/* Recurring payments up to at_us; MONEY_MAX on overflow. */
static money_t recurring_until(const struct commitment *c, int64_t at_us)
{
    int64_t elapsed_us = clamp(at_us, c->start_us, c->end_us) - c->start_us;
    if (money_overflowed(c->recurring_per_hour)) {
        return MONEY_MAX;
    }
    uint128 sum = (uint128)c->recurring_per_hour * (uint64_t)elapsed_us / (uint64_t)HOUR_US;
    return sum < (uint128)MONEY_MAX ? (money_t)sum : MONEY_MAX;
}

money_t commitment_total(const struct commitment *c)
{
    money_t total = c->upfront;
    money_add(&total, recurring_until(c, c->end_us));
    return total;
}

money_t commitment_obligation(const struct commitment *c)
{
    return c->kind == COMMITMENT_CAPACITY_RESERVATION ? 0 : commitment_total(c);
}

static money_t paid_until(const struct commitment *c, int64_t at_us)
{
    money_t sum = at_us > c->start_us ? c->upfront : 0;
    money_add(&sum, recurring_until(c, at_us));
    return sum;
}

money_t commitment_paid(const struct commitment *c, int64_t from_us, int64_t to_us)
{
    money_t until = paid_until(c, to_us);
    return money_overflowed(until) ? MONEY_MAX : until - paid_until(c, from_us);
}

money_t commitment_owed(const struct commitment *c, int64_t at_us)
{
    money_t total = commitment_total(c);
    return money_overflowed(total) ? MONEY_MAX : total - paid_until(c, at_us);
}

money_t commitment_amortised(const struct commitment *c, int64_t from_us, int64_t to_us)
{
    money_t total = commitment_total(c);
    if (money_overflowed(total)) {
        return MONEY_MAX;
    }
    int64_t whole_us = c->end_us - c->start_us;
    int64_t from = clamp(from_us, c->start_us, c->end_us) - c->start_us;
    int64_t to = clamp(to_us, c->start_us, c->end_us) - c->start_us;
    return to > from ? share_down(total, to, whole_us) - share_down(total, from, whole_us) : 0;
}

money_t commitment_hour(const struct commitment *c, bool *exact)
{
    money_t total = commitment_total(c);
    if (money_overflowed(total)) {
        *exact = false;
        return MONEY_MAX;
    }
    uint128 product = (uint128)total * (uint64_t)HOUR_US;
    uint64_t whole_us = (uint64_t)(c->end_us - c->start_us);
    *exact = product % whole_us == 0;
    uint128 hour = product / whole_us;
    return hour < (uint128)MONEY_MAX ? (money_t)hour : MONEY_MAX;
}

int64_t commitment_overlap_us(const struct commitment *c, int64_t from_us, int64_t to_us)
{
    int64_t from = from_us > c->start_us ? from_us : c->start_us;
    int64_t to = to_us < c->end_us ? to_us : c->end_us;
    return to > from ? to - from : 0;
}

void commitment_drop(struct commitment *c)
{
    c->count = 0;
    c->hourly = c->upfront = c->recurring_per_hour = 0;
}

/* ---- checking ---------------------------------------------------------------------- */

struct commitment_doubt {
    const struct commitment *commitment;
    struct place where;
    struct diagnostics *diagnostics;
};

static bool refuse(const struct commitment_doubt *k, const char *problem)
{
    const struct commitment *c = k->commitment;
    diagnostics_add(k->diagnostics, DIAGNOSTIC_ERROR, k->where, "the commitment '%s' (%s) %s",
                    c->name ? c->name : "", commitment_kind_names[c->kind], problem);
    return false;
}

static bool check_places(const struct commitment_doubt *k)
{
    const struct commitment *c = k->commitment;
    bool plan = commitment_is_savings_plan(c);
    if (!plan && (!c->type || instance_family_length(c->type) == 0)) {
        return refuse(k, "names no instance type; expected 'family.size'");
    }
    if (c->kind == COMMITMENT_INSTANCE_SAVINGS && (!c->family || !*c->family)) {
        return refuse(k, "names no instance family");
    }
    if (c->kind != COMMITMENT_COMPUTE_SAVINGS && (!c->region || !*c->region)) {
        return refuse(k, "names no region");
    }
    bool zonal = !plan && c->kind != COMMITMENT_REGIONAL_RESERVED;
    if (zonal && (!c->zone || !*c->zone)) {
        return refuse(k, "names no zone");
    }
    return true;
}

static bool check_amounts(const struct commitment_doubt *k)
{
    const struct commitment *c = k->commitment;
    if (c->count < 0 || c->count > COMMITMENT_COUNT_MAX) {
        return refuse(k, "has a count out of range; expected 0 to 100,000 instances");
    }
    if (c->hourly < 0 || c->upfront < 0 || c->recurring_per_hour < 0) {
        return refuse(k, "has a negative amount of money");
    }
    if (c->start_us >= c->end_us) {
        return refuse(k, "is in force at no time: it ends before it begins");
    }
    bool exact;
    if (money_overflowed(commitment_total(c)) || money_overflowed(commitment_hour(c, &exact))) {
        return refuse(k, "costs more than 9.2e9 in all, which is more than fleetcast can count");
    }
    return true;
}

bool commitment_check(const struct commitment *c, struct place where, struct diagnostics *d)
{
    struct commitment_doubt k = {c, where, d};
    assert(c->kind < COMMITMENT_KIND_COUNT);
    return check_places(&k) && check_amounts(&k);
}
