/* SPDX-License-Identifier: GPL-3.0-or-later
 * Zone rules: where a gang that may run on spot in several zones is asked for next. Pure functions
 * of what has been observed, as policies are; asked only when a gang is to be begun, since a gang
 * that some zone can make whole stays there. A new rule is one file and one row here. */
#ifndef FLEETCAST_MODELS_ZONE_RULE_H
#define FLEETCAST_MODELS_ZONE_RULE_H

#include <stdbool.h>
#include <stddef.h>

/* Most zones of one gang. */
enum { ZONES_MAX = 8 };

struct zone_seen {
    bool barred;       /* it must not be asked now: too dear, or it was given up a moment ago */
    bool obtainable;   /* the whole gang could be granted there now */
    double per_hour;   /* of one node there now */
    double seen_share; /* of the time since submission in which the whole gang could be had there */
};

/* In the order in which the strategy lists them. */
struct zones_view {
    struct zone_seen zones[ZONES_MAX];
    size_t count;
    size_t last; /* where spot was asked last; `count`: nowhere yet */
};

struct zone_rule {
    const char *name;
    /* Whether zone a comes before zone b, both of them as good as the other in all else. */
    bool (*before)(const struct zones_view *view, size_t a, size_t b);
};

/* The zone to ask, from those that are not barred: of those that can grant the whole gang the first
 * by the rule, else the first of all; `count` when all are barred. Ties go to the one listed first.
 */
size_t zone_rule_choose(const struct zone_rule *rule, const struct zones_view *view);

#define ZONE_RULE_ROWS(ROW)                                                                        \
    ROW(cheapest, "cheapest")                                                                      \
    ROW(most_available, "most-available")                                                          \
    ROW(sticky, "sticky")

#define ZONE_RULE_DECLARE(symbol, name) extern const struct zone_rule zone_rule_##symbol;
ZONE_RULE_ROWS(ZONE_RULE_DECLARE)
#undef ZONE_RULE_DECLARE

extern const struct zone_rule *const zone_rule_table[]; /* NULL-terminated */
extern const char *const zone_rule_names[];             /* theirs, same order, NULL */

#endif
