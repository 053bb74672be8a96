/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/result_rows.h"

#include "engine/arena.h"
#include "scenarios/output/result_layouts.h"

#include <assert.h>

void rows_begin(struct result_rows *r, const char *layout, const char *currency)
{
    struct arena *a = arena_new(0);
    struct result_table_layout l;
    *r = (struct result_rows){.row = SIZE_MAX};
    if (a != NULL && result_table_layout(layout, currency, a, &l)) {
        r->table = table_new(l.name, l.columns, l.count);
    }
    r->failed = r->table == NULL;
    arena_free(a);
}

static bool is_complete(const struct result_rows *r)
{
    return r->failed || r->row == SIZE_MAX || r->column == table_columns(r->table);
}

struct table *rows_end(struct result_rows *r)
{
    assert(is_complete(r));
    if (r->failed || table_incomplete(r->table)) {
        table_free(r->table);
        r->table = NULL;
    }
    return r->table;
}

void rows_next(struct result_rows *r)
{
    assert(is_complete(r));
    r->row = r->failed ? SIZE_MAX : table_add_row(r->table);
    r->column = 0;
    r->failed = r->row == SIZE_MAX;
}

void rows_text(struct result_rows *r, const char *text)
{
    if (!r->failed) {
        table_set_text(r->table, r->row, r->column++, text);
    }
}

void rows_number(struct result_rows *r, double value)
{
    if (!r->failed) {
        table_set_number(r->table, r->row, r->column++, value);
    }
}

void rows_integer(struct result_rows *r, int64_t value)
{
    if (!r->failed) {
        table_set_integer(r->table, r->row, r->column++, value);
    }
}

void rows_money(struct result_rows *r, money_t value)
{
    if (!r->failed) {
        table_set_money(r->table, r->row, r->column++, value);
    }
}
