/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicas spread over zones, each of which has a fill of its own. A zone that does not get the
 * nodes of its share has others stand in for it: from when it holds fewer than it should, until as
 * many have booted there, so that nothing is missing in between. */
#include "models/inference/service_state.h"

#include <math.h>

bool service_zones_make(struct service_run *s)
{
    const struct service_plan *plan = s->plan;
    for (uint32_t z = 0; z < plan->zone_count; z++) {
        const struct service_zone_plan *of = &plan->zones[z];
        s->zones[z].first = of->first_pool;
        fill_init(&s->zones[z].fill, of->fill.entries, of->fill.count, s->crews + of->first_pool,
                  of->pool_count);
    }
    return true;
}

void service_zones_begin(struct service_run *s)
{
    for (uint32_t z = 0; z < s->plan->zone_count; z++) {
        struct service_zone *zone = &s->zones[z];
        fill_begin(&zone->fill);
        zone->base = zone->over = zone->replicas = zone->nodes = 0;
    }
}

uint32_t service_nodes_for(const struct service_run *s, uint32_t replicas)
{
    uint32_t per_node = s->plan->replicas_per_node;
    return (replicas + per_node - 1) / per_node;
}

uint32_t service_zone_working(const struct service_run *s, uint32_t zone)
{
    const struct fill *fill = &s->zones[zone].fill;
    uint32_t works = 0;
    for (size_t k = 0; k < fill->crew_count; k++) {
        works += fill->crews[k]->ready;
    }
    return works;
}

static uint32_t held_in(const struct fill *fill)
{
    uint32_t held = 0;
    for (size_t k = 0; k < fill->crew_count; k++) {
        held += fill->crews[k]->held - fill->crews[k]->noticed;
    }
    return held;
}

static uint32_t lack(uint32_t need, uint32_t got)
{
    return need > got ? need - got : 0;
}

/* Replicas that others are to stand in for, given how many do now. */
static uint32_t taken_over(const struct service_run *s, bool *lacks)
{
    uint32_t now = 0, least = 0, most = 0, per_node = s->plan->replicas_per_node;
    for (uint32_t z = 0; z < s->plan->zone_count; z++) {
        const struct service_zone *zone = &s->zones[z];
        uint32_t need = service_nodes_for(s, zone->base);
        uint32_t missing = lack(need, held_in(&zone->fill));
        lacks[z] = missing > 0;
        now += zone->over;
        least += missing * per_node;
        most += lack(need, service_zone_working(s, z)) * per_node;
    }
    return now < least ? least : now > most ? most : now;
}

/* Those that stand in already go on; else all that lack nothing share it. False: as before. */
static bool stand_in(struct service_run *s)
{
    const uint32_t zones = s->plan->zone_count;
    bool lacks[FOOTPRINT_MOST_ZONES], any = false, changed = false;
    uint32_t share[FOOTPRINT_MOST_ZONES] = {0}, over = taken_over(s, lacks), helpers = 0;
    for (uint32_t z = 0; z < zones; z++) {
        any |= !lacks[z] && s->zones[z].over > 0;
    }
    for (uint32_t z = 0; z < zones; z++) {
        lacks[z] |= any && s->zones[z].over == 0;
        helpers += !lacks[z];
    }
    if (helpers > 0) {
        footprint_spread(over, helpers, share);
    }
    for (uint32_t z = 0, next = 0; z < zones; z++) {
        uint32_t mine = lacks[z] || helpers == 0 ? 0 : share[next++];
        changed |= mine != s->zones[z].over;
        s->zones[z].over = mine;
    }
    return changed;
}

static void ask(struct service_run *s)
{
    for (uint32_t z = 0; z < s->plan->zone_count; z++) {
        struct service_zone *zone = &s->zones[z];
        zone->replicas = zone->base + zone->over;
        uint32_t nodes = service_nodes_for(s, zone->replicas);
        double extra = s->rolling > 0 ? ceil(nodes * s->rollout_extra * (1 - 1e-12)) : 0;
        zone->nodes = nodes + (uint32_t)fmin(extra, 1e9);
        if (zone->nodes > zone->fill.need) {
            fill_need(&zone->fill, zone->nodes);
        }
    }
}

void service_zones_spread(struct service_run *s)
{
    const uint32_t zones = s->plan->zone_count;
    uint32_t base[FOOTPRINT_MOST_ZONES];
    footprint_spread(s->wanted, zones, base);
    for (uint32_t z = 0; z < zones; z++) {
        s->zones[z].base = base[z];
    }
    ask(s);
    for (uint32_t pass = 0; pass < zones && zones > 1 && stand_in(s); pass++) {
        ask(s);
    }
}
