/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charges beside nodes, resolved before any world is drawn: every line that the bill will have, and
 * where its price comes from. The same for all strategies. Read only afterwards. */
#ifndef FLEETCAST_MODELS_CHARGE_PLAN_H
#define FLEETCAST_MODELS_CHARGE_PLAN_H

#include "models/billing/bill.h"
#include "models/billing/charge_keys.h"
#include "models/billing/charge_price.h"
#include "models/fleet/work.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kind is one row of charge_kinds (other_charges.c). The first ones are there in every plan. */
enum charge_kind {
    CHARGE_DISK,
    CHARGE_DATASET,
    CHARGE_CHECKPOINTS,
    CHARGE_TRANSFER,
    CHARGE_NAT,
    CHARGE_ALWAYS, /* how many are always there */
    CHARGE_MONTHLY = CHARGE_ALWAYS,
    CHARGE_HOURLY,
    CHARGE_INSTANCE,
    CHARGE_ONCE,
    CHARGE_PER_NODE_HOUR,
    CHARGE_DISCOUNT,
    CHARGE_SUPPORT,
    CHARGE_TAX,
    CHARGE_REQUESTS, /* where some workload states the size of objects or parts */
    CHARGE_PER_VCPU_HOUR,
    CHARGE_PER_GPU_HOUR,
    CHARGE_MONITORING,
    CHARGE_EFS,
    CHARGE_LUSTRE,
    CHARGE_EDP,
    CHARGE_EDP_SHORTFALL, /* where an agreement has a minimum */
    CHARGE_SUPPORT_PLAN,
    CHARGE_CREDIT,
    CHARGE_KIND_COUNT
};

/* Where a kind stands in what parts a bill by month. */
enum bill_category charge_category(enum charge_kind kind);

/* A helper's price over time. */
struct charge_step {
    int64_t from_us;
    money_t per_hour;
};

struct filesystem_prices;

struct charge_item {
    enum charge_kind kind;
    const char *name;                /* of the line */
    const struct charge_spec *spec;  /* NULL: it is there without an item of the scenario's */
    int64_t at_us;                   /* when it is paid, or begins */
    const char *family;              /* INSTANCE */
    const struct charge_step *steps; /* INSTANCE: the first from 0 */
    size_t step_count;
    enum charge_service service;            /* whose charge it is; of a credit: what it is for */
    size_t workload;                        /* EFS, LUSTRE: whose it is; SIZE_MAX: of all */
    const struct filesystem_prices *prices; /* EFS, LUSTRE */
    bool shared_line;   /* it may stand on the bill of all workloads together … */
    bool workload_line; /* … and on that of each of them */
};

struct workload_charges {
    struct work_data data;
    struct charge_price disk, iops, throughput, dataset, checkpoint;
    struct charge_price put, get;           /* of the data set's objects … */
    struct charge_price save_put, save_get; /* … and of the checkpoints' parts */
    struct charge_price *transfer;          /* by item of the list; none is used for NAT */
    struct charge_price crossing;           /* between zones, where the work crosses them */
};

struct charge_plan {
    struct charge_item *items;
    size_t count; /* >= CHARGE_ALWAYS; items[kind] is that kind's for those */
    struct workload_charges *workloads;
    size_t workload_count;
    struct charge_price nat_hour, nat_data; /* used when some item is nat */
    const struct charge_item *nat;          /* NULL: no gateway */
    size_t discount_item;                   /* SIZE_MAX: no discount */
    bool of_invoice; /* some item looks at a month's bill as a whole: EDP, support plan, credit */
};

/* specs: struct charge_spec. workloads: the data of each.
 * What is wrong or without a price is told at its place. Which prices were taken from the catalogue
 * goes to the register. False when anything failed. */
bool charge_plan_make(struct charge_plan *plan, const struct schema_list *specs,
                      const struct work_data *workloads, size_t workload_count,
                      const struct market_context *context);

#endif
