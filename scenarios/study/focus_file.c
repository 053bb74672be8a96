/* SPDX-License-Identifier: GPL-3.0-or-later
 * A row is a set of cells, empty unless something says what is in them: what holds for the whole
 * file, then the kind of the charge, then the node or the commitment. */
#include "scenarios/study/focus_file.h"

#include "engine/civil_time.h"
#include "engine/csv_writer.h"
#include "models/billing/other_charges.h"
#include "scenarios/study/focus_cells.h"
#include "scenarios/study/focus_columns.h"
#include "scenarios/study/focus_services.h"
#include "scenarios/study/launches.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Ids are made up: nobody takes them for a provider's. */
#define SKU "fleetcast:"

struct writing {
    struct focus_export *e;
    struct csv_writer csv;
    struct focus_cells row;
    struct launch_counts launches;
    size_t next_record; /* the node after that of the last row, in the log */
    uint32_t next_twin, launch;
    bool *told; /* by commitment: its rest was written */
    char prices_as_of[24];
};

/* ---- what holds for every row ---- */

static const char *issuer(const char *region)
{
    /* Who runs the regions in China: "Amazon Web Services in China", aws.amazon.com/china. */
    if (strncmp(region, "cn-northwest-", 13) == 0) {
        return "Ningxia Western Cloud Data Technology Co., Ltd.";
    }
    return strncmp(region, "cn-", 3) == 0 ? "Beijing Sinnet Technology Co., Ltd."
                                          : "Amazon Web Services, Inc.";
}

/* line: of the bill, for what is sold under its own name. */
static void put_service(struct writing *w, const struct focus_service *service, const char *line)
{
    const char *seller = service->seller != NULL ? service->seller : "AWS";
    cell_text(&w->row, FOCUS_PROVIDER_NAME, seller);
    cell_text(&w->row, FOCUS_PUBLISHER_NAME, seller);
    cell_text(&w->row, FOCUS_SERVICE_CATEGORY, service->category);
    cell_text(&w->row, FOCUS_SERVICE_NAME, service->service != NULL ? service->service : line);
    cell_text(&w->row, FOCUS_SERVICE_SUBCATEGORY, service->subcategory);
}

static void put_file(struct writing *w)
{
    const struct scenario *sc = w->e->study->scenario;
    focus_cells_clear(&w->row);
    cell_text(&w->row, FOCUS_BILLING_ACCOUNT_ID, "simulated");
    cell_text(&w->row, FOCUS_BILLING_CURRENCY, sc->currency);
    cell_text(&w->row, FOCUS_INVOICE_ISSUER_NAME, issuer(sc->region));
    put_service(w, focus_service_of(CHARGE_INSTANCE), NULL);
    cell_text(&w->row, FOCUS_X_SCENARIO, sc->name);
    cell_text(&w->row, FOCUS_X_STRATEGY, study_strategy_name(w->e->study, w->e->strategy));
    cell_number(&w->row, FOCUS_X_WORLD, CELL_INTEGER, w->e->world);
    cell_number(&w->row, FOCUS_X_SEED, CELL_INTEGER, sc->seed);
    cell_text(&w->row, FOCUS_X_SIMULATED, "true");
    cell_text(&w->row, FOCUS_X_PRICES_AS_OF, w->prices_as_of);
}

static int64_t second_below(int64_t us)
{
    return us / MICROSECONDS - (us % MICROSECONDS < 0);
}

static void put_period(struct writing *w, const struct focus_row *row)
{
    int64_t start_s = w->e->study->scenario->start.unix_s;
    int64_t from_s = start_s + second_below(row->from_us);
    int64_t to_s = start_s + second_below(row->to_us);
    int64_t month_s = civil_month_start(from_s);
    cell_number(&w->row, FOCUS_CHARGE_PERIOD_START, CELL_TIME, from_s);
    cell_number(&w->row, FOCUS_CHARGE_PERIOD_END, CELL_TIME, to_s > from_s ? to_s : from_s + 1);
    cell_number(&w->row, FOCUS_BILLING_PERIOD_START, CELL_TIME, month_s);
    cell_number(&w->row, FOCUS_BILLING_PERIOD_END, CELL_TIME, civil_add_months(month_s, 1));
    cell_text(&w->row, FOCUS_X_IN_HORIZON, row->inside ? "true" : "false");
}

