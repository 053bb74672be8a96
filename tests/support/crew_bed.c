/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/crew_bed.h"

#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void tell(struct bed_owner *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell(struct bed_owner *o, const char *format, ...)
{
    struct bed *b = o->bed;
    size_t used = strlen(b->told);
    va_list args;
    va_start(args, format);
    snprintf(b->told + used, sizeof b->told - used, "%.9g %s ", b->calendar.now_s, o->name);
    used = strlen(b->told);
    vsnprintf(b->told + used, sizeof b->told - used, format, args);
    va_end(args);
    used = strlen(b->told);
    snprintf(b->told + used, sizeof b->told - used, "; ");
}

static void on_granted(void *owner, struct crew *c)
{
    tell(owner, "holds %u", c->held);
}

static void on_ready(void *owner, struct crew *c)
{
    (void)c;
    tell(owner, "ready");
}

static void on_noticed(void *owner, struct crew *c)
{
    struct bed_owner *o = owner;
    tell(o, "noticed %u", c->noticed);
    if (o->on_noticed != NULL) {
        o->on_noticed(o, c);
    }
}

static void on_losing(void *owner, struct crew *c)
{
    (void)owner, (void)c;
}

static void on_lost(void *owner, struct crew *c)
{
    struct bed_owner *o = owner;
    tell(o, "left %u", c->held);
    if (o->on_lost != NULL) {
        o->on_lost(o, c);
    }
}

static void on_capacity(void *owner, struct crew *c)
{
    (void)c;
    tell(owner, "capacity");
}

static void on_room(void *owner, struct crew *c)
{
    (void)c;
    tell(owner, "room");
}

static void on_advised(void *owner, struct crew *c)
{
    (void)c;
    tell(owner, "advised");
}

static void on_failed(void *owner, struct crew *c, uint32_t slot)
{
    (void)c;
    (void)slot;
    tell(owner, "failed");
}

static const struct crew_events events = {on_granted,  on_ready, on_noticed, on_losing, on_lost,
                                          on_capacity, on_room,  on_advised, on_failed};

void bed_make(struct bed *b, const struct scripted_pool *pools, size_t pool_count)
{
    *b = (struct bed){.boot = variate_constant(100), .world = {.seed = 3, .replication = 4}};
    b->market = scripted_market_new(pools, pool_count);
    assert_non_null(b->market);
    assert_true(calendar_init(&b->calendar, 1000));
    usage_log_init(&b->log, 1000);
    b->fleet = fleet_new(b->market, &b->calendar, &b->log);
    assert_non_null(b->fleet);
}

struct crew *bed_add(struct bed *b, size_t index, int pool, uint32_t size)
{
    static const char *const names[BED_CREWS] = {"a", "b", "c"};
    b->owners[index] = (struct bed_owner){.name = names[index], .bed = b};
    b->crews[index] = fleet_add_crew(b->fleet, &events, &b->owners[index], (uint32_t)index,
                                     names[index], pool, size, &b->boot);
    assert_non_null(b->crews[index]);
    return b->crews[index];
}

void bed_begin(struct bed *b)
{
    usage_log_clear(&b->log);
    b->told[0] = '\0';
    assert_true(fleet_begin(b->fleet, b->world, NULL, NULL));
}

void bed_run(struct bed *b, double until_s)
{
    while (calendar_step(&b->calendar, until_s)) {
    }
}

void bed_ask(void *crew, uint64_t tag)
{
    (void)tag;
    crew_ask(crew);
}

void bed_release_crew(void *crew, uint64_t tag)
{
    (void)tag;
    crew_release(crew, END_RELEASED);
}

void bed_withdraw(void *crew, uint64_t tag)
{
    (void)tag;
    crew_withdraw(crew);
}

void bed_at(struct bed *b, double t_s, event_handler *handler, struct crew *c)
{
    assert_int_equal(calendar_schedule(&b->calendar, t_s, EVENT_WORK, handler, c, 0, NULL),
                     CALENDAR_OK);
}

void bed_assert_told(struct bed *b, const char *expected)
{
    assert_string_equal(b->told, expected);
    b->told[0] = '\0';
}

void bed_assert_record(const struct bed *b, size_t index, const char *expected)
{
    assert_true(index < b->log.count);
    const struct usage *u = &b->log.records[index];
    char text[200];
    snprintf(text, sizeof text, "%s %u-%u %.9g..%.9g %s", b->owners[u->workload].name, u->slot,
             u->slot + u->twins, (double)u->start_us / 1e6, (double)u->end_us / 1e6,
             end_reason_names[u->reason]);
    assert_string_equal(text, expected);
}

void bed_release(struct bed *b)
{
    fleet_free(b->fleet);
    usage_log_release(&b->log);
    calendar_release(&b->calendar);
    market_free(b->market);
}

struct scripted_pool bed_spot(void)
{
    return (struct scripted_pool){.name = "spot", .purchase = PURCHASE_SPOT};
}

struct scripted_pool bed_stepped(double gone_s, uint32_t first, uint32_t then)
{
    struct scripted_pool p = bed_spot();
    p.steps[0] = (struct scripted_step){0, first};
    p.steps[1] = (struct scripted_step){gone_s, then};
    p.step_count = 2;
    return p;
}

double bed_life_s(const struct bed *b, uint32_t slot, uint32_t ordinal, double hazard_per_s)
{
    uint64_t source = random_source("launch/a/spot/%u/lifetime", slot);
    return -log(random_uniform_at(b->world, source, ordinal)) / hazard_per_s;
}
