/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/hour_course.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <string.h>

enum { V_STRATEGY, V_WORKLOAD, V_BY, V_START, V_END, V_P10, V_P50, V_P90, V_OVERLOADED, V_COUNT };
static const char *const names[V_COUNT] = {"strategy",
                                           "workload",
                                           "by",
                                           "start_s",
                                           "end_s",
                                           "slo_attained_p10_frac",
                                           "slo_attained_p50_frac",
                                           "slo_attained_p90_frac",
                                           "overloaded_frac"};

static bool wanted(const struct table *t, size_t row, const int *c, const char *strategy,
                   const char *workload)
{
    return strcmp(table_text(t, row, (size_t)c[V_STRATEGY]), strategy) == 0 &&
           strcmp(table_text(t, row, (size_t)c[V_WORKLOAD]), workload) == 0 &&
           strcmp(table_text(t, row, (size_t)c[V_BY]), "horizon") == 0 &&
           isfinite(table_number(t, row, (size_t)c[V_START])) &&
           isfinite(table_number(t, row, (size_t)c[V_END]));
}

bool hour_course_read(struct hour_course *out, const struct table *t, const char *strategy,
                      const char *workload, struct arena *a, struct diagnostics *d)
{
    double **const arrays[] = {&out->start_s, &out->end_s, &out->p10,
                               &out->p50,     &out->p90,   &out->overloaded};
    int c[V_COUNT];
    size_t count = 0;

    *out = (struct hour_course){.count = 0};
    if (!table_columns_needed(c, t, names, V_COUNT, d))
        return false;
    for (size_t row = 0; row < table_rows(t); row++)
        count += wanted(t, row, c, strategy, workload);
    if (!table_arrays(arrays, sizeof arrays / sizeof arrays[0], count, a, d))
        return false;
    for (size_t row = 0; row < table_rows(t); row++) {
        if (!wanted(t, row, c, strategy, workload))
            continue;
        for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
            (*arrays[i])[out->count] = table_known(t, row, c[V_START + (int)i]);
        out->count++;
    }
    return true;
}

double hour_course_worst(const struct hour_course *c)
{
    double worst = (double)NAN;

    for (size_t k = 0; k < c->count; k++)
        worst = fmin(worst, c->p10[k]); /* of a number and NaN the number */
    return worst;
}
