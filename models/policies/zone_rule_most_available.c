/* SPDX-License-Identifier: GPL-3.0-or-later
 * `most-available`: where the whole gang could be had for the largest share of the time so far. */
#include "models/policies/zone_rule.h"

static bool before(const struct zones_view *view, size_t a, size_t b)
{
    return view->zones[a].seen_share > view->zones[b].seen_share;
}

const struct zone_rule zone_rule_most_available = {.name = "most-available", .before = before};
