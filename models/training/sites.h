/* SPDX-License-Identifier: GPL-3.0-or-later
 * The places where the gang of a job may run, numbered: one for each way to buy, by `enum
 * purchase`, and behind them further zones of spot. */
#ifndef FLEETCAST_MODELS_SITES_H
#define FLEETCAST_MODELS_SITES_H

#include "models/fleet/work.h"
#include "models/market/market.h"
#include "models/policies/zone_rule.h"

enum { SITE_COUNT = PURCHASE_COUNT + ZONES_MAX - 1 };

_Static_assert((int)SITE_COUNT <= (int)WORK_MAX_POOLS, "each site is a pool of the workload");

/* The index-th zone of spot; its first is the site PURCHASE_SPOT. */
static inline int site_of_zone(size_t index)
{
    return index == 0 ? (int)PURCHASE_SPOT : (int)PURCHASE_COUNT + (int)index - 1;
}

static inline enum purchase site_purchase(int site)
{
    return site < (int)PURCHASE_COUNT ? (enum purchase)site : PURCHASE_SPOT;
}

#endif
