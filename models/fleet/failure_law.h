/* SPDX-License-Identifier: GPL-3.0-or-later
 * When the hardware of a node fails: a constant hazard, higher by a factor in the node's first
 * hours. Cumulative hazard H(t) = rate × factor × t up to young_s, from there on rising by rate; a
 * life is the t at which H(t) = -ln u, so that one uniform is the same luck whatever the rate. */
#ifndef FLEETCAST_MODELS_FAILURE_LAW_H
#define FLEETCAST_MODELS_FAILURE_LAW_H

struct failure_law {
    double rate_per_s;   /* of a node that is young no more; 0: it never fails */
    double young_factor; /* >= 0; counts up to … */
    double young_s;
};

/* Time from launch to failure at luck u in (0, 1), falling in u; +infinity: never. */
double failure_law_life_s(const struct failure_law *l, double u);
/* Expected failures of one node up to this age: H(age_s). */
double failure_law_expected(const struct failure_law *l, double age_s);

#endif
