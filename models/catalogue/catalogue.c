/* SPDX-License-Identifier: GPL-3.0-or-later
 * See catalogue.h. Loading goes folder, accelerators, types, regions, dated rows, price files, then
 * the books are frozen and checked; from then on nothing is written, so threads share it freely. */
#include "models/catalogue/catalogue.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "engine/text.h"
#include "models/catalogue/catalogue_files.h"
#include "models/catalogue/catalogue_folder.h"
#include "models/catalogue/catalogue_store.h"
#include "models/catalogue/model_presets.h"
#include "models/catalogue/model_speeds.h"
#include "models/catalogue/price_checks.h"
#include "models/catalogue/price_files.h"
#include "models/catalogue/price_layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const precision_names[] = {"fp64", "fp32", "tf32", "fp16", "bf16",
                                       "fp8",  "int8", "fp4",  NULL};
const char *const spot_statistic_names[] = {"min", "mean", "max", NULL};
const char *const advisor_bucket_names[] = {"<5%", "5-10%", "10-15%", "15-20%", ">20%", NULL};

enum { ARENA_LIMIT_BYTES = 1 << 30, PRICE_FILES_MAX = 100, NAMED_REGIONS = 6 };

/* ---- loading -------------------------------------------------------------------- */

static bool out_of_memory(struct diagnostics *d)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0},
                    "out of memory while reading the catalogue");
    return false;
}

static bool set_layers(struct catalogue *c, const char *const *price_files, size_t count,
                       struct diagnostics *d)
{
    if (count > PRICE_FILES_MAX) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                        "%zu price files; at most %d may be given", count, PRICE_FILES_MAX);
        return false;
    }
    const char **layers = arena_array(c->arena, count + 1, sizeof *layers);
    if (!layers) {
        return out_of_memory(d);
    }
    layers[0] = "shipped";
    for (size_t i = 0; i < count; i++) {
        layers[i + 1] = price_files[i];
    }
    c->layers = layers;
    c->layer_count = count + 1;
    return true;
}

static bool freeze(struct catalogue *c, struct diagnostics *d)
{
    bool good = price_book_freeze(&c->on_demand, store_cells(c), c->arena);
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        good = good && price_book_freeze(&c->spot[s], store_cells(c), c->arena);
    }
    advisor_book_freeze(&c->advisor);
    good = good && reserved_offers_freeze(&c->reserved, c->arena);
    return good || out_of_memory(d);
}

/* Messages call the shipped files by their names alone. */
static void tell_folder(const struct catalogue *c, struct diagnostics *d)
{
    diagnostics_add(d, DIAGNOSTIC_NOTE, (struct place){0}, "the catalogue was read from '%s'",
                    c->folder);
}

/* The tables that all rows refer to come first: without them every row would be an error. */
static bool read_all(struct catalogue *c, struct diagnostics *d)
{
    bool good = catalogue_read_accelerators(c, d);
    good &= catalogue_read_types(c, d);
    good &= catalogue_read_regions(c, d);
    if (!good) {
        tell_folder(c, d);
        return false;
    }
    good = price_files_read_on_demand(c, d);
    good &= price_files_read_spot(c, d);
    good &= price_files_read_advisor(c, d);
    good &= reserved_offers_read(c, d);
    good &= block_prices_read(c, d);
    good &= storage_prices_read(c, d);
    good = good && model_presets_read(c, d) && model_speeds_read(c, d);
    if (!good) {
        tell_folder(c, d);
    }
    for (size_t i = 1; i < c->layer_count; i++) {
        good &= price_layer_read(c, (uint32_t)i, d);
    }
    if (!good || !freeze(c, d)) {
        return false;
    }
    price_checks_spot(c, d);
    return price_checks_layers(c, d);
}

struct catalogue *catalogue_load(const char *folder, const char *const *price_files,
                                 size_t price_file_count, struct diagnostics *d)
{
    struct catalogue *c = calloc(1, sizeof *c);
    if (!c) {
        out_of_memory(d);
        return NULL;
    }
    c->hash = FILE_HASH_START;
    price_book_init(&c->on_demand);
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        price_book_init(&c->spot[s]);
    }
    c->arena = arena_new(ARENA_LIMIT_BYTES);
    bool good = c->arena ? set_layers(c, price_files, price_file_count, d) : out_of_memory(d);
    if (good) {
        c->folder = catalogue_find_folder(folder, c->arena, d);
        good = c->folder && read_all(c, d);
    }
    if (!good) {
        catalogue_free(c);
        return NULL;
    }
    return c;
}

void catalogue_free(struct catalogue *c)
{
    if (!c) {
        return;
    }
    price_book_release(&c->on_demand);
    for (size_t s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        price_book_release(&c->spot[s]);
    }
    advisor_book_release(&c->advisor);
    reserved_offers_release(&c->reserved);
    arena_free(c->arena);
    free(c);
}

