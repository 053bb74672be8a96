/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/report_tables.h"

#include "scenarios/study/metrics.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool report_name(const char *name, const char *currency, const char *report, char out[64])
{
    char of[16], in[16];
    metric_unit(METRIC_COST, currency, of);
    metric_unit(METRIC_COST, report, in);
    size_t length = strlen(name), suffix = strlen(of);
    if (length <= suffix || length >= 64 - sizeof in || name[length - suffix - 1] != '_' ||
        strcmp(name + length - suffix, of) != 0) {
        return false;
    }
    snprintf(out, 64, "%.*s%s", (int)(length - suffix), name, in);
    return true;
}

/* Whether the column is all money; its twin's name. */
static bool has_twin(const struct column *c, const char *currency, const char *report,
                     char name[64])
{
    char of[16];
    metric_unit(METRIC_COST, currency, of);
    return strcmp(c->unit, of) == 0 && report_name(c->name, currency, report, name);
}

static bool make_twin(struct column *t, struct arena *a, const struct column *c, const char *name,
                      const char *report)
{
    char in[16];
    *t = (struct column){
        .name = arena_string(a, name),
        .unit = arena_string(a, metric_unit(METRIC_COST, report, in)),
        .meaning = arena_format(a, "`%s` in %s", c->name, report),
        .kind = COLUMN_NUMBER,
        .decimals = c->decimals,
    };
    return t->name != NULL && t->unit != NULL && t->meaning != NULL;
}

bool report_layout(struct result_table_layout *l, const char *currency, const char *report,
                   struct arena *a)
{
    if (report == NULL) {
        return true;
    }
    struct column *all = arena_array(a, 2 * l->count, sizeof *all);
    if (all == NULL) {
        return false;
    }
    size_t count = l->count;
    memcpy(all, l->columns, l->count * sizeof *all);
    for (size_t i = 0; i < l->count; i++) {
        char name[64];
        if (has_twin(&l->columns[i], currency, report, name) &&
            !make_twin(&all[count++], a, &l->columns[i], name, report)) {
            return false;
        }
    }
    l->columns = all;
    l->count = count;
    return true;
}

static void copy_cell(struct table *to, size_t to_row, const struct table *from, size_t row,
                      size_t column)
{
    switch (table_column(from, column)->kind) {
    case COLUMN_TEXT:
        table_set_text(to, to_row, column, table_text(from, row, column));
        break;
    case COLUMN_NUMBER:
        table_set_number(to, to_row, column, table_number(from, row, column));
        break;
    case COLUMN_MONEY:
        table_set_money(to, to_row, column, table_integer(from, row, column));
        break;
    case COLUMN_INTEGER:
    case COLUMN_TIME:
        table_set_integer(to, to_row, column, table_integer(from, row, column));
        break;
    }
}

static size_t copy_row(struct table *to, const struct table *from, size_t row)
{
    size_t added = table_add_row(to);
    for (size_t c = 0; added != SIZE_MAX && c < table_columns(from); c++) {
        copy_cell(to, added, from, row, c);
    }
    return added;
}

/* The values of the appended columns, which stand in the order of those they are of. */
static void fill_columns(struct table *t, size_t row, const struct table *from,
                         const char *currency, const struct report_currency *r)
{
    size_t at = table_columns(from);
    for (size_t c = 0; c < table_columns(from); c++) {
        char name[64];
        if (has_twin(table_column(from, c), currency, r->code, name)) {
            table_set_number(t, row, at++, r->rate * table_number(from, row, c));
        }
    }
}

/* Rows whose metric is money once more, in the report's currency. */
static void append_rows(struct table *t, const char *currency, const struct report_currency *r)
{
    char in[16], name[64];
    int metric = table_find(t, "metric"), unit = table_find(t, "unit");
    metric = metric >= 0 ? metric : table_find(t, "measure");
    unit = unit >= 0 ? unit : table_find(t, "metric_unit");
    metric_unit(METRIC_COST, r->code, in);
    for (size_t row = 0, rows = table_rows(t); metric >= 0 && row < rows; row++) {
        const char *of = table_text(t, row, (size_t)metric);
        size_t added = report_name(of, currency, r->code, name) ? copy_row(t, t, row) : SIZE_MAX;
        if (added == SIZE_MAX) {
            continue; /* no money, or memory is out, which the table knows */
        }
        table_set_text(t, added, (size_t)metric, name);
        if (unit >= 0) {
            table_set_text(t, added, (size_t)unit, in);
        }
        for (size_t c = 0; c < table_columns(t); c++) {
            if (strcmp(table_column(t, c)->unit, "unit") == 0) {
                table_set_number(t, added, c, r->rate * table_number(t, row, c));
            }
        }
    }
}

static struct table *with_report(const struct table *t, const char *currency,
                                 const struct report_currency *r, struct arena *a)
{
    struct result_table_layout l = {.name = table_name(t), .count = table_columns(t)};
    l.columns = arena_array(a, l.count, sizeof *l.columns);
    for (size_t c = 0; l.columns != NULL && c < l.count; c++) {
        l.columns[c] = *table_column(t, c);
    }
    struct table *out = NULL;
    if (l.columns != NULL && report_layout(&l, currency, r->code, a)) {
        out = table_new(l.name, l.columns, l.count);
    }
    for (size_t row = 0; out != NULL && row < table_rows(t); row++) {
        size_t added = copy_row(out, t, row);
        if (added != SIZE_MAX) {
            fill_columns(out, added, t, currency, r);
        }
    }
    if (out != NULL) {
        append_rows(out, currency, r);
    }
    return out;
}

struct table *report_table(struct table *t, const char *currency, const struct report_currency *r)
{
    if (t == NULL || !r->given) {
        return t;
    }
    struct arena *a = arena_new(0);
    struct table *out = a == NULL ? NULL : with_report(t, currency, r, a);
    arena_free(a);
    table_free(t);
    if (out != NULL && table_incomplete(out)) {
        table_free(out);
        out = NULL;
    }
    return out;
}
