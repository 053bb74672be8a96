/* SPDX-License-Identifier: GPL-3.0-or-later
 * See table_filling.h. */
#include "models/catalogue/table_filling.h"

#include "engine/civil_time.h"

#include <stdlib.h>
#include <string.h>

static int compare_types(const void *left, const void *right)
{
    const struct instance_type *a = *(const struct instance_type *const *)left;
    const struct instance_type *b = *(const struct instance_type *const *)right;
    int order = strcmp(a->family, b->family);
    if (order == 0) {
        order = (a->vcpus > b->vcpus) - (a->vcpus < b->vcpus);
    }
    if (order == 0) {
        order = (a->memory_bytes > b->memory_bytes) - (a->memory_bytes < b->memory_bytes);
    }
    return order ? order : strcmp(a->name, b->name);
}

/* False when memory is out. */
static bool choose_types(struct filling *f, bool by_pattern)
{
    size_t all = catalogue_types(f->catalogue);
    f->types = malloc((all + 1) * sizeof *f->types);
    if (!f->types) {
        return false;
    }
    for (size_t i = 0; i < all; i++) {
        const struct instance_type *t = catalogue_type_at(f->catalogue, i);
        if (by_pattern ? filter_type(&f->plan, t) : filter_hardware(&f->plan, t)) {
            f->types[f->type_count++] = t;
        }
    }
    if (f->type_count > 0) {
        qsort(f->types, f->type_count, sizeof *f->types, compare_types);
    }
    return true;
}

bool filling_begin(struct filling *f, const struct catalogue *c,
                   const struct catalogue_filter *given, bool by_pattern, struct diagnostics *d)
{
    *f = (struct filling){.catalogue = c, .diagnostics = d};
    if (!filter_prepare(&f->plan, c, given, d)) {
        return false;
    }
    if (!choose_types(f, by_pattern)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return false;
    }
    if (by_pattern && f->plan.pattern && f->type_count == 0) {
        const char *meant = catalogue_suggest_type(c, f->plan.pattern);
        diagnostics_add(
            d, DIAGNOSTIC_WARNING, (struct place){0},
            "no instance type or accelerator that passes the filters matches '%s'%s%s%s",
            f->plan.pattern, meant ? "; did you mean '" : "", meant ? meant : "",
            meant ? "'?" : "");
    }
    return true;
}

struct table *filling_end(struct filling *f)
{
    free(f->types);
    return f->table;
}

bool filling_make_table(struct filling *f, const char *name, const struct column *columns,
                        size_t count)
{
    f->table = table_new(name, columns, count);
    if (!f->table) {
        diagnostics_add(f->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    }
    return f->table != NULL;
}

size_t filling_add_row(struct filling *f)
{
    size_t row = table_add_row(f->table);
    if (row == SIZE_MAX) {
        diagnostics_add(f->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        table_free(f->table);
        f->table = NULL;
    }
    return row;
}

static size_t at(const struct filling *f, const char *column)
{
    return (size_t)table_find(f->table, column);
}

void filling_text(struct filling *f, size_t row, const char *column, const char *value)
{
    table_set_text(f->table, row, at(f, column), value);
}

void filling_day(struct filling *f, size_t row, const char *column, int64_t unix_s)
{
    char text[24];
    filling_text(f, row, column, civil_date_text(unix_s, text));
}

void filling_money(struct filling *f, size_t row, const char *column, money_t value)
{
    table_set_money(f->table, row, at(f, column), value);
}

void filling_known(struct filling *f, size_t row, const char *column, double value)
{
    if (value > 0.0) {
        table_set_number(f->table, row, at(f, column), value);
    }
}

void filling_number(struct filling *f, size_t row, const char *column, double value)
{
    table_set_number(f->table, row, at(f, column), value);
}

void filling_count(struct filling *f, size_t row, const char *column, int64_t value)
{
    table_set_integer(f->table, row, at(f, column), value);
}
