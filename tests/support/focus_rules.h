/* SPDX-License-Identifier: GPL-3.0-or-later
 * A FOCUS file read back and judged by the rules of the specification (1.2, column library): nulls,
 * allowed values, products of prices and quantities, and sums that are the bill's. */
#ifndef FLEETCAST_TESTS_FOCUS_RULES_H
#define FLEETCAST_TESTS_FOCUS_RULES_H

#include "engine/csv_reader.h"
#include "scenarios/output/focus_columns.h"
#include "scenarios/output/focus_export.h"

#include <stdbool.h>
#include <stddef.h>

struct focus_reading {
    char *text;
    struct diagnostics *d;
    struct csv_reader *csv;
    struct focus_export export;
    const char *names[FOCUS_COLUMN_COUNT + 1];
};

/* Exports a world; fails the test when that is not possible. */
void focus_reading_open(struct focus_reading *f, const struct study *s, size_t strategy,
                        uint32_t world);
void focus_reading_close(struct focus_reading *f);
/* Of the current row. */
const char *focus_cell(const struct focus_reading *f, enum focus_column c);
bool focus_cell_is(const struct focus_reading *f, enum focus_column c, const char *text);
money_t focus_cell_money(struct focus_reading *f, enum focus_column c);
double focus_cell_number(struct focus_reading *f, enum focus_column c);

enum { FOCUS_COMMITMENTS_MAX = 8 };

struct focus_totals {
    money_t billed, effective; /* inside the horizon */
    money_t all_billed;
    money_t purchased[FOCUS_COMMITMENTS_MAX], amortised[FOCUS_COMMITMENTS_MAX];
    money_t billed_later[FOCUS_COMMITMENTS_MAX], effective_later[FOCUS_COMMITMENTS_MAX];
    money_t existing[FOCUS_COMMITMENTS_MAX]; /* effective, of commitments from before the plan */
    money_t existing_billed[FOCUS_COMMITMENTS_MAX];
    double node_h;
    size_t rows, usage, covered, unused, purchases, spot, free, adjustments, outside;
    size_t charges, taxes, credits, discounted;
    size_t existing_used, others;
    size_t held_used, held_idle, held_covered; /* rows of capacity reserved on demand */
};

/* Judges every row and all sums of one world. */
struct focus_totals focus_check_world(const struct study *s, size_t strategy, uint32_t world);

#endif
