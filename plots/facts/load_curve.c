/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/load_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_S 3600.0
#define LEAST_HOURS                                                                                \
    3.0 /* in a group: of fewer nodes that start or stop would be most of the cost */

#define SPREAD 1.1  /* most over least load: one load is no curve */
#define NEAR   0.04 /* groups are not nearer to each other than this share of all loads */

enum {
    V_STRATEGY,
    V_WORKLOAD,
    V_START,
    V_END,
    V_ARRIVED,
    V_SERVED,
    V_OVERLOADED,
    V_PROMPT,
    V_OUTPUT,
    V_COUNT
};
static const char *const names[V_COUNT] = {"strategy",   "workload",      "start_s",
                                           "end_s",      "arrived",       "served",
                                           "overloaded", "prompt_tokens", "output_tokens"};

/* An hour or, where buckets are longer, a bucket. */
struct hour {
    double number, length_s, arrived, served, tokens, paid;
    bool overloaded, unmeasured;
};

static double load_of(const struct hour *h)
{
    return h->arrived / h->length_s;
}

static int by_load(const void *a, const void *b)
{
    const struct hour *p = a, *q = b;
    const double x = load_of(p), y = load_of(q);

    return x != y ? (x > y) - (x < y) : (p->number > q->number) - (p->number < q->number);
}

static void add_row(struct hour *h, const struct table *t, size_t row, const int *c, int paid)
{
    const double tokens =
        table_number(t, row, (size_t)c[V_PROMPT]) + table_number(t, row, (size_t)c[V_OUTPUT]);

    h->length_s +=
        table_number(t, row, (size_t)c[V_END]) - table_number(t, row, (size_t)c[V_START]);
    h->arrived += table_number(t, row, (size_t)c[V_ARRIVED]);
    h->served += table_number(t, row, (size_t)c[V_SERVED]);
    h->tokens += tokens;
    h->paid += table_number(t, row, (size_t)paid);
    const double overloaded = table_number(t, row, (size_t)c[V_OVERLOADED]);
    h->overloaded = h->overloaded || overloaded > 0.0;
    h->unmeasured = h->unmeasured || isnan(overloaded);
}

/* Puts together those that are of one hour; rows are in time's order. */
static size_t read_hours(struct hour *hours, const struct table *t, const int *c, int paid,
                         const char *strategy, const char *workload)
{
    size_t count = 0;

    for (size_t row = 0; row < table_rows(t); row++) {
        if (strcmp(table_text(t, row, (size_t)c[V_STRATEGY]), strategy) != 0 ||
            strcmp(table_text(t, row, (size_t)c[V_WORKLOAD]), workload) != 0)
            continue;
        double middle_s = 0.5 * (table_number(t, row, (size_t)c[V_START]) +
                                 table_number(t, row, (size_t)c[V_END]));
        double number = floor(middle_s / HOUR_S);
        if (count == 0 || hours[count - 1].number != number)
            hours[count++] = (struct hour){.number = number};
        add_row(&hours[count - 1], t, row, c, paid);
    }
    return count;
}

/* Without hours that say nothing. */
static size_t keep(struct load_curve *out, struct hour *hours, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const struct hour *h = &hours[i];
        if (!(h->length_s > 0.0) || !isfinite(h->arrived) || h->unmeasured)
            continue;
        if (!isfinite(h->paid))
            out->unpaid = true;
        else if (h->overloaded)
            out->left_out_h += h->length_s / HOUR_S;
        else {
            out->tokens = out->tokens || isfinite(h->tokens);
            out->hours += h->length_s / HOUR_S;
            hours[kept++] = *h;
        }
    }
    return kept;
}

static void add_hours(struct hour *sum, const struct hour *h)
{
    sum->length_s += h->length_s;
    sum->arrived += h->arrived;
    sum->served += h->served;
    sum->tokens += h->tokens;
    sum->paid += h->paid;
}

/* Groups of hours, which are in the order of their loads: each ends where its share of the time is
 * full, or before a gap. One that is near the last is put together with it. Returns how many. */
static size_t group(struct hour groups[LOAD_CURVE_POINTS], const struct hour *hours, size_t count,
                    double all_s)
{
    const double least_s = LEAST_HOURS * HOUR_S * (1.0 - 1e-9);
    const double share_s = fmax(all_s / LOAD_CURVE_POINTS, least_s) * (1.0 - 1e-9);
    const double apart = NEAR * (load_of(&hours[count - 1]) - load_of(&hours[0]));
    struct hour sum = {.number = 0.0};
    size_t made = 0;

    for (size_t i = 0; i < count; i++) {
        add_hours(&sum, &hours[i]);
        all_s -= hours[i].length_s;
        const double gap = i + 1 < count ? load_of(&hours[i + 1]) - load_of(&hours[i]) : 0.0;
        if (i + 1 < count && (fmin(sum.length_s, all_s) < least_s ||
                              (sum.length_s < share_s && gap <= apart) || gap <= 0.0))
            continue;
        if (made == LOAD_CURVE_POINTS ||
            (made > 0 && load_of(&sum) <= load_of(&groups[made - 1]) + apart))
            add_hours(&groups[made - 1], &sum);
        else
            groups[made++] = sum;
        sum = (struct hour){.number = 0.0};
    }
    return made;
}

static void make_points(struct load_curve *out, const struct hour *groups, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct hour *g = &groups[i];
        const double answered = out->tokens ? g->tokens / 1e6 : g->served / 1e3;
        if (answered > 0.0)
            out->point[out->count++] = (struct load_point){
                .per_s = load_of(g), .cost = g->paid / answered, .hours = g->length_s / HOUR_S};
    }
    if (out->count < 2 || out->point[out->count - 1].per_s < SPREAD * out->point[0].per_s)
        out->count = 0;
}

bool load_curve_read(struct load_curve *out, const struct table *t, const char *spend,
                     const char *strategy, const char *workload, struct arena *a,
                     struct diagnostics *d)
{
    const int paid = t == NULL ? -1 : table_find(t, spend);
    int c[V_COUNT];
    struct hour *hours, groups[LOAD_CURVE_POINTS];
    size_t count;

    *out = (struct load_curve){.tokens = false};
    for (size_t i = 0; i < V_COUNT; i++) {
        c[i] = t == NULL ? -1 : table_find(t, names[i]);
        if (c[i] < 0 || paid < 0)
            return true;
    }
    hours = arena_array(a, table_rows(t) + 1, sizeof *hours);
    if (hours == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for charts");
        return false;
    }
    count = keep(out, hours, read_hours(hours, t, c, paid, strategy, workload));
    if (out->hours >= 2.0 * LEAST_HOURS) {
        qsort(hours, count, sizeof *hours, by_load);
        make_points(out, groups, group(groups, hours, count, HOUR_S * out->hours));
    }
    return true;
}
