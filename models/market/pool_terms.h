/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the keys of a pool mean: which capacity process they describe, whether they fit together,
 * and the process's parameters, at the medians (for planning) or as drawn (for a world). One
 * function serves both, so that planning and simulation cannot drift apart. */
#ifndef FLEETCAST_MODELS_POOL_TERMS_H
#define FLEETCAST_MODELS_POOL_TERMS_H

#include "engine/diagnostics.h"
#include "models/market/hidden_process.h"
#include "models/market/market_keys.h"
#include "models/market/spot_prior.h"

#include <stdbool.h>
#include <stdint.h>

enum capacity_kind {
    CAPACITY_CONSTANT,
    CAPACITY_HIDDEN,
    CAPACITY_ON_OFF,
    CAPACITY_REPLAY,
    CAPACITY_WINDOWS
};

/* The capacity process of a spot spec, the word `default` resolved. */
enum capacity_kind pool_terms_spot_kind(const struct spot_spec *s);

/* Keys that do not fit each other are told at the item's place. False when any is wrong; a warning
 * (loss rate out of reach) leaves it true. */
bool pool_terms_check_spot(const struct spot_spec *s, struct diagnostics *d);
bool pool_terms_check_on_demand(const struct on_demand_spec *s, struct diagnostics *d);

/* Where a hidden pool's threshold comes from when `availability` is not given. */
struct threshold_prior {
    struct spot_prior prior;
    int region_score, zone_score; /* inputs: standard normals */
};
/* drawn NULL: medians. */
struct hidden_parameters pool_terms_hidden(const struct spot_spec *s,
                                           const struct threshold_prior *prior,
                                           const double *drawn);

/* The season averaged out: n nodes can be had for the share Phi(threshold) of the time. n > 0. */
double pool_terms_gang_threshold(const struct hidden_parameters *p, uint32_t n);
/* First-order losses of n nodes (of at least one of them) per second of having all n. n > 0. */
double pool_terms_losses_when_up(const struct hidden_parameters *p, uint32_t n);

#endif
