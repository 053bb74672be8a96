/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/quota_check.h"

/* What one workload may take of a quota. */
static uint64_t taken_by(const struct study *s, const struct work_plan *plan,
                         const struct account_quota *quota)
{
    uint64_t most = 0;
    for (size_t k = 0; k < plan->pool_count; k++) {
        struct pool_quota of = market_plan_quota(s->market, plan->pools[k].pool);
        if (of.of == quota) {
            uint64_t taken = (uint64_t)plan->pools[k].nodes * of.weight;
            most = taken > most ? taken : most;
        }
    }
    return most;
}

static void check_strategy(const struct study *s, const struct study_strategy *strategy,
                           const struct account_quota *quota, struct diagnostics *d)
{
    uint64_t all = 0;
    size_t sharing = 0;
    for (size_t w = 0; w < s->workload_count; w++) {
        uint64_t taken = taken_by(s, strategy->plans[w], quota);
        all += taken;
        sharing += taken > 0;
    }
    if (sharing > 1 && all > quota->most) {
        diagnostics_add(d, DIAGNOSTIC_WARNING, strategy->spec->item.place,
                        "%zu workloads of strategy '%s' may want %llu in all of the quota of %s; "
                        "those that run at the same time wait for each other",
                        sharing, strategy->spec->item.name, (unsigned long long)all, quota->name);
    }
}

/* The index-th of the pools is the first of its quota. */
static bool is_first(const struct study *s, size_t index, const struct account_quota *quota)
{
    for (size_t i = 0; i < index; i++) {
        if (market_plan_quota(s->market, (int)i).of == quota) {
            return false;
        }
    }
    return quota != NULL;
}

void quota_check(const struct study *s, struct diagnostics *d)
{
    for (size_t i = 0; i < market_plan_pools(s->market); i++) {
        const struct account_quota *quota = market_plan_quota(s->market, (int)i).of;
        for (size_t k = 0; is_first(s, i, quota) && k < s->strategy_count; k++) {
            check_strategy(s, &s->strategies[k], quota, d);
        }
    }
}
