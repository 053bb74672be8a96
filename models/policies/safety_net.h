/* SPDX-License-Identifier: GPL-3.0-or-later
 * What every policy with a deadline has in common: spot is tried only as long as one more failed
 * try would still leave time to finish on-demand. With rem = work left, d = overhead of a launch
 * and left = time to the deadline, less a margin and the work that a loss may throw away (Wu et
 * al., "Can't Be Late: Optimizing Spot Instance Savings under Deadlines", NSDI 2024, section 4):
 *
 *   (a) rem + 2d >= left, and spot does not run: on-demand, since a launch on spot that is lost at
 *       once would cost one overhead too many;
 *   (b) rem + d >= left: a gang that works on spot stays there until it is lost (a loss then still
 *       leaves rem + d); anything else goes to on-demand. Without overhead (d = 0) spot is taken
 *       whenever it is there.
 *
 * Where decisions come in ticks only, times left are rounded down and needs up to whole ticks; in
 * continuous time a gang on on-demand stays by (a) as long as rem + 3d >= left. */
#ifndef FLEETCAST_MODELS_SAFETY_NET_H
#define FLEETCAST_MODELS_SAFETY_NET_H

#include "models/policies/policy.h"

/* When work is to be where it should be it is looked at again, but not sooner than after so many
 * seconds: it may stand still meanwhile, as in a checkpoint. */
#define POLICY_LOOK_AGAIN_S 60

/* Overheads and works below this are taken for none, seconds. */
#define SAFETY_NET_NOTHING_S 1e-3

/* The key that all policies with the net have. */
#define POLICY_MARGIN_KEY(type, member)                                                            \
    {                                                                                              \
        .name = "margin", .kind = SCHEMA_NUMBER, .dimension = DIMENSION_TIME, .low = 0,            \
        .high = 1e9, .default_text = "10min", .offset = offsetof(type, member),                    \
        .help =                                                                                    \
            "Time kept free before the deadline, for boots and restores slower than planned; the " \
            "median counts."                                                                       \
    }

/* True when spot runs, or could; that it works at full speed. An elastic gang on fewer nodes may
 * not be trusted with the last hours: on-demand would do the work faster. */
static inline bool spot_is_there(const struct policy_view *v)
{
    return v->spot_obtainable || (v->running && v->runs_on == PURCHASE_SPOT);
}
static inline bool works_on_spot(const struct policy_view *v)
{
    return v->running && v->runs_on == PURCHASE_SPOT && v->overhead_left_s < SAFETY_NET_NOTHING_S &&
           !(v->lacking_share > 0);
}

/* Time to the deadline less the margin and the work at risk, in whole ticks; may be negative. */
double safety_net_left_s(const struct policy_view *v, double margin_s);
/* A need in whole ticks. */
double safety_net_need_s(const struct policy_view *v, double need_s);

/* The choice as the net lets it pass, and when it may have to change it although nothing happens:
 * ask_again_at_s is lowered to that. Spot chosen without room there means waiting: give_up is set
 * when on-demand runs meanwhile. */
struct policy_decision safety_net(const struct policy_view *v, double margin_s,
                                  struct policy_decision choice);

#endif
