/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spearman's rank correlation of two columns of the same worlds: how surely one rises with the
 * other, whatever the shape of the relation. Equal values share the mean of their ranks. A column
 * is sorted once and held against many others. */
#ifndef FLEETCAST_ENGINE_RANK_CORRELATION_H
#define FLEETCAST_ENGINE_RANK_CORRELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A column in its order. NaN = not in this world. `beyond` (may be NULL) marks values of which only
 * a lower bound is known: they are one class of their own, above all others, so that what is not
 * finished ranks behind everything that is, and its order within the class is not made up. */
struct ranking {
    size_t n;     /* worlds */
    size_t known; /* of them with a value, known or beyond */
    const double *values;
    const unsigned char *beyond;
    uint32_t *order; /* `known` worlds, ascending */
    double *rank;    /* room for n */
};

/* values and beyond are borrowed; n < 2^32. False when out of memory; ranking_release is due in any
 * case. */
bool ranking_init(struct ranking *r, const double *values, const unsigned char *beyond, size_t n);
void ranking_release(struct ranking *r);

struct rank_correlation {
    size_t n;         /* worlds in which both are there */
    double value;     /* -1 … 1; NaN when n < 2 or either column is constant */
    double low, high; /* 95 % interval; NaN when n < 4 or as above */
};
/* Interval: Fisher's z with the variance (1 + r^2 / 2) / (n - 3) of Bonett and Wright (2000),
 * Psychometrika 65, 23-28, eq. 5. A perfect order, whose z is infinite, ends at 1, and begins where
 * the interval of the next lower correlation does. Overwrites both ranks. */
struct rank_correlation rank_correlation(struct ranking *a, struct ranking *b);

/* Whether a correlation of n worlds differs from zero at the level `alpha` (two-sided, such as 0.05
 * over the number of correlations looked at); by the same interval. */
bool rank_correlation_is_clear(double value, double n, double alpha);

#endif
