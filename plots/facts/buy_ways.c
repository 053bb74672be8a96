/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/buy_ways.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum way_column {
    TYPE,
    WAY,
    TERM,
    PAYMENT,
    BASIS,
    FIXED,
    SIGNED,
    PRICE,
    ABOVE,
    ABOVE_SPOT,
    COLUMNS
};

struct ways_source {
    const struct table *table;
    int at[COLUMNS];
};

static bool open_source(struct ways_source *s, const struct table *t, const char *cost_metric,
                        struct diagnostics *d)
{
    static const char *const names[COLUMNS] = {
        "instance_type", "way",    "term_years", "payment",         "basis",
        "fixed",         "signed", "per_hour",   "break_even_frac", "break_even_spot_frac"};
    const char *suffix = strrchr(cost_metric, '_');

    s->table = t;
    for (int i = 0; i < COLUMNS; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.32s%.24s", names[i],
                 i == PRICE && suffix != NULL ? suffix : "");
        s->at[i] = table_column_needed(t, name, d);
        if (s->at[i] < 0)
            return false;
    }
    return true;
}

static const char *text_of(const struct ways_source *s, size_t row, enum way_column c)
{
    const char *text = table_text(s->table, row, (size_t)s->at[c]);

    return text == NULL ? "" : text;
}

static double number_of(const struct ways_source *s, size_t row, enum way_column c)
{
    return table_number(s->table, row, (size_t)s->at[c]);
}

static bool is_fixed(const struct ways_source *s, size_t row)
{
    return number_of(s, row, FIXED) > 0.0;
}

/* "no-upfront" as "no upfront" */
static void put_words(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text);
    for (char *c = out; *c != '\0'; c++)
        *c = *c == '-' ? ' ' : *c;
}

static const char *kind_words(const char *kind)
{
    static const struct {
        const char *kind, *words;
    } known[] = {{"standard", "standard RI"},
                 {"convertible", "convertible RI"},
                 {"ec2-instance-savings-plan", "instance SP"},
                 {"compute-savings-plan", "compute SP"},
                 {"capacity-block", "Capacity Block"}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(kind, known[i].kind) == 0)
            return known[i].words;
    }
    return kind;
}

static struct buy_way way_of(const struct ways_source *s, size_t row)
{
    struct buy_way w = {.per_hour = number_of(s, row, PRICE),
                        .above = number_of(s, row, ABOVE),
                        .above_spot = number_of(s, row, ABOVE_SPOT),
                        .is_signed = number_of(s, row, SIGNED) > 0.0,
                        .assumed = strcmp(text_of(s, row, BASIS), "assumed") == 0,
                        .kind = text_of(s, row, WAY),
                        .term = number_of(s, row, TERM)};
    char payment[24];

    put_words(payment, sizeof payment, text_of(s, row, PAYMENT));
    if (isfinite(w.term))
        snprintf(w.name, sizeof w.name, "%.0f-year %.24s, %s%s", w.term, kind_words(w.kind),
                 payment, w.assumed ? " (assumed)" : "");
    else
        snprintf(w.name, sizeof w.name, "%.40s", kind_words(w.kind));
    return w;
}

/* Signed ones before others, then the cheaper. */
static int by_rank(const void *a, const void *b)
{
    const struct buy_way *x = a, *y = b;

    if (x->is_signed != y->is_signed)
        return x->is_signed ? -1 : 1;
    return (x->per_hour > y->per_hour) - (x->per_hour < y->per_hour);
}

static int by_price(const void *a, const void *b)
{
    const struct buy_way *x = a, *y = b;

    return (x->per_hour > y->per_hour) - (x->per_hour < y->per_hour);
}

/* Whether one of the kind and term is there already. */
static bool has_like(const struct buy_ways *w, const struct buy_way *way)
{
    for (size_t i = 0; i < w->count; i++) {
        bool same_term =
            w->way[i].term == way->term || (!isfinite(w->way[i].term) && !isfinite(way->term));
        if (same_term && strcmp(w->way[i].kind, way->kind) == 0)
            return true;
    }
    return false;
}

static bool choose(struct buy_ways *out, const struct ways_source *s)
{
    size_t rows = table_rows(s->table), count = 0;
    struct buy_way *all = calloc(rows + 1, sizeof *all);

    if (all == NULL)
        return false;
    for (size_t row = 0; row < rows; row++) {
        if (is_fixed(s, row) && strcmp(text_of(s, row, TYPE), out->type) == 0)
            all[count++] = way_of(s, row);
    }
    qsort(all, count, sizeof *all, by_rank);
    for (size_t i = 0; i < count; i++) {
        if (out->count < BUY_WAYS_MAX && (all[i].is_signed || !has_like(out, &all[i])))
            out->way[out->count++] = all[i];
        else
            out->left_out++;
    }
    free(all);
    qsort(out->way, out->count, sizeof out->way[0], by_price);
    return true;
}

bool buy_ways_read(struct buy_ways *out, const struct table *t, const char *cost_metric,
                   struct diagnostics *d)
{
    struct ways_source s;

    *out = (struct buy_ways){.on_demand = (double)NAN, .spot = (double)NAN};
    if (!open_source(&s, t, cost_metric, d))
        return false;
    for (size_t row = 0; out->type[0] == '\0' && row < table_rows(t); row++) {
        if (number_of(&s, row, SIGNED) > 0.0)
            snprintf(out->type, sizeof out->type, "%.64s", text_of(&s, row, TYPE));
    }
    for (size_t row = 0; out->type[0] != '\0' && row < table_rows(t); row++) {
        if (is_fixed(&s, row) || strcmp(text_of(&s, row, TYPE), out->type) != 0)
            continue;
        if (strcmp(text_of(&s, row, WAY), "spot") == 0)
            out->spot = number_of(&s, row, PRICE);
        else
            out->on_demand = number_of(&s, row, PRICE);
    }
    if (out->type[0] == '\0' || choose(out, &s))
        return true;
    diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for charts");
    return false;
}

const struct buy_way *buy_ways_signed(const struct buy_ways *w)
{
    for (size_t i = 0; i < w->count; i++) {
        if (w->way[i].is_signed)
            return &w->way[i];
    }
    return NULL;
}
