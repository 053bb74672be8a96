/* SPDX-License-Identifier: GPL-3.0-or-later
 * The season of a trace: how its share of time up moves with the local hour and the weekend, as the
 * hidden process has it (hidden_process.h),
 *
 *     P(up at t) = Phi(c + A cos(2 pi (h - h0)/24) + B (weekend - 2/7)),
 *
 * fitted by probit regression over hours of the day, weekdays and weekends apart, each weighted by
 * the time observed. Neighbouring hours are far from independent, so that the fit's own errors say
 * nothing. Instead:
 * - the daily swing is compared with that of the same trace whose days were each turned by a random
 *   number of hours (the chance that turned days swing as much), and is freed of what they swing:
 *   A^2 less their mean A^2;
 * - the weekend's error is that of the jackknife over whole weeks (Efron, Stein, "The jackknife
 *   estimate of variance", Annals of Statistics 9, 1981), by Student's t. */
#ifndef FLEETCAST_MODELS_SEASON_FIT_H
#define FLEETCAST_MODELS_SEASON_FIT_H

#include "models/market/hidden_process.h"
#include "models/market/trace.h"

#include <stdbool.h>
#include <stddef.h>

#define SEASON_LEAST_DAYS  14   /* for the hours of the day */
#define SEASON_LEAST_WEEKS 4    /* whole ones, for the weekend */
#define SEASON_CHANCE      0.05 /* from which on nothing is said to be seen */

enum season_status {
    SEASON_FITTED,
    SEASON_NO_CLOCK,  /* the trace does not say when it starts */
    SEASON_TOO_SHORT, /* for anything */
    SEASON_NO_FIT,    /* some hours are all up, or all down */
    SEASON_NO_MEMORY
};

struct season_fit {
    enum season_status status;
    double days; /* observed; whatever the status */
    /* The day: as fitted, freed of chance, and the local hour with most capacity. */
    double raw_amplitude, amplitude, best_hour;
    double chance; /* of swinging so much without a season */
    /* The weekend; false: too few weeks. */
    bool has_weekend;
    size_t weeks;
    double weekend_shift, weekend_error; /* half the 95 % interval */
};

/* utc_offset_h: of the place's standard time. */
struct season_fit season_fit_make(const struct trace *t, double utc_offset_h);
/* What of it is seen: zero where chance does as much, or nothing is known. */
struct hidden_season season_fit_seen(const struct season_fit *f);

#endif
