/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/quantile_table.h"

#include <math.h>
#include <stdlib.h>

#define CHECKED_ERROR 2e-10
#define PI            3.14159265358979323846

enum { TERMS = QUANTILE_TABLE_TERMS };

struct quantile_table *quantile_table_new(void)
{
    struct quantile_table *t = aligned_alloc(_Alignof(struct quantile_table), sizeof *t);
    if (t != NULL) {
        t->begun = false;
    }
    return t;
}

void quantile_table_free(struct quantile_table *t)
{
    free(t);
}

static bool same(const struct distribution *a, const struct distribution *b)
{
    return a->family == b->family && a->p[0] == b->p[0] && a->p[1] == b->p[1] &&
           a->p[2] == b->p[2] && a->low == b->low && a->high == b->high && a->u_low == b->u_low &&
           a->u_high == b->u_high;
}

bool quantile_table_begin(struct quantile_table *t, const struct distribution *d)
{
    const bool takes = d->family == DISTRIBUTION_GAMMA || d->family == DISTRIBUTION_LOGNORMAL ||
                       d->family == DISTRIBUTION_NORMAL || d->family == DISTRIBUTION_LOGIT_NORMAL ||
                       d->family == DISTRIBUTION_WEIBULL;
    if (!takes || (t->begun && same(&t->of, d))) {
        return takes;
    }
    t->of = *d;
    t->begun = true;
    for (size_t i = 0; i < (size_t)2 * QUANTILE_TABLE_CELLS; i++) {
        t->terms[i][0] = (double)NAN;
        t->made[i] = false;
    }
    return true;
}

/* The quantile at a place of the cell. */
static double inverse_at(const struct quantile_table *t, uint64_t cell, bool upper, double place)
{
    const uint64_t octave = cell >> QUANTILE_TABLE_OCTAVE_BITS;
    const double cells = 1 << QUANTILE_TABLE_OCTAVE_BITS;
    const double in_octave = cells - 1 - (double)(cell % (1 << QUANTILE_TABLE_OCTAVE_BITS));
    const double p = ldexp(1 + (in_octave + 0.5 * (1 + place)) / cells, -2 - (int)octave);
    return distribution_quantile(&t->of, upper ? 1 - p : p);
}

/* The polynomial through the values at cos(pi (j + 1/2) / TERMS): its coefficients of Chebyshev
 * polynomials, and the powers that those are made of. */
static void interpolate(const double values[TERMS], double terms[TERMS])
{
    double before[TERMS] = {0}, now[TERMS] = {1}; /* T of k - 1 and of k */
    for (int i = 0; i < TERMS; i++) {
        terms[i] = 0;
    }
    for (int k = 0; k < TERMS; k++) {
        double sum = 0;
        for (int j = 0; j < TERMS; j++) {
            sum += values[j] * cos(PI * k * (j + 0.5) / TERMS);
        }
        sum *= (k == 0 ? 1.0 : 2.0) / TERMS;
        for (int i = 0; i < TERMS; i++) {
            terms[i] += sum * now[i];
        }
        double next[TERMS]; /* 2 x T_k - T_(k-1); T_1 is x */
        for (int i = 0; i < TERMS; i++) {
            next[i] = (k == 0 ? 1 : 2) * (i > 0 ? now[i - 1] : 0) - before[i];
        }
        for (int i = 0; i < TERMS; i++) {
            before[i] = now[i];
            now[i] = next[i];
        }
    }
}

/* At some of the extrema of the Chebyshev polynomial that the first neglected term is. */
static bool is_good(const struct quantile_table *t, uint64_t cell, bool upper,
                    const double terms[TERMS])
{
    static const double at[] = {0, 3, 4, 6, 8};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        const double place = cos(PI * at[i] / TERMS);
        const double exact = inverse_at(t, cell, upper, place);
        if (!(fabs(quantile_table_sum(terms, place) - exact) <= CHECKED_ERROR * fabs(exact))) {
            return false;
        }
    }
    return true;
}

static void make(struct quantile_table *t, uint64_t cell, bool upper)
{
    double values[TERMS], terms[TERMS];
    for (int j = 0; j < TERMS; j++) {
        values[j] = inverse_at(t, cell, upper, cos(PI * (j + 0.5) / TERMS));
    }
    interpolate(values, terms);
    t->made[2 * cell + upper] = true;
    if (is_good(t, cell, upper, terms)) {
        memcpy(t->terms[2 * cell + upper], terms, sizeof terms);
    }
}

double quantile_table_outside(struct quantile_table *t, double u)
{
    const bool upper = u >= 0.5;
    double place;
    const uint64_t cell = quantile_table_place(u, &place);
    if (cell < QUANTILE_TABLE_CELLS && !t->made[2 * cell + upper]) {
        make(t, cell, upper);
        const double x = quantile_table_sum(t->terms[2 * cell + upper], place);
        if (x == x) {
            return x;
        }
    }
    return distribution_quantile(&t->of, u);
}
