/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/plan_lanes.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <string.h>

enum { STRATEGY, WORKLOAD, REPLICATION, START, END, WHAT, PURCHASE, LEFT_OUT, COLUMNS };

static bool find_columns(int columns[COLUMNS], const struct table *t, struct diagnostics *d)
{
    static const char *const names[COLUMNS] = {"strategy", "workload", "replication", "start_s",
                                               "end_s",    "what",     "purchase",    "left_out"};
    return table_columns_needed(columns, t, names, COLUMNS, d);
}

static const char *text(const struct table *t, size_t row, int column)
{
    return table_text(t, row, (size_t)column);
}

/* The index-th workload among the rows of a strategy, in the order of their first; NULL: none. */
static const char *workload_at(const struct table *t, const int *c, const char *strategy,
                               size_t index)
{
    const char *last = NULL;

    for (size_t row = 0; row < table_rows(t); row++) { /* rows of one workload stand together */
        const char *name = text(t, row, c[WORKLOAD]);
        if (strcmp(text(t, row, c[STRATEGY]), strategy) != 0 ||
            (last != NULL && strcmp(last, name) == 0))
            continue;
        if (index-- == 0)
            return name;
        last = name;
    }
    return NULL;
}

static enum lane_kind kind_of(const char *what, const char *purchase)
{
    if (strcmp(what, "idle") == 0)
        return LANE_IDLE;
    if (strcmp(what, "work") != 0)
        return LANE_OVERHEAD;
    return strcmp(purchase, "spot") == 0        ? LANE_SPOT
           : strcmp(purchase, "on-demand") == 0 ? LANE_ON_DEMAND
                                                : LANE_HELD;
}

/* Neighbours of one kind are one piece. */
static void add_stretch(struct plan_lane *lane, double start_s, double end_s, enum lane_kind kind,
                        size_t *last)
{
    if (*last < lane->count && lane->pieces[*last].kind == kind &&
        lane->pieces[*last].end_s == start_s) {
        lane->pieces[*last].end_s = end_s;
        return;
    }
    *last = lane->count;
    lane->pieces[lane->count++] = (struct lane_piece){start_s, end_s, kind};
}

static void add_row(struct plan_lane *lane, const struct table *t, const int *c, size_t row,
                    size_t *last)
{
    const char *what = text(t, row, c[WHAT]);
    double start_s = table_number(t, row, (size_t)c[START]);
    double end_s = table_number(t, row, (size_t)c[END]);

    if (!isfinite(start_s) || !isfinite(end_s))
        return;
    lane->end_s = fmax(lane->end_s, end_s);
    lane->left_out = table_number(t, row, (size_t)c[LEFT_OUT]);
    lane->replication = table_number(t, row, (size_t)c[REPLICATION]);
    if (strcmp(what, "done") == 0) {
        lane->done = true;
    } else if (strcmp(what, "checkpoint-written") == 0) {
        lane->pieces[lane->count++] = (struct lane_piece){start_s, start_s, LANE_WRITTEN};
    } else if (strcmp(what, "interrupted") == 0 || strcmp(what, "failed") == 0) {
        lane->pieces[lane->count++] = (struct lane_piece){start_s, start_s, LANE_LOSS};
        lane->losses++;
        lane->failures += strcmp(what, "failed") == 0;
    } else if (strcmp(what, "cut") != 0) {
        add_stretch(lane, start_s, end_s, kind_of(what, text(t, row, c[PURCHASE])), last);
    }
}

bool plan_lane_read(struct plan_lane *lane, const struct table *t, const char *strategy,
                    size_t index, struct arena *a, struct diagnostics *d)
{
    size_t rows = 0, last = SIZE_MAX;
    int c[COLUMNS];

    *lane = (struct plan_lane){0};
    if (t == NULL)
        return true;
    if (!find_columns(c, t, d))
        return false;
    lane->workload = workload_at(t, c, strategy, index);
    if (lane->workload == NULL)
        return true;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t row = 0; row < table_rows(t); row++) {
            if (strcmp(text(t, row, c[STRATEGY]), strategy) != 0 ||
                strcmp(text(t, row, c[WORKLOAD]), lane->workload) != 0)
                continue;
            rows++;
            if (pass == 1)
                add_row(lane, t, c, row, &last);
        }
        if (pass == 0)
            lane->pieces = arena_array(a, rows + 1, sizeof *lane->pieces);
        if (lane->pieces == NULL) {
            diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for charts");
            return false;
        }
    }
    return true;
}
