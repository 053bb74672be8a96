/* SPDX-License-Identifier: GPL-3.0-or-later
 * A spot price over months: a weekly chain of regimes (at the floor, low, high), each with a target
 * towards which the price ramps in steps of 6 hours, at most 3 % each. Spot prices do not diffuse:
 * half of the series of 2019-21 never moved in two months, the others ramped towards targets, and
 * over months they changed regime. docs/models.md has figures, source and limits.
 *
 * Ratios are over the floor, so that what was measured at a floor of 0.30 x on-demand (low: up to
 * 0.45, high: above) holds at another one. The chain starts from the known price, in the regime in
 * which that lies. Luck is one normal a week for the regime and one for the target, 0.65 of whose
 * variance is common to the zones of a region: each zone by itself is the chain as stated. All are
 * drawn by index of the week, so nothing shifts. */
#ifndef FLEETCAST_MODELS_PRICE_REGIMES_H
#define FLEETCAST_MODELS_PRICE_REGIMES_H

#include "engine/money.h"
#include "engine/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum price_regime { PRICE_AT_FLOOR, PRICE_LOW, PRICE_HIGH, PRICE_REGIMES };

#define PRICE_REGIME_STEP_S       21600.0
#define PRICE_REGIME_STEPS_A_WEEK 28
#define PRICE_REGIME_COMMON       0.65           /* of the variance, within a region */
#define PRICE_REGIME_FLOOR        0.30           /* of on-demand: until 2023 */
#define PRICE_REGIME_LOW_FROM     (0.305 / 0.30) /* over the floor */
#define PRICE_REGIME_HIGH_FROM    (0.45 / 0.30)

/* Weekly chances: row = this week's regime. */
extern const double price_regime_chances[PRICE_REGIMES][PRICE_REGIMES];

/* What all worlds have in common. */
struct price_regime_sources {
    uint64_t regime_common, regime_own, target_common, target_own;
};

struct price_regime_path {
    const struct price_regime_sources *sources;
    struct random_world world;
    money_t floor, cap, first;
    money_t *prices;    /* by step; drawn as far as asked for */
    size_t drawn, most; /* steps */
    enum price_regime regime;
    double target; /* log of the price over the floor */
    double level;  /* likewise, of the last step drawn */
};

/* False when out of memory. */
bool price_regime_path_init(struct price_regime_path *p, const struct price_regime_sources *s,
                            double horizon_s);
void price_regime_path_release(struct price_regime_path *p);
/* 0 < floor <= first <= cap. */
void price_regime_path_begin(struct price_regime_path *p, struct random_world world, money_t floor,
                             money_t first, money_t cap);
/* The price at t_s >= 0 (the last one from the horizon on); *until_s: its next change, +infinity
 * when there is none up to the horizon. */
money_t price_regime_path_at(struct price_regime_path *p, double t_s, double *until_s);
/* The regime of a price. */
enum price_regime price_regime_of(money_t price, money_t floor);

#endif
