/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/basis_difference.h"

#include "engine/statistics.h"
#include "scenarios/decide/result_difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.99
#define CHANGED    "changed"

#define WORDS(name, meaning)                                                                       \
    {                                                                                              \
        name, "", meaning, COLUMN_TEXT, 0                                                          \
    }
#define NUMBER(name, meaning)                                                                      \
    {                                                                                              \
        name, "", meaning, COLUMN_NUMBER, -1                                                       \
    }

enum { WHAT, VERDICT, IN_A, SOURCE_A, IN_B, SOURCE_B };
const struct column assumption_difference_columns[ASSUMPTION_DIFFERENCE_COLUMNS] = {
    WORDS("what", "The price or the assumption, as in the register of manifest.json"),
    WORDS("verdict", "changed, only in A, only in B"),
    WORDS("a", "Its value in A"),
    WORDS("source_a", "Where that is from"),
    WORDS("b", "Its value in B"),
    WORDS("source_b", "Where that is from"),
};

enum { INPUT, INPUT_VERDICT, A_P10, A_P50, A_P90, B_P10, B_P50, B_P90, WORLDS };
const struct column input_difference_columns[INPUT_DIFFERENCE_COLUMNS] = {
    WORDS("input", "The uncertain input, as a column of replications.csv, its unit behind it"),
    WORDS("verdict", "changed; only in A or B: the other states one number, or does not have it"),
    NUMBER("a_p10", "P10 of its values in A, over the worlds that both have"),
    NUMBER("a_p50", "P50"),
    NUMBER("a_p90", "P90"),
    NUMBER("b_p10", "The same in B"),
    NUMBER("b_p50", "P50"),
    NUMBER("b_p90", "P90"),
    {"worlds", "", "Worlds that were looked at", COLUMN_INTEGER, 0},
};

/* ---- prices and assumptions ---- */

static bool are_equal(const struct basis_fact *a, const struct basis_fact *b)
{
    return strcmp(a->what, b->what) == 0 && strcmp(a->value, b->value) == 0 &&
           strcmp(a->source, b->source) == 0;
}

/* a or b NULL: the other alone has it. */
static void add_fact(struct table *t, const struct basis_fact *a, const struct basis_fact *b)
{
    const size_t row = table_add_row(t);
    if (row == SIZE_MAX) {
        return; /* told by table_incomplete */
    }
    table_set_text(t, row, WHAT, a != NULL ? a->what : b->what);
    table_set_text(t, row, VERDICT,
                   a == NULL   ? diff_verdict_names[DIFF_ONLY_B]
                   : b == NULL ? diff_verdict_names[DIFF_ONLY_A]
                               : CHANGED);
    if (a != NULL) {
        table_set_text(t, row, IN_A, a->value);
        table_set_text(t, row, SOURCE_A, a->source);
    }
    if (b != NULL) {
        table_set_text(t, row, IN_B, b->value);
        table_set_text(t, row, SOURCE_B, b->source);
    }
}

static void match_equal(const struct run_basis *a, const struct run_basis *b, bool *of_a,
                        bool *of_b)
{
    for (size_t i = 0; i < a->fact_count; i++) {
        for (size_t k = 0; k < b->fact_count && !of_a[i]; k++) {
            if (!of_b[k] && are_equal(&a->facts[i], &b->facts[k])) {
                of_a[i] = of_b[k] = true;
            }
        }
    }
}

static const struct basis_fact *take_of_name(const struct run_basis *b, bool *taken,
                                             const char *what)
{
    for (size_t k = 0; k < b->fact_count; k++) {
        if (!taken[k] && strcmp(b->facts[k].what, what) == 0) {
            taken[k] = true;
            return &b->facts[k];
        }
    }
    return NULL;
}

/* The table, unless it lacks something. */
static struct table *whole(struct table *t)
{
    if (t != NULL && table_incomplete(t)) {
        table_free(t);
        return NULL;
    }
    return t;
}

