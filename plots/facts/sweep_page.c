/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/sweep_page.h"

#include "plots/facts/table_columns.h"
#include "plots/text/figures.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_UNFINISHED 0.01

enum { STRATEGY, WORKLOAD, METRIC, MEAN, P10, P50, P90, LOW, HIGH, COLUMNS };

/* Columns of the table; the paths stand between the first and `strategy`. */
struct sweep_columns {
    const struct table *t;
    int of[COLUMNS];
};

static bool find_columns(struct sweep_columns *c, struct diagnostics *d)
{
    static const char *const names[COLUMNS] = {"strategy", "workload", "metric",  "mean",    "p10",
                                               "p50",      "p90",      "p50_low", "p50_high"};
    return table_columns_needed(c->of, c->t, names, COLUMNS, d);
}

/* ---- the values ---- */

static bool add_value(struct sweep_path *p, const char *value)
{
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->values[i], value) == 0)
            return true;
    }
    if (p->count == SWEEP_VALUES_MAX)
        return false;
    p->values[p->count++] = value;
    return true;
}

/* Numbers of one unit, ascending, lie where they are. */
static void place_values(struct sweep_path *p)
{
    p->numeric = p->count > 1;
    p->unit = "";
    for (size_t i = 0; i < p->count; i++) {
        char *end;
        double at = strtod(p->values[i], &end);
        while (*end == ' ')
            end++;
        p->unit = i == 0 ? end : p->unit;
        p->numeric = p->numeric && end != p->values[i] && isfinite(at) &&
                     strcmp(end, p->unit) == 0 && (i == 0 || at > p->at[i - 1]);
        p->at[i] = at;
    }
    for (size_t i = 0; i < p->count && !p->numeric; i++)
        p->at[i] = (double)i;
}

static bool read_paths(struct sweep_page *p, const struct table *t, size_t strategy)
{
    p->paths = strategy - 1;
    if (p->paths < 1 || p->paths > SWEEP_PATHS_MAX)
        return false;
    for (size_t k = 0; k < p->paths; k++) {
        p->path[k].path = table_column(t, 1 + k)->name;
        for (size_t row = 0; row < table_rows(t); row++) {
            if (!add_value(&p->path[k], table_text(t, row, 1 + k)))
                return false;
        }
        place_values(&p->path[k]);
    }
    p->points = p->path[0].count * (p->paths > 1 ? p->path[1].count : 1);
    return true;
}

/* ---- the costs ---- */

/* Place among those shown; -1: there is no room. */
static int series_of(struct sweep_page *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->strategies[i], name) == 0)
            return (int)i;
    }
    if (p->count == SWEEP_SERIES_MAX)
        return -1;
    p->strategies[p->count] = name;
    return (int)p->count++;
}

static void read_costs(struct sweep_page *p, const struct sweep_columns *c, const char *cost)
{
    for (size_t row = 0; row < table_rows(c->t); row++) {
        double number = table_number(c->t, row, 0);
        size_t point = number >= 0.0 ? (size_t)number : p->points;
        const char *metric = table_text(c->t, row, (size_t)c->of[METRIC]);
        bool is_cost = strcmp(metric, cost) == 0, is_end = strcmp(metric, "finished") == 0;
        if ((!is_cost && !is_end) || point >= p->points ||
            strcmp(table_text(c->t, row, (size_t)c->of[WORKLOAD]), "all") != 0)
            continue;
        int series = series_of(p, table_text(c->t, row, (size_t)c->of[STRATEGY]));
        if (series < 0) {
            p->all += is_cost && point == 0;
            continue;
        }
        struct sweep_cost *one = &p->cost[point * SWEEP_SERIES_MAX + (size_t)series];
        if (is_end) {
            one->stands = table_number(c->t, row, (size_t)c->of[MEAN]) >= 1.0 - MOST_UNFINISHED;
            continue;
        }
        one->p10 = table_number(c->t, row, (size_t)c->of[P10]);
        one->p50 = table_number(c->t, row, (size_t)c->of[P50]);
        one->p90 = table_number(c->t, row, (size_t)c->of[P90]);
        one->low = table_number(c->t, row, (size_t)c->of[LOW]);
        one->high = table_number(c->t, row, (size_t)c->of[HIGH]);
    }
    p->all += p->count;
}

static void find_leader(struct sweep_page *p, size_t point)
{
    int best = -1;
    for (size_t k = 0; k < p->count; k++) {
        const struct sweep_cost *one = sweep_cost_at(p, point, k);
        if (one->stands && isfinite(one->p50) &&
            (best < 0 || one->p50 < sweep_cost_at(p, point, (size_t)best)->p50))
            best = (int)k;
    }
    p->leader[point] = best;
    p->clear[point] = best >= 0;
    for (size_t k = 0; k < p->count && best >= 0; k++) {
        const struct sweep_cost *one = sweep_cost_at(p, point, k);
        if ((int)k != best && one->stands && isfinite(one->p50) &&
            !(one->low > sweep_cost_at(p, point, (size_t)best)->high))
            p->clear[point] = false;
    }
}

