/* SPDX-License-Identifier: GPL-3.0-or-later
 * See reserved_offers.h. */
#include "models/catalogue/reserved_offers.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "engine/text.h"
#include "models/catalogue/catalogue_input.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const payment_option_names[] = {"no-upfront", "partial-upfront", "all-upfront", NULL};
const char *const offer_kind_names[] = {"standard", "convertible", "ec2-instance-savings-plan",
                                        "compute-savings-plan", NULL};

enum offer_kind offer_as_reserved(enum offer_kind savings)
{
    return savings == OFFER_COMPUTE_SAVINGS ? OFFER_CONVERTIBLE : OFFER_STANDARD;
}

enum {
    ROWS_MAX = 200000,
    ALL_ROWS_MAX = 1000000,
    TERMS = 2,
    HOURS_A_YEAR = 8760,
    NAMED_REGIONS = 6
};
static const int term_years[TERMS] = {1, 3};
static const money_t DEAREST = 1000000 * MONEY_UNIT;
static const char FILE_NAME[] = "reserved.csv";

enum { C_REGION, C_TYPE, C_OFFER, C_DATE, C_CONFIRMED, C_CURRENCY, C_SOURCE, C_PRICES };
static const char *const columns[] = {
    "region", "instance_type", "offer", "date", "confirmed", "currency", "source",
    /* by term, then payment */
    "no_upfront_1y", "partial_upfront_1y", "all_upfront_1y", "no_upfront_3y", "partial_upfront_3y",
    "all_upfront_3y", NULL};

/* ---- reading ------------------------------------------------------------------- */

static bool read_kind(struct catalogue_input *in, enum offer_kind *kind)
{
    const char *value = csv_text(in->csv, C_OFFER);
    for (int k = 0; k < OFFER_KIND_COUNT; k++) {
        if (strcmp(value, offer_kind_names[k]) == 0) {
            *kind = (enum offer_kind)k;
            return true;
        }
    }
    input_error(in,
                "unknown offer '%s'; expected standard, convertible, ec2-instance-savings-plan or "
                "compute-savings-plan",
                value);
    return false;
}

static bool read_price(struct catalogue_input *in, size_t column, money_t *price)
{
    *price = 0;
    if (csv_missing(in->csv, column)) {
        return true;
    }
    if (strcmp(csv_text(in->csv, column), "none") == 0) {
        *price = RESERVED_NONE;
        return true;
    }
    if (!csv_money(in->csv, column, price)) {
        in->failed = true;
        return false;
    }
    if (*price <= 0 || *price > DEAREST) {
        input_error(in,
                    "'%s' is '%s'; expected a price above 0 and at most a million an hour, 'none', "
                    "or nothing",
                    columns[column], csv_text(in->csv, column));
        return false;
    }
    return true;
}

static bool check_currency(struct catalogue_input *in, size_t region)
{
    const struct region *r = &in->catalogue->regions[region];
    const char *currency = csv_text(in->csv, C_CURRENCY);
    if (strcmp(currency, r->currency) != 0) {
        input_error(in, "currency '%s'; prices in '%s' are in %s", currency, r->code, r->currency);
        return false;
    }
    return true;
}

static bool read_row(struct catalogue_input *in, struct reserved_row *row)
{
    size_t region;
    bool good = input_cell(in, C_REGION, C_TYPE, &row->cell, &region);
    good = good && check_currency(in, region);
    good &= read_kind(in, &row->kind);
    good &= input_day(in, C_DATE, &row->from_unix_s);
    good &= input_day(in, C_CONFIRMED, &row->confirmed_unix_s);
    for (size_t i = 0; i < (size_t)TERMS * PAYMENT_COUNT; i++) {
        good &= read_price(in, C_PRICES + i, &row->per_hour[i / PAYMENT_COUNT][i % PAYMENT_COUNT]);
    }
    if (!good) {
        return false;
    }
    if (row->confirmed_unix_s < row->from_unix_s) {
        input_error(in, "'confirmed' is '%s'; expected no day before the row's date",
                    csv_text(in->csv, C_CONFIRMED));
        return false;
    }
    if (csv_missing(in->csv, C_SOURCE)) {
        input_error(in, "'source' is empty; every row needs it");
        return false;
    }
    row->line = csv_line(in->csv);
    row->layer = in->catalogue->layers[0];
    row->source = input_source(in, csv_text(in->csv, C_SOURCE));
    return row->source != NULL;
}

