/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long a single spot node lives, whatever the pool's capacity does: by a constant hazard, by a
 * stated distribution, or by the bathtub of capped instances: a share of the launches dies early,
 * all others end at the cap.
 *
 * The bathtub's defaults are those of 1,442 preemptible instances of 2019 (365 early preemptions,
 * 352 at the cap, the others stopped by their owners and hence censored): 0.425 early, Weibull of
 * shape 0.58 and scale 5.3 h, cap 24 h; Kolmogorov-Smirnov 0.028, an exponential 0.149.
 *
 * A life is the quantile of one uniform, early deaths below, so that the k-th launch of a slot has
 * the same luck in every strategy. */
#ifndef FLEETCAST_MODELS_NODE_LIFE_H
#define FLEETCAST_MODELS_NODE_LIFE_H

#include "models/market/market_keys.h"

#include <stdbool.h>

#define BATHTUB_EARLY_SHARE 0.425
#define BATHTUB_SHAPE       0.58
#define BATHTUB_SCALE_S     (5.3 * 3600)
#define BATHTUB_CAP_S       (24 * 3600.0)

struct life_law {
    double hazard_per_s; /* > 0: exponential, and nothing else holds */
    double early_share;
    struct distribution early; /* when early_share > 0 */
    double cap_s;              /* +infinity: none */
};

/* drawn NULL: at the medians. False when the drawn parameters are impossible. */
bool life_law_make(struct life_law *l, const struct spot_spec *s, const double *drawn);
/* False: a node never ends by itself. */
bool life_law_ends(const struct life_law *l);
/* The life at luck u in (0, 1), rising in u; +infinity: it never ends. */
double life_law_s(const struct life_law *l, double u);
/* Ends of a slot that is filled again at once, per second: one over the mean life. */
double life_law_rate(const struct life_law *l);
/* Whether the entry says anything of the lives of single nodes. */
bool node_life_given(const struct spot_spec *s);
/* Keys that do not fit each other, told at the entry; false then. */
bool node_life_check(const struct spot_spec *s, struct diagnostics *d);

#endif
