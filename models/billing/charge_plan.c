/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/charge_plan.h"

#include "engine/civil_time.h"
#include "engine/text.h"
#include "models/billing/charge_traits.h"
#include "models/billing/filesystem_charges.h"
#include "models/billing/invoice_charges.h"
#include "models/billing/workload_prices.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- items ---- */

static enum charge_kind kind_of(const struct charge_spec *s, size_t *stated)
{
    const struct {
        bool given;
        enum charge_kind kind;
    } keys[] = {
        {s->monthly.given, CHARGE_MONTHLY},
        {s->hourly.given, CHARGE_HOURLY},
        {s->instance != NULL, CHARGE_INSTANCE},
        {s->once.given, CHARGE_ONCE},
        {s->per_node_hour.given, CHARGE_PER_NODE_HOUR},
        {s->per_vcpu_hour.given, CHARGE_PER_VCPU_HOUR},
        {s->per_gpu_hour.given, CHARGE_PER_GPU_HOUR},
        {s->monitoring.given, CHARGE_MONITORING},
        {s->nat.given, CHARGE_NAT},
        {s->efs.given, CHARGE_EFS},
        {s->lustre.given, CHARGE_LUSTRE},
        {s->discount.count > 0, CHARGE_DISCOUNT},
        {s->support.given, CHARGE_SUPPORT},
        {s->tax.given, CHARGE_TAX},
        {s->edp.given, CHARGE_EDP},
        {s->support_plan.given, CHARGE_SUPPORT_PLAN},
        {s->credit.given, CHARGE_CREDIT},
    };
    enum charge_kind kind = CHARGE_KIND_COUNT;
    *stated = 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i].given) {
            kind = keys[i].kind;
            ++*stated;
        }
    }
    return kind;
}

static bool check_keys(const struct charge_item *item, const struct market_context *c)
{
    const struct charge_spec *s = item->spec;
    const struct charge_traits *traits = &charge_traits[item->kind];
    struct place where = s->item.place;
    bool ok = true;
    if (s->at_given && !traits->lasts && item->kind != CHARGE_ONCE && item->kind != CHARGE_CREDIT) {
        ok = charge_complain(c, where, "'at' does not belong to this kind of charge");
    }
    if (s->until >= 0 && !traits->lasts) {
        ok = charge_complain(c, where, "'until' does not belong to this kind of charge");
    }
    if (s->applies_to >= 0 && !traits->by_node) {
        ok = charge_complain(c, where,
                             "'applies_to' belongs to per_node_hour, per_vcpu_hour, per_gpu_hour "
                             "and monitoring alone");
    }
    if (s->expires.given && item->kind != CHARGE_CREDIT) {
        ok = charge_complain(c, where, "'expires' belongs to credit alone");
    }
    if (s->service >= 0 && !traits->stated) {
        ok = charge_complain(c, where,
                             "'service' belongs to stated amounts (monthly, hourly, once, "
                             "per_node_hour, per_vcpu_hour, per_gpu_hour) and to credit");
    }
    if (s->workload != NULL && item->kind != CHARGE_EFS && item->kind != CHARGE_LUSTRE) {
        ok = charge_complain(c, where, "'workload' belongs to efs and lustre alone");
    }
    if (s->workload != NULL && (s->at_given || s->until >= 0)) {
        ok = charge_complain(c, where,
                             "'workload' stands for the time from its submission to its end: "
                             "'at' and 'until' do not belong beside it");
    }
    const bool of_all = !item->shared_line || item->kind == CHARGE_DISCOUNT ||
                        item->kind == CHARGE_SUPPORT || item->kind == CHARGE_TAX ||
                        item->kind == CHARGE_EDP || item->kind == CHARGE_SUPPORT_PLAN ||
                        item->kind == CHARGE_CREDIT;
    if (labels_given(&s->labels) && (of_all || s->workload != NULL)) {
        ok = charge_complain(c, where,
                             "'owner' and 'tags' do not belong to this kind of charge, which falls "
                             "on workloads and is borne by whose they are");
    }
    if (item->at_us >= microseconds(c->horizon_s)) {
        ok = charge_complain(c, where,
                             "'at' lies at or beyond the horizon, so that it is never charged");
    }
    return ok;
}

static bool make_name(struct charge_item *item, const struct market_context *c)
{
    item->name = item->spec->name != NULL ? item->spec->name : charge_traits[item->kind].name;
    if (item->name == NULL) {
        return charge_complain(c, item->spec->item.place, "this charge has no 'name' for its line");
    }
    if (item->kind == CHARGE_NAT && item->spec->name != NULL) {
        return charge_complain(c, item->spec->item.place, "the line of 'nat' is called 'nat'");
    }
    return true;
}

/* Whose file system it is. */
static bool find_workload(struct charge_item *item, const struct charge_plan *plan,
                          const struct market_context *c)
{
    const char *name = item->spec->workload;
    for (size_t w = 0; name != NULL && w < plan->workload_count; w++) {
        if (strcmp(plan->workloads[w].data.name, name) == 0) {
            item->workload = w;
            item->workload_line = true;
            item->shared_line = false;
            return true;
        }
    }
    return name == NULL ||
           charge_complain(c, item->spec->item.place, "no workload is called '%s'", name);
}