static void add_tag(struct text *tags, const char *name, const char *value)
{
    text_add(tags, tags->length == 0 ? "{" : ",");
    cell_add_json(tags, name);
    text_add(tags, ":");
    cell_add_json(tags, value);
}

/* Whose it is. workload, labels: NULL: none. */
static void put_labels(struct writing *w, const char *workload, const struct label_spec *labels)
{
    const struct tag_spec *stated = labels == NULL ? NULL : labels->tags.items;
    struct text *tags = &w->row.texts[TEXT_TAGS];
    text_clear(tags);
    if (workload != NULL) {
        add_tag(tags, "workload", workload);
    }
    for (size_t i = 0; stated != NULL && i < labels->tags.count; i++) {
        add_tag(tags, stated[i].item.name, stated[i].value);
    }
    if (tags->length > 0) {
        text_add(tags, "}");
        cell_text(&w->row, FOCUS_TAGS, tags->data);
    }
    cell_text(&w->row, FOCUS_X_JOB, workload);
    cell_text(&w->row, FOCUS_X_OWNER, labels == NULL ? NULL : labels->owner);
}

/* item: of charges, for what is shared; may be NULL. */
static void put_payer(struct writing *w, size_t payer, const struct charge_item *item)
{
    const struct study *s = w->e->study;
    if (payer < s->workload_count) {
        put_labels(w, study_workload_name(s, payer), s->charges.workloads[payer].data.labels);
    } else {
        put_labels(w, NULL, item == NULL ? NULL : charge_labels(item));
    }
}

/* ---- kinds of charges ---- */

static void put_costs(struct writing *w, const struct focus_row *row)
{
    static const struct {
        const char *category, *frequency;
    } kinds[FOCUS_KIND_COUNT] = {
        [FOCUS_USAGE] = {"Usage", "Usage-Based"},
        [FOCUS_FREE] = {"Usage", "Usage-Based"},
        [FOCUS_COVERED] = {"Usage", "Usage-Based"},
        [FOCUS_UNUSED] = {"Usage", "Usage-Based"},
        [FOCUS_UPFRONT] = {"Purchase", "One-Time"},
        [FOCUS_RECURRING] = {"Purchase", "Recurring"},
        [FOCUS_ROUNDING] = {"Adjustment", "One-Time"},
        [FOCUS_CHARGE] = {"Usage", "Usage-Based"}, /* or as its service says, as the next */
        [FOCUS_SHARE] = {"Usage", "Usage-Based"},
        [FOCUS_BLOCK] = {"Purchase", "One-Time"},
        [FOCUS_BLOCK_UNUSED] = {"Usage", "Usage-Based"},
        [FOCUS_IDLE] = {"Usage", "Usage-Based"},
    };
    cell_text(&w->row, FOCUS_CHARGE_CATEGORY, kinds[row->kind].category);
    cell_text(&w->row, FOCUS_CHARGE_FREQUENCY, kinds[row->kind].frequency);
    cell_money(&w->row, FOCUS_BILLED_COST, row->billed);
    cell_money(&w->row, FOCUS_EFFECTIVE_COST, row->effective);
    cell_money(&w->row, FOCUS_LIST_COST, row->list);
    cell_money(&w->row, FOCUS_CONTRACTED_COST, row->contracted);
}

/* off: of the price, in parts of SHARE_WHOLE. */
static void put_price(struct writing *w, money_t price, int64_t off)
{
    cell_money(&w->row, FOCUS_LIST_UNIT_PRICE, price);
    cell_money(&w->row, FOCUS_CONTRACTED_UNIT_PRICE, price - money_share(price, off, SHARE_WHOLE));
}

