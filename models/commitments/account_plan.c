/* SPDX-License-Identifier: GPL-3.0-or-later
 * A sunk commitment is held as its cost an hour alone: matching asks how much it covers, and what
 * has been paid upfront is as sunk as what is still to be paid. */
#include "models/commitments/account_plan.h"

#include "engine/civil_time.h"
#include "models/catalogue/reserved_offers.h"
#include "models/commitments/others_use.h"

#include <stdarg.h>
#include <string.h>

struct account_making {
    struct account_plan *out;
    const struct account_spec *spec;
    const struct market_context *context;
    const char **owners; /* names of linked accounts, from 1 on */
    size_t owner_count;
};

static bool tell(const struct account_making *m, struct place where, enum diagnostic_kind kind,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

static bool tell(const struct account_making *m, struct place where, enum diagnostic_kind kind,
                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(m->context->diagnostics, kind, where, format, args);
    va_end(args);
    return false;
}

/* The plan's account is 0, others are numbered in the order of the file. */
static int32_t account_of(struct account_making *m, const char *owner)
{
    if (owner == NULL || (m->spec->owner != NULL && strcmp(owner, m->spec->owner) == 0)) {
        return 0;
    }
    for (size_t i = 0; i < m->owner_count; i++) {
        if (strcmp(m->owners[i], owner) == 0) {
            return (int32_t)i + 1;
        }
    }
    m->owners[m->owner_count++] = owner;
    return (int32_t)m->owner_count;
}

/* ---- commitments ---- */

static bool check_keys(const struct account_making *m, const struct sunk_spec *s)
{
    bool reserved = s->kind == CHOICE_RESERVED_INSTANCES, ok = true;
    const struct {
        const char *name;
        bool given, wanted, allowed;
    } keys[] = {
        {"instance", s->instance != NULL, reserved, reserved},
        {"count", s->count > 0, reserved, reserved},
        {"hourly", s->hourly.value > 0, !reserved, !reserved},
        {"rates", s->rates.count > 0, false, !reserved},
        {"rate", s->rate >= 0, false, !reserved},
        {"family", s->family != NULL, s->kind == CHOICE_INSTANCE_SAVINGS_PLAN,
         s->kind == CHOICE_INSTANCE_SAVINGS_PLAN},
        {"zone", s->zone != NULL, false, reserved},
        {"price", s->price_given, false, reserved},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i].wanted && !keys[i].given) {
            ok = tell(m, s->item.place, DIAGNOSTIC_ERROR,
                      "'%s' is missing from this kind of commitment", keys[i].name);
        } else if (keys[i].given && !keys[i].allowed) {
            ok = tell(m, s->item.place, DIAGNOSTIC_ERROR,
                      "'%s' does not belong to this kind of commitment", keys[i].name);
        }
    }
    return ok;
}

/* Of an hour's cost what is paid by the hour: half where a part was paid upfront and no offer says
 * how much. */
static money_t recurring_part(const struct sunk_spec *s, money_t per_hour)
{
    return s->payment == PAYMENT_NO_UPFRONT    ? per_hour
           : s->payment == PAYMENT_ALL_UPFRONT ? 0
                                               : per_hour / 2;
}

/* What one reserved instance costs an hour, upfront part included, and what of it is paid then. */
static bool reserved_price(const struct account_making *m, const struct sunk_spec *s,
                           money_t *per_hour, money_t *recurring)
{
    const struct market_context *c = m->context;
    struct offer_key key = {.type = s->instance,
                            .region = c->region->code,
                            .kind = (enum offer_kind)s->offering_class,
                            .term_years = s->term == 0 ? 1 : 3,
                            .payment = (enum payment_option)s->payment};
    struct reserved_price price;
    char why[700], date[24], money[32];
    if (s->price_given) {
        bool counts = money_from_double(s->price.value, per_hour);
        *recurring = recurring_part(s, *per_hour);
        return counts;
    }
    if (!catalogue_reserved(c->catalogue, &key, c->prices_as_of_unix_s, &price)) {
        catalogue_explain_missing_reserved(c->catalogue, &key, c->prices_as_of_unix_s, why,
                                           sizeof why);
        return tell(m, s->item.place, DIAGNOSTIC_INFEASIBLE, "%s; or state its 'price'", why);
    }
    *per_hour = price.effective_per_hour;
    *recurring = price.hourly;
    assumptions_add(c->assumptions, false, price.source,
                    arena_format(c->arena, "price of existing reserved %s, %d-year %s %s",
                                 s->instance, key.term_years,
                                 offering_class_names[s->offering_class],
                                 payment_option_names[s->payment]),
                    "%s %s/h, known on %s, whenever it was signed", money_text(*per_hour, money),
                    c->region->currency, civil_date_text(price.confirmed_unix_s, date));
    return true;
}

