/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about prices to come: the keys of `market.price_changes` (dated, known
 * changes) and `market.price_cuts` (the uncertain ones). */
#ifndef FLEETCAST_MODELS_PRICE_OUTLOOK_KEYS_H
#define FLEETCAST_MODELS_PRICE_OUTLOOK_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

enum price_change_purchase { CHANGE_ON_DEMAND, CHANGE_SPOT, CHANGE_ALL };

struct price_change_spec {
    struct schema_item item;
    struct schema_date at, announced;       /* announced: not given = before the start */
    struct schema_list instances, families; /* const char *; both empty = all */
    int purchase;                           /* enum price_change_purchase */
    struct number change;                   /* of the price then in force: -0.2 */
};

struct price_cuts_spec {
    struct number rate;  /* of one family, per second; word 0: none */
    struct variate size; /* share of the price that a cut takes off */
    struct place size_place;
};

extern const struct schema price_change_schema;
extern const struct schema price_cuts_schema;

/* Where neither key nor price history knows better; see docs/models.md. */
extern const char price_cuts_default_rate[]; /* as a scenario would say it */
extern const char price_cuts_default_size[];

#endif
