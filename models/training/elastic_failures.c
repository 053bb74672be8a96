/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/elastic_failures.h"

#include "models/fleet/independent_nodes.h"
#include "models/fleet/team_nodes.h"

_Static_assert(CREW_MAX_NODES <= 1 << 24 && SITE_COUNT <= 1 << 8, "a node's name fits in a tag");

/* A launch of a node, by which an event finds it, or that it is gone. */
static uint64_t tag_of(const struct elastic_job *j, const struct crew *c, uint32_t slot)
{
    uint64_t k = 0;
    while (j->fill.crews[k] != c) {
        k++;
    }
    return (uint64_t)c->nodes[slot].launches << 32 | (uint64_t)slot << 8 | k;
}

/* ---- standing still ---- */

void elastic_down_look(struct elastic_job *j)
{
    for (size_t k = 0; j->down && k < j->fill.crew_count; k++) {
        crew_did(j->fill.crews[k], ACTIVITY_DOWN, j->calendar->now_s - j->down_since_s);
    }
    j->down_since_s = j->calendar->now_s;
}

void elastic_down_over(struct elastic_job *j)
{
    if (j->down) {
        elastic_down_look(j);
        j->down = false;
        calendar_cancel(j->calendar, j->down_event);
        j->down_event = EVENT_NONE;
    }
}

/* ---- what follows a failure ---- */

static void acted_upon(void *actor, uint64_t tag)
{
    struct elastic_job *j = actor;
    struct crew *c = j->fill.crews[tag & 0xff];
    uint32_t slot = (uint32_t)(tag >> 8) & 0xffffff;
    const struct node *n = &c->nodes[slot];
    if (n->launches != (uint32_t)(tag >> 32) || n->state != NODE_HELD || !n->failed) {
        return; /* it is gone, or goes by itself */
    }
    if (j->plan->elastic.whole &&
        j->plan->spec->reliability.failures.restart == FAILURE_RESTART_GANG && j->nodes == 0) {
        elastic_note(j, "a failure is acted upon: the gang is given up");
        elastic_give_back(j);
    } else {
        elastic_note(j, "a failure is acted upon: the node is given up");
        independent_end(c, slot, END_RELEASED); /* as failed */
    }
    elastic_consider(j);
}

static void noticed(void *actor, uint64_t tag)
{
    struct elastic_job *j = actor;
    (void)tag;
    elastic_down_over(j);
    elastic_note(j, "the failure is noticed");
    elastic_go_on(j);
    elastic_consider(j);
}

static void at(struct elastic_job *j, double in_s, event_handler *handler, uint64_t tag,
               struct event_id *id)
{
    if (calendar_schedule(j->calendar, j->calendar->now_s + in_s, EVENT_POLICY, handler, j, tag,
                          id) != CALENDAR_OK) {
        fleet_fail(j->fleet);
    }
}

/* What the others have done counts as far as it is kept, or is in their memory. */
static void stop_work(struct elastic_job *j, struct crew *c, uint32_t slot)
{
    const bool carried = elastic_continues(j, c->nodes[slot].state == NODE_HELD);
    if (j->down) {
        elastic_down_look(j);
    } else if (carried) {
        progress_pause(&j->progress);
    } else {
        progress_lose(&j->progress);
    }
    if (!carried) {
        progress_forget(&j->progress);
    }
    team_leave(c, slot);
}

static void part_failed(struct elastic_job *j, struct crew *c, uint32_t slot)
{
    const bool stood = j->down;
    stop_work(j, c, slot);
    if (progress_complete(&j->progress)) {
        elastic_end(j, true, END_FINISHED);
        return;
    }
    if (j->stopping) {
        elastic_end(j, false, END_BUDGET);
        return;
    }
    if (!stood) {
        j->result.losses++;
        trail_mark(fleet_trail(j->fleet), j->calendar->now_s, j->plan->work.workload, TRAIL_FAILURE,
                   c->pool);
        j->down = true;
        j->down_since_s = j->calendar->now_s;
        at(j, failure_detect_s(&j->response, j->plan, c, slot), noticed, 0, &j->down_event);
    }
    elastic_track_idle(j);
}

void elastic_node_failed(void *owner, struct crew *c, uint32_t slot)
{
    struct elastic_job *j = owner;
    const struct node *n = &c->nodes[slot];
    const bool takes_part = j->nodes > 0 && n->part == NODE_TAKES_PART;
    if (n->state == NODE_HELD) {
        at(j,
           failure_detect_s(&j->response, j->plan, c, slot) +
               failure_respond_s(&j->response, j->plan, c, slot),
           acted_upon, tag_of(j, c, slot), NULL);
    }
    if (takes_part) {
        part_failed(j, c, slot);
    } else {
        team_leave(c, slot); /* of the next gang */
        elastic_consider(j);
    }
}

bool elastic_failures_begin(struct elastic_job *j, const double *drawn)
{
    j->down = false;
    j->down_since_s = 0;
    j->down_event = EVENT_NONE;
    j->result.may_fail = j->plan->reliability.fails;
    for (size_t k = 0; k < j->fill.crew_count; k++) {
        training_equip(j->plan, j->fill.crews[k], drawn);
    }
    return failure_response_draw(&j->response, j->plan, drawn);
}
