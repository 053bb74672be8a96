/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/import/bill_export.h"

#include "engine/civil_time.h"
#include "engine/csv_reader.h"
#include "scenarios/import/bill_formats.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const bill_part_names[] = {"on-demand",
                                       "spot",
                                       "commitments-used",
                                       "commitments-unused",
                                       "storage",
                                       "transfer",
                                       "support",
                                       "tax",
                                       "credits",
                                       "other",
                                       NULL};

#define TAGS "Tags/"

/* A condition on a column, or on a tag in one. */
struct filter_column {
    int column;
    const char *tag; /* NULL: the column itself */
    const char *value;
};

struct bill_reading {
    const struct bill_format *format;
    struct csv_reader *csv;
    struct diagnostics *d;
    const char *currency;
    struct filter_column *filters;
    size_t filter_count;
    int columns[BILL_COLUMNS_MAX]; /* in the file, by column of the format; -1: not there */
};

/* ---- formats and columns ---- */

/* The format whose every needed column is there; NULL with what was missed. */
static const struct bill_format *find_format(const char *path, const struct csv_reader *csv,
                                             struct diagnostics *d)
{
    for (size_t i = 0; bill_formats[i] != NULL; i++) {
        const struct bill_format *f = bill_formats[i];
        size_t missing = 0;
        for (size_t k = 0; k < f->column_count; k++) {
            missing += f->columns[k].needed && csv_find_column(csv, f->columns[k].name) < 0;
        }
        if (missing == 0) {
            return f;
        }
    }
    diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){path, 1, 0},
                    "neither a FOCUS file nor a Cost and Usage Report; expected the columns "
                    "ChargePeriodStart, BilledCost, EffectiveCost, BillingCurrency and "
                    "ChargeCategory, or lineItem/UsageStartDate, lineItem/UnblendedCost, "
                    "lineItem/LineItemType and lineItem/CurrencyCode (or their names in CUR 2.0)");
    return NULL;
}

static bool add_filter(struct bill_reading *r, const char *path, const char *condition,
                       struct arena *a)
{
    const char *equals = strchr(condition, '=');
    struct filter_column *f = &r->filters[r->filter_count++];
    const bool of_tag = strncmp(condition, TAGS, strlen(TAGS)) == 0;
    if (equals == NULL || equals == condition) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){"--where", 0, 0},
                        "'%s'; expected COLUMN=VALUE or Tags/KEY=VALUE", condition);
        return false;
    }
    const char *name = of_tag ? "Tags" : arena_copy(a, condition, (size_t)(equals - condition));
    f->tag = of_tag ? arena_copy(a, condition + strlen(TAGS),
                                 (size_t)(equals - condition) - strlen(TAGS))
                    : NULL;
    f->value = equals + 1;
    if (name == NULL || (of_tag && f->tag == NULL)) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return false;
    }
    f->column = csv_find_column(r->csv, name);
    if (f->column < 0) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, (struct place){path, 1, 0},
                        "no column '%s', which --where %s asks for", name, condition);
        return false;
    }
    return true;
}

static bool prepare(struct bill_reading *r, const char *path, const struct bill_filter *filter,
                    struct arena *a)
{
    r->filters = arena_array(a, filter->count + 1, sizeof *r->filters);
    if (r->filters == NULL) {
        diagnostics_add(r->d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return false;
    }
    bool ok = true;
    for (size_t i = 0; i < filter->count; i++) {
        ok = add_filter(r, path, filter->conditions[i], a) && ok;
    }
    for (size_t k = 0; k < r->format->column_count; k++) {
        r->columns[k] = csv_find_column(r->csv, r->format->columns[k].name);
    }
    return ok;
}

/* ---- rows ---- */

static bool tag_is(const char *text, const char *tag, const char *value)
{
    json_t *tags = json_loads(text, 0, NULL);
    const char *found = json_string_value(json_object_get(tags, tag));
    const bool same = found != NULL && strcmp(found, value) == 0;
    json_decref(tags);
    return same;
}

static bool is_kept(const struct bill_reading *r)
{
    for (size_t i = 0; i < r->filter_count; i++) {
        const struct filter_column *f = &r->filters[i];
        const char *text = csv_raw(r->csv, f->column);
        if (f->tag != NULL ? !tag_is(text, f->tag, f->value) : strcmp(text, f->value) != 0) {
            return false;
        }
    }
    return true;
}

const char *bill_cell(const struct bill_cells *c, size_t column)
{
    const struct bill_reading *r = c->reading;
    return r->columns[column] < 0 ? "" : csv_raw(r->csv, r->columns[column]);
}

bool bill_refuse(const struct bill_cells *c, size_t column, const char *expected)
{
    const struct bill_reading *r = c->reading;
    diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(r->csv), "%s '%.60s'; expected %s",
                    r->format->columns[column].name, bill_cell(c, column), expected);
    return false;
}

