/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/charge_plan.h"

#include "engine/civil_time.h"
#include "engine/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const always_names[CHARGE_ALWAYS] = {
    [CHARGE_DISK] = "disk",
    [CHARGE_DATASET] = "dataset",
    [CHARGE_CHECKPOINTS] = "checkpoints",
    [CHARGE_TRANSFER] = "transfer",
    [CHARGE_NAT] = "nat",
};

/* The services that a discount may name, and the kinds of line that they stand for. */
static const char *const services[] = {"ec2", "ebs", "s3", "transfer", "nat"};

/* ---- disks ---- */

struct disk_kind {
    enum storage_item size, iops; /* iops == size: it has none to provision */
    bool iops_needed, throughput;
};
static const struct disk_kind disk_kinds[DISK_TYPE_COUNT] = {
    [DISK_GP3] = {STORAGE_GP3, STORAGE_GP3_IOPS, false, true},
    [DISK_GP2] = {STORAGE_GP2, STORAGE_GP2, false, false},
    [DISK_IO1] = {STORAGE_IO1, STORAGE_IO1_IOPS, true, false},
    [DISK_IO2] = {STORAGE_IO2, STORAGE_IO2_IOPS, true, false},
    [DISK_ST1] = {STORAGE_ST1, STORAGE_ST1, false, false},
    [DISK_SC1] = {STORAGE_SC1, STORAGE_SC1, false, false},
};

static bool make_disk(struct workload_charges *w, const struct market_context *c)
{
    const struct disk_spec *d = w->data.disk;
    if (!d->given) {
        return true;
    }
    const struct disk_kind *k = &disk_kinds[d->type];
    bool has_iops = k->iops != k->size;
    if (!d->size.given) {
        return charge_complain(c, d->place,
                               "'disk' states no size; expected one such as 'size: 500 GiB'");
    }
    if (d->iops.given && !has_iops) {
        return charge_complain(c, d->place, "'iops' does not belong to a '%s' volume",
                               storage_item_names[k->size]);
    }
    if (!d->iops.given && k->iops_needed) {
        return charge_complain(c, d->place, "an '%s' volume needs 'iops'",
                               storage_item_names[k->size]);
    }
    if (d->throughput.given && !k->throughput) {
        return charge_complain(c, d->place, "'throughput' does not belong to a '%s' volume",
                               storage_item_names[k->size]);
    }
    bool ok = charge_price_find(&w->disk, &d->per_gb_month, k->size, "per_gb_month", d->place, c);
    if (d->iops.given) {
        ok &=
            charge_price_find(&w->iops, &d->per_iops_month, k->iops, "per_iops_month", d->place, c);
    }
    if (d->throughput.given) {
        ok &= charge_price_find(&w->throughput, &d->per_mbps_month, STORAGE_GP3_THROUGHPUT,
                                "per_mbps_month", d->place, c);
    }
    return ok;
}

/* ---- the data of a workload ---- */

static bool make_kept(struct workload_charges *w, const struct market_context *c)
{
    const struct dataset_spec *d = w->data.dataset;
    const struct work_saves *k = &w->data.saves;
    bool ok = true;
    if (d->given && !d->size.given) {
        ok = charge_complain(c, d->place,
                             "'dataset' states no size; expected one such as 'size: 2 TB'");
    } else if (d->given) {
        ok = charge_price_find(&w->dataset, &d->per_gb_month, STORAGE_S3, "per_gb_month", d->place,
                               c);
    }
    if (k->given) {
        ok &= charge_price_find(&w->checkpoint, k->per_gb_month, STORAGE_S3,
                                "checkpoint.per_gb_month", w->data.place, c);
    }
    return ok;
}

