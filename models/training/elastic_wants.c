/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/elastic_wants.h"

#include "models/fleet/team_nodes.h"
#include "models/training/asking_limits.h"
#include "models/training/elastic_view.h"
#include "models/training/elastic_zones.h"

#include <math.h>
#include <string.h>

static uint32_t staying(const struct crew *c)
{
    return c->held - c->noticed;
}

static uint32_t staying_on(const struct elastic_job *j, enum purchase purchase)
{
    uint32_t n = 0;
    for (int k = 0; k < SITE_COUNT; k++) {
        n += site_purchase(k) == purchase && elastic_asks(j, k) ? staying(j->crews[k]) : 0;
    }
    return n;
}

/* ---- entries ---- */

static void add_site(struct elastic_job *j, int site, uint32_t most)
{
    j->entries[j->fill.entry_count++] = (struct fill_entry){.pool = j->index[site], .most = most};
}

/* What is dear is kept, but not asked for. */
static void add_one(struct elastic_job *j, int site, uint32_t most)
{
    uint32_t held = staying(j->crews[site]);
    bool dear = j->dear[site] && held < most;
    add_site(j, site, dear ? held : most);
}

static uint32_t less(uint32_t all, uint32_t taken)
{
    return all == FILL_ALL_THE_REST ? all : all - taken;
}

/* All zones at once: what each holds stays where it is; what lacks is asked for in their order. */
static void add_zones(struct elastic_job *j, uint32_t most)
{
    uint32_t left = most;
    for (size_t i = 0; i < j->plan->zones; i++) {
        const int site = site_of_zone(i);
        uint32_t held = staying(j->crews[site]);
        held = held < left ? held : left;
        add_site(j, site, held);
        left = less(left, held);
    }
    for (size_t i = 0; i < j->plan->zones && left > 0; i++) {
        const int site = site_of_zone(i);
        if (!j->dear[site]) {
            uint32_t room = crew_room(j->crews[site]);
            add_site(j, site, left);
            left = less(left, room < left ? room : left);
        }
    }
}

static void add_entry(struct elastic_job *j, enum purchase purchase, uint32_t most)
{
    if (purchase == PURCHASE_SPOT && j->plan->span_zones > 0 && j->plan->zones > 1) {
        add_zones(j, most);
        return;
    }
    for (int k = 0; k < SITE_COUNT; k++) {
        if (site_purchase(k) == purchase && elastic_asks(j, k)) {
            add_one(j, k, most);
        }
    }
}

/* A block that is about to close is asked no more. */
static void add_block(struct elastic_job *j, uint32_t most)
{
    if (!window_watch_closed(&j->windows)) {
        add_entry(j, PURCHASE_BLOCK, most);
    }
}

/* Nothing is asked for that is not held already, or does not take part already. */
static void freeze(struct elastic_job *j, uint32_t (*of)(const struct crew *c))
{
    j->fill.entry_count = 0;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (j->crews[k] != NULL) {
            add_site(j, k, of(j->crews[k]));
        }
    }
}

/* ---- by policy ---- */

/* What is there works on until it is replaced. */
static void keep_others(struct elastic_job *j, enum purchase wanted, bool give_up)
{
    static const enum purchase kinds[] = {PURCHASE_BLOCK, PURCHASE_SPOT, PURCHASE_ON_DEMAND};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint32_t held = kinds[i] == wanted ? 0 : staying_on(j, kinds[i]);
        if (kinds[i] == PURCHASE_ON_DEMAND && give_up && wanted != PURCHASE_ON_DEMAND) {
            j->leaves_on_demand = j->crews[kinds[i]] != NULL && j->crews[kinds[i]]->held > 0;
        } else if (held > 0 && kinds[i] == PURCHASE_BLOCK) {
            add_block(j, held);
        } else if (held > 0 && (kinds[i] == PURCHASE_ON_DEMAND || wanted != PURCHASE_OWNED)) {
            add_entry(j, kinds[i], held);
        }
    }
}

static void want_by_policy(struct elastic_job *j)
{
    struct policy_view view = elastic_view(j);
    struct policy_decision d = j->plan->policy->decide(j->plan->policy_params, &view);
    memcpy(j->noted, d.noted, sizeof j->noted);
    elastic_look_at(j, d.ask_again_at_s, &j->ask_again_event);
    if (d.want == PURCHASE_BLOCK) {
        add_block(j, FILL_ALL_THE_REST);
    } else {
        add_entry(j, d.want, FILL_ALL_THE_REST);
    }
    keep_others(j, d.want, d.give_up);
}

/* ---- at the end ---- */

