/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/reasons_table.h"

#include "engine/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum reason_column { R_STRATEGY, R_WORKLOAD, R_PART, R_QUANTITY, R_VALUE, R_UNIT, R_NOTE };
static const struct column columns[] = {
    {"strategy", "", "name of the strategy", COLUMN_TEXT, 0},
    {"workload", "", "name of the workload", COLUMN_TEXT, 0},
    {"part", "", "what the figure belongs to, such as speed or GPU memory", COLUMN_TEXT, 0},
    {"quantity", "", "what it is", COLUMN_TEXT, 0},
    {"value", "", "the figure, as planning sees it; empty where the note says it", COLUMN_NUMBER,
     -1},
    {"unit", "", "unit of the figure", COLUMN_TEXT, 0},
    {"note", "", "what else there is to say", COLUMN_TEXT, 0},
};

struct reason_rows {
    struct table *table;
    const char *strategy, *workload;
};

static void add_row(void *context, const struct work_reason *reason)
{
    const struct reason_rows *to = context;
    size_t row = table_add_row(to->table);
    if (row == SIZE_MAX) {
        return;
    }
    table_set_text(to->table, row, R_STRATEGY, to->strategy);
    table_set_text(to->table, row, R_WORKLOAD, to->workload);
    table_set_text(to->table, row, R_PART, reason->part);
    table_set_text(to->table, row, R_QUANTITY, reason->quantity);
    table_set_number(to->table, row, R_VALUE, reason->value);
    table_set_text(to->table, row, R_UNIT, reason->unit);
    table_set_text(to->table, row, R_NOTE, reason->note);
}

struct table *reasons_table(const struct study *s)
{
    struct reason_rows to = {.table =
                                 table_new("reasons", columns, sizeof columns / sizeof columns[0])};
    for (size_t k = 0; to.table != NULL && k < s->strategy_count; k++) {
        for (size_t w = 0; w < s->workload_count; w++) {
            const struct work_plan *plan = s->strategies[k].plans[w];
            to.strategy = study_strategy_name(s, k);
            to.workload = study_workload_name(s, w);
            if (plan->kind->reasons != NULL) {
                plan->kind->reasons(plan, add_row, &to);
            }
        }
    }
    if (to.table != NULL && table_incomplete(to.table)) {
        table_free(to.table);
        return NULL;
    }
    return to.table;
}

/* ---- for people ---- */

/* Where the quantity and the unit begin; the figure ends before the unit. */
enum { TERM = 12, QUANTITY = 20, VALUE = 9 };

struct reason_text {
    struct text *out;
    const char *part; /* of the row before */
};

/* Three digits, or all that stand before the point; whole numbers as they are. */
static void add_figure(struct text *t, double value)
{
    const bool whole = fabs(value) < floor(fabs(value)) + 1e-9;
    int decimals = whole || fabs(value) >= 100 ? 0 : fabs(value) >= 10 ? 1 : 2;
    if (fabs(value) >= 1 && fabs(value) < 1e7) {
        text_format(t, "%*.*f", VALUE, decimals, value);
    } else {
        text_format(t, "%*.3g", VALUE, value);
    }
}

static void add_line(void *context, const struct work_reason *reason)
{
    struct reason_text *to = context;
    bool begins = to->part == NULL || strcmp(to->part, reason->part) != 0;
    to->part = reason->part;
    text_format(to->out, "  %-*s%-*s", TERM, begins ? reason->part : "", QUANTITY,
                reason->quantity);
    if (!isnan(reason->value)) {
        add_figure(to->out, reason->value);
        text_format(to->out, " %s", reason->unit);
    }
    if (reason->note != NULL) {
        text_format(to->out, "%s%s", isnan(reason->value) ? " " : "  ", reason->note);
    }
    text_add(to->out, "\n");
}

static void render(const struct study *s, size_t strategy, size_t workload, struct text *out)
{
    const struct work_plan *plan = s->strategies[strategy].plans[workload];
    struct reason_text to = {.out = out};
    if (plan->kind->reasons != NULL) {
        plan->kind->reasons(plan, add_line, &to);
    }
}

void reasons_print(const struct study *s, size_t strategy, size_t workload)
{
    struct text own, other;
    text_init(&own, 0);
    text_init(&other, 0);
    render(s, strategy, workload, &own);
    bool same = false;
    for (size_t k = 0; k < strategy && own.length > 0 && !same; k++) {
        text_clear(&other);
        render(s, k, workload, &other);
        same = strcmp(own.data, other.data) == 0;
        if (same) {
            printf("  %-*sas under ", TERM, "figures");
            text_clear(&other);
            text_add_visible(&other, study_strategy_name(s, k), 200);
            puts(other.data);
        }
    }
    fputs(same ? "" : own.data, stdout);
    text_release(&other);
    text_release(&own);
}
