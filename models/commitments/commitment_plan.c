/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/commitments/commitment_plan.h"

#include "engine/civil_time.h"
#include "models/catalogue/reserved_offers.h"
#include "models/commitments/commitment_keys.h"
#include "models/commitments/normalisation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One item under way. */
struct commitment_making {
    const struct commitment_spec *spec;
    const struct market_context *context;
    struct commitment *out;
    const struct ladder_rung *rung;
};

static void complain(const struct commitment_making *m, enum diagnostic_kind kind,
                     const char *format, ...) __attribute__((format(printf, 3, 4)));

static void complain(const struct commitment_making *m, enum diagnostic_kind kind,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(m->context->diagnostics, kind, m->spec->item.place, format, args);
    va_end(args);
}

static int term_years(const struct commitment_spec *s)
{
    return s->term == 0 ? 1 : 3;
}

/* ---- keys that belong to another kind ---- */

static bool check_keys(const struct commitment_making *m)
{
    const struct commitment_spec *s = m->spec;
    bool reserved = s->kind == CHOICE_RESERVED_INSTANCES;
    const struct {
        const char *name;
        bool given, wanted;
    } keys[] = {
        {"instance", s->instance != NULL, reserved},
        {"count", s->count > 0, reserved},
        {"hourly", s->hourly.value > 0, !reserved},
        {"rate", s->rate >= 0, !reserved && s->rate >= 0},
        {"rates", s->rates.count > 0, !reserved && s->rates.count > 0},
        {"family", s->family != NULL, s->kind == CHOICE_INSTANCE_SAVINGS_PLAN},
        {"term", s->term >= 0, true},
        {"for", s->lasts.months > 0 || s->lasts.value > 0, false},
        {"until", s->until.given, false},
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i].given != keys[i].wanted) {
            complain(m, DIAGNOSTIC_ERROR, "'%s' %s", keys[i].name,
                     keys[i].wanted ? "is missing from this kind of commitment"
                                    : "does not belong to this kind of commitment");
            ok = false;
        }
    }
    if (s->zone != NULL && !reserved) {
        complain(m, DIAGNOSTIC_ERROR, "'zone' does not belong to a savings plan");
        ok = false;
    }
    return ok;
}

/* ---- prices ---- */

static bool make_reserved(const struct commitment_making *m)
{
    const struct commitment_spec *s = m->spec;
    const struct market_context *c = m->context;
    if (catalogue_type(c->catalogue, s->instance) == NULL) {
        const char *near = catalogue_suggest_type(c->catalogue, s->instance);
        complain(m, DIAGNOSTIC_ERROR, "unknown instance type '%s'%s%s%s", s->instance,
                 near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                 near != NULL ? "'?" : "");
        return false;
    }
    struct offer_key key = {.type = s->instance,
                            .region = c->region->code,
                            .kind = (enum offer_kind)s->offering_class,
                            .term_years = term_years(s),
                            .payment = (enum payment_option)s->payment};
    struct reserved_price price;
    if (!catalogue_reserved(c->catalogue, &key, c->prices_as_of_unix_s, &price)) {
        char why[700];
        catalogue_explain_missing_reserved(c->catalogue, &key, c->prices_as_of_unix_s, why,
                                           sizeof why);
        complain(m, DIAGNOSTIC_INFEASIBLE, "%s", why);
        return false;
    }
    commitment_set_reserved(m->out, s->count, price.upfront, price.hourly);
    catalogue_check_reserved(c->catalogue, s->instance, c->region->code, c->prices_as_of_unix_s,
                             c->diagnostics);
    char date[24], money[32];
    assumptions_add(c->assumptions, false, price.source,
                    arena_format(c->arena, "offer of reserved %s, %d-year %s %s", s->instance,
                                 key.term_years, offering_class_names[s->offering_class],
                                 payment_option_names[s->payment]),
                    "%s %s/h effective, known on %s", money_text(price.effective_per_hour, money),
                    c->region->currency, civil_date_text(price.confirmed_unix_s, date));
    return true;
}

/* Purchases of a ladder are told apart by their days. */
static bool name_rung(const struct commitment_making *m)
{
    const struct market_context *c = m->context;
    char date[24];
    if (m->rung->rungs > 1) {
        int64_t bought_s = m->out->start_us / MICROSECONDS;
        m->out->name = arena_format(c->arena, "%s, bought %s", m->out->name,
                                    civil_date_text(c->start_unix_s + bought_s, date));
    }
    return m->out->name != NULL;
}

