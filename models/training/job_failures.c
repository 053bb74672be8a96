/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/job_failures.h"

#include "models/fleet/spare_nodes.h"

#include <math.h>

/* ---- standing still ---- */

void job_down_look(struct job *j)
{
    if (j->down && j->down_counts) {
        crew_did(j->active, ACTIVITY_DOWN, j->calendar->now_s - j->down_since_s);
        j->down_since_s = j->calendar->now_s;
    }
}

void job_down_over(struct job *j)
{
    if (j->down) {
        job_down_look(j);
        j->down = false;
        calendar_cancel(j->calendar, j->respond_event);
        j->respond_event = EVENT_NONE;
    }
}

static void respond(void *actor, uint64_t tag)
{
    struct job *j = actor;
    (void)tag;
    struct crew *c = j->active;
    job_note(j, "the failure is acted upon");
    j->respond_event = EVENT_NONE;
    job_down_over(j);
    j->spot_wanted_since_s = j->calendar->now_s;
    if (j->plan->spec->reliability.failures.restart == FAILURE_RESTART_GANG) {
        job_drop_active(j);
    } else {
        crew_end_failed(c);
        job_spares_stand_in(j, c);
        job_watch_patience(j);
        job_track_idle(j);
    }
    job_reconsider(j);
}

/* The failure of the node of this slot is noticed. Where spares are ready they are put in at once;
 * else somebody or something has to act. */
static void noticed(void *actor, uint64_t tag)
{
    struct job *j = actor;
    const struct crew *spares = j->spares[training_site(j->plan, j->active->pool)];
    bool node = j->plan->spec->reliability.failures.restart == FAILURE_RESTART_NODE;
    j->respond_event = EVENT_NONE;
    if (node && spares != NULL && spares->ready >= j->active->failed) {
        respond(j, 0);
    } else {
        double for_s = failure_respond_s(&j->response, j->plan, j->active, (uint32_t)tag);
        job_at(j, j->calendar->now_s + for_s, respond, 0, &j->respond_event);
    }
}

/* Every node of the gang is there and ready, so that all stand still for the one that failed. */
static bool whole_but_failed(const struct job *j, const struct crew *c)
{
    for (uint32_t i = 0; c->held == c->size && i < c->size; i++) {
        if (c->nodes[i].ready_s > j->calendar->now_s) {
            return false;
        }
    }
    return c->held == c->size;
}

static void stand_still(struct job *j, struct crew *c, uint32_t slot)
{
    j->down = true;
    j->down_since_s = j->calendar->now_s;
    j->down_counts = whole_but_failed(j, c);
    job_leave_trail(j);
    fleet_count_work(j->fleet, c->size);
    job_watch_patience(j);
    job_at(j, j->calendar->now_s + failure_detect_s(&j->response, j->plan, c, slot), noticed, slot,
           &j->respond_event);
}

static void active_failed(struct job *j, struct crew *c, uint32_t slot)
{
    if (c == j->progress.crew) {
        progress_lose(&j->progress);
    }
    if (progress_complete(&j->progress)) {
        job_end(j, true, END_FINISHED);
        return;
    }
    if (j->stopping) {
        job_end(j, false, END_BUDGET);
        return;
    }
    if (j->whole) {
        trail_mark(fleet_trail(j->fleet), j->calendar->now_s, j->plan->work.workload, TRAIL_FAILURE,
                   c->pool);
        j->result.losses++;
    }
    j->whole = false;
    if (job_is_ready(j, j->incoming)) {
        job_move_to_incoming(j);
    } else if (!j->down) {
        stand_still(j, c, slot);
    }
}

void job_node_failed(void *owner, struct crew *c, uint32_t slot)
{
    struct job *j = owner;
    if (c == j->active) {
        active_failed(j, c, slot);
    } else if (c == j->incoming) {
        job_dismiss_incoming(j);
        job_track_idle(j);
        job_reconsider(j);
    }
}

/* ---- spares ---- */

static struct crew *gang_of(const struct job *j, const struct crew *spares)
{
    int site = 0;
    while (j->spares[site] != spares) {
        site++;
    }
    return j->crews[site];
}

void job_spares_stand_in(struct job *j, struct crew *c)
{
    struct crew *spares = j->spares[training_site(j->plan, c->pool)];
    if (spares != NULL && c == j->active && !j->down && c->held < c->size &&
        spare_nodes_stand_in(spares, c) > 0) {
        job_spares_ask(j);
    }
}

void job_spares_ask(struct job *j)
{
    if (j->active == NULL || j->over || j->plan->reliability.spares == 0) {
        return;
    }
    struct crew *spares = j->spares[training_site(j->plan, j->active->pool)];
    if (j->active->held == j->active->size) {
        spare_nodes_ask(spares);
    } else {
        crew_withdraw(spares); /* so that they do not stand before the gang */
    }
}

static void spares_changed(void *owner, struct crew *c)
{
    struct job *j = owner;
    (void)c;
    job_track_idle(j);
}

/* Those that have just booted stand in for what the gang waits for. */
static void spares_ready(void *owner, struct crew *c)
{
    struct job *j = owner;
    struct crew *gang = gang_of(j, c);
    if (gang == j->active) {
        job_spares_stand_in(j, gang);
    }
}

static void spares_lost(void *owner, struct crew *c)
{
    struct job *j = owner;
    job_track_idle(j);
    if (gang_of(j, c) == j->active) {
        job_spares_ask(j);
    }
}

/* Nothing stands still for a spare: it is found out, and replaced, at once. */
static void spare_failed(void *owner, struct crew *c, uint32_t slot)
{
    (void)slot;
    crew_end_failed(c);
    spares_lost(owner, c);
}

static const struct crew_events spare_events = {
    .granted = spares_changed,
    .ready = spares_ready,
    .noticed = spares_changed,
    .losing = spares_changed,
    .lost = spares_lost,
    .failed = spare_failed,
    .capacity = spares_changed,
    .room = spares_changed,
};

/* ---- worlds ---- */

bool job_failures_make(struct job *j)
{
    const struct training_plan *p = j->plan;
    for (int k = 0; k < SITE_COUNT && p->reliability.spares > 0; k++) {
        if (p->pools[k] < 0) {
            continue;
        }
        j->spares[k] =
            fleet_add_crew(j->fleet, &spare_events, j, p->work.workload, p->work.workload_name,
                           p->pools[k], p->reliability.spares, &p->spec->boot);
        if (j->spares[k] == NULL) {
            return false;
        }
        spare_nodes_make(j->spares[k], j->crews[k], p->work.workload_name);
    }
    return true;
}

bool job_failures_begin(struct job *j, const double *drawn)
{
    j->down = false;
    j->respond_event = EVENT_NONE;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (j->crews[k] != NULL) {
            training_equip(j->plan, j->crews[k], drawn);
        }
        if (j->spares[k] != NULL) {
            training_equip(j->plan, j->spares[k], drawn);
        }
    }
    return failure_response_draw(&j->response, j->plan, drawn);
}