bool sweep_page_read(struct sweep_page *p, const struct table *t, const char *cost_metric,
                     struct arena *a, struct diagnostics *d)
{
    struct sweep_columns c = {.t = t};
    *p = (struct sweep_page){0};
    if (t == NULL || table_rows(t) == 0 || !find_columns(&c, d) ||
        !read_paths(p, t, (size_t)c.of[STRATEGY]))
        return false;
    p->cost = arena_array(a, p->points * SWEEP_SERIES_MAX, sizeof *p->cost);
    p->leader = arena_array(a, p->points, sizeof *p->leader);
    p->clear = arena_array(a, p->points, sizeof *p->clear);
    if (p->cost == NULL || p->leader == NULL || p->clear == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return false;
    }
    for (size_t i = 0; i < p->points * SWEEP_SERIES_MAX; i++) {
        const double none = (double)NAN;
        p->cost[i] = (struct sweep_cost){none, none, none, none, none, true};
    }
    read_costs(p, &c, cost_metric);
    for (size_t i = 0; i < p->points; i++)
        find_leader(p, i);
    return p->count > 0;
}

/* ---- the title ---- */

static void add_name(struct text *out, const char *name)
{
    struct text clean;

    text_init(&clean, 4096);
    label_clean(&clean, name);
    label_shorten(out, clean.data, 20.0, true);
    text_release(&clean);
}

/* The last part that says what it is: "spot.nodes" of "strategies.spot.nodes". */
static void add_path(struct text *out, const char *path)
{
    const char *dot = strchr(path, '.');

    add_name(out, dot != NULL && strchr(dot + 1, '.') != NULL ? dot + 1 : path);
}

/* Points at which each leads clearly, and how many there are. */
static size_t count_clear(const struct sweep_page *p, size_t by[SWEEP_SERIES_MAX])
{
    size_t all = 0;

    memset(by, 0, SWEEP_SERIES_MAX * sizeof by[0]);
    for (size_t i = 0; i < p->points; i++) {
        if (p->clear[i]) {
            by[p->leader[i]]++;
            all++;
        }
    }
    return all;
}

static size_t most_often(const size_t by[SWEEP_SERIES_MAX], size_t but)
{
    size_t best = but == 0 ? 1 : 0;

    for (size_t k = 0; k < SWEEP_SERIES_MAX; k++)
        best = k != but && by[k] > by[best] ? k : best;
    return best;
}

static void one_strategy(struct text *out, const struct sweep_page *p, const char *currency)
{
    const struct sweep_path *x = &p->path[0];
    const struct sweep_cost *first = sweep_cost_at(p, 0, 0),
                            *last = sweep_cost_at(p, p->points - 1, 0);

    text_add(out, "Cost of ");
    add_name(out, p->strategies[0]);
    if (p->paths > 1 || !isfinite(first->p50) || !isfinite(last->p50))
        return;
    text_format(out, ": P50 %s at ", figure_money(first->p50, currency, FIGURE_NEAREST).text);
    add_path(out, x->path);
    text_add(out, " = ");
    add_name(out, x->values[0]);
    text_format(out, ", %s at ", figure_money(last->p50, currency, FIGURE_NEAREST).text);
    add_name(out, x->values[x->count - 1]);
}

/* One path: X up to a point, Y from the next on, clear everywhere. */
static bool one_change(struct text *out, const struct sweep_page *p)
{
    size_t at = 0, changes = 0;

    for (size_t i = 0; i < p->points; i++) {
        if (!p->clear[i])
            return false;
        if (i > 0 && p->leader[i] != p->leader[i - 1]) {
            at = i;
            changes++;
        }
    }
    if (p->paths != 1 || changes != 1)
        return false;
    add_name(out, p->strategies[p->leader[0]]);
    text_add(out, " has the lowest P50 cost up to ");
    add_path(out, p->path[0].path);
    text_add(out, " = ");
    add_name(out, p->path[0].values[at - 1]);
    text_add(out, ", ");
    add_name(out, p->strategies[p->leader[at]]);
    text_add(out, " from ");
    add_name(out, p->path[0].values[at]);
    text_add(out, " on");
    return true;
}

static void tell_leaders(struct text *out, const struct sweep_page *p, const size_t *by,
                         size_t clear)
{
    size_t first = most_often(by, SIZE_MAX), second = most_often(by, first);

    if (one_change(out, p))
        return;
    add_name(out, p->strategies[first]);
    if (by[first] == p->points) {
        text_format(out, " has the lowest P50 cost at all %zu points", p->points);
        return;
    }
    text_format(out, " has the lowest P50 cost at %zu of %zu points", by[first], p->points);
    if (by[first] == clear) {
        text_add(out, ", with no clear difference at the others");
        return;
    }
    text_add(out, ", ");
    add_name(out, p->strategies[second]);
    text_format(out, " at %zu", by[second]);
    if (clear < p->points)
        text_format(out, "; no clear difference at %zu", p->points - clear);
}

/* Whether some strategy could not lead somewhere, though its cost may be lower. */
static bool some_do_not_stand(const struct sweep_page *p)
{
    for (size_t i = 0; i < p->points; i++) {
        for (size_t k = 0; k < p->count; k++) {
            if (!sweep_cost_at(p, i, k)->stands)
                return true;
        }
    }
    return false;
}

void title_sweep(struct text *out, const struct sweep_page *p, const char *currency)
{
    size_t by[SWEEP_SERIES_MAX], clear = count_clear(p, by);

    if (p->all == 1) {
        one_strategy(out, p, currency);
        return;
    }
    if (clear == 0) {
        text_format(out, "No clear difference in P50 cost at any of %zu points", p->points);
    } else {
        tell_leaders(out, p, by, clear);
    }
    if (some_do_not_stand(p))
        text_add(out, ", of those known to finish");
}