/* ---- nodes, and capacity held for them ---- */

static void put_region(struct writing *w)
{
    cell_text(&w->row, FOCUS_REGION_ID, w->e->study->region->code);
    cell_text(&w->row, FOCUS_REGION_NAME, w->e->study->region->name);
}

static void put_type(struct writing *w, const struct instance_type *type, const char *way)
{
    const char *sku =
        cell_format(&w->row, TEXT_SKU, SKU "%s/%s", type->name, w->e->study->region->code);
    cell_text(&w->row, FOCUS_SKU_ID, sku);
    cell_text(&w->row, FOCUS_SKU_PRICE_ID, cell_format(&w->row, TEXT_PRICE, "%s/%s", sku, way));
    struct text *json = &w->row.texts[TEXT_DETAILS];
    text_clear(json);
    text_add(json, "{\"InstanceType\":");
    cell_add_json(json, type->name);
    text_add(json, ",\"InstanceSeries\":");
    cell_add_json(json, type->family);
    text_format(json,
                ",\"CoreCount\":%.10g,\"GpuCount\":%.10g,\"MemorySize\":%.10g,"
                "\"OperatingSystem\":\"Linux\"}",
                type->vcpus, type->accelerator_count, type->memory_bytes / 1073741824.0);
    cell_text(&w->row, FOCUS_SKU_PRICE_DETAILS, json->data);
}

/* Counts the launches up to this node; some leave no row. */
static void find_launch(struct writing *w, const struct usage *u, uint32_t twin)
{
    const struct usage_log *log = simulation_usage(w->e->simulation);
    const size_t record = (size_t)(u - log->records);
    while (w->next_record < record || (w->next_record == record && w->next_twin <= twin)) {
        const struct usage *next = &log->records[w->next_record];
        w->launch = launch_counts_next(&w->launches, next, w->next_twin);
        if (w->next_twin++ == next->twins) {
            w->next_twin = 0;
            w->next_record++;
        }
    }
}

/* Time of instances at a price; from a window nothing is charged by time. */
static void put_instance_time(struct writing *w, const struct focus_row *row,
                              const struct pool_info *pool, int64_t off)
{
    const bool spot = pool->purchase == PURCHASE_SPOT;
    put_region(w);
    put_type(w, pool->type, purchase_names[pool->purchase]);
    put_price(w, row->per_hour, row->kind == FOCUS_COVERED ? 0 : off);
    cell_text(&w->row, FOCUS_AVAILABILITY_ZONE, pool->zone);
    cell_number(&w->row, FOCUS_CONSUMED_QUANTITY, CELL_HOURS, row->used_us);
    cell_text(&w->row, FOCUS_CONSUMED_UNIT, "Hours");
    cell_number(&w->row, FOCUS_PRICING_QUANTITY, CELL_HOURS, row->priced_us);
    cell_text(&w->row, FOCUS_PRICING_UNIT, "Hours");
    cell_text(&w->row, FOCUS_PRICING_CATEGORY,
              row->kind == FOCUS_COVERED ? "Committed"
              : row->window > 0          ? "Other"
              : spot                     ? "Dynamic"
                                         : "Standard");
}

static int64_t discount_of(const struct writing *w, int pool)
{
    return w->e->study->charges.discount_item == SIZE_MAX ? 0 : w->e->discount.of_pool[pool];
}

