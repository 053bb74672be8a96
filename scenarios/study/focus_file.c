/* SPDX-License-Identifier: GPL-3.0-or-later
 * A row is a set of cells, empty unless something says what is in them: what holds for the whole
 * file, then the kind of the charge, then the node or the commitment. */
#include "scenarios/study/focus_file.h"

#include "engine/civil_time.h"
#include "engine/csv_writer.h"
#include "engine/text.h"
#include "scenarios/study/focus_columns.h"
#include "scenarios/study/launches.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells ---- */

enum cell_kind { CELL_EMPTY, CELL_TEXT, CELL_MONEY, CELL_HOURS, CELL_INTEGER, CELL_TIME };

struct cell {
    enum cell_kind kind;
    const char *text;
    int64_t number;
};

enum made_text {
    TEXT_RESOURCE,
    TEXT_NAME,
    TEXT_SKU,
    TEXT_PRICE,
    TEXT_DETAILS,
    TEXT_TAGS,
    TEXT_COMMITMENT,
    TEXT_WORDS,
    TEXT_COUNT
};

struct writing {
    struct focus_export *e;
    struct csv_writer csv;
    struct launch_counts launches;
    size_t next_record; /* the node after that of the last row, in the log */
    uint32_t next_twin, launch;
    bool *told; /* by commitment: its rest was written */
    struct cell cells[FOCUS_COLUMN_COUNT];
    struct text texts[TEXT_COUNT];
    char prices_as_of[24];
};

static void put_text(struct writing *w, enum focus_column c, const char *text)
{
    w->cells[c] = (struct cell){.kind = CELL_TEXT, .text = text};
}

static void put_number(struct writing *w, enum focus_column c, enum cell_kind kind, int64_t number)
{
    w->cells[c] = (struct cell){.kind = kind, .number = number};
}

static void put_money(struct writing *w, enum focus_column c, money_t amount)
{
    put_number(w, c, CELL_MONEY, amount);
}

/* Microseconds as hours with 12 decimals, rounded to nearest, trailing zeros dropped: fine enough
 * that times a price it is the amount to the nano-unit, and no exponent. */
static void write_hours(struct csv_writer *csv, int64_t us)
{
    char bytes[48];
    int64_t hours = us / HOUR_US;
    int64_t decimals = (us % HOUR_US * 2500 + 4) / 9; /* 1e12 / 3.6e9 = 2500 / 9 */
    if (decimals == INT64_C(1000000000000)) {
        hours++;
        decimals = 0;
    }
    int n = snprintf(bytes, sizeof bytes, "%" PRId64 ".%012" PRId64, hours, decimals);
    while (bytes[n - 1] == '0') {
        n--;
    }
    bytes[bytes[n - 1] == '.' ? n - 1 : n] = '\0';
    csv_put_text(csv, bytes);
}

static void write_cell(struct csv_writer *csv, const struct cell *c)
{
    switch (c->kind) {
    case CELL_TEXT:
        csv_put_text(csv, c->text);
        break;
    case CELL_MONEY:
        csv_put_money(csv, c->number);
        break;
    case CELL_HOURS:
        write_hours(csv, c->number);
        break;
    case CELL_INTEGER:
        csv_put_integer(csv, c->number);
        break;
    case CELL_TIME:
        csv_put_time(csv, c->number);
        break;
    case CELL_EMPTY:
        csv_put_missing(csv);
        break;
    }
}

static const char *make_text(struct writing *w, enum made_text which, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static const char *make_text(struct writing *w, enum made_text which, const char *format, ...)
{
    char *made = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&made, format, args) < 0) {
        made = NULL;
    }
    va_end(args);
    text_clear(&w->texts[which]);
    if (made == NULL) {
        w->texts[which].overflow = true;
        return "";
    }
    text_add(&w->texts[which], made);
    free(made);
    return w->texts[which].data;
}

/* As a JSON string (RFC 8259, section 7). */
static void add_json_string(struct text *t, const char *s)
{
    text_add(t, "\"");
    for (; *s != '\0'; s++) {
        unsigned char byte = (unsigned char)*s;
        if (byte < 0x20) {
            text_format(t, "\\u%04x", byte);
        } else {
            if (byte == '"' || byte == '\\') {
                text_add(t, "\\");
            }
            text_add_bytes(t, s, 1);
        }
    }
    text_add(t, "\"");
}

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

