/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/cost_split.h"

/* With support and tax on it. */
static money_t in_full(const struct cost_split *s, money_t amount)
{
    money_t all = amount + money_share(amount, s->support, s->whole);
    return all + money_share(all, s->tax, s->whole);
}

static bool give(const struct cost_split *s, money_t amount, const money_t *weights,
                 money_t *holders, struct money_part *scratch, money_t *parts)
{
    bool ok = money_split(amount, weights, s->workloads, parts, scratch);
    for (size_t w = 0; ok && w < s->workloads; w++) {
        holders[w] += parts[w];
    }
    return ok;
}

/* Also when nobody has a bill of their own. */
static void give_evenly(const struct cost_split *s, money_t amount, money_t *holders)
{
    const int64_t count = (int64_t)s->workloads;
    money_t given = 0;
    for (int64_t w = 0; w < count; w++) {
        money_t upto = money_share(amount, w + 1, count);
        holders[w] += upto - given;
        given = upto;
    }
}

/* slot_us as weights: both are int64. */
static money_t split_slots(const struct cost_split *s, money_t *holders, struct money_part *scratch,
                           money_t *parts)
{
    money_t given = 0;
    for (size_t k = 0; k < s->slots; k++) {
        money_t amount = in_full(s, s->of_slot[k]);
        if (amount != 0 &&
            give(s, amount, s->slot_us + k * s->workloads, holders, scratch, parts)) {
            given += amount;
        }
    }
    return given;
}

bool cost_split(const struct cost_split *s, money_t *holders, struct money_part *scratch,
                money_t *parts)
{
    money_t *kept = &holders[s->workloads + s->lines];
    money_t left = s->shared, sum = s->shared, check = 0;
    for (size_t w = 0; w < s->workloads; w++) {
        holders[w] = s->own[w];
        if (!money_add(&sum, s->own[w])) {
            return false;
        }
    }
    for (size_t i = 0; i < s->lines; i++) {
        holders[s->workloads + i] = in_full(s, s->of_line[i]);
        left -= holders[s->workloads + i];
    }
    *kept = 0;
    if (s->rule == SPLIT_KEEP || s->workloads == 0) {
        *kept = left;
        return true;
    }
    if (s->rule == SPLIT_PROPORTIONAL) {
        left -= split_slots(s, holders, scratch, parts);
        if (give(s, left, s->own, holders, scratch, parts)) {
            left = 0;
        }
    }
    give_evenly(s, left, holders);
    for (size_t i = 0; i <= s->workloads + s->lines; i++) {
        if (!money_add(&check, holders[i])) {
            return false;
        }
    }
    return check == sum;
}
