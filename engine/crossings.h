/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where a function that is known with an error crosses zero: a scan over the range finds sign
 * changes, false position (Illinois variant: Dowell and Jarratt, BIT 11, 1971, 168-174) the place.
 * A function that crosses twice between two points of the scan is seen to cross there not at all.
 *
 * With every value comes the half width of its interval. Around a crossing lies the stretch in
 * which the interval covers zero; its ends are found the same way, of value - half and value +
 * half. */
#ifndef FLEETCAST_ENGINE_CROSSINGS_H
#define FLEETCAST_ENGINE_CROSSINGS_H

#include <stdbool.h>
#include <stddef.h>

#define CROSSINGS_MAX 8

/* A value of ± this: its sign is decided by something else than an amount, such as a rule. Where it
 * meets a value of the other sign nothing is continuous: the place is bisected, and the crossing is
 * the nearest point found at which the value is above zero. */
#define CROSSINGS_DECIDED 1e300

/* The value at x and its half width, >= 0. False: not known at x. It must give the same for the
 * same x, and is asked for the same x several times. */
typedef bool crossing_function(void *context, double x, double *value, double *half);

struct crossing_range {
    double low, high; /* low < high */
    bool logarithmic; /* scanned in equal ratios: low > 0 */
    bool whole;       /* x takes whole numbers alone: the crossing is the first of them behind it */
    size_t points;    /* of the scan, 2 or more */
    double near;      /* a crossing is found to this share of the range, or until |value| is less
                         than a twentieth of its half width */
};

struct crossing {
    double at;
    double low, high; /* where zero is within the interval; NaN: to the end of what is known */
    bool rises;       /* from below zero to above it */
    double beside; /* the nearest point found, or of the scan, at which the value is below zero */
};

struct crossings {
    struct crossing of[CROSSINGS_MAX];
    size_t count; /* as many as fit, in ascending order */
    bool more;
    double known_from,
        known_to; /* the least and largest point of the scan with a value; NaN: none */
    bool gaps;    /* at some point between them it is not known */
    double first; /* the value at known_from: its sign holds without a crossing */
};

void crossings_find(struct crossings *out, const struct crossing_range *r, crossing_function *f,
                    void *context);

#endif