static void put_file(struct writing *w)
{
    const struct scenario *sc = w->e->study->scenario;
    memset(w->cells, 0, sizeof w->cells);
    put_text(w, FOCUS_BILLING_ACCOUNT_ID, "simulated");
    put_text(w, FOCUS_BILLING_CURRENCY, sc->currency);
    put_text(w, FOCUS_INVOICE_ISSUER_NAME, issuer(sc->region));
    put_text(w, FOCUS_PROVIDER_NAME, "AWS");
    put_text(w, FOCUS_PUBLISHER_NAME, "AWS");
    put_text(w, FOCUS_SERVICE_CATEGORY, "Compute");
    put_text(w, FOCUS_SERVICE_NAME, "Amazon Elastic Compute Cloud");
    put_text(w, FOCUS_SERVICE_SUBCATEGORY, "Virtual Machines");
    put_text(w, FOCUS_X_SCENARIO, sc->name);
    put_text(w, FOCUS_X_STRATEGY, study_strategy_name(w->e->study, w->e->strategy));
    put_number(w, FOCUS_X_WORLD, CELL_INTEGER, w->e->world);
    put_number(w, FOCUS_X_SEED, CELL_INTEGER, sc->seed);
    put_text(w, FOCUS_X_SIMULATED, "true");
    put_text(w, FOCUS_X_PRICES_AS_OF, w->prices_as_of);
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
    put_number(w, FOCUS_CHARGE_PERIOD_START, CELL_TIME, from_s);
    put_number(w, FOCUS_CHARGE_PERIOD_END, CELL_TIME, to_s > from_s ? to_s : from_s + 1);
    put_number(w, FOCUS_BILLING_PERIOD_START, CELL_TIME, month_s);
    put_number(w, FOCUS_BILLING_PERIOD_END, CELL_TIME, civil_add_months(month_s, 1));
    put_text(w, FOCUS_X_IN_HORIZON, row->inside ? "true" : "false");
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
    };
    put_text(w, FOCUS_CHARGE_CATEGORY, kinds[row->kind].category);
    put_text(w, FOCUS_CHARGE_FREQUENCY, kinds[row->kind].frequency);
    put_money(w, FOCUS_BILLED_COST, row->billed);
    put_money(w, FOCUS_EFFECTIVE_COST, row->effective);
    put_money(w, FOCUS_LIST_COST, row->list);
    put_money(w, FOCUS_CONTRACTED_COST, row->list);
}

static void put_price(struct writing *w, money_t price)
{
    put_money(w, FOCUS_LIST_UNIT_PRICE, price);
    put_money(w, FOCUS_CONTRACTED_UNIT_PRICE, price);
}

/* ---- nodes ---- */

static void put_region(struct writing *w)
{
    put_text(w, FOCUS_REGION_ID, w->e->study->region->code);
    put_text(w, FOCUS_REGION_NAME, w->e->study->region->name);
}

