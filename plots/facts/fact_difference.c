/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/fact_difference.h"

#include "plots/facts/table_columns.h"

#include <math.h>

enum {
    N,
    LEFT_OUT,
    MEAN,
    LOW,
    HIGH,
    WIN,
    TIE,
    NEEDED, /* what follows may be absent */
    WIN_LEAST = NEEDED,
    WIN_MOST,
    P10,
    P90,
    DIFFERENCE_LEAST,
    COLUMNS
};
static const char *const names[FACT_DIFFERENCE_COLUMNS] = {
    "n",        "left_out",          "mean_difference",  "low", "high", "win_frac",
    "tie_frac", "win_at_least_frac", "win_at_most_frac", "p10", "p90",  "difference_at_least"};
_Static_assert(COLUMNS == FACT_DIFFERENCE_COLUMNS, "one index a column");

const struct fact_difference fact_difference_unknown = {.mean = NAN,
                                                        .low = NAN,
                                                        .high = NAN,
                                                        .p10 = NAN,
                                                        .p90 = NAN,
                                                        .win_at_least = NAN,
                                                        .win_at_most = NAN,
                                                        .tie_share = NAN};

bool fact_difference_find(struct fact_difference_columns *c, const struct table *t,
                          struct diagnostics *d)
{
    return table_columns_found(c->of, t, names, NEEDED, COLUMNS, d);
}

/* A number of worlds. */
static double count(const struct table *t, size_t row, int column)
{
    const double x = table_known(t, row, column);

    return isfinite(x) ? x : 0.0;
}

static enum fact_relation relation_of(const struct fact_difference *d)
{
    if (!isfinite(d->mean) || !isfinite(d->low) || !isfinite(d->high) || d->left_out > 0.0)
        return FACT_UNKNOWN;
    if (d->tie_share >= 1.0)
        return FACT_SAME;
    if (d->high < 0.0)
        return FACT_LESS;
    if (d->low > 0.0)
        return FACT_MORE;
    return FACT_UNCLEAR;
}

struct fact_difference fact_difference_read(const struct table *t, size_t row,
                                            const struct fact_difference_columns *c)
{
    struct fact_difference d = {.mean = table_known(t, row, c->of[MEAN]),
                                .low = table_known(t, row, c->of[LOW]),
                                .high = table_known(t, row, c->of[HIGH]),
                                .p10 = table_known(t, row, c->of[P10]),
                                .p90 = table_known(t, row, c->of[P90]),
                                .win_at_least = table_known(t, row, c->of[WIN_LEAST]),
                                .win_at_most = table_known(t, row, c->of[WIN_MOST]),
                                .tie_share = table_known(t, row, c->of[TIE]),
                                .n = count(t, row, c->of[N]),
                                .left_out = count(t, row, c->of[LEFT_OUT])};

    if (d.left_out == 0.0) {
        d.win_at_least = d.win_at_most = table_known(t, row, c->of[WIN]);
    } else if (c->of[WIN_LEAST] < 0 && c->of[DIFFERENCE_LEAST] >= 0) {
        /* Such a table counts in win_frac what is sure, of all pairs; any other pair that is left
         * out may be a win too. */
        d.win_at_least = table_known(t, row, c->of[WIN]);
        d.win_at_most = fmin(1.0, d.win_at_least + d.left_out / (d.n + d.left_out));
    }
    d.relation = relation_of(&d);
    return d;
}

bool facts_one_pair(const struct fact_difference *d)
{
    return d->n == 1.0 && d->left_out == 0.0 && isfinite(d->mean);
}

enum fact_relation facts_p50_relation(const struct fact_metric *a, const struct fact_metric *b)
{
    double a_low = a->p50.low, a_high = a->p50.high, b_low = b->p50.low, b_high = b->p50.high;

    if (facts_certain(a))
        a_low = a_high = a->min;
    if (facts_certain(b))
        b_low = b_high = b->min;
    if (facts_certain(a) && facts_certain(b) && a->min == b->min)
        return FACT_SAME;
    /* Comparisons with NaN, an open end, are false: nothing is clear then. */
    if (a_high < b_low)
        return FACT_LESS;
    if (a_low > b_high)
        return FACT_MORE;
    return FACT_UNCLEAR;
}
