/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sorts doubles by the bytes of their bits, least significant first: every metric of every strategy
 * is sorted for its quantiles, and comparing 100,000 values through qsort took 12 ms each, 17 s for
 * the tables of one run. */
#ifndef FLEETCAST_ENGINE_DOUBLE_SORT_H
#define FLEETCAST_ENGINE_DOUBLE_SORT_H

#include <stddef.h>

/* Ascending, -0 before +0; no NaN. spare: n doubles, overwritten. */
void double_sort(double *values, double *spare, size_t n);

#endif
