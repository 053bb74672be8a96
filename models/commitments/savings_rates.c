/* SPDX-License-Identifier: GPL-3.0-or-later
 * See savings_rates.h. */
#include "models/commitments/savings_rates.h"

#include "engine/civil_time.h"
#include "models/catalogue/reserved_offers.h"
#include "models/commitments/commitment.h"
#include "models/commitments/coverage.h"
#include "models/commitments/normalisation.h"

#include <string.h>

#define FACTOR_LOW  SAVINGS_OVER_RESERVED_LOW
#define FACTOR_HIGH SAVINGS_OVER_RESERVED_HIGH

static bool is_eligible(const struct commitment_spec *s, const char *type)
{
    return s->kind == CHOICE_COMPUTE_SAVINGS_PLAN ||
           (s->kind == CHOICE_INSTANCE_SAVINGS_PLAN && instance_of_family(type, s->family));
}

/* What the catalogue would call this plan's rate of the type. */
static struct offer_key offer_of(const struct commitment_spec *s, const char *type,
                                 const struct market_context *c)
{
    bool compute = s->kind == CHOICE_COMPUTE_SAVINGS_PLAN;
    return (struct offer_key){.type = type,
                              .region = c->region->code,
                              .kind = compute ? OFFER_COMPUTE_SAVINGS : OFFER_INSTANCE_SAVINGS,
                              .term_years = s->term == 0 ? 1 : 3,
                              .payment = (enum payment_option)s->payment};
}

/* "rate of p4d.24xlarge under a 1-year no-upfront Compute Savings Plan" */
static const char *rate_name(const struct offer_key *key, const struct market_context *c)
{
    return arena_format(c->arena, "rate of %s under a %d-year %s %s", key->type, key->term_years,
                        payment_option_names[key->payment],
                        key->kind == OFFER_COMPUTE_SAVINGS ? "Compute Savings Plan"
                                                           : "EC2 Instance Savings Plan");
}

/* A rate that the catalogue, or a price file, knows. */
static bool as_listed(const struct commitment_spec *s, const char *type,
                      const struct market_context *c, struct savings_rate *out)
{
    const struct offer_key key = offer_of(s, type, c);
    struct reserved_price price;
    char date[24], money[32];
    if (!catalogue_reserved(c->catalogue, &key, c->prices_as_of_unix_s, &price)) {
        return false;
    }
    *out = (struct savings_rate){.stated = price.effective_per_hour};
    assumptions_add(c->assumptions, false, price.source, rate_name(&key, c), "%s %s/h, known on %s",
                    money_text(price.effective_per_hour, money), c->region->currency,
                    civil_date_text(price.confirmed_unix_s, date));
    return true;
}

static bool as_reserved(const struct commitment_spec *s, const char *type,
                        const struct market_context *c, struct savings_rate *out)
{
    const struct offer_key plan = offer_of(s, type, c);
    struct offer_key key = plan;
    key.kind = offer_as_reserved(plan.kind);
    struct reserved_price price;
    char text[700];
    if (!catalogue_reserved(c->catalogue, &key, c->prices_as_of_unix_s, &price)) {
        catalogue_explain_missing_reserved(c->catalogue, &key, c->prices_as_of_unix_s, text,
                                           sizeof text);
        diagnostics_add(c->diagnostics, DIAGNOSTIC_INFEASIBLE, s->item.place,
                        "'rate: as-reserved' has nothing to go by for '%s', which this savings "
                        "plan covers: %s; a rate may be stated with 'rates: {%s: …}'",
                        type, text, type);
        return false;
    }
    *out = (struct savings_rate){.reserved = price.effective_per_hour};
    char money[32];
    assumptions_add(c->assumptions, false, price.source, rate_name(&plan, c),
                    "as reserved: %s %s/h of %s Reserved Instances, times %.2f to %.2f drawn once "
                    "per replication, never above on demand; no choice between the two rests on it",
                    money_text(price.effective_per_hour, money), c->region->currency,
                    offer_kind_names[key.kind], FACTOR_LOW, FACTOR_HIGH);
    return true;
}

bool savings_rate_find(const struct commitment_spec *s, const char *type,
                       const struct market_context *c, struct savings_rate *out)
{
    const struct plan_rate_spec *rates = s->rates.items;
    *out = (struct savings_rate){.stated = COVERAGE_NOT_ELIGIBLE};
    if (!is_eligible(s, type)) {
        return true;
    }
    for (size_t i = 0; i < s->rates.count; i++) {
        if (strcmp(rates[i].item.name, type) == 0) {
            return money_from_double(rates[i].rate.value, &out->stated);
        }
    }
    if (s->rate == RATE_AS_RESERVED) {
        return as_reserved(s, type, c, out);
    }
    if (as_listed(s, type, c, out)) {
        return true;
    }
    diagnostics_add(c->diagnostics, DIAGNOSTIC_ERROR, s->item.place,
                    "this savings plan covers on-demand '%s' too, but states no rate for it, and "
                    "the catalogue knows none; expected 'rates: {%s: …}', or 'rate: as-reserved'",
                    type, type);
    return false;
}

bool savings_factor(const struct market_context *c, struct number *out)
{
    struct distribution d = {.family = DISTRIBUTION_UNIFORM,
                             .p = {FACTOR_LOW, FACTOR_HIGH},
                             .low = FACTOR_LOW,
                             .high = FACTOR_HIGH};
    char message[160];
    int index = inputs_find(c->inputs, SAVINGS_FACTOR_INPUT);
    if (index < 0 && distribution_prepare(&d, NULL, message, sizeof message)) {
        index = inputs_add(c->inputs, SAVINGS_FACTOR_INPUT, "", &d);
    }
    *out = (struct number){
        .median = 0.5 * (FACTOR_LOW + FACTOR_HIGH), .input = index, .word = -1, .given = false};
    return index >= 0;
}

money_t savings_rate_of(const struct savings_rate *r, double factor, money_t on_demand)
{
    money_t rate;
    if (r->stated != 0) {
        return r->stated;
    }
    if (!money_from_double(money_to_double(r->reserved) * factor, &rate) || rate > on_demand) {
        return on_demand;
    }
    return rate;
}