static int compare_keys(const struct reserved_row *a, const struct reserved_row *b)
{
    if (a->cell != b->cell) {
        return a->cell < b->cell ? -1 : 1;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    return (a->from_unix_s > b->from_unix_s) - (a->from_unix_s < b->from_unix_s);
}

static int compare_rows(const void *left, const void *right)
{
    const struct reserved_row *a = left, *b = right;
    int order = compare_keys(a, b);
    order = order ? order : (a->rank > b->rank) - (a->rank < b->rank);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void tell_duplicates(struct catalogue_input *in, const struct reserved_row *rows,
                            size_t count)
{
    const struct catalogue *c = in->catalogue;
    for (size_t i = 1; i < count; i++) {
        if (compare_keys(&rows[i - 1], &rows[i]) != 0) {
            continue;
        }
        char day[24];
        diagnostics_add(
            in->diagnostics, DIAGNOSTIC_ERROR, (struct place){in->shown_name, rows[i].line, 0},
            "the %s offers of '%s' in '%s' on %s are given twice; line %d has them too",
            offer_kind_names[rows[i].kind], c->types[rows[i].cell / c->region_count].name,
            c->regions[rows[i].cell % c->region_count].code,
            civil_date_text(rows[i].from_unix_s, day), rows[i - 1].line);
        in->failed = true;
    }
}

bool reserved_offers_read(struct catalogue *c, struct diagnostics *d)
{
    struct catalogue_input in = {.catalogue = c, .diagnostics = d, .shown_name = FILE_NAME};
    struct reserved_offers *o = &c->reserved;
    const char *path = file_join(c->arena, c->folder, FILE_NAME);
    if (!path) {
        return input_out_of_memory(&in);
    }
    if (!file_exists(path)) {
        return true;
    }
    bool memory = input_open(&in, path, columns);
    while (memory && input_next(&in, o->pending_count, ROWS_MAX)) {
        struct reserved_row row = {0};
        memory = !read_row(&in, &row) || reserved_offers_add(o, &row) || input_out_of_memory(&in);
    }
    if (o->pending_count > 0) {
        qsort(o->pending, o->pending_count, sizeof *o->pending, compare_rows);
        tell_duplicates(&in, o->pending, o->pending_count);
    }
    return input_close(&in);
}

/* ---- layers -------------------------------------------------------------------- */

bool reserved_offers_add(struct reserved_offers *o, const struct reserved_row *row)
{
    if (o->pending_count == ALL_ROWS_MAX) {
        return false;
    }
    if (o->pending_count == o->pending_capacity) {
        size_t more = o->pending_capacity ? 2 * o->pending_capacity : 1024;
        struct reserved_row *grown = realloc(o->pending, more * sizeof *grown);
        if (!grown) {
            return false;
        }
        o->pending = grown;
        o->pending_capacity = more;
    }
    o->pending[o->pending_count++] = *row;
    return true;
}

/* Takes from a row what a row of a later layer, of the same key, says too. */
static void give_way(struct reserved_row *row, const struct reserved_row *later)
{
    for (size_t i = 0; i < (size_t)TERMS * PAYMENT_COUNT; i++) {
        if (later->per_hour[i / PAYMENT_COUNT][i % PAYMENT_COUNT] != 0) {
            row->per_hour[i / PAYMENT_COUNT][i % PAYMENT_COUNT] = 0;
        }
    }
}

bool reserved_offers_freeze(struct reserved_offers *o, struct arena *arena)
{
    size_t count = o->pending_count;
    if (count == 0) {
        return true;
    }
    qsort(o->pending, count, sizeof *o->pending, compare_rows);
    size_t first = 0; /* of the rows of one key; a layer has up to six */
    for (size_t i = 1; i < count; i++) {
        first = compare_keys(&o->pending[first], &o->pending[i]) == 0 ? first : i;
        for (size_t k = first; k < i; k++) {
            if (o->pending[k].rank < o->pending[i].rank) {
                give_way(&o->pending[k], &o->pending[i]);
            }
        }
    }
    o->rows = arena_array(arena, count, sizeof *o->rows);
    if (o->rows) {
        memcpy(o->rows, o->pending, count * sizeof *o->rows);
        o->count = count;
    }
    reserved_offers_release(o);
    return o->rows != NULL;
}

void reserved_offers_release(struct reserved_offers *o)
{
    free(o->pending);
    o->pending = NULL;
    o->pending_count = o->pending_capacity = 0;
}

const char *reserved_offers_file(const struct catalogue *c, const struct reserved_row *row)
{
    return row->rank == 0 ? FILE_NAME : c->layers[row->rank];
}

/* ---- looking up ------------------------------------------------------------------- */

static size_t rows_of_cell(const struct catalogue *c, uint32_t cell, enum offer_kind kind,
                           const struct reserved_row **rows)
{
    size_t low = 0, high = c->reserved.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct reserved_row *r = &c->reserved.rows[middle];
        if (r->cell < cell || (r->cell == cell && r->kind < kind)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t count = 0;
    *rows = c->reserved.rows + low;
    while (low + count < c->reserved.count && (*rows)[count].cell == cell &&
           (*rows)[count].kind == kind) {
        count++;
    }
    return count;
}

size_t catalogue_reserved_rows(const struct catalogue *c, const char *type, const char *region,
                               enum offer_kind kind, const struct reserved_row **rows)
{
    size_t t = store_type(c, type), r = store_region(c, region);
    *rows = NULL;
    if (t == NOT_FOUND || r == NOT_FOUND) {
        return 0;
    }
    return rows_of_cell(c, (uint32_t)store_cell(c, t, r), kind, rows);
}

/* The newest row at or before as_of that says something of this offer. */
static const struct reserved_row *row_in_force(const struct catalogue *c, uint32_t cell,
                                               enum offer_kind kind, size_t term, size_t payment,
                                               int64_t as_of)
{
    const struct reserved_row *rows;
    for (size_t i = rows_of_cell(c, cell, kind, &rows); i-- > 0;) {
        if (rows[i].from_unix_s <= as_of && rows[i].per_hour[term][payment] != 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static money_t price_in_force(const struct catalogue *c, uint32_t cell, enum offer_kind kind,
                              size_t term, size_t payment, int64_t as_of)
{
    const struct reserved_row *row = row_in_force(c, cell, kind, term, payment, as_of);
    return row ? row->per_hour[term][payment] : 0;
}

bool catalogue_reserved(const struct catalogue *c, const struct offer_key *key, int64_t as_of,
                        struct reserved_price *out)
{
    size_t t = store_type(c, key->type), r = store_region(c, key->region);
    assert(key->term_years == 1 || key->term_years == 3);
    if (t == NOT_FOUND || r == NOT_FOUND) {
        return false;
    }
    size_t term = key->term_years == 3;
    const struct reserved_row *row =
        row_in_force(c, (uint32_t)store_cell(c, t, r), key->kind, term, key->payment, as_of);
    if (!row || row->per_hour[term][key->payment] == RESERVED_NONE) {
        return false;
    }
    money_t price = row->per_hour[term][key->payment];
    static const int64_t upfront_halves[PAYMENT_COUNT] = {0, 1, 2};
    money_t hourly =
        upfront_halves[key->payment] == 0 ? price : price / 2 * (2 - upfront_halves[key->payment]);
    *out = (struct reserved_price){
        .effective_per_hour = price,
        .upfront = (price - hourly) * HOURS_A_YEAR * key->term_years,
        .hourly = hourly,
        .from_unix_s = row->from_unix_s,
        .confirmed_unix_s = row->confirmed_unix_s,
        .layer = row->layer,
        .source = row->source,
    };
    return true;
}

/* ---- what exists instead ------------------------------------------------------------- */

/* "1-year standard (no-upfront, all-upfront)"; false when there is nothing of it. */
static bool add_offers(struct text *t, const struct catalogue *c, uint32_t cell,
                       enum offer_kind kind, size_t term, int64_t as_of, bool first)
{
    bool any = false;
    for (size_t p = 0; p < PAYMENT_COUNT; p++) {
        if (price_in_force(c, cell, kind, term, p, as_of) <= 0) {
            continue;
        }
        if (!any) {
            text_format(t, "%s%d-year %s (", first ? "; there are: " : ", ", term_years[term],
                        offer_kind_names[kind]);
        }
        text_format(t, "%s%s", any ? ", " : "", payment_option_names[p]);
        any = true;
    }
    if (any) {
        text_add(t, ")");
    }
    return any;
}

/* With the day on which each was seen last: it may be long ago. */
static void add_regions(struct text *t, const struct catalogue *c, size_t type,
                        const struct offer_key *key, int64_t as_of)
{
    size_t found = 0;
    for (size_t r = 0; r < c->region_count; r++) {
        uint32_t cell = (uint32_t)store_cell(c, type, r);
        const struct reserved_row *row =
            row_in_force(c, cell, key->kind, key->term_years == 3, key->payment, as_of);
        if (!row || row->per_hour[key->term_years == 3][key->payment] == RESERVED_NONE) {
            continue;
        }
        if (found < NAMED_REGIONS) {
            char day[24];
            text_format(t, "%s%s (seen %s)", found ? ", " : "; it is known in ", c->regions[r].code,
                        civil_date_text(row->confirmed_unix_s, day));
        }
        found++;
    }
    if (found > NAMED_REGIONS) {
        text_format(t, " and %zu more", found - NAMED_REGIONS);
    }
}

static void explain_unknown(struct text *t, const char *what, const char *name, const char *meant)
{
    text_format(t, "unknown %s '%s'", what, name);
    if (meant) {
        text_format(t, "; did you mean '%s'?", meant);
    }
}

static void explain(struct text *t, const struct catalogue *c, const struct offer_key *key,
                    int64_t as_of)
{
    size_t type = store_type(c, key->type), region = store_region(c, key->region);
    if (type == NOT_FOUND) {
        explain_unknown(t, "instance type", key->type, catalogue_suggest_type(c, key->type));
        return;
    }
    if (region == NOT_FOUND) {
        explain_unknown(t, "region", key->region, catalogue_suggest_region(c, key->region));
        return;
    }
    char day[24];
    uint32_t cell = (uint32_t)store_cell(c, type, region);
    const struct reserved_row *row =
        row_in_force(c, cell, key->kind, key->term_years == 3, key->payment, as_of);
    text_format(t, "no %d-year %s %s offer for '%s' in '%s' ", key->term_years,
                offer_kind_names[key->kind], payment_option_names[key->payment], key->type,
                key->region);
    if (row) {
        text_format(t, "since %s", civil_date_text(row->from_unix_s, day));
    } else {
        text_format(t, "is known on %s", civil_date_text(as_of, day));
    }
    bool first = true;
    for (size_t term = 0; term < TERMS; term++) {
        for (int kind = 0; kind < OFFER_KIND_COUNT; kind++) {
            first = !add_offers(t, c, cell, (enum offer_kind)kind, term, as_of, first) && first;
        }
    }
    if (first) {
        text_add(t, "; there is none of any kind");
    }
    add_regions(t, c, type, key, as_of);
}

/* Dates of "the end of time" must not reach the calendar. */
static int64_t within_calendar(int64_t unix_s)
{
    static const int64_t last_day = INT64_C(32503593600); /* 2999-12-31 */
    return unix_s < 0 ? 0 : unix_s > last_day ? last_day : unix_s;
}

void catalogue_explain_missing_reserved(const struct catalogue *c, const struct offer_key *key,
                                        int64_t as_of, char *out, size_t out_size)
{
    struct text t;
    text_init(&t, 4096);
    explain(&t, c, key, within_calendar(as_of));
    snprintf(out, out_size, "%s", t.data);
    text_release(&t);
}

/* ---- strange prices --------------------------------------------------------------------- */

struct reserved_doubt {
    const struct catalogue *catalogue;
    struct diagnostics *diagnostics;
    const char *type, *region;
    enum offer_kind kind;
};

static void warn(const struct reserved_doubt *k, const struct reserved_row *row, size_t term,
                 size_t payment, money_t price, const char *above, money_t other)
{
    char text[32], other_text[32];
    diagnostics_add(k->diagnostics, DIAGNOSTIC_WARNING,
                    (struct place){reserved_offers_file(k->catalogue, row), row->line, 0},
                    "the %d-year %s %s price of '%s' in '%s', %s an hour, is above %s, %s",
                    term_years[term], offer_kind_names[k->kind], payment_option_names[payment],
                    k->type, k->region, money_text(price, text), above,
                    money_text(other, other_text));
}

static void check_price(const struct reserved_doubt *k, uint32_t cell, size_t term, size_t payment,
                        int64_t as_of)
{
    const struct catalogue *c = k->catalogue;
    const struct reserved_row *row = row_in_force(c, cell, k->kind, term, payment, as_of);
    money_t price = row ? row->per_hour[term][payment] : 0;
    if (price <= 0) {
        return;
    }
    const struct dated_price *on_demand =
        catalogue_on_demand_at(c, k->type, k->region, row->from_unix_s, row->from_unix_s);
    if (on_demand && price > on_demand->per_hour) {
        warn(k, row, term, payment, price, "the on-demand price known then", on_demand->per_hour);
    }
    money_t one_year = price_in_force(c, cell, k->kind, 0, payment, as_of);
    if (term == 1 && one_year > 0 && price > one_year) {
        warn(k, row, term, payment, price, "that for one year", one_year);
    }
    money_t less = payment > 0 ? price_in_force(c, cell, k->kind, term, payment - 1, as_of) : 0;
    if (less > 0 && price > less) {
        warn(k, row, term, payment, price, "that with less upfront", less);
    }
}

void catalogue_check_reserved(const struct catalogue *c, const char *type, const char *region,
                              int64_t as_of, struct diagnostics *d)
{
    size_t t = store_type(c, type), r = store_region(c, region);
    if (t == NOT_FOUND || r == NOT_FOUND) {
        return;
    }
    for (int kind = 0; kind < OFFER_KIND_COUNT; kind++) {
        struct reserved_doubt k = {c, d, type, region, (enum offer_kind)kind};
        for (size_t i = 0; i < (size_t)TERMS * PAYMENT_COUNT; i++) {
            check_price(&k, (uint32_t)store_cell(c, t, r), i / PAYMENT_COUNT, i % PAYMENT_COUNT,
                        as_of);
        }
    }
}