static void put_type(struct writing *w, const struct instance_type *type, const char *way)
{
    const char *sku = make_text(w, TEXT_SKU, "%s/%s", type->name, w->e->study->region->code);
    put_text(w, FOCUS_SKU_ID, sku);
    put_text(w, FOCUS_SKU_PRICE_ID, make_text(w, TEXT_PRICE, "%s/%s", sku, way));
    struct text *json = &w->texts[TEXT_DETAILS];
    text_clear(json);
    text_add(json, "{\"InstanceType\":");
    add_json_string(json, type->name);
    text_add(json, ",\"InstanceSeries\":");
    add_json_string(json, type->family);
    text_format(json,
                ",\"CoreCount\":%.10g,\"GpuCount\":%.10g,\"MemorySize\":%.10g,"
                "\"OperatingSystem\":\"Linux\"}",
                type->vcpus, type->accelerator_count, type->memory_bytes / 1073741824.0);
    put_text(w, FOCUS_SKU_PRICE_DETAILS, json->data);
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

static void put_node(struct writing *w, const struct focus_row *row)
{
    const struct study *s = w->e->study;
    const struct usage *u = row->usage;
    const struct pool_info *pool = market_pool_info(s->market, u->pool);
    const bool spot = pool->purchase == PURCHASE_SPOT;
    const char *workload = study_workload_name(s, u->workload);
    size_t slot = (size_t)u->slot + row->twin;
    find_launch(w, u, row->twin);
    put_region(w);
    put_type(w, pool->type, purchase_names[pool->purchase]);
    put_price(w, row->per_hour);
    put_text(w, FOCUS_AVAILABILITY_ZONE, pool->zone);
    put_text(
        w, FOCUS_RESOURCE_ID,
        make_text(w, TEXT_RESOURCE, "%s/%s/%zu/%" PRIu32, workload, pool->name, slot, w->launch));
    put_text(w, FOCUS_RESOURCE_NAME, make_text(w, TEXT_NAME, "%s/%zu", workload, slot));
    put_text(w, FOCUS_RESOURCE_TYPE, "Instance");
    put_text(w, FOCUS_SKU_METER, spot ? "Spot Instance Hours" : "Instance Hours");
    put_number(w, FOCUS_CONSUMED_QUANTITY, CELL_HOURS, row->used_us);
    put_text(w, FOCUS_CONSUMED_UNIT, "Hours");
    put_number(w, FOCUS_PRICING_QUANTITY, CELL_HOURS, row->priced_us);
    put_text(w, FOCUS_PRICING_UNIT, "Hours");
    put_text(w, FOCUS_PRICING_CATEGORY,
             row->kind == FOCUS_COVERED ? "Committed"
             : spot                     ? "Dynamic"
                                        : "Standard");
    put_text(w, FOCUS_CHARGE_DESCRIPTION,
             make_text(w, TEXT_WORDS, "%s %s in %s%s (simulated)", pool->type->name,
                       purchase_names[pool->purchase], pool->zone,
                       row->kind == FOCUS_FREE      ? ", interrupted in its first hour: free"
                       : row->kind == FOCUS_COVERED ? ", covered by a commitment"
                                                    : ""));
    struct text *tags = &w->texts[TEXT_TAGS];
    text_clear(tags);
    text_add(tags, "{\"workload\":");
    add_json_string(tags, workload);
    text_add(tags, "}");
    put_text(w, FOCUS_TAGS, tags->data);
    put_text(w, FOCUS_X_JOB, workload);
    put_text(w, FOCUS_X_END_REASON, end_reason_names[u->reason]);
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
        put_number(w, FOCUS_COMMITMENT_QUANTITY, CELL_HOURS, row->units_us);
        put_text(w, FOCUS_COMMITMENT_UNIT, "Hours");
        return;
    }
    money_t amount = row->kind == FOCUS_UPFRONT ? commitment_total(c)
                     : row->kind == FOCUS_RECURRING
                         ? commitment_amortised(c, row->from_us, row->to_us)
                         : row->effective;
    put_money(w, FOCUS_COMMITMENT_QUANTITY, amount);
    put_text(w, FOCUS_COMMITMENT_UNIT, w->e->study->scenario->currency);
}

static void put_commitment(struct writing *w, const struct focus_row *row)
{
    const size_t k = row->commitment;
    const struct commitment *c = &w->e->study->strategies[w->e->strategy].commitments.items[k];
    put_text(w, FOCUS_COMMITMENT_CATEGORY, commitment_is_reserved(c) ? "Usage" : "Spend");
    put_text(w, FOCUS_COMMITMENT_ID, make_text(w, TEXT_COMMITMENT, "commitment-%zu", k + 1));
    put_text(w, FOCUS_COMMITMENT_NAME, c->name);
    put_text(w, FOCUS_COMMITMENT_TYPE, type_of(c));
    put_commitment_quantity(w, row, c);
    if (row->kind == FOCUS_COVERED || row->kind == FOCUS_UNUSED) {
        put_text(w, FOCUS_COMMITMENT_STATUS, row->kind == FOCUS_COVERED ? "Used" : "Unused");
    }
    if (!w->told[k] && row->kind != FOCUS_COVERED) {
        w->told[k] = true;
        put_money(w, FOCUS_X_BILLED_LATER, w->e->rest[k].billed);
        put_money(w, FOCUS_X_EFFECTIVE_LATER, w->e->rest[k].effective);
    }
}

