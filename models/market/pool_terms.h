/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the keys of a pool mean: which capacity process they describe, whether they fit together,
 * and the process's parameters, at the medians (for planning) or as drawn (for a world). One
 * function serves both, so that planning and simulation cannot drift apart. */
#ifndef FLEETCAST_MODELS_POOL_TERMS_H
#define FLEETCAST_MODELS_POOL_TERMS_H

#include "engine/diagnostics.h"
#include "models/market/hidden_process.h"
#include "models/market/market_keys.h"
#include "models/market/on_off.h"
#include "models/market/spot_prior.h"

#include <stdbool.h>
#include <stdint.h>

enum capacity_kind {
    CAPACITY_CONSTANT,
    CAPACITY_HIDDEN,
    CAPACITY_ON_OFF,
    CAPACITY_HYPEREXPONENTIAL,
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

/* Whether a capacity process is alternating renewal, and its turns then. Mean turns that are not
 * stated follow from the availability a and the losses L per time, a/L and (1 - a)/L, or from a
 * alone: POOL_TERMS_TURN_S × sqrt(a/(1 - a)) and its inverse, the scale of 27 availability series
 * (measured slope of log mean up on logit a: 0.47; from series to series a factor 1.6 each way). */
#define POOL_TERMS_TURN_S (1.8 * 3600.0)
bool pool_terms_renews(enum capacity_kind kind);
struct pool_turns {
    struct on_off_turns up, down;
};
struct pool_turns pool_terms_turns(const struct spot_spec *s, const double *drawn);

/* The season averaged out: n nodes can be had for the share Phi(threshold) of the time. n > 0. */
double pool_terms_gang_threshold(const struct hidden_parameters *p, uint32_t n);
/* First-order losses of n nodes (of at least one of them) per second of having all n. n > 0. */
double pool_terms_losses_when_up(const struct hidden_parameters *p, uint32_t n);

#endif
