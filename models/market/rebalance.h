/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rebalance recommendations: a signal that spot nodes are at elevated risk, "which can arrive
 * sooner than the two-minute Spot Instance interruption notice" and sometimes comes together with
 * it (EC2 user guide, "EC2 instance rebalance recommendations"). How often, how early, and how
 * often in vain is published nowhere: all of it is the scenario's own statement, and without one
 * there are none.
 *
 * Whether an interruption is announced, and how early, is drawn by what is outside of our control:
 * the pool and the instant of the fall, or the launch of the node; false alarms come by the pool's
 * own clock. So they are the same in every strategy. */
#ifndef FLEETCAST_MODELS_REBALANCE_H
#define FLEETCAST_MODELS_REBALANCE_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>

struct rebalance_spec {
    bool given;
    struct number share;        /* of interruptions that are announced */
    struct variate lead;        /* seconds from the signal to the notice */
    struct number false_alarms; /* of a pool, per second */
};
extern const struct schema rebalance_schema;

/* In one world; zeroed: none. */
struct rebalance {
    bool given;
    double share, false_per_s;
    struct distribution lead;
};
/* False when the drawn parameters of the lead are impossible. */
bool rebalance_begin(struct rebalance *r, const struct rebalance_spec *spec, const double *drawn);
/* How long before its notice an interruption with these two uniforms is announced; -1: it is not.
 */
double rebalance_lead_s(const struct rebalance *r, double u_share, double u_lead);
/* From one false alarm to the next; +infinity: never. */
double rebalance_false_after_s(const struct rebalance *r, double u);

#endif
