/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/elastic_zones.h"

#include "models/fleet/team_nodes.h"
#include "models/training/zone_span.h"

static bool one_at_a_time(const struct elastic_job *j)
{
    return j->plan->zones > 1 && j->plan->span_zones == 0;
}

void elastic_zones_begin(struct elastic_job *j)
{
    zone_watch_begin(&j->zones, j->plan, j->fleet, j->crews);
    j->spot = j->crews[PURCHASE_SPOT];
}

/* What is held elsewhere is of no use to a gang that gathers here. */
static void leave_others(struct elastic_job *j)
{
    for (size_t i = 0; i < j->plan->zones; i++) {
        struct crew *c = j->crews[site_of_zone(i)];
        if (c != j->spot && c->held > c->noticed) {
            crew_release(c, END_RELEASED);
        }
    }
}

void elastic_zones_look(struct elastic_job *j)
{
    static const bool awake[SITE_COUNT] = {false};
    if (one_at_a_time(j)) {
        zone_watch_look(&j->zones);
        j->spot = zone_watch_choose(&j->zones, j->spot, awake, j->dear);
        if (j->spot != NULL && j->nodes == 0) {
            leave_others(j);
        }
    }
}

void elastic_zones_note(struct elastic_job *j)
{
    if (one_at_a_time(j) && j->spot != NULL && team_staying(j->spot) > 0) {
        zone_watch_note(&j->zones, j->spot);
    }
}

bool elastic_asks(const struct elastic_job *j, int site)
{
    const struct crew *c = j->crews[site];
    bool elsewhere = site_purchase(site) == PURCHASE_SPOT && one_at_a_time(j) && c != j->spot;
    return c != NULL && !elsewhere;
}

uint32_t elastic_sound_on(const struct elastic_job *j, enum purchase purchase)
{
    uint32_t n = 0;
    for (int k = 0; k < SITE_COUNT; k++) {
        n += site_purchase(k) == purchase && elastic_asks(j, k) ? team_sound(j->crews[k]) : 0;
    }
    return n;
}

uint32_t elastic_room_on(const struct elastic_job *j, enum purchase purchase)
{
    uint32_t n = 0;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (site_purchase(k) == purchase && elastic_asks(j, k) && !j->dear[k]) {
            n += crew_room(j->crews[k]);
        }
    }
    return n;
}

/* ---- across borders ---- */

double elastic_worked_s(const struct crew *c)
{
    return c->did_s[ACTIVITY_USEFUL] + c->did_s[ACTIVITY_LOST];
}

static uint32_t borders_of(const struct gang *g, uint32_t all)
{
    uint32_t zones = 0;
    for (size_t i = 0; i < g->crew_count; i++) {
        if (g->crews[i]->purchase != PURCHASE_SPOT) {
            return all;
        }
        zones++;
    }
    return zones > 1 ? zones : 0;
}

double elastic_crossed_s(const struct elastic_job *j)
{
    const struct gang *g = &j->progress.gang;
    if (j->plan->span_zones == 0 || g->crew_count == 0) {
        return j->crossed_s;
    }
    double worked_s = elastic_worked_s(g->crews[0]) - j->crossed_from_s;
    return j->crossed_s + worked_s * g->pace * borders_of(g, j->plan->span_zones) *
                              zone_span_ring(j->plan, g->nodes);
}
