/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/offer_curves.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OFFER, NAME, UNIT, SIZE, MEAN, REGRET, REGRET_LOW, REGRET_HIGH, OBLIGATION, COLUMNS };
static const char *const names[COLUMNS] = {
    "offer", "is", "unit", "size", "mean", "regret", "regret_low", "regret_high", "obligation"};

static bool find(const struct table *t, size_t index[COLUMNS], struct diagnostics *d)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        const int found = table_column_needed(t, names[i], d);
        if (found < 0)
            return false;
        index[i] = (size_t)found;
    }
    return true;
}

static struct offer_point read_point(const struct table *t, const size_t index[COLUMNS], size_t row)
{
    return (struct offer_point){.size = table_number(t, row, index[SIZE]),
                                .obligation = table_number(t, row, index[OBLIGATION]),
                                .mean = table_number(t, row, index[MEAN]),
                                .regret = table_number(t, row, index[REGRET]),
                                .regret_low = table_number(t, row, index[REGRET_LOW]),
                                .regret_high = table_number(t, row, index[REGRET_HIGH])};
}

/* The rows first..end of one offer; false when they are no curve. */
static bool read_curve(struct offer_curve *c, const struct table *t, const size_t index[COLUMNS],
                       size_t first, size_t end)
{
    *c = (struct offer_curve){.name = table_text(t, first, index[NAME]),
                              .hourly = strcmp(table_text(t, first, index[UNIT]), "instances") != 0,
                              .point = c->point};
    for (size_t row = first; row < end; row++) {
        const struct offer_point p = read_point(t, index, row);
        if (!isfinite(p.mean) || !isfinite(p.size) || !isfinite(p.obligation))
            return false;
        c->point[c->count] = p;
        if (p.mean < c->point[c->least].mean)
            c->least = c->count;
        c->count++;
    }
    return c->count > 1;
}

/* Stable, by the least mean. */
static void insert(struct offer_curves *c, struct offer_curve added)
{
    size_t k = c->count++;

    while (k > 0 &&
           added.point[added.least].mean < c->offer[k - 1].point[c->offer[k - 1].least].mean) {
        c->offer[k] = c->offer[k - 1];
        k--;
    }
    c->offer[k] = added;
}

bool offer_curves_read(struct offer_curves *c, const struct table *t, struct arena *a,
                       struct diagnostics *d)
{
    const size_t rows = table_rows(t);
    struct offer_point *points = arena_array(a, rows + 1, sizeof *points);
    size_t index[COLUMNS];

    *c = (struct offer_curves){.offer = arena_array(a, rows + 1, sizeof *c->offer)};
    if (points == NULL || c->offer == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for charts");
        return false;
    }
    if (!find(t, index, d))
        return false;
    for (size_t first = 0, end; first < rows; first = end) {
        struct offer_curve curve = {.point = points + first};
        const double offer = table_number(t, first, index[OFFER]);
        for (end = first + 1; end < rows && table_number(t, end, index[OFFER]) == offer;)
            end++;
        if (read_curve(&curve, t, index, first, end))
            insert(c, curve);
    }
    return true;
}

struct figure offer_size(const struct offer_curve *c, const struct offer_point *p,
                         const char *currency)
{
    struct figure f;

    if (!c->hourly)
        return figure_count(p->size);
    snprintf(f.text, sizeof f.text, "%.40s/h",
             figure_money(p->size, currency, FIGURE_NEAREST).text);
    return f;
}
