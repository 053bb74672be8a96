/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/commit_offers.h"

#include "models/catalogue/reserved_offers.h"

#include <string.h>

/* Types of the strategy's on-demand pools, each once. */
enum { MOST_TYPES = 16 };

static size_t find_types(const struct study *study, size_t strategy, const char **types)
{
    const struct study_strategy *s = &study->strategies[strategy];
    size_t count = 0;
    for (size_t w = 0; w < study->workload_count; w++) {
        const struct work_plan *plan = s->plans[w];
        for (size_t k = 0; k < plan->pool_count && count < MOST_TYPES; k++) {
            const struct pool_info *pool = market_pool_info(study->market, plan->pools[k].pool);
            bool is_new = pool->purchase == PURCHASE_ON_DEMAND;
            for (size_t i = 0; is_new && i < count; i++) {
                is_new = strcmp(types[i], pool->type->name) != 0;
            }
            if (is_new) {
                types[count++] = pool->type->name;
            }
        }
    }
    return count;
}

/* The payment of least cost; false: there is no such offer. */
static bool cheapest(const struct study *study, struct offer_key *key)
{
    money_t least = 0;
    bool found = false;
    enum payment_option best = PAYMENT_NO_UPFRONT;
    for (int p = 0; p < PAYMENT_COUNT; p++) {
        struct reserved_price price;
        key->payment = (enum payment_option)p;
        if (catalogue_reserved(study->catalogue, key, study->scenario->prices_as_of_unix_s,
                               &price) &&
            (!found || price.effective_per_hour < least)) {
            least = price.effective_per_hour;
            best = key->payment;
            found = true;
        }
    }
    key->payment = best;
    return found;
}

static void add_offer(struct text *out, const struct offer_key *key, const char *currency,
                      size_t *count)
{
    text_add(out, (*count)++ > 0 ? ", " : "");
    if (key->kind == OFFER_STANDARD) {
        text_format(out, "{kind: reserved-instances, instance: %s, count: 1", key->type);
    } else if (key->kind == OFFER_INSTANCE_SAVINGS) {
        text_format(out, "{kind: ec2-instance-savings-plan, family: %.*s, hourly: 1 %s/h",
                    (int)strcspn(key->type, "."), key->type, currency);
    } else {
        text_format(out, "{kind: compute-savings-plan, hourly: 1 %s/h", currency);
    }
    text_format(out, ", term: %dy, payment: %s}", key->term_years,
                payment_option_names[key->payment]);
}

/* A savings plan for a family, or for all, is one offer whatever types it covers. */
static bool is_repeated(const char *const *types, size_t index, enum offer_kind kind)
{
    const size_t family = strcspn(types[index], ".");
    for (size_t i = 0; i < index; i++) {
        if (kind == OFFER_COMPUTE_SAVINGS ||
            (kind == OFFER_INSTANCE_SAVINGS && strcspn(types[i], ".") == family &&
             strncmp(types[i], types[index], family) == 0)) {
            return true;
        }
    }
    return false;
}

size_t commit_offers_setting(const struct study *study, size_t strategy, struct text *out)
{
    static const enum offer_kind kinds[] = {OFFER_STANDARD, OFFER_INSTANCE_SAVINGS,
                                            OFFER_COMPUTE_SAVINGS};
    const char *types[MOST_TYPES];
    const size_t type_count = find_types(study, strategy, types);
    size_t count = 0;
    text_format(out, "strategies.%s.commitments=[", study_strategy_name(study, strategy));
    for (size_t i = 0; i < type_count; i++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            for (int years = 1; years <= 3; years += 2) {
                struct offer_key key = {.type = types[i],
                                        .region = study->scenario->region,
                                        .kind = kinds[k],
                                        .term_years = years};
                if (!is_repeated(types, i, kinds[k]) && cheapest(study, &key)) {
                    add_offer(out, &key, study->scenario->currency, &count);
                }
            }
        }
    }
    text_add(out, "]");
    return count;
}
