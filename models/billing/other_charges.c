/* SPDX-License-Identifier: GPL-3.0-or-later
 * The order of a bill: what is used or stated; discounts, each beside the charge that it is taken
 * off; support, a share of that; tax, a share of all. A new kind of charge is one function and its
 * row below. */
#include "models/billing/other_charges.h"

#include "models/billing/charge_put.h"
#include "models/billing/rating.h"
#include "models/billing/transfer_charges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct other_charges {
    const struct charge_plan *plan;
    struct transfers *transfers;
    money_t *month; /* scratch: frame.months */
    size_t months;
    double *spend; /* scratch: spend_count */
    size_t spend_count;
    int64_t *of_pool; /* discount on on-demand nodes, by market pool */
    size_t pool_count;
    money_t discounted; /* off nodes, in this world */
};

struct other_charges *other_charges_new(const struct charge_plan *plan, size_t months)
{
    struct other_charges *o = calloc(1, sizeof *o);
    if (o == NULL) {
        return NULL;
    }
    o->plan = plan;
    o->months = months;
    o->month = calloc(months + 1, sizeof *o->month);
    o->transfers = transfers_new();
    if (o->month == NULL || o->transfers == NULL) {
        other_charges_free(o);
        return NULL;
    }
    return o;
}

void other_charges_free(struct other_charges *o)
{
    if (o != NULL) {
        transfers_free(o->transfers);
        free(o->month);
        free(o->spend);
        free(o->of_pool);
        free(o);
    }
}

/* ---- one world ---- */

/* What the functions of the kinds are given. */
struct charging {
    struct other_charges *o;
    const struct charge_plan *plan;
    const struct charge_world *world;
    struct bill *bills; /* workloads, then the shared one */
    const struct charge_item *item;
    size_t line;
};

static int64_t parts(double share)
{
    return llround(share * (double)SHARE_WHOLE);
}

/* What is taken off this service or family: the family goes before its service. */
static int64_t discount_on(const struct charging *c, const char *service, const char *family)
{
    if (c->plan->discount_item == SIZE_MAX) {
        return 0;
    }
    const struct schema_list *list = &c->plan->items[c->plan->discount_item].spec->discount;
    const struct discount_spec *d = list->items;
    int64_t of_service = 0;
    for (size_t i = 0; i < list->count; i++) {
        int64_t share = parts(number_value(&d[i].share, c->world->drawn));
        if (family != NULL && strcmp(d[i].item.name, family) == 0) {
            return share;
        }
        if (strcmp(d[i].item.name, service) == 0) {
            of_service = share;
        }
    }
    return of_service;
}

static size_t shared_row(const struct charging *c)
{
    return c->plan->workload_count;
}

static struct charge_target target(const struct charging *c, size_t row, const char *service)
{
    return (struct charge_target){
        .frame = c->world->frame,
        .spend_units = c->world->spend_units,
        .bill = &c->bills[row],
        .item = c->line,
        .discount = service == NULL ? 0 : discount_on(c, service, c->item->family),
        .discount_item = c->plan->discount_item,
        .row = row,
        .sink = c->world->sink,
    };
}

/* What the target's amounts buy; the measures must outlive them. */
static void measure(struct charge_target *t, const struct charge_measure *m, size_t count)
{
    t->measures = m;
    t->measure_count = count;
}

static int64_t end_of(const struct charging *c, size_t workload)
{
    return microseconds(c->world->works[workload].end_s);
}

/* Where an item that lasts ends. */
static int64_t end_of_item(const struct charging *c)
{
    int64_t end_us = 0;
    if (c->item->spec->until == UNTIL_HORIZON) {
        return c->world->frame->horizon_us;
    }
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        int64_t one_us = end_of(c, w);
        end_us = one_us > end_us ? one_us : end_us;
    }
    return end_us;
}

static double drawn(const struct charging *c, const struct number *n)
{
    return number_value(n, c->world->drawn);
}

