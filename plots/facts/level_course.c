/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/level_course.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum level_column {
    LEVEL,
    INSTANCES,
    HOURLY,
    MEAN,
    P10,
    P90,
    UNUSED,
    OVER,
    OVER_LOW,
    OVER_HIGH,
    N,
    CENSORED,
    COLUMNS
};

/* With _CUR for the currency of the cost metric. */
static const struct {
    const char *name;
    bool money;
} wanted[COLUMNS] = {
    {"level_frac", false},
    {"instances", false},
    {"hourly", true},
    {"cost_mean", true},
    {"cost_p10", true},
    {"cost_p90", true},
    {"unused_mean_frac", false},
    {"over_signed_mean", true},
    {"over_signed_low", true},
    {"over_signed_high", true},
    {"n", false},
    {"censored", false},
};

static bool find_columns(const struct table *t, const char *cost_metric, int at[COLUMNS],
                         struct diagnostics *d)
{
    const char *suffix = strrchr(cost_metric, '_');

    for (int i = 0; i < COLUMNS; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.32s%.24s", wanted[i].name,
                 wanted[i].money && suffix != NULL ? suffix : "");
        at[i] = table_column_needed(t, name, d);
        if (at[i] < 0)
            return false;
    }
    return true;
}

static void add_point(struct level_course *c, const struct table *t, size_t row,
                      const int at[COLUMNS])
{
    double cell[COLUMNS];
    struct level_point *p;

    if (c->count == LEVEL_POINTS_MAX)
        return;
    for (int i = 0; i < COLUMNS; i++)
        cell[i] = table_number(t, row, (size_t)at[i]);
    p = &c->point[c->count];
    *p = (struct level_point){cell[LEVEL],    cell[INSTANCES], cell[HOURLY], cell[MEAN],
                              cell[P10],      cell[P90],       cell[UNUSED], cell[OVER],
                              cell[OVER_LOW], cell[OVER_HIGH], cell[N],      cell[CENSORED]};
    c->known = c->known && isfinite(p->mean);
    if (p->level == 1.0)
        c->as_signed = c->count;
    if (p->mean < c->point[c->least].mean)
        c->least = c->count;
    c->count++;
}

bool level_course_read(struct level_course *out, const struct table *t, const char *strategy,
                       const char *cost_metric, struct diagnostics *d)
{
    int at[COLUMNS], name = table_find(t, "strategy");

    *out = (struct level_course){.known = true};
    if (!find_columns(t, cost_metric, at, d))
        return false;
    for (size_t row = 0; name >= 0 && row < table_rows(t); row++) {
        if (strcmp(table_text(t, row, (size_t)name), strategy) == 0)
            add_point(out, t, row, at);
    }
    return true;
}

enum level_scale level_course_scale(const struct level_course *c)
{
    bool instances = false, hourly = false;

    for (size_t i = 0; i < c->count; i++) {
        instances = instances || isfinite(c->point[i].instances);
        hourly = hourly || isfinite(c->point[i].hourly);
    }
    return instances && hourly ? LEVEL_PERCENT : hourly ? LEVEL_HOURLY : LEVEL_INSTANCES;
}

double level_course_at(const struct level_point *p, enum level_scale scale)
{
    return scale == LEVEL_INSTANCES ? p->instances
           : scale == LEVEL_HOURLY  ? p->hourly
                                    : 100.0 * p->level;
}

struct figure level_course_words(const struct level_point *p, enum level_scale scale,
                                 const char *currency)
{
    struct figure f = {"nothing"};

    if (!(p->level > 0.0))
        return f;
    if (scale == LEVEL_INSTANCES)
        snprintf(f.text, sizeof f.text, "%.30s instance%s", figure_count(p->instances).text,
                 p->instances == 1.0 ? "" : "s");
    else if (scale == LEVEL_HOURLY)
        snprintf(f.text, sizeof f.text, "%.30s/h",
                 figure_money(p->hourly, currency, FIGURE_NEAREST).text);
    else
        snprintf(f.text, sizeof f.text, "%.4g %% of it", 100.0 * p->level);
    return f;
}
