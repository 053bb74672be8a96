/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/trace_summary.h"

#include "models/market/trace.h"
#include "models/market/trace_statistics.h"

#include <math.h>

#define DAY_S  86400.0
#define HOUR_S 3600.0

static const struct column columns[] = {
    {"zone", "", "zone of the pool", COLUMN_TEXT, 0},
    {"instance_type", "", "instance type of the pool", COLUMN_TEXT, 0},
    {"statistic", "", "what is told", COLUMN_TEXT, 0},
    {"value", "", "its value, in the unit beside it", COLUMN_NUMBER, -1},
    {"unit", "", "unit of the value", COLUMN_TEXT, 0},
};

struct summary_rows {
    struct table *table;
    const struct trace *trace;
};

static void put(const struct summary_rows *w, const char *statistic, double value, const char *unit)
{
    size_t row = table_add_row(w->table);
    if (row == SIZE_MAX || !isfinite(value)) {
        return;
    }
    table_set_text(w->table, row, 0, w->trace->zone);
    table_set_text(w->table, row, 1, w->trace->instance_type);
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

static bool put_trace(const struct summary_rows *w)
{
    struct trace_statistics s;
    if (!trace_statistics(w->trace, &s)) {
        return false;
    }
    put(w, "observed", s.observed_s / DAY_S, "d");
    put(w, "not observed between", s.hole_s / DAY_S, "d");
    put(w, "probed every", w->trace->tick_s, "s");
    if (s.has_nodes) {
        put_nodes(w, &s);
    }
    if (s.has_price) {
        put_prices(w, &s);
    }
    return true;
}

struct table *trace_summary(const char *path, struct diagnostics *d)
{
    struct trace_set set;
    struct arena *arena = arena_new(0);
    struct table *t = NULL;
    bool read = arena != NULL && trace_read(&set, arena, path, NULL, d);
    if (read) {
        t = table_new("trace", columns, sizeof columns / sizeof columns[0]);
    }
    bool ok = t != NULL;
    for (size_t i = 0; ok && i < set.count; i++) {
        ok = put_trace(&(struct summary_rows){t, &set.items[i]});
    }
    if ((arena == NULL || read) && !ok) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){path, 0, 0}, "out of memory");
        table_free(t);
        t = NULL;
    }
    arena_free(arena);
    return t;
}