static double price(const struct charging *c, const struct charge_price *p)
{
    return charge_price_value(p, c->world->drawn);
}

static enum purchase purchase_of(const struct charging *c, const struct usage *u)
{
    return market_pool_info(market_plan_of(c->world->market), u->pool)->purchase;
}

/* ---- storage ---- */

#define HOURS_OF_A_MONTH 730.0
#define GP3_FREE_IOPS    3000.0
#define GP3_FREE_MIBPS   125.0
#define MIB_BYTES        1048576.0

static double above(double value, double free_part)
{
    return value > free_part ? value - free_part : 0;
}

enum { DISK_MEASURES = 3 };

static struct charge_measure by_hour(enum charge_meter meter, const char *product,
                                     double of_a_month, double price_of_one)
{
    return (struct charge_measure){
        .meter = meter,
        .product = product,
        .quantity = of_a_month / HOURS_OF_A_MONTH,
        .price = price_of_one,
    };
}

/* A volume's price an hour, in currency units, and what it is made of. */
static double disk_per_hour(const struct charging *c, const struct workload_charges *w,
                            struct charge_measure m[DISK_MEASURES], size_t *count)
{
    const struct disk_spec *d = w->data.disk;
    const char *type = disk_type_names[d->type];
    bool gp3 = d->type == DISK_GP3;
    double gib = ceil(drawn(c, &d->size) / STORAGE_GIB_BYTES - 1e-9);
    double month = gib * price(c, &w->disk);
    *count = 0;
    m[(*count)++] = by_hour(METER_GB_MONTHS, type, gib, price(c, &w->disk));
    if (d->iops.given) {
        double iops = above(drawn(c, &d->iops), gp3 ? GP3_FREE_IOPS : 0);
        double money = charge_price_of(&w->iops, iops, c->world->drawn);
        month += money;
        m[(*count)++] = by_hour(METER_IOPS_MONTHS, type, iops, iops > 0 ? money / iops : 0);
    }
    if (d->throughput.given) {
        double mibps = above(drawn(c, &d->throughput) / MIB_BYTES, GP3_FREE_MIBPS);
        month += mibps * price(c, &w->throughput);
        m[(*count)++] = by_hour(METER_MIBPS_MONTHS, type, mibps, price(c, &w->throughput));
    }
    return month / HOURS_OF_A_MONTH;
}

static void rate_disk(struct charging *c)
{
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        const struct workload_charges *one = &c->plan->workloads[w];
        if (!one->data.disk->given) {
            continue;
        }
        struct charge_target t = target(c, w, "ebs");
        struct charge_measure m[DISK_MEASURES];
        size_t count;
        money_t rate = charge_money(&t, disk_per_hour(c, one, m, &count));
        measure(&t, m, count);
        for (size_t i = 0; i < c->world->log->count; i++) {
            const struct usage *u = &c->world->log->records[i];
            if (u->workload == w) {
                charge_hold(&t, rate, u->start_us, u->end_us, usage_nodes(u));
            }
        }
    }
}

/* So many bytes in S3, an hour, in currency units. */
static double stored_per_hour(const struct charging *c, const struct number *size,
                              const struct charge_price *p, struct charge_measure *m)
{
    *m = by_hour(METER_GB_MONTHS, "s3-standard", drawn(c, size) / STORAGE_GIB_BYTES, price(c, p));
    return drawn(c, size) / STORAGE_GIB_BYTES * price(c, p) / HOURS_OF_A_MONTH;
}

static void rate_dataset(struct charging *c)
{
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        const struct workload_charges *one = &c->plan->workloads[w];
        if (one->data.dataset->given) {
            struct charge_target t = target(c, w, "s3");
            struct charge_measure m;
            money_t rate =
                charge_money(&t, stored_per_hour(c, &one->data.dataset->size, &one->dataset, &m));
            measure(&t, &m, 1);
            charge_hold(&t, rate, microseconds(c->world->submit_s[w]), end_of(c, w), 1);
        }
    }
}

