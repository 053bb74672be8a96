/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicas are scaled, nodes are billed. Wanted are the first `desired` replicas on the nodes that
 * the fill would keep for them; a replica that is not wanted drains, and a node goes when all that
 * is on those which are to go has drained, or the time for that is up. */
#include "models/inference/service_state.h"

#include <math.h>
#include <stdlib.h>

bool service_replicas_make(struct service_run *s)
{
    uint32_t per_node = s->plan->replicas_per_node, count = 0;
    for (size_t k = 0; k < service_nodes_of(s->plan)->pool_count; k++) {
        s->pool_first[k] = count;
        count += s->plan->crew_nodes[k] * per_node;
    }
    s->replica_count = count;
    s->replicas = calloc(count > 0 ? count : 1, sizeof *s->replicas);
    s->free_words = calloc(count / 64 + 1, sizeof *s->free_words);
    return s->replicas != NULL && s->free_words != NULL;
}

void service_replicas_begin(struct service_run *s)
{
    for (size_t k = 0; k < service_nodes_of(s->plan)->pool_count; k++) {
        uint32_t from = s->pool_first[k];
        uint32_t to =
            k + 1 < service_nodes_of(s->plan)->pool_count ? s->pool_first[k + 1] : s->replica_count;
        for (uint32_t i = from; i < to; i++) {
            s->replicas[i] = (struct replica){.pool = (uint32_t)k};
        }
    }
    for (uint32_t i = 0; i <= s->replica_count / 64; i++) {
        s->free_words[i] = 0;
    }
    for (size_t k = 0; k < service_nodes_of(s->plan)->pool_count; k++) {
        s->ready_of[k] = 0;
        s->capacity = 0;
    }
    s->free_hint = s->ready = s->loading = s->draining_busy = 0;
    s->serving_replicas = 0;
    s->draining_nodes = false;
    s->changed_at_s = -HUGE_VAL;
    s->idle_s = 0;
}

uint32_t service_warm(const struct service_run *s)
{
    if (s->plan->warm_up_s <= 0) {
        return s->ready;
    }
    uint32_t warm = 0;
    for (uint32_t i = 0; i < s->replica_count; i++) {
        warm += s->replicas[i].state == REPLICA_READY &&
                s->replicas[i].ready_s + s->plan->warm_up_s <= s->calendar->now_s;
    }
    return warm;
}

/* Without those that stand beside what is asked for. */
static uint32_t without_spares(const struct service_run *s, uint32_t replicas)
{
    return s->wanted > s->desired && replicas > s->desired ? s->desired : replicas;
}

uint32_t service_seen(const struct service_run *s)
{
    return without_spares(s, service_warm(s));
}

uint32_t service_standing(const struct service_run *s)
{
    return without_spares(s, s->ready);
}

/* ---- a replica ---- */

static void count_ready(struct service_run *s, const struct replica *r, int by)
{
    s->ready += (uint32_t)by;
    s->ready_of[r->pool] += (uint32_t)by;
    s->serving_replicas = s->ready + (double)s->draining_busy;
    s->capacity = service_capacity(s);
}

static void count_draining(struct service_run *s, int by)
{
    s->draining_busy += (uint32_t)by;
    s->serving_replicas = s->ready + (double)s->draining_busy;
}

static void become_ready(struct service_run *s, uint32_t replica)
{
    struct replica *r = &s->replicas[replica];
    r->state = REPLICA_READY;
    r->ready_s = s->calendar->now_s;
    s->changed_at_s = s->calendar->now_s;
    count_ready(s, r, 1);
    service_set_free(s, replica);
}

static void on_loaded(void *run, uint64_t replica)
{
    struct service_run *s = run;
    if (s->over) {
        return;
    }
    service_book(s);
    s->loading--;
    become_ready(s, (uint32_t)replica);
    if (s->plan->of_jobs) {
        service_jobs_follow(s);
    }
    service_dispatch(s);
}

