/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/policies/zone_rule.h"

#define ZONE_RULE_ENTRY(symbol, name) &zone_rule_##symbol,
const struct zone_rule *const zone_rule_table[] = {ZONE_RULE_ROWS(ZONE_RULE_ENTRY) NULL};
#undef ZONE_RULE_ENTRY

#define ZONE_RULE_ENTRY(symbol, name) name,
const char *const zone_rule_names[] = {ZONE_RULE_ROWS(ZONE_RULE_ENTRY) NULL};
#undef ZONE_RULE_ENTRY

size_t zone_rule_choose(const struct zone_rule *rule, const struct zones_view *view)
{
    size_t best = view->count;
    for (size_t i = 0; i < view->count; i++) {
        const struct zone_seen *z = &view->zones[i];
        if (z->barred) {
            continue;
        }
        if (best == view->count) {
            best = i;
            continue;
        }
        bool better = z->obtainable != view->zones[best].obtainable ? z->obtainable
                                                                    : rule->before(view, i, best);
        best = better ? i : best;
    }
    return best;
}
