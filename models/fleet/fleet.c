/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/fleet.h"

#include "models/commitments/commitment_plan.h"
#include "models/fleet/fleet_pool.h"
#include "models/fleet/running_price.h"

#include <stdlib.h>

struct fleet *fleet_new(struct market *market, struct calendar *calendar, struct usage_log *log)
{
    struct fleet *f = calloc(1, sizeof *f);
    if (f == NULL) {
        return NULL;
    }
    f->market = market;
    f->calendar = calendar;
    f->log = log;
    return f;
}

void fleet_free(struct fleet *f)
{
    if (f == NULL) {
        return;
    }
    for (size_t i = 0; i < f->crew_count; i++) {
        crew_free(f->crews[i]);
    }
    for (size_t i = 0; i < f->pool_count; i++) {
        free(f->pools[i]);
    }
    free(f->crews);
    free(f->offers);
    free(f->pools);
    free(f->falls);
    free(f->order);
    running_price_free(f->prices);
    free(f);
}

bool fleet_sign(struct fleet *f, const struct commitment_plan *plan)
{
    f->prices = running_price_new(plan);
    for (size_t i = 0; i < f->pool_count; i++) {
        f->pools[i]->reserved = reservation_plan_pool(&plan->reservations, f->pools[i]->pool);
    }
    return f->prices != NULL;
}

struct running_price *fleet_prices(const struct fleet *f)
{
    return f->prices;
}

struct gang_price fleet_gang_price(const struct fleet *f, const struct crew *c)
{
    return running_price_of(f->prices, c, f->crews, f->crew_count);
}

static struct fleet_pool *fleet_pool_for(struct fleet *f, int pool)
{
    for (size_t i = 0; i < f->pool_count; i++) {
        if (f->pools[i]->pool == pool) {
            return f->pools[i];
        }
    }
    struct fleet_pool **grown = realloc(f->pools, (f->pool_count + 1) * sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    f->pools = grown;
    struct fleet_pool *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    const char *name = market_pool_info(market_plan_of(f->market), pool)->name;
    *p = (struct fleet_pool){.fleet = f,
                             .pool = pool,
                             .quota = market_plan_quota(market_plan_of(f->market), pool),
                             .source_regain = random_source("regain/%s", name),
                             .source_falls = random_source("falls/%s", name),
                             .source_advice = random_source("advice/%s", name),
                             .source_false_alarms = random_source("advice/%s/false", name)};
    f->pools[f->pool_count++] = p;
    return p;
}

/* Room to choose among so many nodes; never shrinks below what another pool needs. */
static bool grow_scratch(struct fleet *f, size_t nodes)
{
    if (nodes <= f->scratch) {
        return true;
    }
    bool *falls = realloc(f->falls, nodes * sizeof *falls);
    if (falls != NULL) {
        f->falls = falls;
    }
    uint32_t *order = realloc(f->order, nodes * sizeof *order);
    if (order != NULL) {
        f->order = order;
    }
    if (falls == NULL || order == NULL) {
        return false;
    }
    f->scratch = nodes;
    return true;
}

struct crew *fleet_add_crew(struct fleet *f, const struct crew_events *events, void *owner,
                            uint32_t workload, const char *workload_name, int pool, uint32_t size,
                            const struct variate *boot)
{
    if (f->crew_count == f->crew_capacity) {
        size_t capacity = f->crew_capacity == 0 ? 8 : 2 * f->crew_capacity;
        struct crew **grown = realloc(f->crews, capacity * sizeof(struct crew *));
        if (grown == NULL) {
            return NULL;
        }
        f->crews = grown;
        f->crew_capacity = capacity;
    }
    struct fleet_pool *p = fleet_pool_for(f, pool);
    struct crew *c = calloc(1, sizeof *c);
    if (p == NULL || c == NULL) {
        free(c);
        return NULL;
    }
    const struct pool_info *info = market_pool_info(market_plan_of(f->market), pool);
    c->fleet = f;
    c->events = events;
    c->owner = owner;
    c->workload = workload;
    c->pool = pool;
    c->purchase = info->purchase;
    c->size = size;
    c->in = p;
    c->boot_spec = boot;
    if (!grow_scratch(f, (size_t)p->most + size) || !crew_allocate(c, workload_name, info->name)) {
        crew_free(c);
        return NULL;
    }
    p->most += size;
    p->crews++;
    f->crews[f->crew_count++] = c;
    return c;
}

bool fleet_offer(struct fleet *f, uint32_t workload, void *what)
{
    struct fleet_offer *grown = realloc(f->offers, (f->offer_count + 1) * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    f->offers = grown;
    f->offers[f->offer_count++] = (struct fleet_offer){.workload = workload, .what = what};
    return true;
}

void *fleet_offered(const struct fleet *f, uint32_t workload)
{
    for (size_t i = 0; i < f->offer_count; i++) {
        if (f->offers[i].workload == workload) {
            return f->offers[i].what;
        }
    }
    return NULL;
}

bool fleet_begin(struct fleet *f, struct random_world world, const double *drawn,
                 struct journal *journal)
{
    f->world = world;
    f->journal = journal;
    f->failed = false;
    f->work = 0;
    calendar_reset(f->calendar);
    for (size_t k = 0; k < f->crew_count; k++) {
        if (!crew_begin(f->crews[k], drawn)) {
            return false;
        }
    }
    for (size_t k = 0; k < f->pool_count; k++) {
        pool_begin(f->pools[k]);
    }
    return !f->failed;
}

struct calendar *fleet_calendar(const struct fleet *f)
{
    return f->calendar;
}

struct market *fleet_market(const struct fleet *f)
{
    return f->market;
}

struct journal *fleet_journal(const struct fleet *f)
{
    return f->journal;
}

void fleet_follow(struct fleet *f, struct trail *trail)
{
    f->trail = trail;
}

struct trail *fleet_trail(const struct fleet *f)
{
    return f->trail;
}

void fleet_log_attempts(struct fleet *f, struct attempt_log *log)
{
    f->attempts = log;
}

struct attempt_log *fleet_attempts(const struct fleet *f)
{
    return f->attempts;
}

void fleet_log_services(struct fleet *f, struct service_log *log)
{
    f->services = log;
}

struct service_log *fleet_services(const struct fleet *f)
{
    return f->services;
}

void fleet_log_hours(struct fleet *f, struct hour_log *log)
{
    f->hours = log;
}

struct hour_log *fleet_hours(const struct fleet *f)
{
    return f->hours;
}

struct random_world fleet_world(const struct fleet *f)
{
    return f->world;
}

void fleet_fail(struct fleet *f)
{
    f->failed = true;
}

double fleet_work(const struct fleet *f)
{
    return (double)f->work / FLEET_WORK_OF_A_LAUNCH;
}

void fleet_count_work(struct fleet *f, uint32_t nodes)
{
    f->work += nodes;
}

bool fleet_goes_on(const struct fleet *f, uint64_t most_events)
{
    return f->calendar->fired * FLEET_WORK_OF_A_LAUNCH + f->work <=
               most_events * FLEET_WORK_OF_A_LAUNCH &&
           !f->failed && !f->log->overflow;
}

bool fleet_failed(const struct fleet *f)
{
    return f->failed || f->log->overflow;
}
