/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/time_course.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <string.h>

enum {
    T_STRATEGY,
    T_MEASURE,
    T_START,
    T_LENGTH,
    T_PLAN,
    T_P10,
    T_P25,
    T_P50,
    T_P75,
    T_P90,
    T_COUNT
};
static const char *const names[T_COUNT] = {
    "strategy", "measure", "bucket_start_s", "bucket_s", "plan", "p10", "p25", "p50", "p75", "p90"};

static bool wanted(const struct table *t, size_t row, const int *c, const char *strategy,
                   const char *measure)
{
    return strcmp(table_text(t, row, (size_t)c[T_MEASURE]), measure) == 0 &&
           strcmp(table_text(t, row, (size_t)c[T_STRATEGY]), strategy) == 0 &&
           isfinite(table_number(t, row, (size_t)c[T_START])) &&
           isfinite(table_number(t, row, (size_t)c[T_LENGTH]));
}

bool time_course_read(struct time_course *out, const struct table *t, const char *strategy,
                      const char *measure, struct arena *a, struct diagnostics *d)
{
    double **const arrays[] = {&out->start_s, &out->end_s, &out->plan, &out->p10,
                               &out->p25,     &out->p50,   &out->p75,  &out->p90};
    int c[T_COUNT];
    size_t count = 0;

    *out = (struct time_course){0};
    if (!table_columns_needed(c, t, names, T_COUNT, d))
        return false;
    for (size_t row = 0; row < table_rows(t); row++)
        count += wanted(t, row, c, strategy, measure);
    if (!table_arrays(arrays, sizeof arrays / sizeof arrays[0], count, a, d))
        return false;
    for (size_t row = 0; row < table_rows(t); row++) {
        size_t k = out->count;
        if (!wanted(t, row, c, strategy, measure))
            continue;
        out->start_s[k] = table_known(t, row, c[T_START]);
        out->end_s[k] = out->start_s[k] + table_known(t, row, c[T_LENGTH]);
        out->plan[k] = table_known(t, row, c[T_PLAN]);
        out->p10[k] = table_known(t, row, c[T_P10]);
        out->p25[k] = table_known(t, row, c[T_P25]);
        out->p50[k] = table_known(t, row, c[T_P50]);
        out->p75[k] = table_known(t, row, c[T_P75]);
        out->p90[k] = table_known(t, row, c[T_P90]);
        out->count++;
    }
    return true;
}