static bool make_item(const struct commitment_making *m)
{
    const struct commitment_spec *s = m->spec;
    const struct market_context *c = m->context;
    static const enum commitment_kind of_choice[] = {
        [CHOICE_RESERVED_INSTANCES] = COMMITMENT_REGIONAL_RESERVED,
        [CHOICE_INSTANCE_SAVINGS_PLAN] = COMMITMENT_INSTANCE_SAVINGS,
        [CHOICE_COMPUTE_SAVINGS_PLAN] = COMMITMENT_COMPUTE_SAVINGS,
    };
    if (!check_keys(m)) {
        return false;
    }
    bool zonal = s->zone != NULL;
    *m->out = (struct commitment){
        .kind = zonal ? COMMITMENT_ZONAL_RESERVED : of_choice[s->kind],
        .offering_class = (enum offer_kind)s->offering_class,
        .payment = (enum payment_option)s->payment,
        .term_years = term_years(s),
        .type = s->instance,
        .family = s->family,
        .region = s->kind == CHOICE_COMPUTE_SAVINGS_PLAN ? NULL : c->region->code,
        .zone = s->zone,
        .start_us = microseconds(ladder_at_s(s, c->start_unix_s, m->rung->rung)),
    };
    if (s->kind == CHOICE_RESERVED_INSTANCES) {
        m->out->name = arena_format(
            c->arena, "%lld x %s, %d-year %s %s", (long long)s->count, s->instance, term_years(s),
            offering_class_names[s->offering_class], payment_option_names[s->payment]);
        if (!make_reserved(m)) {
            return false;
        }
    } else {
        money_t hourly;
        if (!money_from_double(s->hourly.value, &hourly)) {
            complain(m, DIAGNOSTIC_ERROR, "'hourly' is more than can be counted exactly");
            return false;
        }
        m->out->name = arena_format(c->arena, "%s, %d-year %s",
                                    s->kind == CHOICE_COMPUTE_SAVINGS_PLAN ? "compute savings plan"
                                                                           : s->family,
                                    term_years(s), payment_option_names[s->payment]);
        commitment_set_savings_plan(m->out, hourly);
    }
    return m->out->name != NULL && name_rung(m) &&
           commitment_check(m->out, s->item.place, c->diagnostics);
}

/* ---- what they may cover ---- */

/* Of each group: those of the plan, then those from before it. */
static size_t all_commitments(const struct commitment_plan *plan)
{
    return plan->count + plan->sunk;
}

/* The rates of one group under all commitments. */
static bool find_rates(const struct commitment_plan *plan, const struct commitment_spec *items,
                       const char *type, const struct market_context *c, struct savings_rate *rates)
{
    bool ok = true;
    for (size_t k = 0; k < plan->count; k++) {
        const struct ladder_rung *r = &plan->rungs[k];
        if (r->rung > 0) {
            rates[k] = rates[k - 1];
        } else {
            ok &= savings_rate_find(&items[r->item], type, c, &rates[k]);
        }
    }
    for (size_t k = 0; k < plan->sunk; k++) {
        const struct commitment_spec as_signed = account_spec_of(&plan->account->specs[k]);
        ok &= savings_rate_find(&as_signed, type, c, &rates[plan->count + k]);
    }
    return ok;
}

/* What a group of usage is of. */
struct group_source {
    int pool;
    enum coverage_use use;
    const struct others_use *others; /* NULL: the plan's own */
};

/* Groups in their order: pools, reserved capacity, others. */
static struct group_source source_of(const struct commitment_plan *plan, const int *pools,
                                     size_t pool_count, size_t group)
{
    const size_t reserved = 2 * plan->reservations.pool_count;
    if (group < pool_count) {
        return (struct group_source){.pool = pools[group], .use = USE_INSTANCE};
    }
    group -= pool_count;
    if (group < reserved) {
        return (struct group_source){.pool = plan->reservations.pools[group / 2].pool,
                                     .use = group % 2 == 0 ? USE_IN_RESERVATION : USE_IDLE};
    }
    const struct others_use *use = &plan->account->uses[group - reserved];
    return (struct group_source){.pool = use->pool, .use = USE_INSTANCE, .others = use};
}

static bool make_group(const struct group_source *source, struct market_plan *market,
                       const struct market_context *c, struct coverage_group *out)
{
    const struct pool_info *info = market_pool_info(market, source->pool);
    *out = (struct coverage_group){.type = info->type->name,
                                   .region = c->region->code,
                                   .zone = info->zone,
                                   .account = source->others == NULL ? 0 : source->others->account,
                                   .others = source->others != NULL,
                                   .use = source->use};
    return money_from_double(market_planned_price_per_hour(market, source->pool),
                             &out->on_demand_per_hour);
}

