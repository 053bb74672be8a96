/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicas that are jobs: each serves one request and ends. Nothing that works is taken away: a
 * place on a node is free again when its job has ended, and a node ends when it is empty and not
 * needed. What vanishes with its node, working or not, is started anew elsewhere, as a Kubernetes
 * Job is. */
#include "models/fleet/independent_nodes.h"
#include "models/inference/service_state.h"

static uint32_t place_of(const struct service_run *s, size_t pool, uint32_t slot)
{
    return s->pool_first[pool] + slot * s->plan->replicas_per_node;
}

static uint32_t jobs_on(const struct service_run *s, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->plan->replicas_per_node; i++) {
        count += s->replicas[first + i].state != REPLICA_ABSENT;
    }
    return count;
}

/* Jobs that have a node, and nodes that have jobs. */
static void count_jobs(const struct service_run *s, uint32_t *jobs, uint32_t *nodes)
{
    *jobs = *nodes = 0;
    for (size_t k = 0; k < s->plan->work.pool_count; k++) {
        for (uint32_t slot = 0; slot < s->crews[k]->size; slot++) {
            uint32_t here = jobs_on(s, place_of(s, k, slot));
            *jobs += here;
            *nodes += here > 0;
        }
    }
}

/* What is there goes on; places that are free are taken by jobs that have none. */
static void follow_places(struct service_run *s, uint32_t *left)
{
    for (size_t k = 0; k < s->plan->work.pool_count; k++) {
        for (uint32_t slot = 0; slot < s->crews[k]->size; slot++) {
            const struct node *n = &s->crews[k]->nodes[slot];
            uint32_t first = place_of(s, k, slot);
            bool takes = n->state == NODE_HELD && n->booted;
            for (uint32_t i = 0; i < s->plan->replicas_per_node; i++) {
                bool there = s->replicas[first + i].state != REPLICA_ABSENT;
                bool begins = !there && takes && *left > 0;
                *left -= begins;
                service_follow_replica(s, first + i, n, there || begins);
            }
        }
    }
}

/* Of the nodes that have booted and are empty those that are too many. */
static void end_empty(struct service_run *s)
{
    uint32_t held = 0;
    for (size_t k = 0; k < s->plan->work.pool_count; k++) {
        held += s->crews[k]->held - s->crews[k]->noticed;
    }
    for (size_t k = s->plan->work.pool_count; k-- > 0;) {
        struct crew *c = s->crews[k];
        for (uint32_t slot = c->size; slot-- > 0 && held > s->zones[0].nodes;) {
            const struct node *n = &c->nodes[slot];
            if (n->state == NODE_HELD && n->booted && jobs_on(s, place_of(s, k, slot)) == 0) {
                held--;
                independent_end(c, slot, END_RELEASED);
            }
        }
    }
}

/* A job that has found nothing to do ends. */
static bool end_idle(struct service_run *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->replica_count && s->waiting == 0; i++) {
        const struct replica *r = &s->replicas[i];
        if (r->state == REPLICA_READY && r->busy == 0) {
            service_job_ends(s, i);
            any = true;
        }
    }
    return any;
}

static void follow_once(struct service_run *s)
{
    struct service_zone *zone = &s->zones[0];
    uint32_t jobs, nodes, need = service_nodes_for(s, s->desired);
    /* First what has become of those that were there. */
    uint32_t none = 0;
    follow_places(s, &none);
    count_jobs(s, &jobs, &nodes);
    zone->base = zone->replicas = s->desired;
    zone->nodes = need > nodes ? need : nodes;
    if (zone->nodes != zone->fill.need) {
        fill_need(&zone->fill, zone->nodes);
    }
    uint32_t left = s->desired > jobs ? s->desired - jobs : 0;
    follow_places(s, &left);
    end_empty(s);
    service_dispatch(s);
}

void service_jobs_follow(struct service_run *s)
{
    if (s->following_jobs) {
        s->follow_jobs_again = true;
        return;
    }
    s->following_jobs = true;
    do {
        s->follow_jobs_again = false;
        follow_once(s);
        s->follow_jobs_again |= end_idle(s);
    } while (s->follow_jobs_again);
    s->following_jobs = false;
    service_follow_warm(s);
}

void service_jobs_begin(struct service_run *s)
{
    s->following_jobs = s->follow_jobs_again = false;
    s->zones[0].fill.holds = s->plan->of_jobs;
}
