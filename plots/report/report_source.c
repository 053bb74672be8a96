/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double report_cell_number(const struct table *t, size_t row, const char *column)
{
    int k = t == NULL ? -1 : table_find(t, column);
    double x = k < 0 ? (double)NAN : table_number(t, row, (size_t)k);

    return isfinite(x) ? x : (double)NAN;
}

const char *report_cell_text(const struct table *t, size_t row, const char *column)
{
    int k = t == NULL ? -1 : table_find(t, column);

    return k < 0 || table_column(t, (size_t)k)->kind != COLUMN_TEXT ? ""
                                                                    : table_text(t, row, (size_t)k);
}

const char *report_money_column(const struct chart_frame *frame, const char *name, char out[64])
{
    const char *suffix = strrchr(frame->cost_metric, '_');

    snprintf(out, 64, "%.40s%.20s", name, suffix == NULL ? "" : suffix);
    return out;
}

int report_strategy(const struct study_facts *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->strategy[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

static double with_ending(const struct table *t, size_t row, const char *quantile,
                          const char *ending)
{
    char column[32];

    snprintf(column, sizeof column, "%.8s%.16s", quantile, ending);
    return report_cell_number(t, row, column);
}

struct fact_quantile report_quantile_of(const struct report_source *s, int strategy,
                                        const char *metric, const char *quantile)
{
    const struct table *t = s->charts.summary;
    const char *name = s->facts->strategy[strategy].name;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        if (strcmp(report_cell_text(t, row, "metric"), metric) == 0 &&
            strcmp(report_cell_text(t, row, "workload"), "all") == 0 &&
            strcmp(report_cell_text(t, row, "strategy"), name) == 0)
            return (struct fact_quantile){
                report_cell_number(t, row, quantile), with_ending(t, row, quantile, "_at_least"),
                with_ending(t, row, quantile, "_at_most"), with_ending(t, row, quantile, "_low"),
                with_ending(t, row, quantile, "_high")};
    }
    return (struct fact_quantile){NAN, NAN, NAN, NAN, NAN};
}

bool report_p95_unbounded(const struct fact_metric *m)
{
    return !facts_certain(m) && pow(0.95, m->n) > 0.025;
}