static void begin_loading(struct service_run *s, uint32_t replica, bool warm)
{
    struct replica *r = &s->replicas[replica];
    double load_s = warm ? s->warm_load_s : s->load_s;
    if (load_s <= 0) {
        become_ready(s, replica);
        return;
    }
    r->state = REPLICA_LOADING;
    s->loading++;
    if (calendar_schedule(s->calendar, s->calendar->now_s + load_s, EVENT_WORK, on_loaded, s,
                          replica, &r->load) != CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
}

/* On shared nodes a replica that drains holds its place, and no longer than `drain`. */
static void on_drained_long_enough(void *run, uint64_t replica)
{
    struct service_run *s = run;
    struct replica *r = &s->replicas[replica];
    if (s->over || r->state != REPLICA_DRAINING || r->busy == 0 || r->noticed) {
        return;
    }
    service_book(s);
    count_draining(s, -1);
    r->state = REPLICA_ABSENT;
    service_lose(s, (uint32_t)replica);
    r->busy = 0;
    shared_fleet_follow(s->host);
}

static void limit_draining(struct service_run *s, uint32_t replica)
{
    if (calendar_schedule(s->calendar, s->calendar->now_s + s->drain_s, EVENT_WORK,
                          on_drained_long_enough, s, replica,
                          &s->replicas[replica].load) != CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
}

/* In steps of time nobody sees a request end: it drains for as long as it takes on average. */
static void on_drained(void *run, uint64_t replica)
{
    struct service_run *s = run;
    if (s->over) {
        return;
    }
    service_book(s);
    s->replicas[replica].busy = 0;
    service_drained(s, (uint32_t)replica);
}

static void drain_on_average(struct service_run *s, uint32_t replica)
{
    struct replica *r = &s->replicas[replica];
    double now_s = s->calendar->now_s, for_s = service_interval_drain_s(s, replica);
    bool cut = s->host != NULL && for_s > s->drain_s;
    r->drains_from_s = now_s;
    r->busy = for_s > 0;
    if (for_s > 0 && calendar_schedule(s->calendar, now_s + (cut ? s->drain_s : for_s), EVENT_WORK,
                                       cut ? on_drained_long_enough : on_drained, s, replica,
                                       &r->load) != CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
}

static void stop_draining(struct service_run *s, struct replica *r)
{
    if (r->state == REPLICA_DRAINING && r->busy > 0) {
        count_draining(s, -1);
        if (s->interval != NULL || s->host != NULL) {
            calendar_cancel(s->calendar, r->load);
        }
        if (s->interval != NULL) {
            r->busy = 0;
        }
    }
}

/* What it serves is lost. */
static void vanish(struct service_run *s, uint32_t replica)
{
    struct replica *r = &s->replicas[replica];
    if (r->state == REPLICA_LOADING) {
        calendar_cancel(s->calendar, r->load);
        s->loading--;
    }
    bool served = r->state == REPLICA_READY || (r->state == REPLICA_DRAINING && r->busy > 0);
    if (r->state == REPLICA_READY) {
        count_ready(s, r, -1);
    }
    stop_draining(s, r);
    r->state = REPLICA_ABSENT;
    r->launch = 0;
    service_set_free(s, replica);
    if (served) {
        service_lose(s, replica);
    }
    s->changed_at_s = s->calendar->now_s;
}

static void begin_draining(struct service_run *s, uint32_t replica)
{
    struct replica *r = &s->replicas[replica];
    if (r->state == REPLICA_LOADING) {
        calendar_cancel(s->calendar, r->load);
        s->loading--;
        r->state = REPLICA_ABSENT;
    } else if (r->state == REPLICA_READY) {
        count_ready(s, r, -1);
        if (s->interval != NULL) {
            drain_on_average(s, replica);
        }
        if (s->host != NULL && s->interval == NULL && r->busy > 0) {
            limit_draining(s, replica);
        }
        r->state = r->busy > 0 || r->noticed ? REPLICA_DRAINING : REPLICA_ABSENT;
        count_draining(s, r->busy > 0);
        s->changed_at_s = s->calendar->now_s;
        service_set_free(s, replica);
    }
}

/* It serves again, though it was to go. */
static void resume(struct service_run *s, uint32_t replica)
{
    struct replica *r = &s->replicas[replica];
    if (s->interval != NULL && r->busy > 0) {
        service_interval_resume(s, replica);
    }
    stop_draining(s, r);
    r->state = REPLICA_READY;
    count_ready(s, r, 1);
    service_set_free(s, replica);
}

/* ---- all of them ---- */

void service_follow_replica(struct service_run *s, uint32_t replica, const struct node *n,
                            bool want)
{
    struct replica *r = &s->replicas[replica];
    bool here = n->state == NODE_HELD || n->state == NODE_NOTICED;
    uint32_t launch = here ? n->launches : 0;
    if (r->launch != launch && r->launch != 0) {
        vanish(s, replica);
    }
    r->launch = launch;
    r->noticed = n->state == NODE_NOTICED;
    if (!here || !n->booted) {
        return;
    }
    if (r->noticed || !want) {
        begin_draining(s, replica);
    } else if (r->state == REPLICA_ABSENT) {
        begin_loading(s, replica, n->warm);
    } else if (r->state == REPLICA_DRAINING) {
        resume(s, replica);
    }
}

/* Which replicas are wanted, and what each has to do about it. */
static void follow_zone(struct service_run *s, const struct service_zone *zone)
{
    const struct fill *fill = &zone->fill;
    uint32_t got[FILL_MAX_ENTRIES] = {0}, share[FILL_MAX_ENTRIES] = {0}, left = zone->replicas;
    uint32_t per_node = s->plan->replicas_per_node;
    for (size_t k = 0; k < fill->crew_count; k++) {
        got[k] = fill->crews[k]->ready;
    }
    fill_share(fill->entries, fill->entry_count, zone->nodes, got, share, fill->crew_count);
    for (size_t k = 0; k < fill->crew_count; k++) {
        const struct crew *c = fill->crews[k];
        uint32_t kept = 0, first = s->pool_first[zone->first + k];
        for (uint32_t slot = 0; slot < c->size; slot++) {
            const struct node *n = &c->nodes[slot];
            bool works = n->state == NODE_HELD && n->booted;
            bool keep = works && kept < share[k];
            kept += keep;
            for (uint32_t i = 0; i < per_node; i++) {
                bool want = keep && left > 0;
                left -= want;
                service_follow_replica(s, first + slot * per_node + i, n, want);
            }
        }
    }
}

static void follow_nodes(struct service_run *s)
{
    for (uint32_t z = 0; z < s->plan->zone_count; z++) {
        follow_zone(s, &s->zones[z]);
    }
}

static void on_drain_end(void *run, uint64_t tag);

/* What has not booted yet is not waited for. */
static void keep_meanwhile(struct service_run *s, uint32_t z)
{
    struct service_zone *zone = &s->zones[z];
    uint32_t works = service_zone_working(s, z);
    uint32_t meanwhile = works > zone->nodes ? works : zone->nodes;
    if (meanwhile < zone->fill.need) {
        fill_need(&zone->fill, meanwhile);
    }
}

/* Nodes that are not needed go as soon as nothing drains on them. */
static void follow_need(struct service_run *s)
{
    bool fewer = false, other = false;
    for (uint32_t z = 0; z < s->plan->zone_count; z++) {
        fewer |= s->zones[z].nodes < s->zones[z].fill.need;
        other |= s->zones[z].nodes != s->zones[z].fill.need;
    }
    if (s->draining_busy > 0 && fewer) {
        for (uint32_t z = 0; z < s->plan->zone_count; z++) {
            keep_meanwhile(s, z);
        }
        if (!s->draining_nodes) {
            s->draining_nodes = true;
            if (calendar_schedule(s->calendar, s->calendar->now_s + s->drain_s, EVENT_WORK,
                                  on_drain_end, s, 0, &s->drain_end) != CALENDAR_OK) {
                fleet_fail(s->fleet);
            }
        }
        return;
    }
    if (s->draining_nodes) {
        s->draining_nodes = false;
        calendar_cancel(s->calendar, s->drain_end);
    }
    if (other) {
        for (uint32_t z = 0; z < s->plan->zone_count; z++) {
            fill_need(&s->zones[z].fill, s->zones[z].nodes);
        }
        follow_nodes(s);
    }
}

void service_follow_warm(struct service_run *s)
{
    if (s->plan->has_warm_pool) {
        warm_nodes_follow(&s->warm, s->zones[0].nodes);
    }
}

static void on_drain_end(void *run, uint64_t tag)
{
    struct service_run *s = run;
    (void)tag;
    if (s->over) {
        return;
    }
    service_book(s);
    s->draining_nodes = false;
    for (uint32_t z = 0; z < s->plan->zone_count; z++) {
        fill_need(&s->zones[z].fill, s->zones[z].nodes);
    }
    follow_nodes(s);
    service_follow_warm(s);
    service_dispatch(s);
}

void service_drained(struct service_run *s, uint32_t replica)
{
    struct replica *r = &s->replicas[replica];
    count_draining(s, -1);
    if (!r->noticed) {
        r->state = REPLICA_ABSENT;
    }
    if (s->host != NULL) {
        calendar_cancel(s->calendar, r->load);
        shared_fleet_follow(s->host);
        return;
    }
    if (s->plan->of_jobs) {
        s->wanted = s->desired = s->desired > 0 ? s->desired - 1 : 0;
        service_jobs_follow(s);
        return;
    }
    follow_need(s);
    service_follow_warm(s);
    service_dispatch(s);
}

void service_job_ends(struct service_run *s, uint32_t replica)
{
    struct replica *r = &s->replicas[replica];
    count_ready(s, r, -1);
    r->state = REPLICA_ABSENT;
    s->changed_at_s = s->calendar->now_s;
    s->wanted = s->desired = s->desired > 0 ? s->desired - 1 : 0;
    service_set_free(s, replica);
}

static void follow(struct service_run *s)
{
    if (s->host != NULL) {
        shared_fleet_follow(s->host);
        return;
    }
    if (s->plan->of_jobs) {
        service_jobs_follow(s);
        return;
    }
    service_zones_spread(s);
    follow_nodes(s);
    follow_need(s);
    service_follow_warm(s);
    service_dispatch(s);
}

void service_want(struct service_run *s, uint32_t replicas)
{
    s->desired = replicas;
    s->wanted = footprint_replicas(&s->plan->footprint, replicas);
    follow(s);
}

void service_rolls(struct service_run *s)
{
    follow(s);
}

void service_nodes_changed(struct service_run *s)
{
    for (uint32_t z = 0; z < s->plan->zone_count; z++) {
        fill_follow(&s->zones[z].fill);
    }
    follow(s);
}
