/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/study_bought.h"

#include "engine/civil_time.h"
#include "models/commitments/capacity_block.h"

/* ---- blocks ---- */

/* Most instances that all blocks of a strategy hold at one time. */
static uint32_t most_in_blocks(const struct study *s, const struct study_strategy *strategy)
{
    uint32_t most = 0;
    for (size_t i = 0; i < strategy->window_count; i++) {
        const struct market_window *begun, *other;
        size_t count = market_plan_windows(s->market, strategy->windows[i], &begun);
        for (size_t k = 0; k < count; k++) {
            uint32_t sum = 0;
            for (size_t n = 0; n < strategy->window_count; n++) {
                size_t others = market_plan_windows(s->market, strategy->windows[n], &other);
                sum += market_windows_nodes(other, others, begun[k].from_s);
            }
            most = sum > most ? sum : most;
        }
    }
    return most;
}

static void note_windows(struct study_strategy *strategy, int pool)
{
    for (size_t i = 0; i < strategy->window_count; i++) {
        if (strategy->windows[i] == pool) {
            return;
        }
    }
    strategy->windows[strategy->window_count++] = pool;
}

/* What the strategy has bought for a time, and whether it may and is of use. */
static bool make_windows(const struct study *s, struct study_strategy *strategy,
                         const struct market_context *c)
{
    const struct strategy *spec = strategy->spec;
    const struct schema_item *first = spec->terms.block.items;
    bool used = false;
    strategy->windows =
        arena_array(c->arena, s->workload_count * WORK_MAX_POOLS, sizeof *strategy->windows);
    for (size_t w = 0; strategy->windows != NULL && w < s->workload_count; w++) {
        const struct work_plan *plan = strategy->plans[w];
        for (size_t p = 0; p < plan->pool_count; p++) {
            if (plan->pools[p].purchase == PURCHASE_BLOCK) {
                note_windows(strategy, plan->pools[p].pool);
                used = used || plan->pools[p].pool == market_plan_owned_by(s->market, first);
            }
        }
    }
    if (first != NULL && !used) {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_ERROR, first->place,
                        "strategy '%s' has a block but buys nothing so; expected 'buy: "
                        "capacity-block'",
                        spec->item.name);
        return false;
    }
    if (most_in_blocks(s, strategy) > CAPACITY_BLOCKS_TOGETHER) {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_ERROR, spec->item.place,
                        "the blocks of strategy '%s' hold %u instances at a time; at most %d can "
                        "be had",
                        spec->item.name, most_in_blocks(s, strategy), CAPACITY_BLOCKS_TOGETHER);
        return false;
    }
    return strategy->windows != NULL;
}

/* ---- hardware ---- */

/* Hardware that a workload runs on; what the strategy states for all is taken once. */
static void note_owned(struct study_strategy *strategy, const struct strategy_terms *terms,
                       int pool, const struct market_context *c)
{
    for (size_t i = 0; i < strategy->owned_count; i++) {
        if (strategy->owned[i].pool == pool) {
            return;
        }
    }
    const struct owned_spec *spec = terms->owned.items;
    int64_t from = civil_add_months(c->start_unix_s, spec->available_from.months) +
                   (int64_t)spec->available_from.value;
    int64_t end = civil_add_months(from, spec->life.months) + (int64_t)spec->life.value;
    strategy->owned[strategy->owned_count++] =
        (struct owned_hardware){.pool = pool,
                                .spec = spec,
                                .from_us = (from - c->start_unix_s) * MICROSECONDS,
                                .life_us = (end - from) * MICROSECONDS};
}

static bool make_owned(const struct study *s, struct study_strategy *strategy,
                       const struct market_context *c)
{
    const struct schema_item *first = strategy->spec->terms.owned.items;
    bool used = false;
    strategy->owned = arena_array(c->arena, s->workload_count, sizeof *strategy->owned);
    for (size_t w = 0; strategy->owned != NULL && w < s->workload_count; w++) {
        const struct work_plan *plan = strategy->plans[w];
        const struct strategy_terms terms = strategy_terms_for(strategy->spec, plan->workload_name);
        for (size_t p = 0; p < plan->pool_count; p++) {
            if (plan->pools[p].purchase == PURCHASE_OWNED) {
                note_owned(strategy, &terms, plan->pools[p].pool, c);
                used = used || terms.owned.items == first;
            }
        }
    }
    if (first != NULL && !used) {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_ERROR, first->place,
                        "strategy '%s' has hardware of its own but nothing runs on it; expected "
                        "'buy: owned'",
                        strategy->spec->item.name);
        return false;
    }
    return strategy->owned != NULL;
}

bool study_find_bought(const struct study *s, struct study_strategy *strategy,
                       const struct market_context *c)
{
    return make_windows(s, strategy, c) && make_owned(s, strategy, c);
}