/* Groups of usage at the rates that planning sees. */
static bool make_groups(struct commitment_plan *plan, const struct commitment_spec *items,
                        const int *pools, size_t pool_count, struct market_plan *market,
                        const struct market_context *c)
{
    const size_t width = all_commitments(plan);
    plan->group_count = pool_count + 2 * plan->reservations.pool_count + plan->account->use_count;
    struct savings_rate *found =
        arena_array(c->arena, plan->group_count * width + 1, sizeof *found);
    bool ok = found != NULL, drawn = false;
    plan->groups = arena_array(c->arena, plan->group_count + 1, sizeof *plan->groups);
    for (size_t i = 0; plan->groups != NULL && found != NULL && i < plan->group_count; i++) {
        const struct group_source source = source_of(plan, pools, pool_count, i);
        struct coverage_group *group = &plan->groups[i];
        if (!make_group(&source, market, c, group)) {
            return false;
        }
        ok &= find_rates(plan, items, group->type, c, &found[i * width]);
        for (size_t k = 0; k < width; k++) {
            drawn = drawn || found[i * width + k].stated == 0;
        }
    }
    plan->rates = found;
    plan->reserved_rates = drawn ? found : NULL;
    return ok && plan->groups != NULL && (!drawn || savings_factor(c, &plan->factor));
}

/* What is planned, from what is listed. */
static bool make_coverage(struct commitment_plan *plan, const struct commitment_spec *items,
                          struct market_plan *market, const struct market_context *c)
{
    const struct commitment *listed = plan->items;
    const size_t count = all_commitments(plan);
    plan->items = arena_array(c->arena, count + 1, sizeof *plan->items);
    if (plan->items == NULL || !later_offers_init(&plan->later, listed, count, plan->groups,
                                                  plan->group_count, market, c)) {
        return false;
    }
    struct place where = plan->count + plan->reservations.count > 0 ? items[0].item.place
                         : plan->sunk > 0 ? plan->account->specs[0].item.place
                                          : plan->account->uses[0].spec->item.place;
    plan->coverage =
        commitment_plan_coverage(plan, NULL, NULL, INT64_MAX, plan->items, where, c->diagnostics);
    return plan->coverage != NULL;
}

/* COVERAGE_NOT_ELIGIBLE is no rate. */
static money_t later_rate(money_t rate, double factor)
{
    if (rate <= 0 || factor == 1.0) {
        return rate;
    }
    money_t changed = (money_t)llround((double)rate * factor);
    return changed > 0 ? changed : 1;
}

struct coverage *commitment_plan_coverage(const struct commitment_plan *plan, struct market *market,
                                          const double *drawn, int64_t signed_until_us,
                                          struct commitment *items, struct place where,
                                          struct diagnostics *d)
{
    const size_t width = all_commitments(plan), cells = plan->group_count * width;
    const double factor = number_value(&plan->factor, drawn);
    money_t *rates = malloc((cells + 1) * sizeof *rates);
    struct coverage_group *groups = malloc((plan->group_count + 1) * sizeof *groups);
    struct coverage *made = NULL;
    for (size_t i = 0; rates != NULL && groups != NULL && i < plan->group_count; i++) {
        groups[i] = plan->groups[i];
        groups[i].plan_rates = &rates[i * width];
        for (size_t k = 0; k < width; k++) {
            money_t rate =
                savings_rate_of(&plan->rates[i * width + k], factor, groups[i].on_demand_per_hour);
            double later = later_offers_rate(&plan->later, market, i, k);
            rates[i * width + k] = later_rate(rate, later);
        }
    }
    if (rates != NULL && groups != NULL) {
        later_offers_price(&plan->later, market, items);
        for (size_t k = 0; k < plan->count; k++) {
            if (items[k].start_us >= signed_until_us) {
                commitment_drop(&items[k]);
            }
        }
        made = coverage_new(groups, plan->group_count, items, width, where, d);
    }
    free(rates);
    free(groups);
    return made;
}

/* A pool that no work runs in has no slot outside its reservations, and no usage to look for one.
 */
static void map_reserved(struct commitment_plan *plan, size_t pool_count)
{
    for (size_t i = 0; i < plan->reservations.pool_count; i++) {
        struct held_pool *held = &plan->reservations.pools[i];
        size_t inside = coverage_slot(plan->coverage, pool_count + 2 * i);
        size_t idle = coverage_slot(plan->coverage, pool_count + 2 * i + 1);
        int outside = plan->slot_of_pool[held->pool];
        held->slots = (struct reservation_slots){.outside = outside < 0 ? RESERVATION_NO_SLOT
                                                                        : (uint32_t)outside,
                                                 .inside = (uint32_t)inside,
                                                 .idle = (uint32_t)idle};
        plan->pool_of_slot[inside] = plan->pool_of_slot[idle] = held->pool;
        plan->idle[idle] = true;
    }
}

