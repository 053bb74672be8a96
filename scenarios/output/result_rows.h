/* SPDX-License-Identifier: GPL-3.0-or-later
 * A result table while it is filled: rows whose cells are given in the order of the layout's
 * columns. Whoever fills need not look at errors: a table that found no memory is NULL at its end.
 */
#ifndef FLEETCAST_SCENARIOS_RESULT_ROWS_H
#define FLEETCAST_SCENARIOS_RESULT_ROWS_H

#include "engine/money.h"
#include "engine/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct result_rows {
    struct table *table;
    size_t row, column; /* row SIZE_MAX: none */
    bool failed;
};

/* Begins the table of this layout; rows_end must follow. */
void rows_begin(struct result_rows *r, const char *layout, const char *currency);
/* The table, the caller's from here on; NULL when memory was out. */
struct table *rows_end(struct result_rows *r);
/* Memory was out; anything may still be called, and does nothing. */
static inline void rows_fail(struct result_rows *r)
{
    r->failed = true;
}

/* Begins a row; the one before must be complete (asserted). */
void rows_next(struct result_rows *r);
void rows_text(struct result_rows *r, const char *text);
void rows_number(struct result_rows *r, double value); /* not finite: missing */
void rows_integer(struct result_rows *r, int64_t value);
void rows_money(struct result_rows *r, money_t value);

#endif