static void put_node(struct writing *w, const struct focus_row *row)
{
    const struct study *s = w->e->study;
    const struct usage *u = row->usage;
    const struct pool_info *pool = market_pool_info(s->market, u->pool);
    const char *workload = study_workload_name(s, u->workload);
    size_t slot = (size_t)u->slot + row->twin;
    find_launch(w, u, row->twin);
    put_instance_time(w, row, pool, discount_of(w, u->pool));
    cell_text(&w->row, FOCUS_RESOURCE_ID,
              cell_format(&w->row, TEXT_RESOURCE, "%s/%s/%zu/%" PRIu32, workload, pool->name, slot,
                          w->launch));
    cell_text(&w->row, FOCUS_RESOURCE_NAME,
              cell_format(&w->row, TEXT_NAME, "%s/%zu", workload, slot));
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, "Instance");
    cell_text(&w->row, FOCUS_SKU_METER,
              pool->purchase == PURCHASE_SPOT ? "Spot Instance Hours" : "Instance Hours");
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s %s in %s%s%s (simulated)", pool->type->name,
                          purchase_names[pool->purchase], pool->zone,
                          row->reservation > 0 ? ", in reserved capacity" : "",
                          row->kind == FOCUS_FREE      ? ", interrupted in its first hour: free"
                          : row->kind == FOCUS_COVERED ? ", covered by a commitment"
                                                       : ""));
    put_payer(w, u->workload, NULL);
    cell_text(&w->row, FOCUS_X_END_REASON, end_reason_names[u->reason]);
}

/* The On-Demand Capacity Reservation that a node runs in, or that is idle. */
static void put_reservation_id(struct writing *w, const struct focus_row *row)
{
    cell_text(&w->row, FOCUS_CAPACITY_RESERVATION_ID,
              cell_format(&w->row, TEXT_RESERVATION, "reservation-%zu", row->reservation));
    cell_text(&w->row, FOCUS_CAPACITY_RESERVATION_STATUS, row->usage != NULL ? "Used" : "Unused");
}

static void put_idle(struct writing *w, const struct focus_row *row)
{
    const struct study *s = w->e->study;
    const struct held_capacity *held =
        &s->strategies[w->e->strategy].commitments.reservations.items[row->reservation - 1];
    const struct pool_info *pool = market_pool_info(s->market, held->pool);
    put_instance_time(w, row, pool, discount_of(w, held->pool));
    cell_text(&w->row, FOCUS_RESOURCE_ID, w->row.cells[FOCUS_CAPACITY_RESERVATION_ID].text);
    cell_text(&w->row, FOCUS_RESOURCE_NAME, held->name);
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, "Capacity Reservation");
    cell_text(&w->row, FOCUS_SKU_METER, "Unused Reservation Hours");
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s reserved in %s, idle%s (simulated)",
                          pool->type->name, pool->zone,
                          row->kind == FOCUS_COVERED ? ", covered by a commitment" : ""));
}

/* ---- commitments ---- */

static const char *type_of(const struct commitment *c)
{
    return commitment_is_reserved(c)                ? "Reserved Instance"
           : c->kind == COMMITMENT_INSTANCE_SAVINGS ? "EC2 Instance Savings Plan"
                                                    : "Compute Savings Plan";
}

/* A savings plan is counted in money at its rates, which is what it amortises. */
static void put_commitment_quantity(struct writing *w, const struct focus_row *row,
                                    const struct commitment *c)
{
    if (commitment_is_reserved(c)) {
        cell_number(&w->row, FOCUS_COMMITMENT_QUANTITY, CELL_HOURS, row->units_us);
        cell_text(&w->row, FOCUS_COMMITMENT_UNIT, "Hours");
        return;
    }
    money_t amount = row->kind == FOCUS_UPFRONT ? commitment_total(c)
                     : row->kind == FOCUS_RECURRING
                         ? commitment_amortised(c, row->from_us, row->to_us)
                         : row->effective;
    cell_money(&w->row, FOCUS_COMMITMENT_QUANTITY, amount);
    cell_text(&w->row, FOCUS_COMMITMENT_UNIT, w->e->study->scenario->currency);
}