struct table *assumption_differences(const struct run_basis *a, const struct run_basis *b)
{
    struct table *t =
        table_new("assumptions", assumption_difference_columns, ASSUMPTION_DIFFERENCE_COLUMNS);
    bool *of_a = calloc(a->fact_count + 1, sizeof *of_a);
    bool *of_b = calloc(b->fact_count + 1, sizeof *of_b);
    if (t == NULL || of_a == NULL || of_b == NULL) {
        table_free(t);
        t = NULL;
    } else {
        match_equal(a, b, of_a, of_b);
        for (size_t i = 0; i < a->fact_count; i++) {
            if (!of_a[i]) {
                add_fact(t, &a->facts[i], take_of_name(b, of_b, a->facts[i].what));
            }
        }
        for (size_t k = 0; k < b->fact_count; k++) {
            if (!of_b[k]) {
                add_fact(t, NULL, &b->facts[k]);
            }
        }
    }
    free(of_a);
    free(of_b);
    return whole(t);
}

/* ---- inputs ---- */

/* P10, P50 and P90 of one side; NaN without values. */
struct input_spread {
    struct quantile q[3];
};

static bool measure(struct input_spread *s, const double *values, size_t n)
{
    static const double p[] = {0.1, 0.5, 0.9};
    struct sample *sample = sample_new(values, NULL, n);
    for (size_t i = 0; i < 3 && sample != NULL; i++) {
        s->q[i] = sample_quantile(sample, p[i], CONFIDENCE);
    }
    sample_free(sample);
    return sample != NULL;
}

static bool are_drawn_alike(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) != isnan(b[i]) || (!isnan(a[i]) && !diff_are_written_alike(a[i], b[i]))) {
            return false;
        }
    }
    return true;
}

static bool overlap(const struct input_spread *a, const struct input_spread *b)
{
    for (size_t i = 0; i < 3; i++) {
        if (a->q[i].low > b->q[i].high || b->q[i].low > a->q[i].high) {
            return false;
        }
    }
    return true;
}

static void put_spread(struct table *t, size_t row, size_t first, const struct input_spread *s)
{
    for (size_t i = 0; i < 3; i++) {
        table_set_number(t, row, first + i, s->q[i].value);
    }
}

/* a or b SIZE_MAX: the other alone has it. */
static bool add_input(struct table *t, const struct run_basis *a, size_t in_a,
                      const struct run_basis *b, size_t in_b, bool same_seed)
{
    const size_t n = a->worlds < b->worlds ? a->worlds : b->worlds;
    const bool both = in_a != SIZE_MAX && in_b != SIZE_MAX;
    struct input_spread of_a, of_b;
    if ((in_a != SIZE_MAX && !measure(&of_a, a->values[in_a], n)) ||
        (in_b != SIZE_MAX && !measure(&of_b, b->values[in_b], n))) {
        return false;
    }
    if (both && (same_seed ? are_drawn_alike(a->values[in_a], b->values[in_b], n)
                           : overlap(&of_a, &of_b))) {
        return true;
    }
    const size_t row = table_add_row(t);
    if (row == SIZE_MAX) {
        return false;
    }
    table_set_text(t, row, INPUT, in_a != SIZE_MAX ? a->inputs[in_a] : b->inputs[in_b]);
    table_set_text(t, row, INPUT_VERDICT,
                   both               ? CHANGED
                   : in_a != SIZE_MAX ? diff_verdict_names[DIFF_ONLY_A]
                                      : diff_verdict_names[DIFF_ONLY_B]);
    if (in_a != SIZE_MAX) {
        put_spread(t, row, A_P10, &of_a);
    }
    if (in_b != SIZE_MAX) {
        put_spread(t, row, B_P10, &of_b);
    }
    table_set_integer(t, row, WORLDS, (int64_t)n);
    return true;
}

static size_t find_input(const struct run_basis *b, const char *name)
{
    for (size_t k = 0; k < b->input_count; k++) {
        if (strcmp(b->inputs[k], name) == 0) {
            return k;
        }
    }
    return SIZE_MAX;
}

struct table *input_differences(const struct run_basis *a, const struct run_basis *b,
                                bool same_seed)
{
    struct table *t = table_new("inputs", input_difference_columns, INPUT_DIFFERENCE_COLUMNS);
    bool ok = t != NULL;
    for (size_t i = 0; ok && i < a->input_count; i++) {
        ok = add_input(t, a, i, b, find_input(b, a->inputs[i]), same_seed);
    }
    for (size_t k = 0; ok && k < b->input_count; k++) {
        ok = find_input(a, b->inputs[k]) != SIZE_MAX || add_input(t, a, SIZE_MAX, b, k, same_seed);
    }
    if (!ok) {
        table_free(t);
        return NULL;
    }
    return whole(t);
}
