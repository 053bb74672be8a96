/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/trace_summary.h"

#include "engine/csv_reader.h"
#include "models/market/lifetimes.h"
#include "models/market/trace.h"
#include "models/market/trace_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAY_S  86400.0
#define HOUR_S 3600.0

static const struct column columns[] = {
    {"zone", "", "zone of the pool", COLUMN_TEXT, 0},
    {"instance_type", "", "instance type of the pool", COLUMN_TEXT, 0},
    {"statistic", "", "what is told", COLUMN_TEXT, 0},
    {"value", "", "its value, in the unit beside it", COLUMN_NUMBER, -2},
    {"unit", "", "unit of the value", COLUMN_TEXT, 0},
};

struct summary_rows {
    struct table *table;
    const char *zone, *type;
};

static void put(const struct summary_rows *w, const char *statistic, double value, const char *unit)
{
    size_t row = isfinite(value) ? table_add_row(w->table) : SIZE_MAX;
    if (row == SIZE_MAX) {
        return; /* a full table is told when it is written */
    }
    table_set_text(w->table, row, 0, w->zone);
    table_set_text(w->table, row, 1, w->type);
    table_set_text(w->table, row, 2, statistic);
    table_set_number(w->table, row, 3, value);
    table_set_text(w->table, row, 4, unit);
}

static void put_level(const struct summary_rows *w, const struct level_statistics *l, bool full)
{
    const char *const names[][2] = {
        {"availability, at least one node", "availability, all nodes"},
        {"runs up, at least one node", "runs up, all nodes"},
        {"mean up, at least one node", "mean up, all nodes"},
        {"median up, at least one node", "median up, all nodes"},
        {"longest up, at least one node", "longest up, all nodes"},
        {"runs down, at least one node", "runs down, all nodes"},
        {"mean down, at least one node", "mean down, all nodes"},
        {"median down, at least one node", "median down, all nodes"},
        {"longest down, at least one node", "longest down, all nodes"},
        {"interruptions, at least one node", "interruptions, all nodes"},
    };
    const struct {
        double value;
        const char *unit;
    } values[] = {
        {l->availability, "frac"},         {(double)l->up.count, ""},
        {l->up.mean_s / HOUR_S, "h"},      {l->up.median_s / HOUR_S, "h"},
        {l->up.longest_s / HOUR_S, "h"},   {(double)l->down.count, ""},
        {l->down.mean_s / HOUR_S, "h"},    {l->down.median_s / HOUR_S, "h"},
        {l->down.longest_s / HOUR_S, "h"}, {l->interruptions_per_day, "per day"},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        put(w, names[i][full], values[i].value, values[i].unit);
    }
}

static void put_nodes(const struct summary_rows *w, const struct trace_statistics *s)
{
    put(w, "mean nodes", s->mean_nodes, "");
    put(w, "fewest nodes", (double)s->fewest_nodes, "");
    put(w, "most nodes", (double)s->most_nodes, "");
    put_level(w, &s->any, false);
    if (s->most_nodes > 1) {
        put_level(w, &s->full, true);
    }
    put(w, "nodes lost", (double)s->nodes_lost, "");
    put(w, "nodes gained", (double)s->nodes_gained, "");
    put(w, "node losses", s->node_losses_per_day, "per day");
}

static void put_prices(const struct summary_rows *w, const struct trace_statistics *s)
{
    put(w, "mean price", s->mean_price, "per hour");
    put(w, "lowest price", money_to_double(s->least_price), "per hour");
    put(w, "highest price", money_to_double(s->most_price), "per hour");
    put(w, "first price", money_to_double(s->first_price), "per hour");
    put(w, "last price", money_to_double(s->last_price), "per hour");
    put(w, "price changes", (double)s->price_changes, "");
    put(w, "price changes a day", s->price_changes_per_day, "per day");
    put(w, "mean price while up", s->mean_price_while_up, "per hour");
    put(w, "cost of a node billed throughout", s->price_integral, "currency units");
}

