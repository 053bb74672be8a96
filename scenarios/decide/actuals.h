/* SPDX-License-Identifier: GPL-3.0-or-later
 * A real bill beside the plan, month by month: what was paid and used so far, whether it lies
 * inside the plan's P10 to P90, and what it is that differs. From tables of a result directory
 * alone. */
#ifndef FLEETCAST_SCENARIOS_ACTUALS_H
#define FLEETCAST_SCENARIOS_ACTUALS_H

#include "engine/arena.h"
#include "engine/table.h"
#include "scenarios/import/bill_export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One calendar month (UTC). */
struct actual_month {
    char name[8]; /* "2026-03" */
    int64_t start_unix_s, end_unix_s;
    double billed, effective, node_h;
    double part[BILL_PART_COUNT]; /* of the effective cost */
    size_t lines;                 /* of the bill */
};

struct actuals {
    struct actual_month *months; /* of the plan, in order */
    size_t count;
    double before, after; /* billed outside these months */
    double early, late;   /* billed in the first month before the plan starts, in the last after it
                             ends; in these months all the same */
    int64_t start_unix_s; /* of the plan */
    int64_t end_unix_s;   /* its horizon */
    int64_t last_unix_s;  /* when the last charge ends; INT64_MIN: there is none */
};

/* Months from the plan's start to its horizon. False when out of memory. */
bool actuals_begin(struct actuals *a, struct arena *arena, int64_t start_unix_s, double horizon_s);
/* For bill_export_read: adds one line, to the month in which the charge starts. */
bool actuals_add(void *actuals, const struct bill_line *l);

/* The tables of the plan that are asked. */
struct actuals_plan {
    const struct table *monthly, *categories, *timeline;
    const char *strategy, *currency;
};

/* How a month stands. */
enum actual_verdict {
    ACTUAL_INSIDE,
    ACTUAL_ABOVE,  /* P90 */
    ACTUAL_BELOW,  /* P10 */
    ACTUAL_SO_FAR, /* the bill ends within the month, and is not above it yet */
    ACTUAL_TO_COME,
    ACTUAL_UNKNOWN /* the plan does not know its P10 or P90 */
};
extern const char *const actual_verdict_names[]; /* "inside", …, NULL */

/* Columns of the table of months: basis (cash or amortised), month, plan_mean, plan_p10, plan_p90,
 * actual, difference (to the mean), difference_frac, verdict. known_until: the bill is complete up
 * to here. */
enum { ACTUALS_COLUMNS = 9, ACTUAL_PARTS_COLUMNS = 4 };
extern const struct column actuals_columns[ACTUALS_COLUMNS];
struct table *actuals_table(const struct actuals *a, const struct actuals_plan *p,
                            int64_t known_until_unix_s);
/* True when the rows of both bases say the same, as they do where nothing is committed. */
bool actuals_bases_agree(const struct table *t);

/* What differs, over the months that are complete: part, planned (mean), actual, difference, the
 * largest difference first; parts that neither has are left out. */
extern const struct column actual_parts_columns[ACTUAL_PARTS_COLUMNS];
struct table *actual_parts_table(const struct actuals *a, const struct actuals_plan *p,
                                 int64_t known_until_unix_s);

/* Hours of nodes and what one cost, planned (mean) and actual, over the months that are complete.
 * NaN where there are none. */
struct actual_hours {
    double planned_h, actual_h, planned_per_h, actual_per_h;
};
struct actual_hours actual_hours(const struct actuals *a, const struct actuals_plan *p,
                                 int64_t known_until_unix_s);

/* The first month from `from` on that is complete, for which the plan's P10 of cash is above zero,
 * and of which the bill has not one line: rather a file that is missing than a month that cost
 * nothing. SIZE_MAX: there is none. */
size_t actuals_gap(const struct actuals *a, const struct table *months, size_t from,
                   int64_t known_until_unix_s);

/* Months that end by then. */
size_t actuals_complete(const struct actuals *a, int64_t known_until_unix_s);

#endif