static bool set_cost(const struct account_making *m, const struct sunk_spec *s,
                     struct commitment *out, money_t *billed_per_hour)
{
    const struct market_context *c = m->context;
    money_t each, recurring;
    if (s->kind != CHOICE_RESERVED_INSTANCES) {
        if (!money_from_double(s->hourly.value, &out->hourly)) {
            return tell(m, s->item.place, DIAGNOSTIC_ERROR,
                        "'hourly' is more than can be counted exactly");
        }
        out->recurring_per_hour = out->hourly;
        *billed_per_hour = recurring_part(s, out->hourly);
        return true;
    }
    if (catalogue_type(c->catalogue, s->instance) == NULL) {
        const char *near = catalogue_suggest_type(c->catalogue, s->instance);
        return tell(m, s->item.place, DIAGNOSTIC_ERROR, "unknown instance type '%s'%s%s%s",
                    s->instance, near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                    near != NULL ? "'?" : "");
    }
    if (!reserved_price(m, s, &each, &recurring)) {
        return false;
    }
    *billed_per_hour = money_times(recurring, s->count);
    out->count = s->count;
    out->recurring_per_hour = money_times(each, s->count);
    return true;
}

static const char *name_of(const struct account_making *m, const struct sunk_spec *s)
{
    struct arena *a = m->context->arena;
    char date[24];
    civil_date_text(s->ends.unix_s, date);
    if (s->kind == CHOICE_RESERVED_INSTANCES) {
        return arena_format(a, "existing: %lld x %s, until %s", (long long)s->count, s->instance,
                            date);
    }
    return arena_format(a, "existing: %s savings plan, until %s",
                        s->kind == CHOICE_COMPUTE_SAVINGS_PLAN ? "compute" : s->family, date);
}

/* In force from the start of its term to its end, or to that of the account. */
static bool set_term(const struct account_making *m, const struct sunk_spec *s,
                     struct commitment *out)
{
    const struct market_context *c = m->context;
    int64_t ends_s = s->ends.unix_s - c->start_unix_s;
    out->start_us = ends_s * MICROSECONDS - commitment_term_us(out->term_years);
    if (ends_s <= 0) {
        return tell(m, s->item.place, DIAGNOSTIC_ERROR,
                    "this commitment ends at or before the scenario's start and covers nothing; "
                    "expected a later date, or leave it out");
    }
    if (out->start_us > 0) {
        char date[24];
        return tell(m, s->item.place, DIAGNOSTIC_ERROR,
                    "a %s term that ends then begins on %s, after the scenario's start; expected "
                    "what exists before the plan: what it buys itself belongs to a strategy",
                    commitment_term_names[s->term],
                    civil_date_text(c->start_unix_s + out->start_us / MICROSECONDS, date));
    }
    out->end_us = ends_s * MICROSECONDS;
    out->end_us = out->end_us < m->out->until_us ? out->end_us : m->out->until_us;
    return true;
}

static bool make_commitment(struct account_making *m, const struct sunk_spec *s,
                            struct commitment *out, money_t *billed_per_hour)
{
    static const enum commitment_kind of_choice[] = {
        [CHOICE_RESERVED_INSTANCES] = COMMITMENT_REGIONAL_RESERVED,
        [CHOICE_INSTANCE_SAVINGS_PLAN] = COMMITMENT_INSTANCE_SAVINGS,
        [CHOICE_COMPUTE_SAVINGS_PLAN] = COMMITMENT_COMPUTE_SAVINGS,
    };
    *out = (struct commitment){
        .kind = s->zone != NULL ? COMMITMENT_ZONAL_RESERVED : of_choice[s->kind],
        .offering_class = (enum offer_kind)s->offering_class,
        .payment = (enum payment_option)s->payment,
        .term_years = s->term == 0 ? 1 : 3,
        .type = s->instance,
        .family = s->family,
        .region = s->kind == CHOICE_COMPUTE_SAVINGS_PLAN ? NULL : m->context->region->code,
        .zone = s->zone,
        .owner = account_of(m, s->owner),
        .sunk = true,
        .name = name_of(m, s),
    };
    return out->name != NULL && check_keys(m, s) && set_term(m, s, out) &&
           set_cost(m, s, out, billed_per_hour) &&
           commitment_check(out, s->item.place, m->context->diagnostics);
}