static void put_commitment(struct writing *w, const struct focus_row *row)
{
    const size_t k = row->commitment;
    const struct commitment *c = &matched_items(w->e->matched)[k];
    cell_text(&w->row, FOCUS_COMMITMENT_CATEGORY, commitment_is_reserved(c) ? "Usage" : "Spend");
    cell_text(&w->row, FOCUS_COMMITMENT_ID,
              cell_format(&w->row, TEXT_COMMITMENT, "commitment-%zu", k + 1));
    cell_text(&w->row, FOCUS_COMMITMENT_NAME, c->name);
    cell_text(&w->row, FOCUS_COMMITMENT_TYPE, type_of(c));
    put_commitment_quantity(w, row, c);
    if (row->kind == FOCUS_COVERED || row->kind == FOCUS_UNUSED) {
        cell_text(&w->row, FOCUS_COMMITMENT_STATUS, row->kind == FOCUS_COVERED ? "Used" : "Unused");
    }
    if (!w->told[k] && row->kind != FOCUS_COVERED) {
        w->told[k] = true;
        cell_money(&w->row, FOCUS_X_BILLED_LATER, w->e->rest[k].billed);
        cell_money(&w->row, FOCUS_X_EFFECTIVE_LATER, w->e->rest[k].effective);
    }
}

/* What is bought, at the price of all of it together. */
static void put_purchase(struct writing *w, const struct focus_row *row, const struct commitment *c)
{
    bool once = row->kind == FOCUS_UPFRONT;
    cell_text(&w->row, FOCUS_PRICING_CATEGORY, "Standard");
    cell_text(&w->row, FOCUS_PRICING_UNIT, once ? "Units" : "Hours");
    if (once) {
        cell_number(&w->row, FOCUS_PRICING_QUANTITY, CELL_INTEGER, 1);
    } else {
        cell_number(&w->row, FOCUS_PRICING_QUANTITY, CELL_HOURS, row->used_us);
    }
    put_price(w, once ? c->upfront : c->recurring_per_hour, 0);
}

static void put_unused(struct writing *w, const struct focus_row *row, const struct commitment *c)
{
    bool reserved = commitment_is_reserved(c);
    cell_text(&w->row, FOCUS_PRICING_CATEGORY, "Committed");
    cell_number(&w->row, FOCUS_PRICING_QUANTITY, reserved ? CELL_HOURS : CELL_MONEY,
                reserved ? row->units_us : row->effective);
    cell_text(&w->row, FOCUS_PRICING_UNIT, reserved ? "Hours" : w->e->study->scenario->currency);
}

/* A charge for a commitment itself, not for usage that it covers. */
static void put_commitment_charge(struct writing *w, const struct focus_row *row)
{
    const struct study *s = w->e->study;
    const struct commitment *c = &matched_items(w->e->matched)[row->commitment];
    const char *words = row->kind == FOCUS_UPFRONT     ? "upfront"
                        : row->kind == FOCUS_RECURRING ? "recurring"
                                                       : "unused";
    if (c->kind != COMMITMENT_COMPUTE_SAVINGS) {
        put_region(w);
    }
    if (c->type != NULL) {
        put_type(w, catalogue_type(s->catalogue, c->type), c->name);
    } else {
        cell_text(&w->row, FOCUS_SKU_ID, cell_format(&w->row, TEXT_SKU, SKU "%s", type_of(c)));
    }
    cell_text(&w->row, FOCUS_SKU_PRICE_ID,
              cell_format(&w->row, TEXT_PRICE, "%s/%s", w->row.cells[FOCUS_SKU_ID].text, c->name));
    cell_text(&w->row, FOCUS_SKU_METER, "Commitment");
    cell_text(&w->row, FOCUS_AVAILABILITY_ZONE, c->zone);
    cell_text(&w->row, FOCUS_RESOURCE_ID, w->row.cells[FOCUS_COMMITMENT_ID].text);
    cell_text(&w->row, FOCUS_RESOURCE_NAME, c->name);
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, type_of(c));
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s, %s (simulated)", c->name, words));
    if (row->kind == FOCUS_UNUSED) {
        put_unused(w, row, c);
    } else {
        put_purchase(w, row, c);
    }
}

/* ---- charges beside nodes ---- */

/* A quantity at a price; contracted: what of the price is left after discounts, as row->list to
 * row->contracted. */
