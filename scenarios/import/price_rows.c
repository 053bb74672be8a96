/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/import/price_rows.h"

#include "engine/text.h"
#include "scenarios/import/price_layer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REASONS_MAX = 64, REASON_BYTES = 96, ROWS_LIMIT = 1000000 };

struct skip_reason {
    char text[REASON_BYTES];
    uint64_t rows;
};

struct price_rows {
    const struct import_request *r;
    struct catalogue *catalogue;
    struct imported_price *rows;
    size_t count, capacity;
    struct skip_reason reasons[REASONS_MAX]; /* the last one: whatever found no place of its own */
    size_t reason_count;
    bool out_of_memory;
};

/* ---- life ---- */

static void refuse_name(struct diagnostics *d, const char *option, const char *name,
                        const char *meant)
{
    struct place where = {option, 0, 0};
    if (meant != NULL) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "the catalogue does not describe '%s'; did you mean '%s'?", name, meant);
    } else {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "the catalogue does not describe '%s', so that no price of it could be "
                        "used; fleetcast show %s lists what it does",
                        name, strcmp(option, "--region") == 0 ? "regions" : "instances");
    }
}

static bool check_filters(const struct import_request *r, const struct catalogue *c)
{
    bool good = true;
    if (r->region != NULL && catalogue_region(c, r->region) == NULL) {
        refuse_name(r->d, "--region", r->region, catalogue_suggest_region(c, r->region));
        good = false;
    }
    if (r->instance != NULL && catalogue_type(c, r->instance) == NULL) {
        refuse_name(r->d, "--instance", r->instance, catalogue_suggest_type(c, r->instance));
        good = false;
    }
    return good;
}

struct price_rows *price_rows_new(const struct import_request *r)
{
    struct price_rows *p = calloc(1, sizeof *p);
    if (p == NULL) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return NULL;
    }
    p->r = r;
    p->catalogue = catalogue_load(NULL, NULL, 0, r->d);
    if (p->catalogue == NULL || !check_filters(r, p->catalogue)) {
        price_rows_free(p);
        return NULL;
    }
    return p;
}

void price_rows_free(struct price_rows *p)
{
    if (p != NULL) {
        catalogue_free(p->catalogue);
        free(p->rows);
        free(p);
    }
}

void price_rows_release(void *what)
{
    price_rows_free(what);
}

const struct catalogue *price_rows_catalogue(const struct price_rows *p)
{
    return p->catalogue;
}

/* ---- what is left out ---- */

void price_rows_skip(struct price_rows *p, const char *what, const char *value)
{
    char text[REASON_BYTES];
    /* Cut, since files may hold anything; the count matters more than the end of a long name. */
    int length = snprintf(text, sizeof text, "%s%s%.40s", what, *value == '\0' ? "" : " ", value);
    size_t i = 0;
    while (i < p->reason_count && strcmp(p->reasons[i].text, text) != 0) {
        i++;
    }
    if (length < 0 || i >= REASONS_MAX - 1) {
        i = REASONS_MAX - 1;
        snprintf(text, sizeof text, "other reasons");
    }
    if (i >= p->reason_count) {
        p->reason_count = i + 1;
        memcpy(p->reasons[i].text, text, sizeof text);
    }
    p->reasons[i].rows++;
}

bool price_rows_type(struct price_rows *p, const char *name, size_t *type)
{
    const struct instance_type *found = catalogue_type(p->catalogue, name);
    if (p->r->instance != NULL && strcmp(p->r->instance, name) != 0) {
        price_rows_skip(p, "other instance types than", p->r->instance);
        return false;
    }
    if (found == NULL) {
        price_rows_skip(p, "instance types that the catalogue does not describe", "");
        return false;
    }
    *type = (size_t)(found - catalogue_type_at(p->catalogue, 0));
    return true;
}

bool price_rows_region(struct price_rows *p, const char *code, size_t *region)
{
    const struct region *found = catalogue_region(p->catalogue, code);
    if (p->r->region != NULL && strcmp(p->r->region, code) != 0) {
        price_rows_skip(p, "other regions than", p->r->region);
        return false;
    }
    if (found == NULL) {
        price_rows_skip(p, "regions that the catalogue does not describe", "");
        return false;
    }
    *region = (size_t)(found - catalogue_region_at(p->catalogue, 0));
    return true;
}

