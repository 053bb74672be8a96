/* SPDX-License-Identifier: GPL-3.0-or-later
 * See block_prices.h. */
#include "models/catalogue/block_prices.h"

#include "engine/civil_time.h"
#include "engine/text.h"
#include "models/catalogue/catalogue_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 100000, NAMED_REGIONS = 6 };
static const money_t DEAREST = 1000000 * MONEY_UNIT;
static const char FILE_NAME[] = "capacity_blocks.csv";
static const char MOST_REGIONS[] = "*", THEIR_CURRENCY[] = "USD";

enum { C_REGION, C_TYPE, C_DATE, C_PRICE, C_CURRENCY, C_SOURCE, C_NOTE };
static const char *const columns[] = {"region",   "instance_type", "date", "price_per_hour",
                                      "currency", "source",        "note", NULL};

/* ---- reading ------------------------------------------------------------------- */

/* Type and region of the row, which must be known. */
static bool read_place(struct catalogue_input *in, struct block_price *row)
{
    const struct catalogue *c = in->catalogue;
    const char *type = csv_text(in->csv, C_TYPE);
    if (strcmp(csv_text(in->csv, C_REGION), MOST_REGIONS) != 0) {
        uint32_t cell;
        size_t region;
        if (!input_cell(in, C_REGION, C_TYPE, &cell, &region)) {
            return false;
        }
        row->region = &c->regions[region];
    }
    row->type = catalogue_type(c, type);
    if (!row->type) {
        const char *meant = catalogue_suggest_type(c, type);
        input_error(in, "unknown instance type '%s'%s%s%s", type, meant ? "; did you mean '" : "",
                    meant ? meant : "",
                    meant ? "'?" : "; expected one that the catalogue describes");
    }
    return row->type != NULL;
}

static bool read_price(struct catalogue_input *in, struct block_price *row)
{
    if (!csv_money(in->csv, C_PRICE, &row->per_hour)) {
        in->failed = true;
        return false;
    }
    if (row->per_hour <= 0 || row->per_hour > DEAREST) {
        input_error(in,
                    "'price_per_hour' is '%s'; expected a price above 0 and at most a million an "
                    "hour",
                    csv_text(in->csv, C_PRICE));
        return false;
    }
    const char *currency = csv_text(in->csv, C_CURRENCY);
    const char *wanted = row->region ? row->region->currency : THEIR_CURRENCY;
    if (strcmp(currency, wanted) != 0) {
        input_error(in, "currency '%s'; expected %s", currency, wanted);
        return false;
    }
    return true;
}

static bool read_row(struct catalogue_input *in, void *to)
{
    struct block_price *row = to;
    bool good = read_place(in, row);
    good = good && read_price(in, row);
    good &= input_day(in, C_DATE, &row->from_unix_s);
    row->source = input_text(in, C_SOURCE, "source", true);
    row->note = input_text(in, C_NOTE, "note", false);
    row->line = csv_line(in->csv);
    row->layer = in->catalogue->layers[0];
    return good && row->source && row->note;
}

static int compare_keys(const struct block_price *a, const struct block_price *b)
{
    int order = strcmp(a->type->name, b->type->name);
    order =
        order ? order : strcmp(a->region ? a->region->code : "", b->region ? b->region->code : "");
    return order ? order : (a->from_unix_s > b->from_unix_s) - (a->from_unix_s < b->from_unix_s);
}