uint64_t catalogue_hash(const struct catalogue *c)
{
    return c->hash;
}

const char *catalogue_folder(const struct catalogue *c)
{
    return c->folder;
}

/* ---- types and regions -------------------------------------------------------------- */

size_t catalogue_types(const struct catalogue *c)
{
    return c->type_count;
}

const struct instance_type *catalogue_type_at(const struct catalogue *c, size_t index)
{
    return &c->types[index];
}

bool catalogue_has_family(const struct catalogue *c, const char *family)
{
    for (size_t i = 0; i < c->type_count; i++) {
        if (strcmp(c->types[i].family, family) == 0) {
            return true;
        }
    }
    return false;
}

const struct instance_type *catalogue_type(const struct catalogue *c, const char *name)
{
    size_t index = store_type(c, name);
    return index == NOT_FOUND ? NULL : &c->types[index];
}

const char *catalogue_suggest_type(const struct catalogue *c, const char *name)
{
    const char *near = text_suggest(name, c->type_names, c->type_count);
    size_t length = strlen(name);
    for (size_t i = 0; near == NULL && length > 1 && i < c->type_count; i++) {
        const struct instance_type *t = &c->types[i];
        bool family = strncasecmp(t->name, name, length) == 0 && t->name[length] == '.';
        if (family || strncasecmp(t->accelerator_name, name, length) == 0) {
            near = t->name;
        }
    }
    return near;
}

size_t catalogue_regions(const struct catalogue *c)
{
    return c->region_count;
}

const struct region *catalogue_region_at(const struct catalogue *c, size_t index)
{
    return &c->regions[index];
}

const struct region *catalogue_region(const struct catalogue *c, const char *code)
{
    size_t index = store_region(c, code);
    return index == NOT_FOUND ? NULL : &c->regions[index];
}

const char *catalogue_suggest_region(const struct catalogue *c, const char *code)
{
    const char *near = text_suggest(code, c->region_codes, c->region_count);
    size_t length = strlen(code);
    for (size_t i = 0; near == NULL && length > 3 && i < c->region_count; i++) {
        if (strncasecmp(c->regions[i].name, code, length) == 0) {
            near = c->regions[i].code;
        }
    }
    return near;
}

/* ---- dated rows ------------------------------------------------------------------------ */

/* False when the type or the region is unknown. */
static bool find_cell(const struct catalogue *c, const char *type, const char *region, size_t *cell)
{
    size_t t = store_type(c, type), r = store_region(c, region);
    if (t == NOT_FOUND || r == NOT_FOUND) {
        return false;
    }
    *cell = store_cell(c, t, r);
    return true;
}

static size_t rows_of(const struct catalogue *c, const struct price_book *book, const char *type,
                      const char *region, const struct dated_price **prices)
{
    size_t cell;
    *prices = NULL;
    return find_cell(c, type, region, &cell) ? price_book_rows(book, cell, prices) : 0;
}

size_t catalogue_on_demand(const struct catalogue *c, const char *type, const char *region,
                           const struct dated_price **prices)
{
    return rows_of(c, &c->on_demand, type, region, prices);
}

const struct dated_price *catalogue_on_demand_at(const struct catalogue *c, const char *type,
                                                 const char *region, int64_t unix_s, int64_t as_of)
{
    size_t cell;
    if (!find_cell(c, type, region, &cell)) {
        return NULL;
    }
    return price_book_at(&c->on_demand, cell, unix_s < as_of ? unix_s : as_of);
}

size_t catalogue_spot_rows(const struct catalogue *c, const char *type, const char *region,
                           enum spot_statistic statistic, const struct dated_price **prices)
{
    return rows_of(c, &c->spot[statistic], type, region, prices);
}

bool catalogue_spot(const struct catalogue *c, const char *type, const char *region,
                    const char *zone, enum spot_statistic statistic, int64_t as_of,
                    struct dated_price *out)
{
    (void)zone; /* no layer has rows of single zones: each zone has the regional price */
    size_t cell;
    if (!find_cell(c, type, region, &cell)) {
        return false;
    }
    const struct dated_price *row = price_book_at(&c->spot[statistic], cell, as_of);
    if (row) {
        *out = *row;
    }
    return row != NULL;
}

struct advisor_row catalogue_advisor(const struct catalogue *c, const char *type,
                                     const char *region, int64_t as_of)
{
    struct advisor_row none = {.bucket = ADVISOR_UNKNOWN, .savings_frac = -1.0};
    size_t cell;
    if (!find_cell(c, type, region, &cell)) {
        return none;
    }
    const struct advisor_entry *entry = advisor_book_at(&c->advisor, cell, as_of);
    return entry ? entry->row : none;
}