static bool put_trace(struct table *table, const struct trace *t)
{
    const struct summary_rows w = {table, t->zone, t->instance_type};
    struct trace_statistics s;
    if (!trace_statistics(t, &s)) {
        return false;
    }
    put(&w, "observed", s.observed_s / DAY_S, "d");
    put(&w, "not observed between", s.hole_s / DAY_S, "d");
    put(&w, "probed every", t->tick_s, "s");
    if (s.has_nodes) {
        put_nodes(&w, &s);
    }
    if (s.has_price) {
        put_prices(&w, &s);
    }
    return true;
}

static bool put_traces(struct table *table, struct arena *arena, const char *path,
                       struct diagnostics *d)
{
    struct trace_set set;
    bool ok = trace_read(&set, arena, path, NULL, d);
    for (size_t i = 0; ok && i < set.count; i++) {
        ok = put_trace(table, &set.items[i]);
    }
    return ok;
}

/* ---- lifetimes ---- */

/* Of one pool's lives; sorts them. */
static void put_lives(const struct summary_rows *w, struct lifetime *lives, size_t count)
{
    static const struct {
        double at_h;
        const char *name;
    } ages[] = {{1, "alive after 1 h"},   {3, "alive after 3 h"},   {6, "alive after 6 h"},
                {12, "alive after 12 h"}, {20, "alive after 20 h"}, {24, "alive after 24 h"}};
    size_t ended = 0;
    double sum_s = 0;
    lifetimes_sort(lives, count);
    for (size_t i = 0; i < count; i++) {
        ended += lives[i].ended_by_cloud;
        sum_s += lives[i].duration_s;
    }
    put(w, "lifetimes", (double)count, "");
    put(w, "ended by the cloud", (double)ended, "");
    put(w, "cut short otherwise", (double)(count - ended), "");
    put(w, "mean observed", sum_s / (double)count / HOUR_S, "h");
    put(w, "median observed",
        (lives[(count - 1) / 2].duration_s + lives[count / 2].duration_s) / 2 / HOUR_S, "h");
    put(w, "shortest observed", lives[0].duration_s / HOUR_S, "h");
    put(w, "longest observed", lives[count - 1].duration_s / HOUR_S, "h");
    for (size_t i = 0; i < sizeof ages / sizeof ages[0]; i++) {
        put(w, ages[i].name, lifetimes_survival(lives, count, ages[i].at_h * HOUR_S), "frac");
    }
    put(w, "median until the cloud ends it", lifetimes_median_s(lives, count) / HOUR_S, "h");
}

static int by_pool(const void *a, const void *b)
{
    const struct lifetime *x = a, *y = b;
    int zones = strcmp(x->zone, y->zone);
    return zones != 0 ? zones : strcmp(x->instance_type, y->instance_type);
}

static bool put_lifetimes(struct table *table, const char *path, struct diagnostics *d)
{
    struct lifetime_list list;
    bool ok = lifetimes_init(&list) && lifetimes_read(&list, path, d);
    if (ok) {
        qsort(list.items, list.count, sizeof *list.items, by_pool);
    }
    for (size_t i = 0, end; ok && i < list.count; i = end) {
        struct lifetime *first = &list.items[i];
        for (end = i; end < list.count && by_pool(first, &list.items[end]) == 0; end++) {
        }
        put_lives(&(struct summary_rows){table, first->zone, first->instance_type}, first, end - i);
    }
    lifetimes_release(&list);
    return ok;
}

/* Which table it is, by its header; false when it cannot be read, told in d. */
static bool is_of_lifetimes(const char *path, struct diagnostics *d, bool *lifetimes)
{
    struct csv_reader *csv = csv_open(path, NULL, NULL, d);
    *lifetimes = csv != NULL && csv_find_column(csv, "duration_s") >= 0;
    csv_close(csv);
    return csv != NULL;
}

struct table *trace_summary(const char *path, struct diagnostics *d)
{
    bool lifetimes;
    if (!is_of_lifetimes(path, d, &lifetimes)) {
        return NULL;
    }
    struct arena *arena = arena_new(0);
    struct table *t = table_new("trace", columns, sizeof columns / sizeof columns[0]);
    bool ok = arena != NULL && t != NULL &&
              (lifetimes ? put_lifetimes(t, path, d) : put_traces(t, arena, path, d));
    if (!ok) {
        if (!diagnostics_failed(d)) {
            diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){path, 0, 0}, "out of memory");
        }
        table_free(t);
        t = NULL;
    }
    arena_free(arena);
    return t;
}
