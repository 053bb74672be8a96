/* SPDX-License-Identifier: GPL-3.0-or-later
 * `sticky`: where the gang was last, else the first of the list. */
#include "models/policies/zone_rule.h"

static bool before(const struct zones_view *view, size_t a, size_t b)
{
    return a == view->last && b != view->last;
}

const struct zone_rule zone_rule_sticky = {.name = "sticky", .before = before};