static int compare_rows(const void *left, const void *right)
{
    const struct block_price *a = left, *b = right;
    int order = compare_keys(a, b);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void finish(struct catalogue_input *in, void *all, size_t count)
{
    struct block_price *rows = all;
    struct catalogue *c = in->catalogue;
    qsort(rows, count, sizeof *rows, compare_rows);
    for (size_t i = 1; i < count; i++) {
        if (compare_keys(&rows[i - 1], &rows[i]) == 0) {
            char day[24];
            diagnostics_add(
                in->diagnostics, DIAGNOSTIC_ERROR, (struct place){in->shown_name, rows[i].line, 0},
                "the capacity-block price of '%s' in '%s' on %s is given twice; line "
                "%d has it too",
                rows[i].type->name, rows[i].region ? rows[i].region->code : MOST_REGIONS,
                civil_date_text(rows[i].from_unix_s, day), rows[i - 1].line);
            in->failed = true;
        }
    }
    c->blocks.rows = arena_array(c->arena, count, sizeof *rows);
    if (!c->blocks.rows) {
        input_out_of_memory(in);
        return;
    }
    memcpy(c->blocks.rows, rows, count * sizeof *rows);
    c->blocks.count = count;
}

bool block_prices_read(struct catalogue *c, struct diagnostics *d)
{
    const struct input_rows rows = {.file = FILE_NAME,
                                    .columns = columns,
                                    .size = sizeof(struct block_price),
                                    .most = ROWS_MAX,
                                    .read = read_row,
                                    .finish = finish};
    return input_read_optional(c, &rows, d);
}

/* ---- looking up ------------------------------------------------------------------- */

size_t catalogue_block_rows(const struct catalogue *c, const struct block_price **rows)
{
    *rows = c->blocks.rows;
    return c->blocks.count;
}

static bool counts_in(const struct block_price *row, const struct region *region)
{
    return row->region ? row->region == region : strcmp(region->currency, THEIR_CURRENCY) == 0;
}

const struct block_price *catalogue_block(const struct catalogue *c, const char *type,
                                          const char *region, int64_t as_of)
{
    const struct region *wanted = catalogue_region(c, region);
    const struct block_price *best = NULL;
    for (size_t i = 0; wanted && i < c->blocks.count; i++) {
        const struct block_price *row = &c->blocks.rows[i];
        if (row->from_unix_s > as_of || strcmp(row->type->name, type) != 0 ||
            !counts_in(row, wanted)) {
            continue;
        }
        if (!best || row->from_unix_s > best->from_unix_s ||
            (row->from_unix_s == best->from_unix_s && row->region)) {
            best = row;
        }
    }
    return best;
}

/* ---- what exists instead ------------------------------------------------------------- */

static void add_places(struct text *t, const struct catalogue *c, const char *type, int64_t as_of)
{
    size_t found = 0;
    for (size_t r = 0; r < c->region_count; r++) {
        if (catalogue_block(c, type, c->regions[r].code, as_of)) {
            if (found < NAMED_REGIONS) {
                text_format(t, "%s%s", found ? ", " : "; it has one then in ", c->regions[r].code);
            }
            found++;
        }
    }
    if (found > NAMED_REGIONS) {
        text_format(t, " and %zu more", found - NAMED_REGIONS);
    }
    if (found > 0) {
        return;
    }
    const char *before = NULL;
    for (size_t i = 0; i < c->blocks.count; i++) {
        const char *name = c->blocks.rows[i].type->name;
        if (c->blocks.rows[i].from_unix_s <= as_of && (!before || strcmp(before, name) != 0)) {
            text_format(t, "%s%s", before ? ", " : "; types that have one then: ", name);
            before = name;
        }
    }
    if (!before) {
        text_add(t, "; no type has one then");
    }
}

void catalogue_explain_missing_block(const struct catalogue *c, const char *type,
                                     const char *region, int64_t as_of, char *out, size_t out_size)
{
    static const int64_t last_day = INT64_C(32503593600); /* 2999-12-31 */
    int64_t day = as_of < 0 ? 0 : as_of > last_day ? last_day : as_of;
    struct text t;
    text_init(&t, 4096);
    if (!catalogue_type(c, type)) {
        const char *meant = catalogue_suggest_type(c, type);
        text_format(&t, "unknown instance type '%s'%s%s%s", type, meant ? "; did you mean '" : "",
                    meant ? meant : "", meant ? "'?" : "");
    } else if (!catalogue_region(c, region)) {
        const char *meant = catalogue_suggest_region(c, region);
        text_format(&t, "unknown region '%s'%s%s%s", region, meant ? "; did you mean '" : "",
                    meant ? meant : "", meant ? "'?" : "");
    } else {
        char text[24];
        text_format(&t, "no capacity-block price for '%s' in '%s' is known on %s", type, region,
                    civil_date_text(day, text));
        add_places(&t, c, type, day);
    }
    snprintf(out, out_size, "%s", t.data);
    text_release(&t);
}
