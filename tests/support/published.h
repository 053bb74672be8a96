/* SPDX-License-Identifier: GPL-3.0-or-later
 * Published numbers beside our own, for the programs of tests/validation: each pair is printed, and
 * those that are not the same when rounded as theirs are marked and counted. */
#ifndef FLEETCAST_TESTS_PUBLISHED_H
#define FLEETCAST_TESTS_PUBLISHED_H

#include "scenarios/import/importer.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define EXACTLY 9 /* decimals, of what theirs do not round */

struct published {
    size_t numbers, differences;
    const char *folder; /* that DATA names */
    const char *table;  /* path of the table that is written and read back */
};
extern struct published published;

struct figure_pair {
    const char *key;
    double ours;
    int decimals; /* to which theirs is rounded */
};

void beside(const char *key, double ours, double theirs, int decimals);
/* Times, to the second. */
void time_beside(const char *key, const char *ours, const char *theirs);
/* Each of theirs by its key; one that is not there is a difference. */
void all_beside(json_t *theirs, const struct figure_pair *pairs, size_t count);
#define PAIRS(theirs, pairs) all_beside(theirs, pairs, sizeof pairs / sizeof pairs[0])

/* Imports folder/traces/name, as the request's options say, and writes the table. False when it was
 * refused, told in the request's diagnostics. */
bool published_import(const char *kind, const char *name, struct import_request r);

/* Of hours in rising order. */
double quantile_of(const double *sorted, size_t n, double p);
double share_between(const double *hours, size_t n, double low, double high);
void moments_of(const double *hours, size_t n, double *mean, double *deviation);

#endif