bool price_rows_money(const char *text, money_t *out)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789.eE+-")] != '\0') {
        return false;
    }
    char *end;
    double price = strtod(text, &end);
    money_t nano;
    if (*end != '\0' || !(price >= 0.0 && price <= 1e6) || !money_from_double(price, &nano)) {
        return false;
    }
    *out = nano;
    return true;
}

bool price_rows_day(struct price_rows *p, const char *file, int64_t *day)
{
    if (p->r->date_unix_s == INT64_MAX) {
        diagnostics_add(p->r->d, DIAGNOSTIC_ERROR, (struct place){file, 0, 0},
                        "the file does not say of which day its prices are; expected --date with "
                        "the day on which it was made");
        return false;
    }
    *day = p->r->date_unix_s;
    return true;
}

const char *price_rows_source(struct price_rows *p, const char *file, const char *own)
{
    if (p->r->source != NULL) {
        return p->r->source;
    }
    const char *slash = strrchr(file, '/');
    const char *name = own != NULL ? own : slash != NULL ? slash + 1 : file;
    const char *copy = arena_string(p->r->arena, name);
    p->out_of_memory |= copy == NULL;
    return copy;
}

/* ---- rows ---- */

bool price_rows_add(struct price_rows *p, const struct imported_price *row)
{
    if (p->count == p->capacity) {
        size_t capacity = p->capacity * 2 + 1024;
        struct imported_price *rows = realloc(p->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            p->out_of_memory = true;
            return false;
        }
        p->rows = rows;
        p->capacity = capacity;
    }
    p->rows[p->count++] = *row;
    return true;
}

size_t price_rows_count(const struct price_rows *p)
{
    return p->count;
}

struct imported_price *price_rows_at(struct price_rows *p, size_t index)
{
    return &p->rows[index];
}

void price_rows_truncate(struct price_rows *p, size_t count)
{
    assert(count <= p->count);
    p->count = count;
}

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* What makes a row the same row: all but its price and where it was. */
static int compare_keys(const struct imported_price *a, const struct imported_price *b)
{
    const int64_t differences[][2] = {{(int64_t)a->region, (int64_t)b->region},
                                      {(int64_t)a->type, (int64_t)b->type},
                                      {a->kind, b->kind},
                                      {a->offer, b->offer},
                                      {a->term, b->term},
                                      {a->payment, b->payment},
                                      {a->statistic, b->statistic},
                                      {a->day, b->day}};
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        int found = order(differences[i][0], differences[i][1]);
        if (found != 0) {
            return found;
        }
    }
    return 0;
}

static int compare_rows(const void *left, const void *right)
{
    const struct imported_price *a = left, *b = right;
    int found = compare_keys(a, b);
    return found != 0 ? found : order(a->line, b->line);
}

static const char *noun_of(const struct imported_price *row, char out[80])
{
    static const char *const nouns[] = {[PRICE_ROW_ON_DEMAND] = "on-demand price",
                                        [PRICE_ROW_SPOT] = "spot price",
                                        [PRICE_ROW_ADVISOR] = "advisor bucket"};
    if (row->kind != PRICE_ROW_OFFER) {
        return nouns[row->kind];
    }
    snprintf(out, 80, "%dy %s %s offer", row->term == 0 ? 1 : 3, offer_kind_names[row->offer],
             payment_option_names[row->payment]);
    return out;
}

static const char *price_text(const struct imported_price *row, char out[32])
{
    if (row->kind == PRICE_ROW_ADVISOR) {
        return advisor_bucket_names[row->bucket];
    }
    return row->per_hour == RESERVED_NONE ? "none" : money_text(row->per_hour, out);
}

static void tell_contradiction(struct price_rows *p, const struct imported_price *first,
                               const struct imported_price *second)
{
    char noun[80], here[32], there[32];
    diagnostics_add(p->r->d, DIAGNOSTIC_ERROR, (struct place){second->file, second->line, 0},
                    "the %s of '%s' in '%s' is %s here, and %s on line %d%s%s; expected it once",
                    noun_of(second, noun), catalogue_type_at(p->catalogue, second->type)->name,
                    catalogue_region_at(p->catalogue, second->region)->code,
                    price_text(second, here), price_text(first, there), first->line,
                    strcmp(first->file, second->file) == 0 ? "" : " of ",
                    strcmp(first->file, second->file) == 0 ? "" : first->file);
}