/* Spot ends with the horizon. */
static void want_beyond_horizon(struct elastic_job *j)
{
    add_entry(j, PURCHASE_OWNED, FILL_ALL_THE_REST);
    add_block(j, FILL_ALL_THE_REST);
    add_entry(j, PURCHASE_ON_DEMAND, FILL_ALL_THE_REST);
    for (int k = 0; k < SITE_COUNT; k++) {
        bool spot = site_purchase(k) == PURCHASE_SPOT && j->crews[k] != NULL;
        j->leaves_spot = j->leaves_spot || (spot && j->crews[k]->held > 0);
    }
}

/* How long work stands still when the gang becomes one of so many nodes, as one may expect. */
static double resize_cost_s(const struct elastic_job *j, uint32_t nodes)
{
    const struct training_plan *plan = j->plan;
    if (plan->spec->elastic.on_loss == ELASTIC_CONTINUE) {
        return j->resize_s;
    }
    bool writes = plan->spec->checkpoint.mode == CHECKPOINT_PERIODIC;
    return j->resize_s + checkpoint_planned_restore_s(plan, nodes) +
           (writes ? checkpoint_complete_s(plan, j->nodes, NULL) : 0);
}

/* Until the end of the work on the nodes that take part. */
static double left_s(const struct elastic_job *j)
{
    const struct progress *p = &j->progress;
    return (p->work_s - progress_now(p).done_s) / p->gang.pace;
}

/* Work that must be left for a resize to so many nodes to end it sooner than none. */
static double least_left_s(const struct elastic_job *j, uint32_t nodes)
{
    double cost_s = resize_cost_s(j, nodes);
    if (nodes <= j->nodes) {
        return cost_s; /* other nodes, not more */
    }
    double share = j->progress.gang.pace / elastic_pace(j->plan, nodes, j->progress.drawn);
    return share < 1 ? cost_s / (1 - share) : HUGE_VAL;
}

bool elastic_pays(const struct elastic_job *j, uint32_t nodes)
{
    return left_s(j) > least_left_s(j, nodes);
}

/* Near the end nobody is asked for any more who would be ready too late, and who is ready too late
 * is given back. */
static void want_no_more(struct elastic_job *j)
{
    double boot_s = variate_planned_mean(&j->plan->spec->boot);
    double spare_s = left_s(j) - least_left_s(j, j->plan->work.nodes);
    if (spare_s <= 0) {
        freeze(j, team_staying);
    } else if (spare_s <= boot_s) {
        freeze(j, staying);
    } else {
        double again_s = spare_s - boot_s;
        elastic_look_at(j, j->calendar->now_s + (again_s > 1 ? again_s : 1), &j->closing_event);
    }
}

/* ---- all of it ---- */

/* What works in a window that is about to close leaves it, once the others can be told. */
static void watch_window(struct elastic_job *j)
{
    const struct crew *c = j->crews[PURCHASE_BLOCK];
    if (c != NULL && window_watch_closed(&j->windows)) {
        bool saves = j->plan->spec->checkpoint.mode != CHECKPOINT_NONE ||
                     j->plan->spec->elastic.on_loss == ELASTIC_CONTINUE;
        j->leaves_block = saves && c->team.part > 0;
        elastic_look_at(j, j->windows.closed_until_s, &j->window_event);
    }
}

void elastic_want(struct elastic_job *j)
{
    double dear_until_s;
    asking_limits_look(j->plan, j->fleet, j->crews, j->dear, &dear_until_s);
    j->fill.entry_count = 0;
    j->leaves_spot = j->leaves_on_demand = j->leaves_block = false;
    elastic_zones_look(j);
    watch_window(j);
    if (j->beyond_horizon) {
        want_beyond_horizon(j);
    } else if (j->plan->elastic.entry_count > 0) {
        for (size_t i = 0; i < j->plan->elastic.entry_count; i++) {
            const struct elastic_entry *e = &j->plan->elastic.entries[i];
            if (e->purchase == PURCHASE_BLOCK) {
                add_block(j, e->most);
            } else {
                add_entry(j, e->purchase, e->most);
            }
        }
        elastic_look_at(j, dear_until_s, &j->ask_again_event);
    } else {
        want_by_policy(j);
        if (isfinite(dear_until_s) && !calendar_pending(j->calendar, j->ask_again_event)) {
            elastic_look_at(j, dear_until_s, &j->ask_again_event);
        }
    }
    if (j->nodes > 0 && !j->leaves_spot && !j->leaves_on_demand && !j->leaves_block) {
        want_no_more(j);
    }
    j->fill.need = j->asleep ? 0 : j->plan->work.nodes;
}