static bool make_transfer(struct charge_plan *plan, struct workload_charges *w,
                          const struct market_context *c)
{
    static const enum storage_item of_route[ROUTE_COUNT] = {
        [ROUTE_NAT] = STORAGE_NAT_DATA,
        [ROUTE_CROSS_AZ] = STORAGE_CROSS_AZ,
        [ROUTE_CROSS_REGION] = STORAGE_CROSS_REGION,
        [ROUTE_INTERNET] = STORAGE_INTERNET,
    };
    const struct transfer_spec *t = w->data.transfer->items;
    size_t count = w->data.transfer->count;
    w->transfer = arena_array(c->arena, count + 1, sizeof *w->transfer);
    bool ok = w->transfer != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        if (t[i].route != ROUTE_NAT) {
            ok &= charge_price_find(&w->transfer[i], &t[i].per_gb, of_route[t[i].route], "per_gb",
                                    t[i].item.place, c);
        } else if (plan->nat == NULL) {
            ok = charge_complain(
                c, t[i].item.place,
                "data goes through NAT, but no item of 'charges' is 'nat'; expected "
                "'charges: [{nat: {}}]', or 'nat: {hourly: 0 USD/h}' where others pay "
                "the gateway");
        } else if (t[i].per_gb.given) {
            w->transfer[i].stated = &t[i].per_gb;
        } else {
            w->transfer[i] = plan->nat_data;
        }
    }
    return ok;
}

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
        {s->nat.given, CHARGE_NAT},
        {s->discount.count > 0, CHARGE_DISCOUNT},
        {s->support.given, CHARGE_SUPPORT},
        {s->tax.given, CHARGE_TAX},
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

static bool lasts(enum charge_kind k)
{
    return k == CHARGE_MONTHLY || k == CHARGE_HOURLY || k == CHARGE_INSTANCE || k == CHARGE_NAT;
}

static bool check_keys(const struct charge_item *item, const struct market_context *c)
{
    const struct charge_spec *s = item->spec;
    struct place where = s->item.place;
    bool ok = true;
    if (s->at_given && !lasts(item->kind) && item->kind != CHARGE_ONCE) {
        ok = charge_complain(c, where, "'at' does not belong to this kind of charge");
    }
    if (s->until >= 0 && !lasts(item->kind)) {
        ok = charge_complain(c, where, "'until' does not belong to this kind of charge");
    }
    if (s->applies_to >= 0 && item->kind != CHARGE_PER_NODE_HOUR) {
        ok = charge_complain(c, where, "'applies_to' belongs to 'per_node_hour' alone");
    }
    if (item->at_us >= microseconds(c->horizon_s)) {
        ok = charge_complain(c, where,
                             "'at' lies at or beyond the horizon, so that it is never charged");
    }
    return ok;
}

static bool make_name(struct charge_item *item, const struct market_context *c)
{
    static const char *const defaults[CHARGE_KIND_COUNT] = {[CHARGE_NAT] = "nat",
                                                            [CHARGE_DISCOUNT] = "discount",
                                                            [CHARGE_SUPPORT] = "support",
                                                            [CHARGE_TAX] = "tax"};
    item->name = item->spec->name != NULL ? item->spec->name : defaults[item->kind];
    if (item->name == NULL) {
        return charge_complain(c, item->spec->item.place, "this charge has no 'name' for its line");
    }
    if (item->kind == CHARGE_NAT && item->spec->name != NULL) {
        return charge_complain(c, item->spec->item.place, "the line of 'nat' is called 'nat'");
    }
    return true;
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
        for (size_t k = 0; k < sizeof services / sizeof services[0]; k++) {
            known = known || strcmp(d[i].item.name, services[k]) == 0;
        }
        for (size_t t = 0; !known && t < catalogue_types(c->catalogue); t++) {
            known = strcmp(d[i].item.name, catalogue_type_at(c->catalogue, t)->family) == 0;
        }
        if (!known) {
            ok = charge_complain(
                c, d[i].item.place,
                "'%s' is neither a service (ec2, ebs, s3, transfer, nat) nor an instance "
                "family of the catalogue",
                d[i].item.name);
        }
    }
    return ok;
}