/* What is bought, at the price of all of it together. */
static void put_purchase(struct writing *w, const struct focus_row *row, const struct commitment *c)
{
    bool once = row->kind == FOCUS_UPFRONT;
    put_text(w, FOCUS_PRICING_CATEGORY, "Standard");
    put_text(w, FOCUS_PRICING_UNIT, once ? "Units" : "Hours");
    if (once) {
        put_number(w, FOCUS_PRICING_QUANTITY, CELL_INTEGER, 1);
    } else {
        put_number(w, FOCUS_PRICING_QUANTITY, CELL_HOURS, row->used_us);
    }
    put_price(w, once ? c->upfront : c->recurring_per_hour);
}

static void put_unused(struct writing *w, const struct focus_row *row, const struct commitment *c)
{
    bool reserved = commitment_is_reserved(c);
    put_text(w, FOCUS_PRICING_CATEGORY, "Committed");
    put_number(w, FOCUS_PRICING_QUANTITY, reserved ? CELL_HOURS : CELL_MONEY,
               reserved ? row->units_us : row->effective);
    put_text(w, FOCUS_PRICING_UNIT, reserved ? "Hours" : w->e->study->scenario->currency);
}

/* A charge for a commitment itself, not for usage that it covers. */
static void put_commitment_charge(struct writing *w, const struct focus_row *row)
{
    const struct study *s = w->e->study;
    const struct commitment *c = &s->strategies[w->e->strategy].commitments.items[row->commitment];
    const char *words = row->kind == FOCUS_UPFRONT     ? "upfront"
                        : row->kind == FOCUS_RECURRING ? "recurring"
                                                       : "unused";
    if (c->kind != COMMITMENT_COMPUTE_SAVINGS) {
        put_region(w);
    }
    if (c->type != NULL) {
        put_type(w, catalogue_type(s->catalogue, c->type), c->name);
    } else {
        put_text(w, FOCUS_SKU_ID, type_of(c));
    }
    put_text(w, FOCUS_SKU_PRICE_ID,
             make_text(w, TEXT_PRICE, "%s/%s", w->cells[FOCUS_SKU_ID].text, c->name));
    put_text(w, FOCUS_SKU_METER, "Commitment");
    put_text(w, FOCUS_AVAILABILITY_ZONE, c->zone);
    put_text(w, FOCUS_RESOURCE_ID, w->cells[FOCUS_COMMITMENT_ID].text);
    put_text(w, FOCUS_RESOURCE_NAME, c->name);
    put_text(w, FOCUS_RESOURCE_TYPE, type_of(c));
    put_text(w, FOCUS_CHARGE_DESCRIPTION,
             make_text(w, TEXT_WORDS, "%s, %s (simulated)", c->name, words));
    if (row->kind == FOCUS_UNUSED) {
        put_unused(w, row, c);
    } else {
        put_purchase(w, row, c);
    }
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
    if (row->usage != NULL) {
        put_node(w, row);
    } else if (row->commitment != SIZE_MAX) {
        put_commitment_charge(w, row);
    } else {
        put_text(w, FOCUS_CHARGE_DESCRIPTION,
                 "rounding between usage by node and usage that commitments cover (simulated)");
    }
    for (int i = 0; i < FOCUS_COLUMN_COUNT; i++) {
        write_cell(&w->csv, &w->cells[i]);
    }
    csv_end_row(&w->csv);
    bool whole = true;
    for (int i = 0; i < TEXT_COUNT; i++) {
        whole = whole && !w->texts[i].overflow;
    }
    return whole && w->csv.error == 0;
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
    for (int i = 0; i < TEXT_COUNT; i++) {
        text_init(&w.texts[i], 0);
    }
    civil_date_text(e->study->scenario->prices_as_of_unix_s, w.prices_as_of);
    w.told = calloc(world.plan->count + 1, sizeof *w.told);
    ok = launch_counts_init(&w.launches, e->study, e->strategy) && w.told != NULL;
    for (int i = 0; ok && i < FOCUS_COLUMN_COUNT; i++) {
        csv_put_text(&w.csv, focus_column_table[i].name);
    }
    csv_end_row(&w.csv);
    ok = ok && focus_rows(&world, write_row, &w, NULL) == FOCUS_DONE;
    bool written = csv_writer_finish(&w.csv);
    for (int i = 0; i < TEXT_COUNT; i++) {
        text_release(&w.texts[i]);
    }
    launch_counts_release(&w.launches);
    free(w.told);
    if (written && !ok) {
        errno = ENOMEM; /* all else was found when the rows were added up */
    }
    return written && ok;
}