static void rate_checkpoints(struct charging *c)
{
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        const struct workload_charges *one = &c->plan->workloads[w];
        const struct work_saves *k = &one->data.saves;
        const struct work_result *work = &c->world->works[w];
        if (!k->given) {
            continue;
        }
        struct charge_target t = target(c, w, "s3");
        struct charge_measure m;
        money_t rate = charge_money(&t, stored_per_hour(c, k->size, &one->checkpoint, &m));
        measure(&t, &m, 1);
        if (k->continuous) {
            charge_hold(&t, rate, microseconds(c->world->submit_s[w]), end_of(c, w), k->keep);
            continue;
        }
        for (uint64_t i = 0; i < work->checkpoints && i < (uint64_t)k->keep; i++) {
            charge_hold(&t, rate, microseconds(work->checkpoint_at_s[i]), end_of(c, w), 1);
        }
    }
}

/* ---- transfer and NAT ---- */

static void rate_transfer(struct charging *c)
{
    struct charge_target targets[ROUTE_COUNT];
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        for (int r = 0; r < ROUTE_COUNT; r++) {
            targets[r] = target(c, w, r == ROUTE_NAT ? "nat" : "transfer");
        }
        targets[ROUTE_NAT].item = CHARGE_NAT;
        transfers_of_workload(c->o->transfers, c->plan, w, c->world, targets);
    }
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        struct charge_target t = target(c, w, "transfer");
        transfers_in_tiers(c->o->transfers, w, &t);
    }
}

static void rate_nat(struct charging *c)
{
    if (c->plan->nat != NULL) {
        struct charge_target t = target(c, shared_row(c), "nat");
        money_t rate = charge_money(&t, price(c, &c->plan->nat_hour));
        const struct charge_measure m = {METER_HOURS, "gateway", 1, price(c, &c->plan->nat_hour)};
        measure(&t, &m, 1);
        charge_hold(&t, rate, c->item->at_us, end_of_item(c), 1);
    }
}

/* ---- what is stated ---- */

static void rate_monthly(struct charging *c)
{
    struct charge_target t = target(c, shared_row(c), NULL);
    money_t amount = charge_money(&t, drawn(c, &c->item->spec->monthly));
    const struct charge_measure m = {METER_MONTHS, NULL, 1, drawn(c, &c->item->spec->monthly)};
    measure(&t, &m, 1);
    charge_by_month(&t, amount, c->item->at_us, end_of_item(c));
}

static void rate_hourly(struct charging *c)
{
    struct charge_target t = target(c, shared_row(c), NULL);
    money_t rate = charge_money(&t, drawn(c, &c->item->spec->hourly));
    const struct charge_measure m = {METER_HOURS, NULL, 1, drawn(c, &c->item->spec->hourly)};
    measure(&t, &m, 1);
    charge_hold(&t, rate, c->item->at_us, end_of_item(c), 1);
}

static void rate_instance(struct charging *c)
{
    struct charge_target t = target(c, shared_row(c), "ec2");
    const struct charge_item *item = c->item;
    int64_t end_us = end_of_item(c);
    for (size_t i = 0; i < item->step_count; i++) {
        int64_t from_us = item->steps[i].from_us, to_us = end_us;
        from_us = from_us > item->at_us ? from_us : item->at_us;
        if (i + 1 < item->step_count && item->steps[i + 1].from_us < to_us) {
            to_us = item->steps[i + 1].from_us;
        }
        const struct charge_measure m = {METER_HOURS, item->spec->instance, 1,
                                         money_to_double(item->steps[i].per_hour)};
        measure(&t, &m, 1);
        charge_hold(&t, item->steps[i].per_hour, from_us, to_us, 1);
    }
}

static void rate_once(struct charging *c)
{
    struct charge_target t = target(c, shared_row(c), NULL);
    const struct charge_measure m = {METER_UNITS, NULL, 1, drawn(c, &c->item->spec->once)};
    measure(&t, &m, 1);
    charge_put(&t, c->item->at_us, c->item->at_us,
               charge_money(&t, drawn(c, &c->item->spec->once)));
}

