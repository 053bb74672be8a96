/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/spot_paths.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REPLICATION, ZONE, TYPE, NODES, START, END, CAPACITY, PRICE, COLUMNS };

static bool find_columns(int columns[COLUMNS], const struct table *t, const char *cost_metric,
                         struct diagnostics *d)
{
    static const char *const names[COLUMNS] = {"replication", "zone",  "instance_type",  "nodes",
                                               "start_s",     "end_s", "capacity_nodes", "price"};
    const char *suffix = strrchr(cost_metric, '_');
    char name[64];

    for (int i = 0; i < COLUMNS; i++) {
        snprintf(name, sizeof name, "%s%.24s", names[i],
                 i == PRICE && suffix != NULL ? suffix : "");
        columns[i] = table_column_needed(t, name, d);
        if (columns[i] < 0)
            return false;
    }
    return true;
}

static double number(const struct table *t, size_t row, int column)
{
    return table_number(t, row, (size_t)column);
}

static bool same_pool(const struct table *t, const int *c, size_t a, size_t b)
{
    return strcmp(table_text(t, a, (size_t)c[ZONE]), table_text(t, b, (size_t)c[ZONE])) == 0 &&
           strcmp(table_text(t, a, (size_t)c[TYPE]), table_text(t, b, (size_t)c[TYPE])) == 0;
}

/* Rows from first on that are of its pool and world. */
static size_t rows_of(const struct table *t, const int *c, size_t first)
{
    size_t row = first;

    while (row < table_rows(t) && same_pool(t, c, first, row) &&
           number(t, row, c[REPLICATION]) == number(t, first, c[REPLICATION]))
        row++;
    return row - first;
}

static void sum_up(struct spot_path *p, const struct spot_step *before, const struct spot_step *now)
{
    p->low = fmin(p->low, now->price);
    p->high = fmax(p->high, now->price);
    p->losses += before != NULL && before->capacity >= p->nodes && now->capacity < p->nodes;
    p->seen_s += now->end_s - now->start_s;
    p->room_s += now->capacity >= p->nodes ? now->end_s - now->start_s : 0.0;
}

static bool read_path(struct spot_path *p, const struct table *t, const int *c, size_t first,
                      size_t rows, struct arena *a)
{
    *p = (struct spot_path){.zone = table_text(t, first, (size_t)c[ZONE]),
                            .type = table_text(t, first, (size_t)c[TYPE]),
                            .nodes = number(t, first, c[NODES]),
                            .steps = arena_array(a, rows + 1, sizeof *p->steps),
                            .low = INFINITY,
                            .high = -INFINITY};
    for (size_t i = 0; p->steps != NULL && i < rows; i++) {
        struct spot_step *s = &p->steps[p->count];
        *s = (struct spot_step){number(t, first + i, c[START]), number(t, first + i, c[END]),
                                number(t, first + i, c[PRICE]), number(t, first + i, c[CAPACITY])};
        if (!isfinite(s->start_s) || !isfinite(s->end_s) || !isfinite(s->price) ||
            !isfinite(s->capacity))
            continue;
        sum_up(p, p->count > 0 ? s - 1 : NULL, s);
        p->count++;
    }
    return p->steps != NULL;
}

bool spot_paths_read(struct spot_paths *p, const struct table *t, double replication,
                     const char *cost_metric, struct arena *a, struct diagnostics *d)
{
    int c[COLUMNS];

    *p = (struct spot_paths){0};
    if (t == NULL || table_rows(t) == 0)
        return true;
    if (!find_columns(c, t, cost_metric, d))
        return false;
    if (!isfinite(replication))
        replication = number(t, 0, c[REPLICATION]);
    for (size_t row = 0, rows; row < table_rows(t); row += rows) {
        rows = rows_of(t, c, row);
        if (number(t, row, c[REPLICATION]) != replication) {
            rows = rows > 0 ? rows : 1; /* an empty cell equals nothing */
            continue;
        }
        p->of++;
        if (p->count == SPOT_PATHS_MAX)
            continue;
        if (!read_path(&p->path[p->count], t, c, row, rows, a)) {
            diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for charts");
            return false;
        }
        if (p->path[p->count].count > 0) {
            const struct spot_path *last = &p->path[p->count++];
            p->end_s = fmax(p->end_s, last->steps[last->count - 1].end_s);
        }
    }
    return true;
}