bool bill_number(const struct bill_cells *c, size_t column, double *out)
{
    static const char expected[] = "a number, of at most 1e12 either way";
    const char *text = bill_cell(c, column);
    char *end;
    *out = 0;
    if (text[0] == '\0' && !c->reading->format->columns[column].needed) {
        return true; /* nothing is charged */
    }
    if (text[0] == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0') {
        return bill_refuse(c, column, expected);
    }
    *out = strtod(text, &end);
    return (*end == '\0' && *out >= -1e12 && *out <= 1e12) || bill_refuse(c, column, expected);
}

bool bill_needs(const struct bill_cells *c, size_t column, const char *kind)
{
    const struct bill_reading *r = c->reading;
    if (r->columns[column] >= 0) {
        return true;
    }
    diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(r->csv),
                    "without a column '%s' the amortised cost of a line of kind '%.60s' is not "
                    "known; export the bill with it",
                    r->format->columns[column].name, kind);
    return false;
}

bool bill_time(const struct bill_cells *c, size_t column, int64_t *unix_s)
{
    char text[24];
    const char *cell = bill_cell(c, column);
    size_t length = strlen(cell);
    /* Fractions of a second, and a space for the T, as reports have them. */
    if (length >= 19 && length < 40) {
        memcpy(text, cell, 19);
        text[10] = 'T';
        text[19] = 'Z';
        text[20] = '\0';
        const char *rest = cell + 19;
        rest += rest[0] == '.' ? 1 + strspn(rest + 1, "0123456789") : 0;
        if ((strcmp(rest, "Z") == 0 || rest[0] == '\0' || strcmp(rest, "+00:00") == 0) &&
            (cell[10] == 'T' || cell[10] == ' ') && civil_parse(text, unix_s)) {
            return true;
        }
    }
    return (length < 19 && civil_parse(cell, unix_s)) ||
           bill_refuse(c, column, "a time in UTC, such as 2026-03-02T00:00:00Z");
}

static bool check_currency(const struct bill_reading *r, const struct bill_cells *c)
{
    const char *currency = bill_cell(c, r->format->currency);
    if (strcmp(currency, r->currency) == 0) {
        return true;
    }
    diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(r->csv),
                    "the charge is in '%.20s'; expected %s, in which the plan is", currency,
                    r->currency);
    return false;
}

static bool read_row(struct bill_reading *r, struct bill_line *l)
{
    const struct bill_cells cells = {r};
    *l = (struct bill_line){.service = ""};
    if (!check_currency(r, &cells) || !r->format->read(&cells, l)) {
        return false;
    }
    if (l->end_unix_s < l->start_unix_s) {
        diagnostics_add(r->d, DIAGNOSTIC_ERROR, csv_place(r->csv),
                        "the charge ends before it starts; expected its end at its start or later");
        return false;
    }
    return true;
}

static void count_kind(struct bill_totals *t, const struct bill_line *l)
{
    t->of_plan += l->of_plan;
    if (l->unknown_type != NULL) {
        if (t->unknown++ == 0) {
            snprintf(t->unknown_type, sizeof t->unknown_type, "%s", l->unknown_type);
        }
        t->unknown_billed += l->billed;
    }
}

bool bill_export_read(const char *path, const struct bill_filter *filter, const char *currency,
                      struct arena *a, struct diagnostics *d,
                      bool (*line)(void *context, const struct bill_line *l), void *context,
                      struct bill_totals *totals)
{
    struct bill_reading r = {.d = d, .currency = currency};
    *totals = (struct bill_totals){0};
    r.csv = csv_open(path, NULL, NULL, d);
    r.format = r.csv == NULL ? NULL : find_format(path, r.csv, d);
    bool ok = r.format != NULL && prepare(&r, path, filter, a);
    int got = 0;
    while (ok && (got = csv_next(r.csv)) == 1) {
        struct bill_line l;
        totals->rows++;
        if (is_kept(&r)) {
            totals->kept++;
            ok = read_row(&r, &l) && line(context, &l);
            if (ok) {
                count_kind(totals, &l);
            }
        }
    }
    totals->format = r.format == NULL ? "" : r.format->name;
    csv_close(r.csv);
    return ok && got == 0;
}
