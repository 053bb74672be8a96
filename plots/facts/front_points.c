/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/front_points.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct front_columns {
    size_t plan, status, parameters, meets_limits, cost, cost_low, cost_high, time, time_low,
        time_high, cost_of, time_of, worlds;
};

static bool find(const struct table *t, const char *name, size_t *column, struct diagnostics *d)
{
    const int found = table_column_needed(t, name, d);

    *column = found < 0 ? 0 : (size_t)found;
    return found >= 0;
}

/* "plan_cost_" with the ending of "cost_usd" */
static const char *in_currency(char out[64], const char *stem, const char *cost_metric)
{
    const char *ending = strrchr(cost_metric, '_');

    snprintf(out, 64, "%s%s", stem, ending == NULL ? "" : ending + 1);
    return out;
}

static double or_open(double value, double open)
{
    return isnan(value) ? open : value;
}

static bool read_front(struct front_points *p, const struct table *t, const char *cost_metric,
                       struct arena *a, struct diagnostics *d)
{
    struct front_columns c;
    char name[64];

    if (!find(t, "plan", &c.plan, d) || !find(t, "status", &c.status, d) ||
        !find(t, "parameters", &c.parameters, d) || !find(t, "meets_limits", &c.meets_limits, d) ||
        !find(t, "cost", &c.cost_of, d) || !find(t, "time", &c.time_of, d) ||
        !find(t, in_currency(name, "plan_cost_", cost_metric), &c.cost, d) ||
        !find(t, in_currency(name, "cost_low_", cost_metric), &c.cost_low, d) ||
        !find(t, in_currency(name, "cost_high_", cost_metric), &c.cost_high, d) ||
        !find(t, "time_to_train_h", &c.time, d) || !find(t, "time_low_h", &c.time_low, d) ||
        !find(t, "time_high_h", &c.time_high, d))
        return false;
    const int judged = table_find(t, "worlds");
    p->front = arena_array(a, table_rows(t) + 1, sizeof *p->front);
    p->fresh = judged < 0;
    for (size_t i = 0; p->front != NULL && i < table_rows(t); i++) {
        p->front[p->front_count++] = (struct front_member){
            .plan = table_text(t, i, c.plan),
            .parameters = table_text(t, i, c.parameters),
            .chosen = strcmp(table_text(t, i, c.status), "chosen") == 0,
            .meets_limits = strcmp(table_text(t, i, c.meets_limits), "yes") == 0,
            .cost = table_number(t, i, c.cost),
            .cost_low = or_open(table_number(t, i, c.cost_low), -HUGE_VAL),
            .cost_high = or_open(table_number(t, i, c.cost_high), HUGE_VAL),
            .time_h = table_number(t, i, c.time),
            .time_low_h = or_open(table_number(t, i, c.time_low), -HUGE_VAL),
            .time_high_h = or_open(table_number(t, i, c.time_high), HUGE_VAL)};
        p->fresh = p->fresh || table_number(t, i, (size_t)judged) > 0;
        p->cost_of = table_text(t, i, c.cost_of);
        p->time_of = table_text(t, i, c.time_of);
    }
    return p->front != NULL;
}

static bool read_dots(struct front_points *p, const struct table *t, const char *cost_metric,
                      struct arena *a, struct diagnostics *d)
{
    struct front_columns c;
    char name[64];

    if (!find(t, "plan", &c.plan, d) || !find(t, "status", &c.status, d) ||
        !find(t, "worlds", &c.worlds, d) ||
        !find(t, in_currency(name, "plan_cost_", cost_metric), &c.cost, d) ||
        !find(t, "time_to_train_h", &c.time, d))
        return false;
    p->dots = arena_array(a, table_rows(t) + 1, sizeof *p->dots);
    for (size_t i = 0; p->dots != NULL && i < table_rows(t); i++) {
        struct front_dot *dot = &p->dots[p->dot_count];
        *dot = (struct front_dot){.cost = table_number(t, i, c.cost),
                                  .time_h = table_number(t, i, c.time),
                                  .chosen = strcmp(table_text(t, i, c.status), "chosen") == 0,
                                  .plan = table_text(t, i, c.plan)};
        p->simulated += table_number(t, i, c.worlds) > 0;
        if (isnan(dot->cost) || isnan(dot->time_h))
            continue;
        if (dot->chosen)
            p->chosen = dot;
        p->dot_count++;
    }
    return p->dots != NULL;
}

bool front_points_read(struct front_points *p, const struct table *candidates,
                       const struct table *front, const char *cost_metric, struct arena *a,
                       struct diagnostics *d)
{
    *p = (struct front_points){.cost_of = "", .time_of = ""};
    if (read_front(p, front, cost_metric, a, d) && read_dots(p, candidates, cost_metric, a, d))
        return true;
    if (!diagnostics_failed(d))
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}
