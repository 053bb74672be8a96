/* SPDX-License-Identifier: GPL-3.0-or-later
 * fmin and fmax where they are asked millions of times: in place of a call of the C library, since
 * compilers do not expand these without leave to forget what is not a number. */
#ifndef FLEETCAST_ENGINE_EXTREMES_H
#define FLEETCAST_ENGINE_EXTREMES_H

#include <math.h>

/* The other one if one of them is not a number. Of zeros of both signs either. */
static inline double double_min(double a, double b)
{
    return a < b || isnan(b) ? a : b;
}

static inline double double_max(double a, double b)
{
    return a > b || isnan(b) ? a : b;
}

#endif