/* Which slot the usage of a market pool, or of others, is counted in. The rates of a world do not
 * change it. */
static bool map_slots(struct commitment_plan *plan, const int *pools, size_t pool_count,
                      struct market_plan *market, const struct market_context *c)
{
    const struct account_plan *account = plan->account;
    size_t slots = coverage_slots(plan->coverage);
    plan->pool_count = market_plan_pools(market);
    plan->slot_of_pool = arena_array(c->arena, plan->pool_count + 1, sizeof *plan->slot_of_pool);
    plan->slot_of_use = arena_array(c->arena, account->use_count + 1, sizeof *plan->slot_of_use);
    plan->pool_of_slot = arena_array(c->arena, slots + 1, sizeof *plan->pool_of_slot);
    plan->others = arena_array(c->arena, slots + 1, sizeof *plan->others);
    plan->idle = arena_array(c->arena, slots + 1, sizeof *plan->idle);
    if (plan->slot_of_pool == NULL || plan->slot_of_use == NULL || plan->pool_of_slot == NULL ||
        plan->others == NULL || plan->idle == NULL) {
        return false;
    }
    for (size_t p = 0; p < plan->pool_count; p++) {
        plan->slot_of_pool[p] = -1;
    }
    for (size_t i = 0; i < pool_count; i++) {
        size_t slot = coverage_slot(plan->coverage, i);
        plan->slot_of_pool[pools[i]] = (int)slot;
        plan->pool_of_slot[slot] = pools[i];
    }
    map_reserved(plan, pool_count);
    const size_t own = pool_count + 2 * plan->reservations.pool_count;
    for (size_t i = 0; i < account->use_count; i++) {
        size_t slot = coverage_slot(plan->coverage, own + i);
        plan->slot_of_use[i] = (uint32_t)slot;
        plan->pool_of_slot[slot] = account->uses[i].pool;
        plan->others[slot] = true;
    }
    return true;
}

/* All purchases of all items. */
static bool make_items(struct commitment_plan *plan, const struct commitment_spec *items,
                       size_t count, const struct market_context *context)
{
    bool ok = true;
    size_t k = 0;
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind == CHOICE_CAPACITY_RESERVATION) {
            continue;
        }
        bool good = ladder_check(&items[i], context);
        for (int64_t n = 0; n < items[i].times; n++, k++) {
            plan->rungs[k] = (struct ladder_rung){.item = i, .rung = n, .rungs = items[i].times};
            plan->reuse[k] = items[i].reuse.value;
            struct commitment_making m = {.spec = &items[i],
                                          .context = context,
                                          .out = &plan->items[k],
                                          .rung = &plan->rungs[k]};
            good = good && make_item(&m); /* what is wrong with one is said once */
        }
        ok &= good;
    }
    return ok;
}

bool commitment_plan_make(struct commitment_plan *plan, const struct schema_list *specs,
                          const int *pools, size_t pool_count, const struct account_plan *account,
                          struct market_plan *market, const struct market_context *context)
{
    const struct commitment_spec *items = specs->items;
    *plan = (struct commitment_plan){.count = ladder_rungs(items, specs->count),
                                     .sunk = account->commitment_count,
                                     .factor = NUMBER_CERTAIN(1),
                                     .account = account};
    bool ok = reservation_plan_make(&plan->reservations, items, specs->count, market, context);
    if (commitment_plan_accounts(plan) == 0 && account->use_count == 0) {
        return ok;
    }
    plan->items = arena_array(context->arena, all_commitments(plan) + 1, sizeof *plan->items);
    plan->rungs = arena_array(context->arena, plan->count + 1, sizeof *plan->rungs);
    plan->reuse = arena_array(context->arena, plan->count + 1, sizeof *plan->reuse);
    if (plan->items == NULL || plan->rungs == NULL || plan->reuse == NULL) {
        return false;
    }
    if (!make_items(plan, items, specs->count, context) || !ok) {
        return false;
    }
    for (size_t k = 0; k < plan->sunk; k++) {
        plan->items[plan->count + k] = account->commitments[k];
    }
    if (all_commitments(plan) > 0) {
        assumptions_add(context->assumptions, false, "default",
                        "exchange, resale and switching of commitments", "valued at 0");
    }
    return make_groups(plan, items, pools, pool_count, market, context) &&
           make_coverage(plan, items, market, context) &&
           map_slots(plan, pools, pool_count, market, context);
}

void commitment_plan_release(struct commitment_plan *plan)
{
    coverage_free(plan->coverage);
    plan->coverage = NULL;
}