static void put_quantity(struct writing *w, const struct focus_row *row, bool usage)
{
    const struct charge_measure *m = row->measure;
    const bool by_list = m == NULL || !(row->quantity > 0);
    const double quantity = by_list ? 1 : row->quantity;
    const double list = money_to_double(row->list);
    const double price = by_list ? list : m->price;
    const double left =
        row->list == 0 ? 1 : money_to_double(row->contracted) / money_to_double(row->list);
    const struct focus_meter *meter = focus_meter_of(by_list ? METER_UNITS : m->meter);
    cell_decimal(&w->row, FOCUS_PRICING_QUANTITY, quantity);
    cell_text(&w->row, FOCUS_PRICING_UNIT, meter->unit);
    cell_text(&w->row, FOCUS_PRICING_CATEGORY, "Standard");
    cell_text(&w->row, FOCUS_SKU_METER, meter->name);
    cell_decimal(&w->row, FOCUS_LIST_UNIT_PRICE, price);
    cell_decimal(&w->row, FOCUS_CONTRACTED_UNIT_PRICE, price * left);
    if (usage) {
        cell_decimal(&w->row, FOCUS_CONSUMED_QUANTITY, quantity);
        cell_text(&w->row, FOCUS_CONSUMED_UNIT, meter->unit);
    }
}

static void put_product(struct writing *w, const struct focus_row *row,
                        const struct focus_service *service, const struct charge_item *item)
{
    const struct study *s = w->e->study;
    const char *product = row->measure != NULL ? row->measure->product : NULL;
    if (item->kind == CHARGE_INSTANCE) {
        put_type(w, catalogue_type(s->catalogue, product), purchase_names[PURCHASE_ON_DEMAND]);
        return;
    }
    const char *sku = cell_format(
        &w->row, TEXT_SKU, SKU "%s%s%s%s%s", service->sku != NULL ? service->sku : item->name,
        product != NULL ? "/" : "", product != NULL ? product : "", service->regional ? "/" : "",
        service->regional ? s->region->code : "");
    cell_text(&w->row, FOCUS_SKU_ID, sku);
    cell_text(&w->row, FOCUS_SKU_PRICE_ID,
              cell_format(&w->row, TEXT_PRICE, "%s/%s", sku, w->row.cells[FOCUS_SKU_METER].text));
}

static void put_charge(struct writing *w, const struct focus_row *row)
{
    const struct study *s = w->e->study;
    const struct charge_item *item = &s->charges.items[row->item];
    const struct focus_service *service = focus_service_of(item->kind);
    const char *whose =
        row->payer < s->workload_count ? study_workload_name(s, row->payer) : "shared";
    put_service(w, service, item->name);
    put_payer(w, row->payer, item);
    cell_text(&w->row, FOCUS_CHARGE_CATEGORY, service->charge);
    cell_text(&w->row, FOCUS_CHARGE_FREQUENCY, service->frequency);
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s: %s, %s (simulated)", item->name, service->words,
                          whose));
    cell_text(&w->row, FOCUS_X_LINE, item->name);
    if (strcmp(service->charge, "Tax") == 0) {
        return;
    }
    cell_text(&w->row, FOCUS_RESOURCE_ID,
              cell_format(&w->row, TEXT_RESOURCE, "%s/%s", whose, item->name));
    cell_text(&w->row, FOCUS_RESOURCE_NAME, item->name);
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, service->resource);
    if (strcmp(service->charge, "Credit") == 0) {
        return; /* nothing is sold: no SKU, and no unit price, which is never negative */
    }
    if (service->regional) {
        put_region(w);
    }
    put_quantity(w, row, strcmp(service->charge, "Usage") == 0);
    put_product(w, row, service, item);
}

/* ---- windows ---- */

/* The capacity reservation that a Capacity Block is. */
static void put_window_id(struct writing *w, const struct focus_row *row)
{
    cell_text(&w->row, FOCUS_CAPACITY_RESERVATION_ID,
              cell_format(&w->row, TEXT_COMMITMENT, "block-%zu", row->window));
    if (row->kind != FOCUS_BLOCK) {
        cell_text(&w->row, FOCUS_CAPACITY_RESERVATION_STATUS,
                  row->kind == FOCUS_BLOCK_UNUSED ? "Unused" : "Used");
    }
}