static bool add_item(struct charge_plan *plan, const struct charge_spec *spec,
                     const struct market_context *c)
{
    size_t stated;
    enum charge_kind kind = kind_of(spec, &stated);
    if (stated != 1) {
        return charge_complain(
            c, spec->item.place,
            "this charge states %s; expected exactly one of monthly, hourly, instance, "
            "once, per_node_hour, nat, discount, support, tax",
            stated == 0 ? "no amount" : "several amounts");
    }
    bool is_nat = kind == CHARGE_NAT;
    struct charge_item made = {.kind = kind, .spec = spec};
    int64_t begins = civil_add_months(c->start_unix_s, spec->at.months) - c->start_unix_s;
    made.at_us = microseconds((double)begins + spec->at.value);
    bool shares = kind == CHARGE_SUPPORT || kind == CHARGE_TAX;
    made.workload_line =
        is_nat || shares || kind == CHARGE_DISCOUNT || kind == CHARGE_PER_NODE_HOUR;
    made.shared_line = kind != CHARGE_PER_NODE_HOUR;
    bool ok = make_name(&made, c) && check_keys(&made, c);
    if (is_nat && plan->nat != NULL) {
        ok = charge_complain(c, spec->item.place, "'nat' stands twice in 'charges'");
    }
    if (kind == CHARGE_DISCOUNT && plan->discount_item != SIZE_MAX) {
        ok = charge_complain(c, spec->item.place, "'discount' stands twice in 'charges'");
    }
    for (size_t i = 0; ok && !is_nat && i < plan->count; i++) {
        if (strcmp(plan->items[i].name, made.name) == 0) {
            ok = charge_complain(c, spec->item.place,
                                 "two lines of the bill are called '%s'; name one", made.name);
        }
    }
    ok = ok && (kind != CHARGE_INSTANCE || make_instance(&made, c));
    ok = ok && (kind != CHARGE_DISCOUNT || check_discount(&made, c));
    if (!ok) {
        return false;
    }
    if (is_nat) {
        plan->items[CHARGE_NAT] = made;
        plan->nat = &plan->items[CHARGE_NAT];
        ok = charge_price_find(&plan->nat_hour, &spec->nat.hourly, STORAGE_NAT_HOUR, "hourly",
                               spec->item.place, c);
        return charge_price_find(&plan->nat_data, &spec->nat.per_gb, STORAGE_NAT_DATA, "per_gb",
                                 spec->item.place, c) &&
               ok;
    }
    if (kind == CHARGE_DISCOUNT) {
        plan->discount_item = plan->count;
    }
    plan->items[plan->count++] = made;
    return true;
}

enum bill_category charge_category(enum charge_kind kind)
{
    switch (kind) {
    case CHARGE_DISK:
    case CHARGE_DATASET:
    case CHARGE_CHECKPOINTS:
        return BILL_STORAGE;
    case CHARGE_TRANSFER:
    case CHARGE_NAT:
        return BILL_TRANSFER;
    case CHARGE_DISCOUNT:
        return BILL_DISCOUNT;
    case CHARGE_SUPPORT:
        return BILL_SUPPORT;
    case CHARGE_TAX:
        return BILL_TAX;
    default:
        return BILL_FEES;
    }
}

/* ---- all ---- */

/* Nothing stated is shown as zero; so that nobody takes it for known, it is said. */
static void say_none_stated(const struct charge_plan *plan, const struct market_context *c)
{
    bool storage = false, transfer = plan->nat != NULL;
    for (size_t w = 0; w < plan->workload_count; w++) {
        const struct work_data *s = &plan->workloads[w].data;
        storage = storage || s->disk->given || s->dataset->given || s->saves.given;
        transfer = transfer || s->transfer->count > 0;
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
    plan->items = arena_array(context->arena, specs->count + CHARGE_ALWAYS, sizeof *plan->items);
    plan->workloads = arena_array(context->arena, workload_count, sizeof *plan->workloads);
    if (plan->items == NULL || plan->workloads == NULL) {
        return false;
    }
    for (; plan->count < CHARGE_ALWAYS; plan->count++) {
        plan->items[plan->count] = (struct charge_item){.kind = (enum charge_kind)plan->count,
                                                        .name = always_names[plan->count],
                                                        .workload_line = true};
    }
    bool ok = true;
    for (size_t i = 0; i < specs->count; i++) {
        ok &= add_item(plan, &items[i], context);
    }
    for (size_t w = 0; w < workload_count; w++) {
        struct workload_charges *one = &plan->workloads[w];
        one->data = workloads[w];
        ok &= make_disk(one, context);
        ok &= make_kept(one, context);
        ok &= make_transfer(plan, one, context);
    }
    say_none_stated(plan, context);
    return ok;
}
