/* SPDX-License-Identifier: GPL-3.0-or-later
 * How often hardware of nodes with accelerators has failed in large runs whose figures were
 * published: unexpected stops of the job for one node's sake, by 1,000 days of a node of eight
 * accelerators.
 *
 *     3.79   H100   Llama 3 405B: 419 in 54 days of 2,048 nodes (paper, table 5)
 *     6.5    A100   Meta RSC-1, 2,000 nodes, 330 days (Kokolis et al., HPCA 2025; from memory)
 *     2.34   A100   Meta RSC-2, 1,000 nodes, 330 days (the same)
 *     3.0    A100   BLOOM 176B: about one GPU a week of 48 nodes (its chronicles)
 *     15.6   A100   OPT-175B: about two machines a day of 128 (its chronicles)
 *     2.9    B200   10 XID errors in 55 days of 63 nodes (SKT and Lablup, abstract)
 *
 * A generation with several rows has their geometric mean and spread (A100: 5.2, standard deviation
 * of the logarithm 0.85); the others that of all rows (0.71), and a generation without a row their
 * mean too (4.5). Runs differ by more than generations do: state your own where you know it.
 *
 * Of the 419 of Llama 3, 268 (64 %) were of a GPU: a node with g accelerators fails 0.36 + 0.64 g/8
 * times as often. */
#ifndef FLEETCAST_MODELS_FAILURE_RATES_H
#define FLEETCAST_MODELS_FAILURE_RATES_H

#include "models/catalogue/catalogue.h"

#include <stdbool.h>

struct failure_rate {
    const char *generation; /* for people, and as part of a name: "hopper", "others" */
    double per_1000_days;   /* of a node of eight, median */
    double log_sd;
    bool extrapolated; /* from other generations */
    const char *source;
};

/* Never NULL. */
const struct failure_rate *failure_rate_of(const struct instance_type *type);
/* Failures of a node of this type for one of a node of eight. */
double failure_rate_scale(const struct instance_type *type);

#endif
