/* SPDX-License-Identifier: GPL-3.0-or-later
 * Policies: pure decisions on what can be observed, asked whenever something changed. A new policy
 * is one file and one row in policy_rows.h. */
#ifndef FLEETCAST_MODELS_POLICY_H
#define FLEETCAST_MODELS_POLICY_H

#include "engine/schema.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stdint.h>

/* What the gang would cost an hour, in the currency; of on-demand nodes less what commitments cover
 * that are paid anyway, beside all else that the strategy runs now. */
struct policy_price {
    double per_hour, list_per_hour;
};

/* Prices as they are known now, worked out when they are asked for. */
struct policy_prices {
    struct policy_price (*gang)(void *context, enum purchase purchase);
    double (*changes_at_s)(void *context); /* next begin or end of a commitment; +infinity: none */
    void *context;
};

/* Numbers that a policy may keep from one decision to the next; what they mean is its own. */
enum { POLICY_NOTES = 2 };

/* All that an engineer could know at this moment; nothing drawn, nothing of the future. */
struct policy_view {
    double now_s;
    bool running;               /* a whole gang is held (booting, restoring or working) */
    enum purchase runs_on;      /* when running */
    bool spot_obtainable;       /* the whole gang could be granted on spot right now */
    double spot_wanted_since_s; /* since when spot has been asked for without a whole gang; now_s if
                                   it was not asked for, or is held */
    uint32_t nodes;
    double work_left_s;     /* at the gang's speed, from the last kept progress, no overheads */
    double deadline_s;      /* +infinity when none */
    double overhead_s;      /* planned boot + restore */
    double submit_s;        /* when the work was handed in */
    double work_s;          /* all of it */
    double done_s;          /* so far, what is not yet saved included */
    double overhead_left_s; /* of the gang that runs; 0: it works, or none runs */
    double lacking_share;   /* of the speed of all nodes, that the nodes which run lack; 0: none */
    double at_risk_s;       /* most work that a loss on spot may throw away, as planned */
    double tick_s;          /* it is asked only once in so many seconds; 0: whenever it wishes */
    double noted[POLICY_NOTES]; /* what it noted in its last decision; zeros before the first */
    const struct policy_prices *prices; /* NULL: the strategy signs for nothing: list prices hold */
    bool on_demand_obtainable; /* told with prices: the whole gang could be granted on demand now,
                                  or was and is on its way */
    bool block_obtainable;     /* the whole gang could be granted in a capacity block right now */
    bool block_to_come;        /* a window that holds the gang opens later, or is open */
};

struct policy_decision {
    enum purchase want;    /* the way to buy the gang from now on */
    double ask_again_at_s; /* be asked again then even if nothing changes; +infinity: no need */
    bool give_up;          /* what runs is saved and given back at once, although the pool that is
                              wanted has no room; else it works on until there is */
    double noted[POLICY_NOTES];
};

struct policy {
    const struct schema *schema; /* name, keys of its parameters, help */
    bool uses[PURCHASE_COUNT];   /* which pools it may ask for */
    bool (*may_use)(const void *params, enum purchase purchase); /* of these; NULL: all */
    bool (*switches_back)(const void *params); /* leaves a working gang of its own will, which needs
                                                  checkpoints; NULL: never */
    struct policy_decision (*decide)(const void *params, const struct policy_view *view);
    bool needs_deadline;   /* makes no sense without one */
    bool looks_at_nothing; /* always decides the same: may be shown a view that is all zeros */
};

/* Whether it may ask for this pool, given its parameters (NULL: the defaults). */
static inline bool policy_uses(const struct policy *p, const void *params, enum purchase purchase)
{
    return p->uses[purchase] && (p->may_use == NULL || p->may_use(params, purchase));
}

extern const struct policy *const policy_table[];    /* NULL-terminated */
extern const struct schema *const policy_variants[]; /* their schemas, same order */

#endif
