/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long nodes of pools lived, each until the cloud took it, or, censored, until it was given
 * back or the observation ended. The project's own table (docs/traces.md):
 *
 *     zone,instance_type,duration_s,ended_by_cloud */
#ifndef FLEETCAST_MODELS_LIFETIMES_H
#define FLEETCAST_MODELS_LIFETIMES_H

#include "engine/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define LIFETIMES_MOST 20000000

struct lifetime {
    const char *zone, *instance_type; /* "" when it is not known; equal texts are one pointer */
    double duration_s;                /* > 0 */
    bool ended_by_cloud;              /* false: it lived at least so long */
};

struct text_set;

struct lifetime_list {
    struct lifetime *items;
    size_t count;

    /* private */
    size_t capacity;
    struct text_set *names;
};

/* False when out of memory; lifetimes_release is due all the same. */
bool lifetimes_init(struct lifetime_list *l);
void lifetimes_release(struct lifetime_list *l);
/* Copies the names; NULL is "". False when out of memory or above LIFETIMES_MOST. */
bool lifetimes_add(struct lifetime_list *l, struct lifetime life);

/* Reads a table; every fault is told with its line: a column that lacks, what is no number, not
 * above zero or above 100 years, a mark other than 0 and 1, no row at all. False then. The list
 * must be initialised; the path must outlive d. */
bool lifetimes_read(struct lifetime_list *l, const char *path, struct diagnostics *d);
/* Writes the table. False on a write error (errno holds) or when memory is out (ENOMEM). */
bool lifetimes_write(const struct lifetime_list *l, FILE *out);

/* Lives in the order of their durations; of equal ones those that the cloud ended come first, as
 * the estimate of Kaplan and Meier has it. */
void lifetimes_sort(struct lifetime *lives, size_t count);
/* The share that the cloud leaves alive beyond at_s: product over the ends up to there of
 * 1 - 1 / (still observed) (Kaplan and Meier 1958, "Nonparametric estimation from incomplete
 * observations"). Of sorted lives; NaN beyond the last when that one is censored. */
double lifetimes_survival(const struct lifetime *lives, size_t count, double at_s);
/* The time beyond which at most half are alive; NaN when it was never so few. Of sorted lives. */
double lifetimes_median_s(const struct lifetime *lives, size_t count);

#endif