static bool make_instance(struct charge_item *item, const struct market_context *c)
{
    const char *type = item->spec->instance, *region = c->region->code;
    const struct dated_price *rows, *first;
    first =
        catalogue_on_demand_at(c->catalogue, type, region, c->start_unix_s, c->prices_as_of_unix_s);
    if (first == NULL) {
        char why[700];
        catalogue_explain_missing(c->catalogue, type, region, c->start_unix_s,
                                  c->prices_as_of_unix_s, why, sizeof why);
        diagnostics_add(c->diagnostics, DIAGNOSTIC_INFEASIBLE, item->spec->item.place,
                        "%s; a helper of another type takes a stated price: 'hourly'", why);
        return false;
    }
    size_t count = catalogue_on_demand(c->catalogue, type, region, &rows), dot;
    struct charge_step *steps = arena_array(c->arena, count + 1, sizeof *steps);
    for (dot = 0; type[dot] != '\0' && type[dot] != '.'; dot++) {
    }
    item->family = arena_copy(c->arena, type, dot);
    if (steps == NULL || item->family == NULL) {
        return false;
    }
    steps[0] = (struct charge_step){.from_us = 0, .per_hour = first->per_hour};
    item->step_count = 1;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].from_unix_s > c->start_unix_s &&
            rows[i].from_unix_s <= c->prices_as_of_unix_s) {
            steps[item->step_count++] = (struct charge_step){
                .from_us = (rows[i].from_unix_s - c->start_unix_s) * MICROSECONDS,
                .per_hour = rows[i].per_hour};
        }
    }
    item->steps = steps;
    char money[32], date[24];
    assumptions_add(c->assumptions, false, first->source,
                    arena_format(c->arena, "price of the helper '%s'", item->name),
                    "%s %s/h for %s, known on %s", money_text(first->per_hour, money),
                    c->region->currency, type, civil_date_text(first->confirmed_unix_s, date));
    return true;
}

/* A family must be one of the catalogue's: a slip would take nothing off, without a word. */
static bool check_discount(const struct charge_item *item, const struct market_context *c)
{
    const struct discount_spec *d = item->spec->discount.items;
    bool ok = true;
    for (size_t i = 0; i < item->spec->discount.count; i++) {
        bool known = false;
        for (size_t k = 0; k < SERVICE_COUNT; k++) {
            known = known || strcmp(d[i].item.name, charge_service_names[k]) == 0;
        }
        for (size_t t = 0; !known && t < catalogue_types(c->catalogue); t++) {
            known = strcmp(d[i].item.name, catalogue_type_at(c->catalogue, t)->family) == 0;
        }
        if (!known) {
            ok = charge_complain(c, d[i].item.place,
                                 "'%s' is neither a service (ec2, ebs, s3, efs, fsx, transfer, "
                                 "nat, cloudwatch) nor an "
                                 "family of the catalogue",
                                 d[i].item.name);
        }
    }
    return ok;
}

static bool add_nat(struct charge_plan *plan, const struct charge_item *made,
                    const struct market_context *c)
{
    const struct charge_spec *spec = made->spec;
    plan->items[CHARGE_NAT] = *made;
    plan->nat = &plan->items[CHARGE_NAT];
    bool ok = charge_price_find(&plan->nat_hour, &spec->nat.hourly, STORAGE_NAT_HOUR, "hourly",
                                spec->item.place, c);
    return charge_price_find(&plan->nat_data, &spec->nat.per_gb, STORAGE_NAT_DATA, "per_gb",
                             spec->item.place, c) &&
           ok;
}

/* Some there is one of, and no two lines have one name. */
static bool check_alone(const struct charge_plan *plan, const struct charge_item *made,
                        const struct market_context *c)
{
    struct place where = made->spec->item.place;
    if (made->kind == CHARGE_NAT) {
        return plan->nat == NULL || charge_complain(c, where, "'nat' stands twice in 'charges'");
    }
    if (made->kind == CHARGE_DISCOUNT && plan->discount_item != SIZE_MAX) {
        return charge_complain(c, where, "'discount' stands twice in 'charges'");
    }
    for (size_t i = 0; i < plan->count; i++) {
        if (strcmp(plan->items[i].name, made->name) == 0) {
            return charge_complain(c, where, "two lines of the bill are called '%s'; name one",
                                   made->name);
        }
    }
    return true;
}

static bool make_more(struct charge_item *made, const struct charge_plan *plan,
                      const struct market_context *c)
{
    switch (made->kind) {
    case CHARGE_INSTANCE:
        return make_instance(made, c);
    case CHARGE_DISCOUNT:
        return check_discount(made, c);
    case CHARGE_EDP:
    case CHARGE_SUPPORT_PLAN:
    case CHARGE_CREDIT:
        return invoice_check(made, plan, c);
    case CHARGE_EFS:
    case CHARGE_LUSTRE:
        return find_workload(made, plan, c) && filesystem_make(made, c);
    default:
        return true;
    }
}

