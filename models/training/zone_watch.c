/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/zone_watch.h"

#include "models/fleet/crew_asking.h"
#include "models/fleet/team_nodes.h"

static double now_s(const struct zone_watch *w)
{
    return fleet_calendar(w->fleet)->now_s;
}

static struct crew *crew_in(const struct zone_watch *w, size_t zone)
{
    return w->crews[site_of_zone(zone)];
}

/* Of an elastic job the fewest that it runs on are enough. */
static bool is_whole(const struct zone_watch *w, const struct crew *c)
{
    return w->plan->elastic.is ? team_sound(c) >= w->plan->elastic.least : crew_complete(c);
}

static bool could_be_whole(const struct zone_watch *w, const struct crew *c)
{
    return w->plan->elastic.is ? team_sound(c) + crew_room(c) >= w->plan->elastic.least
                               : crew_could_be_whole(c);
}

void zone_watch_begin(struct zone_watch *w, const struct training_plan *plan, struct fleet *fleet,
                      struct crew *const *crews)
{
    *w = (struct zone_watch){.plan = plan, .fleet = fleet, .crews = crews, .last = plan->zones};
    w->since_s = w->looked_s = now_s(w);
}

void zone_watch_look_at_all(struct zone_watch *w)
{
    double at_s = now_s(w);
    for (size_t i = 0; i < w->plan->zones; i++) {
        w->seen_s[i] += w->was[i] ? at_s - w->looked_s : 0;
        w->was[i] = could_be_whole(w, crew_in(w, i));
    }
    w->looked_s = at_s;
}

void zone_watch_note(struct zone_watch *w, const struct crew *c)
{
    for (size_t i = 0; i < w->plan->zones; i++) {
        w->last = crew_in(w, i) == c ? i : w->last;
    }
}

static struct zones_view view_of(const struct zone_watch *w, const bool *asleep, const bool *dear)
{
    double watched_s = w->looked_s - w->since_s;
    struct zones_view v = {.count = w->plan->zones, .last = w->last};
    for (size_t i = 0; i < v.count; i++) {
        const struct crew *c = crew_in(w, i);
        v.zones[i] = (struct zone_seen){
            .barred = asleep[site_of_zone(i)] || dear[site_of_zone(i)],
            .obtainable = could_be_whole(w, c),
            .per_hour =
                money_to_double(market_price(fleet_market(w->fleet), c->pool, now_s(w), NULL)),
            .seen_share = watched_s > 0 ? w->seen_s[i] / watched_s : 0,
        };
    }
    return v;
}

struct crew *zone_watch_choose_among(const struct zone_watch *w, struct crew *active,
                                     const bool *asleep, const bool *dear)
{
    bool asking = false; /* somewhere, and may go on */
    for (size_t i = 0; i < w->plan->zones; i++) {
        struct crew *c = crew_in(w, i);
        if (is_whole(w, c)) {
            return c;
        }
        asking = asking || (c == active && !asleep[site_of_zone(i)] && !dear[site_of_zone(i)]);
    }
    if (asking && active->held > 0 && could_be_whole(w, active)) {
        return active;
    }
    const struct zones_view v = view_of(w, asleep, dear);
    size_t zone = zone_rule_choose(w->plan->zone_rule, &v);
    if (zone == v.count) {
        return NULL;
    }
    return asking && !v.zones[zone].obtainable ? active : crew_in(w, zone);
}