static void rate_per_node_hour(struct charging *c)
{
    const struct charge_spec *s = c->item->spec;
    int applies = s->applies_to < 0 ? APPLIES_TO_ALL : s->applies_to;
    for (size_t i = 0; i < c->world->log->count; i++) {
        const struct usage *u = &c->world->log->records[i];
        if (applies == APPLIES_TO_ALL ||
            (applies == APPLIES_TO_SPOT) == (purchase_of(c, u) == PURCHASE_SPOT)) {
            struct charge_target t = target(c, u->workload, NULL);
            money_t rate = charge_money(&t, drawn(c, &s->per_node_hour));
            const struct charge_measure m = {METER_HOURS, NULL, 1, drawn(c, &s->per_node_hour)};
            measure(&t, &m, 1);
            charge_hold(&t, rate, u->start_us, u->end_us, usage_nodes(u));
        }
    }
}

/* ---- discount on nodes: the same records at a share of their price ---- */

static void take_off(struct charging *c, struct bill *b, const struct bill *off)
{
    const struct rating_frame *f = c->world->frame;
    accumulate(&b->other[c->line], -off->cost, &b->overflow);
    accumulate(&b->cost, -off->cost, &b->overflow);
    accumulate(&b->cash, -off->cash, &b->overflow);
    accumulate(&b->amortised, -off->amortised, &b->overflow);
    for (size_t i = 0; i < f->months; i++) {
        accumulate(&b->month[i], -off->month[i], &b->overflow);
    }
    b->overflow = b->overflow || off->overflow;
}

static void rate_discount(struct charging *c)
{
    const struct charge_world *w = c->world;
    struct rating_frame frame = *w->frame;
    frame.others = 0;
    double *spend = w->spend_units != NULL && frame.buckets > 0 ? c->o->spend : NULL;
    for (size_t i = 0; spend != NULL && i < frame.buckets; i++) {
        spend[i] = 0;
    }
    for (size_t row = 0; row < c->plan->workload_count; row++) {
        struct bill off = {.month = c->o->month};
        bill_clear(&off, &frame);
        for (size_t i = 0; i < w->log->count; i++) {
            const struct usage *u = &w->log->records[i];
            int64_t share = c->o->of_pool[u->pool];
            if (u->workload == row && share > 0) {
                rating_rate_share(&frame, w->market, u, share, SHARE_WHOLE, &off, spend);
            }
        }
        take_off(c, &c->bills[row], &off);
        accumulate(&c->o->discounted, off.cost, &c->bills[row].overflow);
    }
    for (size_t i = 0; spend != NULL && i < frame.buckets; i++) {
        w->spend_units[i] -= spend[i];
    }
}

/* ---- the table ---- */

static const struct {
    void (*rate)(struct charging *c); /* NULL: a share of the bill, see other_charges_shares */
} charge_kinds[CHARGE_KIND_COUNT] = {
    [CHARGE_DISK] = {rate_disk},
    [CHARGE_DATASET] = {rate_dataset},
    [CHARGE_CHECKPOINTS] = {rate_checkpoints},
    [CHARGE_TRANSFER] = {rate_transfer},
    [CHARGE_NAT] = {rate_nat},
    [CHARGE_MONTHLY] = {rate_monthly},
    [CHARGE_HOURLY] = {rate_hourly},
    [CHARGE_INSTANCE] = {rate_instance},
    [CHARGE_ONCE] = {rate_once},
    [CHARGE_PER_NODE_HOUR] = {rate_per_node_hour},
    [CHARGE_DISCOUNT] = {rate_discount},
    [CHARGE_SUPPORT] = {NULL},
    [CHARGE_TAX] = {NULL},
};

