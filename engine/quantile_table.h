/* SPDX-License-Identifier: GPL-3.0-or-later
 * The quantile function of one distribution as polynomials, for draws by the million where the
 * inverse itself is dear (the gamma distribution's is an iteration). A draw stays the inverse
 * transform of one uniform: it rises with it, and depends on nothing else.
 *
 * With p the nearer tail, min(u, 1 - u), each octave [2^-k-1, 2^-k) of p is cut into 16 cells; on
 * each, in either tail, the quantile is interpolated at the eight Chebyshev nodes. A quantile
 * function is singular at p = 0 only, which in every cell lies at least 33 times its half-width
 * from its middle, so that the error falls as 66^-n with the n nodes (Trefethen, "Approximation
 * Theory and Approximation Practice", SIAM 2013, theorem 8.2, with rho = 66).
 *
 * A cell is made when it is first asked for, and compared with the inverse where the error of the
 * interpolation is largest. Where that is not within 2e-10 of the value, and for p < 2^-15, the
 * inverse itself is computed: every answer is within QUANTILE_TABLE_ERROR of the value of
 * distribution_quantile, relatively. What is in a cell depends on the distribution only, not on
 * what was asked before. */
#ifndef FLEETCAST_ENGINE_QUANTILE_TABLE_H
#define FLEETCAST_ENGINE_QUANTILE_TABLE_H

#include "engine/distribution.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define QUANTILE_TABLE_ERROR 1e-9

enum {
    QUANTILE_TABLE_TERMS = 8,
    QUANTILE_TABLE_OCTAVES = 14,
    QUANTILE_TABLE_OCTAVE_BITS = 4,
    QUANTILE_TABLE_CELLS = QUANTILE_TABLE_OCTAVES << QUANTILE_TABLE_OCTAVE_BITS /* of a tail */
};

struct quantile_table;

/* NULL when out of memory. */
struct quantile_table *quantile_table_new(void);
void quantile_table_free(struct quantile_table *t);

/* Of this prepared distribution from now on; what is known of it already is kept. False, and not to
 * be asked, when its inverse is as cheap, or is no smooth function. */
bool quantile_table_begin(struct quantile_table *t, const struct distribution *d);

/* As distribution_quantile of it, within QUANTILE_TABLE_ERROR. */
static inline double quantile_table_at(struct quantile_table *t, double u);

/* ---- private ---- */

struct quantile_table {
    /* Powers of the place in the cell, in [-1, 1), from the constant on; the first is a NaN where
     * there is no polynomial. By cell from p = 1/2 down, lower and upper tail in turn. */
    _Alignas(
        64) double terms[2 * QUANTILE_TABLE_CELLS][QUANTILE_TABLE_TERMS]; /* a cache line each */
    bool made[2 * QUANTILE_TABLE_CELLS];
    struct distribution of;
    bool begun;
};

/* Where there is no polynomial, or none yet. */
double quantile_table_outside(struct quantile_table *t, double u);

/* The cell of u, and the place in it; QUANTILE_TABLE_CELLS or more: there is none. */
static inline uint64_t quantile_table_place(double u, double *place)
{
    const double rest = 1 - u, p = u < rest ? u : rest; /* without a branch */
    const uint64_t mantissa = UINT64_C(0x000fffffffffffff), one = UINT64_C(0x3ff0000000000000);
    uint64_t bits, in_cell;
    double from_one;
    memcpy(&bits, &p, sizeof bits);
    in_cell = (bits << QUANTILE_TABLE_OCTAVE_BITS & mantissa) | one;
    memcpy(&from_one, &in_cell, sizeof from_one);
    *place = 2 * from_one - 3;
    return (UINT64_C(1022) << QUANTILE_TABLE_OCTAVE_BITS) - 1 -
           (bits >> (52 - QUANTILE_TABLE_OCTAVE_BITS));
}

/* Pairs of terms first (Estrin's scheme), since they do not wait for each other. */
static inline double quantile_table_sum(const double c[QUANTILE_TABLE_TERMS], double x)
{
    const double square = x * x, fourth = square * square;
    return ((c[0] + c[1] * x) + (c[2] + c[3] * x) * square) +
           ((c[4] + c[5] * x) + (c[6] + c[7] * x) * square) * fourth;
}

static inline double quantile_table_at(struct quantile_table *t, double u)
{
    double place;
    const uint64_t cell = quantile_table_place(u, &place);
    if (cell < QUANTILE_TABLE_CELLS) {
        double x = quantile_table_sum(t->terms[2 * cell + (u >= 0.5)], place);
        if (x == x) {
            return x;
        }
    }
    return quantile_table_outside(t, u);
}

#endif
