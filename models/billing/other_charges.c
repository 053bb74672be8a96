/* SPDX-License-Identifier: GPL-3.0-or-later
 * The order of a bill: what is used or stated; discounts, each beside the charge that it is taken
 * off; support, a share of that; tax, a share of all. A new kind of charge is one function and its
 * row below. */
#include "models/billing/other_charges.h"

#include "models/billing/bill_shares.h"
#include "models/billing/charging.h"
#include "models/billing/filesystem_charges.h"
#include "models/billing/invoice_charges.h"
#include "models/billing/invoice_credits.h"
#include "models/billing/rating.h"
#include "models/billing/stated_charges.h"
#include "models/billing/storage_charges.h"
#include "models/billing/transfer_charges.h"

#include <stdlib.h>

struct other_charges {
    const struct charge_plan *plan;
    struct transfers *transfers;
    struct invoice_ledger *ledger; /* NULL: no item asks for one */
    money_t *month;                /* scratch: frame.months */
    money_t *by_month;             /* scratch: BILL_ROWS of them */
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
    o->by_month = calloc(BILL_ROWS * months + 1, sizeof *o->by_month);
    o->transfers = transfers_new();
    o->ledger = plan->of_invoice ? invoice_ledger_new(plan, months) : NULL;
    if (o->month == NULL || o->by_month == NULL || o->transfers == NULL ||
        (plan->of_invoice && o->ledger == NULL)) {
        other_charges_free(o);
        return NULL;
    }
    return o;
}

void other_charges_free(struct other_charges *o)
{
    if (o != NULL) {
        transfers_free(o->transfers);
        invoice_ledger_free(o->ledger);
        free(o->month);
        free(o->by_month);
        free(o->spend);
        free(o->of_pool);
        free(o);
    }
}

/* ---- transfer and NAT ---- */

static void rate_transfer(struct charging *c)
{
    struct charge_target targets[ROUTE_COUNT];
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        for (int r = 0; r < ROUTE_COUNT; r++) {
            targets[r] = charging_target(c, w, r == ROUTE_NAT ? "nat" : "transfer");
        }
        targets[ROUTE_NAT].item = CHARGE_NAT;
        transfers_of_workload(c->o->transfers, c->plan, w, c->world, targets);
    }
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        struct charge_target t = charging_target(c, w, "transfer");
        transfers_in_tiers(c->o->transfers, w, &t);
    }
}

static void rate_nat(struct charging *c)
{
    if (c->plan->nat != NULL) {
        struct charge_target t = charging_target(c, charging_shared_row(c), "nat");
        money_t rate = charge_money(&t, charging_price(c, &c->plan->nat_hour));
        const struct charge_measure m = {METER_HOURS, "gateway", 1,
                                         charging_price(c, &c->plan->nat_hour)};
        charging_measure(&t, &m, 1);
        charge_hold(&t, rate, c->item->at_us, charging_end(c), 1);
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
        bill_note(b, f, BILL_ROW_CATEGORY + (size_t)bill_category_of_other(f, c->line), i,
                  -off->month[i]);
        bill_note(b, f, BILL_ROW_CASH, i, -off->by_month[BILL_ROW_CASH * f->months + i]);
        bill_note(b, f, BILL_ROW_AMORTISED, i, -off->by_month[BILL_ROW_AMORTISED * f->months + i]);
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
        struct bill off = {.month = c->o->month, .by_month = c->o->by_month};
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
    void (*rate)(struct charging *c); /* NULL: of the whole bill, see other_charges_shares */
} charge_kinds[CHARGE_KIND_COUNT] = {
    [CHARGE_DISK] = {charge_disk},
    [CHARGE_DATASET] = {charge_dataset},
    [CHARGE_CHECKPOINTS] = {charge_checkpoints},
    [CHARGE_TRANSFER] = {rate_transfer},
    [CHARGE_NAT] = {rate_nat},
    [CHARGE_MONTHLY] = {charge_monthly},
    [CHARGE_HOURLY] = {charge_hourly},
    [CHARGE_INSTANCE] = {charge_instance},
    [CHARGE_ONCE] = {charge_once},
    [CHARGE_PER_NODE_HOUR] = {charge_per_node_hour},
    [CHARGE_DISCOUNT] = {rate_discount},
    [CHARGE_SUPPORT] = {NULL},
    [CHARGE_TAX] = {NULL},
    [CHARGE_REQUESTS] = {charge_requests},
    [CHARGE_PER_VCPU_HOUR] = {charge_per_vcpu_hour},
    [CHARGE_PER_GPU_HOUR] = {charge_per_gpu_hour},
    [CHARGE_MONITORING] = {charge_monitoring},
    [CHARGE_EFS] = {charge_efs},
    [CHARGE_LUSTRE] = {charge_lustre},
    [CHARGE_EDP] = {NULL},
    [CHARGE_EDP_SHORTFALL] = {NULL},
    [CHARGE_SUPPORT_PLAN] = {NULL},
    [CHARGE_CREDIT] = {NULL},
};

bool charge_is_share(enum charge_kind kind)
{
    return kind == CHARGE_SUPPORT || kind == CHARGE_TAX;
}

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
        o->of_pool[i] = info->purchase == PURCHASE_ON_DEMAND
                            ? charging_discount(c, "ec2", info->type->family)
                            : 0;
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
    struct charge_world heard = *w;
    if (o->ledger != NULL) {
        heard.sink = invoice_ledger_begin(o->ledger, w);
    }
    struct charging c = {.o = o, .plan = o->plan, .world = &heard, .bills = bills};
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
    return !transfers_failed(o->transfers) && !c.failed;
}

const int64_t *other_charges_discounts(const struct other_charges *o)
{
    return o->of_pool;
}

money_t other_charges_discounted(const struct other_charges *o)
{
    return o->discounted;
}

/* All items of a kind, from the ledger. */
static void rate_invoice(struct charging *c, enum charge_kind kind)
{
    struct invoice_ledger *l = c->o->ledger;
    for (c->line = 0; c->line < c->plan->count; c->line++) {
        c->item = &c->plan->items[c->line];
        if (c->item->kind != kind) {
            continue;
        }
        if (kind == CHARGE_EDP) {
            invoice_edp(c, l);
        } else if (kind == CHARGE_EDP_SHORTFALL) {
            invoice_edp_shortfall(c, l);
        } else {
            invoice_support_plan(c, l);
        }
    }
}

bool other_charges_shares(struct other_charges *o, const struct charge_world *w, struct bill *bills)
{
    struct charging c = {.o = o, .plan = o->plan, .world = w, .bills = bills};
    bool ok = true;
    if (o->ledger != NULL) {
        invoice_ledger_close(o->ledger, w, bills);
        rate_invoice(&c, CHARGE_EDP);
        rate_invoice(&c, CHARGE_EDP_SHORTFALL);
    }
    bill_shares_add(o->plan, w, bills, CHARGE_SUPPORT, o->month, o->by_month);
    if (o->ledger != NULL) {
        rate_invoice(&c, CHARGE_SUPPORT_PLAN);
        c.item = &o->plan->items[0];
        ok = invoice_credits(&c, o->ledger);
        bills[o->plan->workload_count].overflow |= o->ledger->overflow;
    }
    bill_shares_add(o->plan, w, bills, CHARGE_TAX, o->month, o->by_month);
    return ok;
}

bool other_charges_hold(struct other_charges *o)
{
    return o->ledger == NULL || invoice_ledger_hold(o->ledger);
}

void other_charges_again(struct other_charges *o)
{
    if (o->ledger != NULL) {
        invoice_ledger_again(o->ledger);
    }
}