/* Sorted rows to different ones; false when two contradict each other. */
static bool drop_repeats(struct price_rows *p)
{
    size_t kept = 0;
    bool good = true;
    for (size_t i = 0; i < p->count; i++) {
        const struct imported_price *row = &p->rows[i];
        if (kept > 0 && compare_keys(&p->rows[kept - 1], row) == 0) {
            const struct imported_price *before = &p->rows[kept - 1];
            if (before->per_hour != row->per_hour || before->bucket != row->bucket) {
                tell_contradiction(p, before, row);
                good = false;
            }
            price_rows_skip(p, "repeated", "");
            continue;
        }
        p->rows[kept++] = *row;
    }
    p->count = kept;
    return good;
}

/* ---- what was kept and what was not ---- */

/* 1,234,567 */
static const char *grouped(uint64_t n, char out[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    char *to = out;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *to++ = ',';
        }
        *to++ = digits[i];
    }
    *to = '\0';
    return out;
}

static size_t different(const struct price_rows *p, bool types)
{
    size_t most = types ? catalogue_types(p->catalogue) : catalogue_regions(p->catalogue);
    size_t count = 0;
    for (size_t k = 0; k < most; k++) {
        size_t i = 0;
        while (i < p->count && (types ? p->rows[i].type : p->rows[i].region) != k) {
            i++;
        }
        count += i < p->count;
    }
    return count;
}

static int compare_reasons(const void *left, const void *right)
{
    const struct skip_reason *a = left, *b = right;
    return a->rows != b->rows ? (a->rows < b->rows ? 1 : -1) : strcmp(a->text, b->text);
}

static void say(struct price_rows *p)
{
    struct text *said = p->r->said;
    char number[32];
    size_t types = different(p, true), regions = different(p, false);
    text_format(said, "kept %s row%s: %zu instance type%s in %zu region%s\n",
                grouped(p->count, number), text_plural((double)p->count), types,
                text_plural((double)types), regions, text_plural((double)regions));
    qsort(p->reasons, p->reason_count, sizeof p->reasons[0], compare_reasons);
    for (size_t i = 0; i < p->reason_count; i++) {
        const struct skip_reason *reason = &p->reasons[i];
        if (reason->rows > 0) {
            text_format(said, "skipped %s row%s: ", grouped(reason->rows, number),
                        text_plural((double)reason->rows));
            text_add_visible(said, reason->text, REASON_BYTES);
            text_add(said, "\n");
        }
    }
}

bool price_rows_finish(struct price_rows *p)
{
    struct diagnostics *d = p->r->d;
    struct place where = {p->r->files[0], 0, 0};
    if (p->out_of_memory) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, where, "out of memory");
        return false;
    }
    if (p->count > 0) {
        qsort(p->rows, p->count, sizeof *p->rows, compare_rows);
    }
    bool good = drop_repeats(p);
    say(p);
    if (good && p->count == 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "no row of the file can be used; the rows that were skipped say why");
        good = false;
    }
    if (p->count > ROWS_LIMIT) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "more than a million rows; expected fewer, as by --region or --instance");
        good = false;
    }
    return good;
}

bool price_rows_write(const void *what, FILE *out)
{
    const struct price_rows *p = what;
    return price_layer_write(p->rows, p->count, p->catalogue, out);
}

void *price_rows_import(const struct import_request *r,
                        bool (*read_file)(struct price_rows *p, const struct import_request *r,
                                          const char *path))
{
    struct price_rows *p = price_rows_new(r);
    bool ok = p != NULL;
    for (size_t i = 0; ok && i < r->file_count; i++) {
        ok = read_file(p, r, r->files[i]);
    }
    if (p != NULL && (ok || p->out_of_memory)) {
        ok = price_rows_finish(p);
    }
    if (ok) {
        return p;
    }
    price_rows_free(p);
    return NULL;
}
