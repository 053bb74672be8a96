/* SPDX-License-Identifier: GPL-3.0-or-later
 * `cheapest`: where a node costs least now. */
#include "models/policies/zone_rule.h"

static bool before(const struct zones_view *view, size_t a, size_t b)
{
    return view->zones[a].per_hour < view->zones[b].per_hour;
}

const struct zone_rule zone_rule_cheapest = {.name = "cheapest", .before = before};