/* One thing at its price: the block, or what of it is left. */
static void put_window(struct writing *w, const struct focus_row *row)
{
    const bool bought = row->kind == FOCUS_BLOCK;
    const struct study *s = w->e->study;
    const struct pool_info *pool = focus_export_window_pool(w->e, row->window);
    put_region(w);
    put_type(w, pool->type, purchase_names[pool->purchase]);
    put_price(w, bought ? row->billed : row->effective, 0);
    cell_text(&w->row, FOCUS_AVAILABILITY_ZONE, pool->zone);
    cell_number(&w->row, FOCUS_PRICING_QUANTITY, CELL_INTEGER, 1);
    cell_text(&w->row, FOCUS_PRICING_UNIT, "Units");
    if (!bought) { /* of all usage but unused commitments; specification, ConsumedQuantity */
        cell_number(&w->row, FOCUS_CONSUMED_QUANTITY, CELL_INTEGER, 1);
        cell_text(&w->row, FOCUS_CONSUMED_UNIT, "Units");
    }
    cell_text(&w->row, FOCUS_PRICING_CATEGORY, bought ? "Standard" : "Other");
    cell_text(&w->row, FOCUS_SKU_METER, "Capacity Block");
    cell_text(&w->row, FOCUS_RESOURCE_ID, w->row.cells[FOCUS_CAPACITY_RESERVATION_ID].text);
    cell_text(&w->row, FOCUS_RESOURCE_NAME, pool->name);
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, "Capacity Block");
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s capacity block in %s, %s (simulated)",
                          pool->type->name, s->region->code, bought ? "upfront" : "unused"));
}

/* ---- rows ---- */

static bool write_row(void *context, const struct focus_row *row)
{
    struct writing *w = context;
    put_file(w);
    put_period(w, row);
    put_costs(w, row);
    if (row->commitment != SIZE_MAX) {
        put_commitment(w, row);
    }
    if (row->window > 0 && row->kind != FOCUS_ROUNDING) {
        put_window_id(w, row);
    }
    if (row->reservation > 0) {
        put_reservation_id(w, row);
    }
    if (row->kind == FOCUS_BLOCK || row->kind == FOCUS_BLOCK_UNUSED) {
        put_window(w, row);
    } else if (row->usage != NULL) {
        put_node(w, row);
    } else if (row->reservation > 0) {
        put_idle(w, row);
    } else if (row->item != SIZE_MAX) {
        put_charge(w, row);
    } else if (row->commitment != SIZE_MAX) {
        put_commitment_charge(w, row);
    } else {
        cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
                  "rounding between usage by node and usage that commitments cover (simulated)");
    }
    return focus_cells_write(&w->row, &w->csv);
}

bool focus_file_write(struct focus_export *e, FILE *out)
{
    struct writing w = {.e = e};
    const struct focus_world world = focus_export_world(e);
    bool ok = csv_writer_init(&w.csv, out);
    if (!ok) {
        errno = ENOMEM;
        return false;
    }
    focus_cells_init(&w.row);
    civil_date_text(e->study->scenario->prices_as_of_unix_s, w.prices_as_of);
    w.told = calloc(world.plan->count + 1, sizeof *w.told);
    ok = launch_counts_init(&w.launches, e->study, e->strategy) && w.told != NULL;
    for (int i = 0; ok && i < FOCUS_COLUMN_COUNT; i++) {
        csv_put_text(&w.csv, focus_column_table[i].name);
    }
    csv_end_row(&w.csv);
    ok = ok && focus_rows(&world, write_row, &w, NULL) == FOCUS_DONE;
    bool written = csv_writer_finish(&w.csv);
    focus_cells_release(&w.row);
    launch_counts_release(&w.launches);
    free(w.told);
    if (written && !ok) {
        errno = ENOMEM; /* all else was found when the rows were added up */
    }
    return written && ok;
}