/* The discount of every on-demand pool in this world, and room for its timeline. */
static bool prepare(struct charging *c)
{
    struct other_charges *o = c->o;
    const struct market_plan *market = market_plan_of(c->world->market);
    size_t pools = market_plan_pools(market), buckets = c->world->frame->buckets;
    if (pools > o->pool_count) {
        int64_t *grown = realloc(o->of_pool, pools * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        o->of_pool = grown;
        o->pool_count = pools;
    }
    for (size_t i = 0; i < pools; i++) {
        const struct pool_info *info = market_pool_info(market, (int)i);
        o->of_pool[i] =
            info->purchase == PURCHASE_ON_DEMAND ? discount_on(c, "ec2", info->type->family) : 0;
    }
    if (buckets > o->spend_count) {
        double *grown = realloc(o->spend, buckets * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        o->spend = grown;
        o->spend_count = buckets;
    }
    return true;
}

bool other_charges_rate(struct other_charges *o, const struct charge_world *w, struct bill *bills)
{
    struct charging c = {.o = o, .plan = o->plan, .world = w, .bills = bills};
    if (!prepare(&c)) {
        return false;
    }
    transfers_clear(o->transfers);
    o->discounted = 0;
    for (; c.line < o->plan->count; c.line++) {
        c.item = &o->plan->items[c.line];
        if (charge_kinds[c.item->kind].rate != NULL) {
            charge_kinds[c.item->kind].rate(&c);
        }
    }
    return !transfers_failed(o->transfers);
}

const int64_t *other_charges_discounts(const struct other_charges *o)
{
    return o->of_pool;
}

money_t other_charges_discounted(const struct other_charges *o)
{
    return o->discounted;
}

/* ---- shares of the bill ---- */

/* What a bill holds before a share is added. */
struct share_base {
    money_t cost, cash, amortised;
    const money_t *month;
};

static void add_share(const struct rating_frame *f, struct bill *b, const struct share_base *base,
                      size_t line, int64_t share)
{
    money_t sum = 0, given = 0;
    money_t all = money_share(base->cost, share, SHARE_WHOLE);
    accumulate(&b->other[line], all, &b->overflow);
    accumulate(&b->cost, all, &b->overflow);
    accumulate(&b->cash, money_share(base->cash, share, SHARE_WHOLE), &b->overflow);
    accumulate(&b->amortised, money_share(base->amortised, share, SHARE_WHOLE), &b->overflow);
    for (size_t i = 0; i < f->months; i++) {
        accumulate(&sum, base->month[i], &b->overflow);
        money_t upto = money_share(sum, share, SHARE_WHOLE);
        accumulate(&b->month[i], upto - given, &b->overflow);
        given = upto;
    }
}

static double share_of(const struct charge_item *item, const double *drawn_values)
{
    const struct charge_spec *s = item->spec;
    return number_value(item->kind == CHARGE_TAX ? &s->tax : &s->support, drawn_values);
}

static void add_shares(struct other_charges *o, const struct charge_world *w, struct bill *bills,
                       enum charge_kind kind)
{
    const struct rating_frame *f = w->frame;
    double sum = 0;
    for (size_t row = 0; row <= o->plan->workload_count; row++) {
        struct bill *b = &bills[row];
        struct share_base base = {b->cost, b->cash, b->amortised, o->month};
        for (size_t i = 0; i < f->months; i++) {
            o->month[i] = b->month[i];
        }
        sum = 0;
        for (size_t i = 0; i < o->plan->count; i++) {
            if (o->plan->items[i].kind == kind) {
                double share = share_of(&o->plan->items[i], w->drawn);
                add_share(f, b, &base, i, parts(share));
                sum += share;
            }
        }
    }
    for (size_t i = 0; w->spend_units != NULL && i < f->buckets; i++) {
        w->spend_units[i] *= 1 + sum;
    }
}

void other_charges_shares(struct other_charges *o, const struct charge_world *w, struct bill *bills)
{
    add_shares(o, w, bills, CHARGE_SUPPORT);
    add_shares(o, w, bills, CHARGE_TAX);
}