/* The line of what an agreement's minimum may cost. */
static bool add_shortfall(struct charge_plan *plan, const struct charge_item *edp,
                          const struct market_context *c)
{
    struct charge_item made = *edp;
    made.kind = CHARGE_EDP_SHORTFALL;
    made.name = charge_traits[made.kind].name;
    if (!check_alone(plan, &made, c)) {
        return false;
    }
    plan->items[plan->count++] = made;
    return true;
}

static bool add_item(struct charge_plan *plan, const struct charge_spec *spec,
                     const struct market_context *c)
{
    size_t stated;
    enum charge_kind kind = kind_of(spec, &stated);
    if (stated != 1) {
        return charge_complain(
            c, spec->item.place,
            "this charge states %s; expected exactly one of monthly, hourly, instance, once, "
            "per_node_hour, per_vcpu_hour, per_gpu_hour, monitoring, nat, efs, lustre, discount, "
            "edp, support, support_plan, credit, tax",
            stated == 0 ? "no amount" : "several amounts");
    }
    int64_t begins = civil_add_months(c->start_unix_s, spec->at.months) - c->start_unix_s;
    struct charge_item made = {.kind = kind,
                               .spec = spec,
                               .service = spec->service >= 0 ? (enum charge_service)spec->service
                                                             : charge_traits[kind].service,
                               .at_us = microseconds((double)begins + spec->at.value),
                               .workload = SIZE_MAX,
                               .shared_line = charge_traits[kind].of_shared,
                               .workload_line = charge_traits[kind].of_workloads};
    bool ok = make_name(&made, c) && check_keys(&made, c);
    if (!ok || !check_alone(plan, &made, c) || !make_more(&made, plan, c)) {
        return false;
    }
    if (kind == CHARGE_NAT) {
        return add_nat(plan, &made, c);
    }
    if (kind == CHARGE_DISCOUNT) {
        plan->discount_item = plan->count;
    }
    plan->of_invoice = plan->of_invoice || kind == CHARGE_EDP || kind == CHARGE_SUPPORT_PLAN ||
                       kind == CHARGE_CREDIT;
    plan->items[plan->count++] = made;
    return kind != CHARGE_EDP || !spec->edp.minimum.given || add_shortfall(plan, &made, c);
}

/* A line that no item of the scenario's states. */
static void add_line(struct charge_plan *plan, enum charge_kind kind)
{
    plan->items[plan->count++] = (struct charge_item){.kind = kind,
                                                      .name = charge_traits[kind].name,
                                                      .service = charge_traits[kind].service,
                                                      .workload = SIZE_MAX,
                                                      .shared_line = false,
                                                      .workload_line = true};
}

/* ---- all ---- */

/* Nothing stated is shown as zero; so that nobody takes it for known, it is said. */
static void say_none_stated(const struct charge_plan *plan, const struct market_context *c)
{
    bool storage = false, transfer = plan->nat != NULL;
    for (size_t i = 0; i < plan->count; i++) {
        storage = storage || plan->items[i].prices != NULL;
    }
    for (size_t w = 0; w < plan->workload_count; w++) {
        const struct work_data *s = &plan->workloads[w].data;
        storage = storage || s->disk->given || s->dataset->given || s->saves.given;
        transfer = transfer || s->transfer->count > 0 || s->crosses_zones;
    }
    if (!storage || !transfer) {
        assumptions_add(c->assumptions, false, "default",
                        !storage && !transfer ? "storage, transfer"
                        : storage             ? "transfer"
                                              : "storage",
                        "none stated");
    }
}

bool charge_plan_make(struct charge_plan *plan, const struct schema_list *specs,
                      const struct work_data *workloads, size_t workload_count,
                      const struct market_context *context)
{
    const struct charge_spec *items = specs->items;
    *plan = (struct charge_plan){.workload_count = workload_count, .discount_item = SIZE_MAX};
    plan->items =
        arena_array(context->arena, 2 * specs->count + CHARGE_ALWAYS + 1, sizeof *plan->items);
    plan->workloads = arena_array(context->arena, workload_count, sizeof *plan->workloads);
    if (plan->items == NULL || plan->workloads == NULL) {
        return false;
    }
    while (plan->count < CHARGE_ALWAYS) {
        add_line(plan, (enum charge_kind)plan->count);
    }
    bool ok = true, requests = false;
    for (size_t w = 0; w < workload_count; w++) {
        plan->workloads[w].data = workloads[w];
        requests = requests || workload_prices_requests(&plan->workloads[w]);
    }
    if (requests) {
        add_line(plan, CHARGE_REQUESTS);
    }
    for (size_t i = 0; i < specs->count; i++) {
        ok &= add_item(plan, &items[i], context);
    }
    for (size_t w = 0; w < workload_count; w++) {
        ok &= workload_prices_find(plan, &plan->workloads[w], context);
    }
    say_none_stated(plan, context);
    return ok;
}