struct commitment_spec account_spec_of(const struct sunk_spec *s)
{
    return (struct commitment_spec){.item = s->item,
                                    .kind = s->kind,
                                    .family = s->family,
                                    .rates = s->rates,
                                    .rate = s->rate,
                                    .term = s->term,
                                    .payment = s->payment};
}

money_t account_sunk(const struct account_plan *a, size_t index, int64_t horizon_us)
{
    return commitment_amortised(&a->commitments[index], 0, horizon_us);
}

/* ---- all ---- */

static bool make_commitments(struct account_making *m)
{
    struct account_plan *a = m->out;
    const struct sunk_spec *specs = m->spec->commitments.items;
    bool ok = true;
    a->specs = specs;
    a->commitment_count = m->spec->commitments.count;
    a->commitments =
        arena_array(m->context->arena, a->commitment_count + 1, sizeof *a->commitments);
    a->billed_per_hour =
        arena_array(m->context->arena, a->commitment_count + 1, sizeof *a->billed_per_hour);
    if (a->commitments == NULL || a->billed_per_hour == NULL) {
        return false;
    }
    for (size_t i = 0; i < a->commitment_count; i++) {
        ok &= make_commitment(m, &specs[i], &a->commitments[i], &a->billed_per_hour[i]);
    }
    for (size_t i = 0; ok && i < a->commitment_count; i++) {
        ok = money_add(&a->sunk, account_sunk(a, i, microseconds(m->context->horizon_s))) ||
             tell(m, specs[i].item.place, DIAGNOSTIC_ERROR,
                  "the commitments of the account cost more than can be counted exactly");
    }
    return ok;
}

static bool make_uses(struct account_making *m, const char *folder, struct market_plan *market)
{
    struct account_plan *a = m->out;
    const struct others_use_spec *specs = m->spec->usage.items;
    size_t steps = 0;
    bool ok = true;
    a->use_count = m->spec->usage.count;
    a->uses = arena_array(m->context->arena, a->use_count + 1, sizeof *a->uses);
    if (a->uses == NULL) {
        return false;
    }
    for (size_t i = 0; i < a->use_count; i++) {
        const struct others_use_spec *s = &specs[i];
        a->uses[i] = (struct others_use){.spec = s, .account = account_of(m, s->owner)};
        a->uses[i].pool =
            market_plan_pool(market, s->zone, s->instance, PURCHASE_ON_DEMAND, s->item.place);
        ok &= others_use_read(&a->uses[i], folder, a->until_us, m->context) && a->uses[i].pool >= 0;
        steps += a->uses[i].step_count;
    }
    if (ok && steps > ACCOUNT_STEPS_MAX) {
        ok = tell(m, specs[0].item.place, DIAGNOSTIC_INFEASIBLE,
                  "the nodes of others change %zu times in all; at most %d changes can be matched",
                  steps, ACCOUNT_STEPS_MAX);
    }
    return ok;
}

static void tell_assumptions(const struct account_plan *a, const struct market_context *c)
{
    if (!account_matters(a)) {
        return;
    }
    assumptions_add(c->assumptions, false, "default",
                    "exchange, resale and switching of commitments", "valued at 0");
    assumptions_add(c->assumptions, false, "default", "commitments of linked accounts",
                    "shared among all of them");
    assumptions_add(c->assumptions, false, "default", "the account after the horizon",
                    "not looked at: what finishes later is covered by the strategy's own "
                    "commitments alone");
}

bool account_plan_make(struct account_plan *a, const struct account_spec *spec, const char *folder,
                       struct market_plan *market, const struct market_context *context)
{
    *a = (struct account_plan){0};
    size_t most_owners = spec->commitments.count + spec->usage.count;
    struct account_making m = {
        .out = a,
        .spec = spec,
        .context = context,
        .owners = arena_array(context->arena, most_owners + 1, sizeof *m.owners),
    };
    const int64_t phase_us = context->start_unix_s % 3600 * MICROSECONDS;
    const int64_t horizon_us = microseconds(context->horizon_s);
    const int64_t into_us = (horizon_us + phase_us) % HOUR_US;
    a->until_us = into_us == 0 ? horizon_us : horizon_us + HOUR_US - into_us;
    if (m.owners == NULL) {
        return false;
    }
    bool made = make_commitments(&m);
    bool used = make_uses(&m, folder, market);
    tell_assumptions(a, context);
    return made && used;
}
