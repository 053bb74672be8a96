/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/survival_curves.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <string.h>

enum { ZONE, TYPE, CURVE, NODES, HOURS, SHARE, LOW, HIGH, RUNS, COLUMNS };

static bool find_columns(int columns[COLUMNS], const struct table *t, struct diagnostics *d)
{
    static const char *const names[COLUMNS] = {"zone",     "instance_type", "curve",
                                               "nodes",    "hours",         "survival_frac",
                                               "low_frac", "high_frac",     "runs"};
    return table_columns_needed(columns, t, names, COLUMNS, d);
}

static const char *text(const struct table *t, size_t row, int column)
{
    return table_text(t, row, (size_t)column);
}

static bool same_pool(const struct table *t, const int *c, size_t a, size_t b)
{
    return strcmp(text(t, a, c[ZONE]), text(t, b, c[ZONE])) == 0 &&
           strcmp(text(t, a, c[TYPE]), text(t, b, c[TYPE])) == 0 &&
           table_number(t, a, (size_t)c[NODES]) == table_number(t, b, (size_t)c[NODES]);
}

static void add_point(struct survival_curve *curve, const struct table *t, const int *c, size_t row)
{
    size_t k = curve->count;
    double hours = table_number(t, row, (size_t)c[HOURS]);
    double share = table_number(t, row, (size_t)c[SHARE]);

    if (k == SURVIVAL_POINTS_MAX || !isfinite(hours) || !isfinite(share))
        return;
    curve->hours[k] = hours;
    curve->share[k] = share;
    curve->low[k] = table_number(t, row, (size_t)c[LOW]);
    curve->high[k] = table_number(t, row, (size_t)c[HIGH]);
    curve->runs = table_number(t, row, (size_t)c[RUNS]);
    curve->count++;
}

/* Both curves of a pool stand at the same hours, as far as they go. */
static void compare(struct survival_pair *p)
{
    size_t count = p->seen.count < p->model.count ? p->seen.count : p->model.count;

    p->apart = -1.0;
    for (size_t k = 0; k < count; k++) {
        double apart = fabs(p->seen.share[k] - p->model.share[k]);
        if (p->seen.hours[k] != p->model.hours[k] || apart <= p->apart)
            continue;
        p->apart = apart;
        p->at_hours = p->seen.hours[k];
        p->seen_share = p->seen.share[k];
        p->model_share = p->model.share[k];
    }
}

/* The pair that begins in this row; the row behind it. */
static size_t read_pair(struct survival_pair *p, const struct table *t, const int *c, size_t first)
{
    size_t row = first;

    memset(p, 0, sizeof *p);
    p->zone = text(t, first, c[ZONE]);
    p->type = text(t, first, c[TYPE]);
    p->nodes = table_number(t, first, (size_t)c[NODES]);
    for (; row < table_rows(t) && same_pool(t, c, first, row); row++) {
        const char *curve = text(t, row, c[CURVE]);
        bool model = strcmp(curve, "fitted") == 0 || strcmp(curve, "planned") == 0;
        p->fitted = p->fitted || strcmp(curve, "fitted") == 0;
        add_point(model ? &p->model : &p->seen, t, c, row);
    }
    compare(p);
    return row > first ? row : first + 1;
}

bool survival_pairs_read(struct survival_pairs *p, const struct table *t, struct diagnostics *d)
{
    int c[COLUMNS];

    p->count = p->of = 0;
    if (t == NULL || table_rows(t) == 0)
        return true;
    if (!find_columns(c, t, d))
        return false;
    for (size_t row = 0; row < table_rows(t);) {
        struct survival_pair *next =
            &p->pair[p->count < SURVIVAL_PAIRS_MAX ? p->count : SURVIVAL_PAIRS_MAX - 1];
        struct survival_pair kept = *next;
        row = read_pair(next, t, c, row);
        if (!(next->apart >= 0.0)) {
            *next = kept;
            continue;
        }
        p->of++;
        if (p->count == SURVIVAL_PAIRS_MAX)
            *next = kept;
        else
            p->count++;
    }
    return true;
}