/* ---- what exists instead ------------------------------------------------------------------ */

static void explain_unknown(struct text *t, const char *what, const char *name, const char *meant)
{
    text_format(t, "unknown %s '%s'", what, name);
    if (meant) {
        text_format(t, "; did you mean '%s'?", meant);
    }
}

/* "; it has one then in us-east-1, us-west-2 and 12 more": where there is a price on that day.
 * False when there is none. */
static bool add_regions(struct text *t, const struct catalogue *c, const struct price_book *book,
                        size_t type, int64_t day)
{
    size_t found = 0;
    for (size_t r = 0; r < c->region_count; r++) {
        if (!price_book_at(book, store_cell(c, type, r), day)) {
            continue;
        }
        if (found < NAMED_REGIONS) {
            text_format(t, "%s%s", found ? ", " : "; it has one then in ", c->regions[r].code);
        }
        found++;
    }
    if (found > NAMED_REGIONS) {
        text_format(t, " and %zu more", found - NAMED_REGIONS);
    }
    return found > 0;
}

/* For a type that has no price anywhere on that day: the first that it ever has. */
static void add_first(struct text *t, const struct catalogue *c, const struct price_book *book,
                      size_t type)
{
    const struct dated_price *first = NULL;
    const char *region = NULL;
    for (size_t r = 0; r < c->region_count; r++) {
        const struct dated_price *rows;
        size_t count = price_book_rows(book, store_cell(c, type, r), &rows);
        if (count > 0 && (!first || rows[0].from_unix_s < first->from_unix_s)) {
            first = &rows[0];
            region = c->regions[r].code;
        }
    }
    char text[24];
    if (first) {
        text_format(t, "; the first anywhere is of %s in %s",
                    civil_date_text(first->from_unix_s, text), region);
    } else {
        text_add(t, "; it has none in any region");
    }
}

static void explain(const struct catalogue *c, const struct price_book *book, const char *noun,
                    const char *type, const char *region, int64_t unix_s, int64_t as_of,
                    struct text *t)
{
    size_t type_at = store_type(c, type), region_at = store_region(c, region);
    if (type_at == NOT_FOUND) {
        explain_unknown(t, "instance type", type, catalogue_suggest_type(c, type));
        return;
    }
    if (region_at == NOT_FOUND) {
        explain_unknown(t, "region", region, catalogue_suggest_region(c, region));
        return;
    }
    int64_t day = unix_s < as_of ? unix_s : as_of;
    char text[24];
    const struct dated_price *rows;
    size_t count = price_book_rows(book, store_cell(c, type_at, region_at), &rows);
    if (count > 0 && rows[0].from_unix_s <= day) {
        text_format(t, "the %s for '%s' in '%s' on %s is known", noun, type, region,
                    civil_date_text(day, text));
        return;
    }
    text_format(t, "no %s for '%s' in '%s' %s %s", noun, type, region,
                as_of < unix_s ? "was known on" : "is known on", civil_date_text(day, text));
    if (count > 0) {
        text_format(t, "; the first is of %s", civil_date_text(rows[0].from_unix_s, text));
    }
    if (!add_regions(t, c, book, type_at, day)) {
        add_first(t, c, book, type_at);
    }
}

/* Dates of "the end of time" must not reach the calendar. */
static int64_t within_calendar(int64_t unix_s)
{
    static const int64_t last_day = INT64_C(32503593600); /* 2999-12-31 */
    return unix_s < 0 ? 0 : unix_s > last_day ? last_day : unix_s;
}

static void explain_into(const struct catalogue *c, const struct price_book *book, const char *noun,
                         const char *type, const char *region, int64_t unix_s, int64_t as_of,
                         char *out, size_t out_size)
{
    struct text t;
    text_init(&t, 4096);
    explain(c, book, noun, type, region, within_calendar(unix_s), within_calendar(as_of), &t);
    snprintf(out, out_size, "%s", t.data);
    text_release(&t);
}

void catalogue_explain_missing(const struct catalogue *c, const char *type, const char *region,
                               int64_t unix_s, int64_t as_of, char *out, size_t out_size)
{
    explain_into(c, &c->on_demand, "on-demand price", type, region, unix_s, as_of, out, out_size);
}

void catalogue_explain_missing_spot(const struct catalogue *c, const char *type, const char *region,
                                    enum spot_statistic statistic, int64_t as_of, char *out,
                                    size_t out_size)
{
    static const char *const nouns[] = {"minimum spot price", "mean spot price",
                                        "maximum spot price"};
    explain_into(c, &c->spot[statistic], nouns[statistic], type, region, as_of, as_of, out,
                 out_size);
}
