/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes and their life in a market written by hand: what crews are told, in which order, and the
 * usage records that are left. What owners are told is kept as text: "t name what; …". */
#include "engine/distribution.h"
#include "models/fleet/fleet_pool.h"
#include "tests/support/scripted_market_double.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CREWS = 3 };

struct owner;

/* What an owner does when told, besides writing it down. */
typedef void reaction(struct owner *o, struct crew *c);

struct owner {
    const char *name;
    struct bed *bed;
    reaction *on_noticed, *on_losing, *on_lost, *on_capacity, *on_room;
};

/* A fleet in its market, and what its owners were told. */
struct bed {
    struct market *market;
    struct calendar calendar;
    struct usage_log log;
    struct fleet *fleet;
    struct owner owners[CREWS];
    struct crew *crews[CREWS];
    struct variate boot;
    struct random_world world;
    char told[4096];
};

static void tell(struct owner *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void tell(struct owner *o, const char *format, ...)
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

static void react(reaction *r, struct owner *o, struct crew *c)
{
    if (r != NULL) {
        r(o, c);
    }
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
    struct owner *o = owner;
    tell(o, "noticed %u", c->noticed);
    react(o->on_noticed, o, c);
}

static void on_losing(void *owner, struct crew *c)
{
    struct owner *o = owner;
    react(o->on_losing, o, c);
}

static void on_lost(void *owner, struct crew *c)
{
    struct owner *o = owner;
    tell(o, "left %u", c->held);
    react(o->on_lost, o, c);
}

static void on_capacity(void *owner, struct crew *c)
{
    struct owner *o = owner;
    tell(o, "capacity");
    react(o->on_capacity, o, c);
}

static void on_room(void *owner, struct crew *c)
{
    struct owner *o = owner;
    tell(o, "room");
    react(o->on_room, o, c);
}

static const struct crew_events events = {on_granted, on_ready,    on_noticed, on_losing,
                                          on_lost,    on_capacity, on_room};

static void bed_make(struct bed *b, const struct scripted_pool *pools, size_t pool_count)
{
    *b = (struct bed){.boot = variate_constant(100), .world = {.seed = 3, .replication = 4}};
    b->market = scripted_market_new(pools, pool_count);
    assert_non_null(b->market);
    assert_true(calendar_init(&b->calendar, 1000));
    usage_log_init(&b->log, 1000);
    b->fleet = fleet_new(b->market, &b->calendar, &b->log);
    assert_non_null(b->fleet);
}

static struct crew *bed_add(struct bed *b, size_t index, int pool, uint32_t size)
{
    static const char *const names[CREWS] = {"a", "b", "c"};
    b->owners[index] = (struct owner){.name = names[index], .bed = b};
    b->crews[index] = fleet_add_crew(b->fleet, &events, &b->owners[index], (uint32_t)index,
                                     names[index], pool, size, &b->boot);
    assert_non_null(b->crews[index]);
    return b->crews[index];
}

static void bed_begin(struct bed *b)
{
    usage_log_clear(&b->log);
    b->told[0] = '\0';
    assert_true(fleet_begin(b->fleet, b->world, NULL, NULL));
}

/* Everything up to and at t. */
static void bed_run(struct bed *b, double until_s)
{
    while (calendar_step(&b->calendar, until_s)) {
    }
}

static void ask_handler(void *actor, uint64_t tag)
{
    (void)tag;
    crew_ask(actor);
}

static void release_handler(void *actor, uint64_t tag)
{
    (void)tag;
    crew_release(actor, END_RELEASED);
}

static void withdraw_handler(void *actor, uint64_t tag)
{
    (void)tag;
    crew_withdraw(actor);
}

static void at(struct bed *b, double t_s, event_handler *handler, struct crew *c)
{
    assert_int_equal(calendar_schedule(&b->calendar, t_s, EVENT_WORK, handler, c, 0, NULL),
                     CALENDAR_OK);
}

static void assert_told(struct bed *b, const char *expected)
{
    assert_string_equal(b->told, expected);
    b->told[0] = '\0';
}

/* "a 0-3 0..500 interrupted" */
static void assert_record(const struct bed *b, size_t index, const char *expected)
{
    assert_true(index < b->log.count);
    const struct usage *u = &b->log.records[index];
    char text[200];
    snprintf(text, sizeof text, "%s %u-%u %.9g..%.9g %s", b->owners[u->workload].name, u->slot,
             u->slot + u->twins, (double)u->start_us / 1e6, (double)u->end_us / 1e6,
             end_reason_names[u->reason]);
    assert_string_equal(text, expected);
}

static void bed_release(struct bed *b)
{
    fleet_free(b->fleet);
    usage_log_release(&b->log);
    calendar_release(&b->calendar);
    market_free(b->market);
}

static struct scripted_pool spot_pool(void)
{
    return (struct scripted_pool){.name = "spot", .purchase = PURCHASE_SPOT};
}

static struct scripted_pool stepped(double gone_s, uint32_t first, uint32_t then)
{
    struct scripted_pool p = spot_pool();
    p.steps[0] = (struct scripted_step){0, first};
    p.steps[1] = (struct scripted_step){gone_s, then};
    p.step_count = 2;
    return p;
}

/* ---- grants ---- */

static void a_crew_gets_what_there_is_and_the_rest_as_it_comes(void **state)
{
    (void)state;
    struct scripted_pool p = stepped(50, 3, 5);
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 4);
    bed_begin(&b);
    crew_ask(c);
    crew_ask(c); /* no effect */
    assert_int_equal(c->held, 3);
    assert_false(crew_complete(c));
    bed_run(&b, 1000);
    assert_told(&b, "0 a holds 3; 50 a holds 4; 50 a capacity; 150 a ready; ");
    crew_release(c, END_FINISHED);
    assert_int_equal(b.log.count, 2);
    assert_record(&b, 0, "a 0-2 0..150 finished");
    assert_record(&b, 1, "a 3-3 50..150 finished");
    bed_release(&b);
}

static void first_come_first_served(void **state)
{
    (void)state;
    struct scripted_pool p = stepped(100, 0, 5);
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 2), *second = bed_add(&b, 1, 0, 2);
    struct crew *third = bed_add(&b, 2, 0, 2);
    bed_begin(&b);
    at(&b, 10, ask_handler, third);
    at(&b, 20, ask_handler, a);
    at(&b, 30, ask_handler, second);
    at(&b, 40, withdraw_handler, third); /* loses its place */
    at(&b, 50, ask_handler, third);
    bed_run(&b, 100);
    assert_told(&b, "100 a holds 2; 100 b holds 2; 100 c holds 1; "
                    "100 a capacity; 100 b capacity; 100 c capacity; ");
    /* What one gives back goes to the one that waits; then all hear of room. */
    at(&b, 110, release_handler, a);
    bed_run(&b, 110);
    assert_told(&b, "110 c holds 2; 110 a room; 110 b room; 110 c room; ");
    bed_release(&b);
}

static void one_crew_alone_is_not_told_of_its_own_room(void **state)
{
    (void)state;
    struct scripted_pool pools[2] = {spot_pool(), spot_pool()};
    pools[1].name = "other";
    struct bed b;
    bed_make(&b, pools, 2);
    struct crew *c = bed_add(&b, 0, 0, 2);
    bed_add(&b, 1, 1, 2);
    bed_begin(&b);
    crew_ask(c);
    crew_release(c, END_RELEASED);
    bed_run(&b, 1000);
    assert_told(&b, "0 a holds 2; ");
    bed_release(&b);
}

static void obtainable_means_whole_and_at_once(void **state)
{
    (void)state;
    struct scripted_pool p = stepped(100, 5, 6);
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 4), *c = bed_add(&b, 1, 0, 2);
    bed_begin(&b);
    assert_true(crew_obtainable(a));
    crew_ask(a);
    assert_false(crew_obtainable(c)); /* one is left */
    crew_ask(c);
    bed_run(&b, 100);
    assert_int_equal(c->held, 2);
    crew_release(a, END_RELEASED);
    assert_true(crew_obtainable(a));
    bed_release(&b);
}

/* ---- boot and life ---- */

/* The k-th launch of a slot draws its boot at index k from a source of the slot's own. */
static double boot_of(const struct bed *b, const struct distribution *d, uint32_t slot,
                      uint32_t ordinal)
{
    return distribution_quantile(
        d, random_uniform_at(b->world, random_source("launch/a/spot/%u/boot", slot), ordinal));
}

static void a_gang_is_ready_at_its_slowest_boot(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    struct bed b;
    bed_make(&b, &p, 1);
    b.boot = variate_constant(0);
    b.boot.family = DISTRIBUTION_UNIFORM;
    b.boot.p[0] = NUMBER_CERTAIN(50);
    b.boot.p[1] = NUMBER_CERTAIN(150);
    struct crew *c = bed_add(&b, 0, 0, 3);
    struct distribution d;
    assert_true(variate_resolve(&b.boot, NULL, &d));
    for (int world_twice = 0; world_twice < 2; world_twice++) {
        bed_begin(&b);
        for (uint32_t ordinal = 0; ordinal < 3; ordinal++) {
            double start_s = b.calendar.now_s, slowest_s = 0;
            b.told[0] = '\0';
            crew_ask(c);
            for (uint32_t i = 0; i < 3; i++) {
                double boot_s = boot_of(&b, &d, i, ordinal);
                assert_near(c->nodes[i].ready_s, start_s + boot_s, 1e-9, "ready");
                slowest_s = fmax(slowest_s, boot_s);
            }
            bed_run(&b, 1000);
            assert_near(b.calendar.now_s, start_s + slowest_s, 1e-9, "the gang is ready");
            assert_non_null(strstr(b.told, "ready"));
            crew_release(c, END_RELEASED);
        }
        assert_int_equal(b.log.count, 9); /* no twins: their boots differ */
        for (size_t i = 0; i < 9; i++) {
            const struct usage *u = &b.log.records[i];
            assert_near((double)u->activity_us[ACTIVITY_BOOT] / 1e6,
                        boot_of(&b, &d, u->slot, (uint32_t)i / 3), 1e-6, "boot");
        }
    }
    bed_release(&b);
}

static double life_of(const struct bed *b, uint32_t slot, uint32_t ordinal, double hazard_per_s)
{
    uint64_t source = random_source("launch/a/spot/%u/lifetime", slot);
    return -log(random_uniform_at(b->world, source, ordinal)) / hazard_per_s;
}

static void a_hazard_strikes_each_launch_at_its_own_time(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    p.hazard_per_s = 1e-3;
    p.notice_s = 120;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 1);
    bed_begin(&b);
    double at_s = 0;
    for (uint32_t ordinal = 0; ordinal < 5; ordinal++) {
        crew_ask(c);
        bed_run(&b, 1e9);
        double end_s = at_s + life_of(&b, 0, ordinal, p.hazard_per_s) + p.notice_s;
        assert_near(b.calendar.now_s, end_s, 1e-6, "gone");
        const struct usage *u = &b.log.records[ordinal];
        assert_int_equal(u->start_us, microseconds(at_s));
        assert_int_equal(u->end_us, microseconds(end_s));
        assert_int_equal(u->reason, END_INTERRUPTED);
        at_s = end_s;
    }
    assert_int_equal(c->launched, 5);
    assert_int_equal(c->interrupted, 5);
    bed_release(&b);
}

/* The strike frees the node's room for others, at the notice. */
static void what_a_hazard_frees_goes_to_the_queue(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    p.steps[0].nodes = 1;
    p.step_count = 1;
    p.hazard_per_s = 1e-3;
    p.notice_s = 50;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 1), *c = bed_add(&b, 1, 0, 1);
    bed_begin(&b);
    crew_ask(a);
    crew_ask(c);
    double struck_s = life_of(&b, 0, 0, p.hazard_per_s);
    bed_run(&b, struck_s);
    assert_int_equal(a->noticed, 1);
    assert_int_equal(c->held, 1);
    assert_near(c->nodes[0].start_s, struck_s, 0, "served at the notice");
    bed_release(&b);
}

/* ---- notices ---- */

static void a_node_goes_when_its_notice_ends(void **state)
{
    (void)state;
    struct scripted_pool p = stepped(500, 4, 0);
    p.notice_s = 120;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 4);
    bed_begin(&b);
    crew_ask(c);
    bed_run(&b, 1e9);
    assert_told(&b, "0 a holds 4; 100 a ready; 500 a noticed 4; 500 a capacity; 620 a left 0; ");
    assert_int_equal(b.log.count, 1);
    assert_record(&b, 0, "a 0-3 0..620 interrupted");
    bed_release(&b);
}

static void a_notice_in_boot_keeps_the_gang_from_being_ready(void **state)
{
    (void)state;
    struct scripted_pool p = stepped(50, 4, 3);
    p.notice_s = 120;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 4);
    bed_begin(&b);
    crew_ask(c);
    bed_run(&b, 1e9);
    assert_told(&b, "0 a holds 4; 50 a noticed 1; 50 a capacity; 170 a left 3; ");
    bed_release(&b);
}

/* Given back in boot and asked for again: what boots now is not ready when the old would have been.
 */
static void a_gang_given_back_in_boot_is_never_ready(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    bed_begin(&b);
    crew_ask(c);
    at(&b, 50, release_handler, c);
    at(&b, 60, ask_handler, c);
    bed_run(&b, 1000);
    assert_told(&b, "0 a holds 2; 60 a holds 2; 160 a ready; ");
    bed_release(&b);
}

static void nodes_given_back_under_notice_were_ended_by_us(void **state)
{
    (void)state;
    struct scripted_pool p = stepped(500, 2, 0);
    p.notice_s = 120;
    p.delay_s = 1000;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    bed_begin(&b);
    crew_ask(c);
    at(&b, 560, release_handler, c);
    bed_run(&b, 1e9);
    assert_told(&b, "0 a holds 2; 100 a ready; 500 a noticed 2; 500 a capacity; ");
    assert_record(&b, 0, "a 0-1 0..560 released");
    assert_int_equal(c->interrupted, 0);
    assert_true(b.fleet->pools[0]->closed_until_s <= 0); /* no regain after no loss */
    bed_release(&b);
}

static void a_drop_during_a_notice_takes_only_what_is_above_capacity(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    const struct scripted_step steps[] = {{0, 4}, {500, 3}, {560, 2}, {600, 4}};
    memcpy(p.steps, steps, sizeof steps);
    p.step_count = 4;
    p.notice_s = 120;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 4);
    bed_begin(&b);
    crew_ask(c);
    bed_run(&b, 1e9);
    assert_told(&b, "0 a holds 4; 100 a ready; 500 a noticed 1; 500 a capacity; 560 a noticed 2; "
                    "560 a capacity; 600 a capacity; 620 a left 3; 680 a left 2; ");
    bed_release(&b);
}

/* ---- who falls ---- */

static uint32_t fallen(const struct crew *c)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        mask |= (uint32_t)(c->nodes[i].state == NODE_NOTICED) << i;
    }
    return mask;
}

/* Two strategies that hold the same nodes when capacity drops lose the same ones, whatever they did
 * before. */
static void who_falls_does_not_depend_on_the_past(void **state)
{
    (void)state;
    for (int k = 0; k < 50; k++) {
        struct scripted_pool p = stepped(1000 + 10 * k, 6, 3);
        p.notice_s = 1e6;
        uint32_t masks[2];
        for (int strategy = 0; strategy < 2; strategy++) {
            struct bed b;
            bed_make(&b, &p, 1);
            struct crew *c = bed_add(&b, 0, 0, 6);
            bed_begin(&b);
            crew_ask(c);
            if (strategy == 1) {
                at(&b, 200, release_handler, c);
                at(&b, 700, ask_handler, c);
            }
            bed_run(&b, 2000);
            masks[strategy] = fallen(c);
            bed_release(&b);
        }
        assert_int_equal(masks[0], masks[1]);
    }
}

/* Each subset of two of four falls alike: 1/6 of 6,000 drops, tolerance 5 standard errors. */
static void every_choice_is_equally_likely(void **state)
{
    (void)state;
    uint32_t counts[16] = {0};
    const int drops = 6000;
    for (int k = 0; k < drops; k++) {
        struct scripted_pool p = stepped(1 + k, 4, 2);
        p.notice_s = 1e6;
        struct bed b;
        bed_make(&b, &p, 1);
        struct crew *c = bed_add(&b, 0, 0, 4);
        bed_begin(&b);
        crew_ask(c);
        bed_run(&b, 1 + k);
        counts[fallen(c)]++;
        bed_release(&b);
    }
    double error = sqrt(drops * (1.0 / 6) * (5.0 / 6));
    uint32_t pairs = 0;
    for (uint32_t mask = 0; mask < 16; mask++) {
        if (counts[mask] > 0) {
            assert_near(counts[mask], drops / 6.0, 5 * error, "drops of this pair");
            pairs++;
        }
    }
    assert_int_equal(pairs, 6);
}

static uint32_t seen_noticed[CREWS];

/* Gives all back and asks again at once: the greatest disturbance an owner can make. */
static void start_over(struct owner *o, struct crew *c)
{
    for (int i = 0; i < 2; i++) {
        seen_noticed[i] = o->bed->crews[i]->noticed;
    }
    crew_release(c, END_RELEASED);
    crew_ask(c);
}

/* All are marked before anybody is told; what an owner does then changes nothing for the others. */
static void a_reaction_does_not_change_who_falls(void **state)
{
    (void)state;
    struct scripted_pool p = stepped(500, 8, 4);
    p.notice_s = 100;
    uint32_t masks[2] = {0};
    for (int reacts = 0; reacts < 2; reacts++) {
        struct bed b;
        bed_make(&b, &p, 1);
        struct crew *a = bed_add(&b, 0, 0, 4), *c = bed_add(&b, 1, 0, 4);
        b.owners[0].on_noticed = reacts ? start_over : NULL;
        bed_begin(&b);
        crew_ask(a);
        crew_ask(c);
        bed_run(&b, 500);
        masks[reacts] = fallen(c);
        assert_true(c->noticed > 0 && c->noticed < 4);
        if (reacts) {
            assert_int_equal(seen_noticed[0] + seen_noticed[1], 4);
            assert_int_equal(seen_noticed[1], c->noticed);
            /* The survivors of b keep what they hold; a gets what room is left. */
            assert_int_equal(a->held - a->noticed + c->held - c->noticed, 4);
        }
        bed_release(&b);
    }
    assert_int_equal(masks[0], masks[1]);
}

/* ---- regain ---- */

static void ask_again(struct owner *o, struct crew *c)
{
    (void)o;
    crew_ask(c);
}

static void a_pool_stays_closed_after_a_loss(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    const struct scripted_step steps[] = {{0, 2}, {500, 0}, {510, 2}};
    memcpy(p.steps, steps, sizeof steps);
    p.step_count = 3;
    p.notice_s = 100;
    p.delay_s = 200;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    b.owners[0].on_lost = ask_again;
    bed_begin(&b);
    assert_true(crew_obtainable(c)); /* not before the first start */
    crew_ask(c);
    bed_run(&b, 799);
    assert_told(&b, "0 a holds 2; 100 a ready; 500 a noticed 2; 500 a capacity; 510 a capacity; "
                    "600 a left 0; ");
    bed_run(&b, 850);
    assert_told(&b, "800 a holds 2; 800 a capacity; ");
    bed_release(&b);
}

/* Even if nobody asks: who runs elsewhere wants to know. */
static void owners_are_told_when_a_pool_reopens(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    const struct scripted_step steps[] = {{0, 2}, {500, 0}, {510, 2}};
    memcpy(p.steps, steps, sizeof steps);
    p.step_count = 3;
    p.delay_s = 200;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    bed_begin(&b);
    crew_ask(c);
    bed_run(&b, 699);
    assert_false(crew_obtainable(c));
    assert_told(&b, "0 a holds 2; 100 a ready; 500 a noticed 2; 500 a left 0; 500 a capacity; "
                    "510 a capacity; ");
    bed_run(&b, 1e9);
    assert_told(&b, "700 a capacity; ");
    assert_true(crew_obtainable(c));
    bed_release(&b);
}

/* The k-th loss of a pool draws its regain at index k; a later loss cannot shorten the time. */
static void regain_is_drawn_anew_for_each_loss(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    p.hazard_per_s = 1e-3;
    p.delay_spread_s = 5000;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    int first_counts = 0;
    for (b.world.replication = 0; b.world.replication < 20; b.world.replication++) {
        bed_begin(&b);
        crew_ask(c);
        double lost_s[2] = {life_of(&b, 0, 0, 1e-3), life_of(&b, 1, 0, 1e-3)};
        uint64_t source = random_source("regain/spot");
        double open_s[2] = {
            fmin(lost_s[0], lost_s[1]) + 5000 * random_uniform_at(b.world, source, 0),
            fmax(lost_s[0], lost_s[1]) + 5000 * random_uniform_at(b.world, source, 1)};
        first_counts += open_s[0] > open_s[1];
        bed_run(&b, fmax(lost_s[0], lost_s[1]));
        assert_int_equal(c->held, 0);
        crew_ask(c);
        while (c->held == 0) {
            assert_true(calendar_step(&b.calendar, 1e9));
        }
        assert_near(b.calendar.now_s, fmax(open_s[0], open_s[1]), 1e-6, "reopened");
    }
    assert_true(first_counts > 2 && first_counts < 18);
    bed_release(&b);
}

/* The pool reopens at the instant at which its capacity is gone: nothing is granted. */
static void a_pool_that_reopens_as_its_capacity_goes_grants_nothing(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    const struct scripted_step steps[] = {{0, 2}, {500, 0}, {510, 2}, {700, 0}};
    memcpy(p.steps, steps, sizeof steps);
    p.step_count = 4;
    p.delay_s = 200;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    b.owners[0].on_lost = ask_again;
    bed_begin(&b);
    crew_ask(c);
    bed_run(&b, 1e9);
    assert_int_equal(c->launched, 2);
    bed_release(&b);
}

/* ---- waits ---- */

static double wait_of(const struct bed *b, uint32_t slot, uint32_t ordinal)
{
    uint64_t source = random_source("launch/a/od/%u/wait", slot);
    return 10 + 100 * random_uniform_at(b->world, source, ordinal);
}

static struct scripted_pool waiting_pool(void)
{
    return (struct scripted_pool){
        .name = "od", .purchase = PURCHASE_ON_DEMAND, .delay_s = 10, .delay_spread_s = 100};
}

static void each_node_comes_after_a_wait_of_its_own(void **state)
{
    (void)state;
    struct scripted_pool p = waiting_pool();
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 3);
    bed_begin(&b);
    crew_ask(c);
    assert_int_equal(c->waiting, 3);
    bed_run(&b, 1e9);
    for (uint32_t i = 0; i < 3; i++) {
        assert_near(c->nodes[i].start_s, wait_of(&b, i, 0), 1e-9, "launched");
    }
    bed_release(&b);
}

/* Asked again, a slot that had not come yet has new luck: else a gang that gives its part back
 * would meet the same wait for ever. */
static void a_wait_given_up_is_drawn_anew(void **state)
{
    (void)state;
    struct scripted_pool p = waiting_pool();
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 3);
    bed_begin(&b);
    crew_ask(c);
    crew_withdraw(c);
    assert_int_equal(c->waiting, 0);
    crew_ask(c);
    bed_run(&b, 1e9);
    for (uint32_t i = 0; i < 3; i++) {
        assert_near(c->nodes[i].start_s, wait_of(&b, i, 1), 1e-9, "launched");
    }
    assert_int_equal(c->launched, 3);
    bed_release(&b);
}

static void a_wait_does_not_lift_the_limit(void **state)
{
    (void)state;
    struct scripted_pool p = waiting_pool();
    p.steps[0].nodes = 3;
    p.step_count = 1;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 3), *c = bed_add(&b, 1, 0, 2);
    bed_begin(&b);
    crew_ask(a);
    at(&b, 200, ask_handler, c);
    at(&b, 500, release_handler, a);
    bed_run(&b, 499);
    assert_int_equal(a->held, 3);
    assert_int_equal(c->held, 0);
    assert_int_equal(c->asked, 2);
    bed_run(&b, 500);
    assert_int_equal(c->held, 2);
    assert_near(c->nodes[0].start_s, 500, 0, "as room came");
    bed_release(&b);
}

/* ---- books ---- */

/* Told 30 useful and 20 lost of the 100 s after boot: 50 were waiting. */
static void what_nobody_tells_was_waiting(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 2);
    bed_begin(&b);
    crew_ask(c);
    at(&b, 200, release_handler, c);
    bed_run(&b, 150);
    crew_did(c, ACTIVITY_USEFUL, 30);
    crew_did(c, ACTIVITY_LOST, 20);
    bed_run(&b, 1000);
    const int64_t *us = b.log.records[0].activity_us;
    assert_int_equal(us[ACTIVITY_BOOT], 100000000);
    assert_int_equal(us[ACTIVITY_USEFUL], 30000000);
    assert_int_equal(us[ACTIVITY_LOST], 20000000);
    assert_int_equal(us[ACTIVITY_WAITING], 50000000);
    bed_release(&b);
}

/* ---- worlds and failures ---- */

static void a_new_world_begins_empty(void **state)
{
    (void)state;
    struct scripted_pool p = stepped(500, 2, 1);
    p.notice_s = 100;
    p.delay_s = 1e6;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *a = bed_add(&b, 0, 0, 2), *c = bed_add(&b, 1, 0, 2);
    bed_begin(&b);
    crew_ask(a);
    crew_ask(c);
    bed_run(&b, 700); /* closed, held, queued */
    bed_begin(&b);
    assert_int_equal(a->held + c->held + a->asked + c->asked + a->launched, 0);
    crew_ask(c);
    bed_run(&b, 100);
    assert_told(&b, "0 b holds 2; 100 b ready; ");
    bed_release(&b);
}

static void an_impossible_boot_is_refused(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    struct bed b;
    bed_make(&b, &p, 1);
    b.boot.family = DISTRIBUTION_EXPONENTIAL;
    b.boot.p[0] = NUMBER_CERTAIN(-1);
    bed_add(&b, 0, 0, 2);
    assert_false(fleet_begin(b.fleet, b.world, NULL, NULL));
    bed_release(&b);
}

static void too_many_events_or_records_are_told(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    p.hazard_per_s = 1e-3;
    struct bed b;
    bed_make(&b, &p, 1);
    struct crew *c = bed_add(&b, 0, 0, 20);
    calendar_release(&b.calendar);
    assert_true(calendar_init(&b.calendar, 10));
    bed_begin(&b);
    crew_ask(c); /* 20 strikes */
    assert_true(fleet_failed(b.fleet));
    bed_begin(&b);
    assert_false(fleet_failed(b.fleet));
    fleet_fail(b.fleet);
    assert_true(fleet_failed(b.fleet));
    bed_release(&b);

    p.hazard_per_s = 0;
    bed_make(&b, &p, 1);
    usage_log_release(&b.log);
    usage_log_init(&b.log, 1);
    c = bed_add(&b, 0, 0, 1);
    bed_begin(&b);
    for (int i = 0; i < 2; i++) {
        assert_false(fleet_failed(b.fleet));
        crew_ask(c);
        crew_release(c, END_RELEASED);
    }
    assert_true(fleet_failed(b.fleet));
    bed_release(&b);
}

/* A gang that comes and goes together is few events and one record, but work on every node. */
static void work_grows_with_the_gang(void **state)
{
    static const uint32_t sizes[] = {10, 1000};
    double work[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct scripted_pool pool = spot_pool();
        struct bed b;
        bed_make(&b, &pool, 1);
        struct crew *c = bed_add(&b, 0, 0, sizes[i]);
        bed_begin(&b);
        assert_true(fleet_work(b.fleet) < 1);
        for (int k = 0; k < 5; k++) {
            at(&b, 100 * k, ask_handler, c);
            at(&b, 100 * k + 50, release_handler, c);
        }
        bed_run(&b, 1e6);
        assert_int_equal(c->launched, 5 * sizes[i]);
        assert_true(b.log.count <= 5);
        work[i] = fleet_work(b.fleet);
        assert_true(work[i] >= c->launched);
        fleet_count_work(b.fleet, 640000);
        assert_true(fleet_work(b.fleet) > work[i]);
        bed_begin(&b);
        assert_true(fleet_work(b.fleet) < 1);
        bed_release(&b);
    }
    assert_relative(work[1], 100 * work[0], 1e-9, "work");
}

/* The latest boot counts even when the node that boots longest is lost and replaced. */
static void a_gang_is_ready_at_the_slowest_of_those_it_holds(void **state)
{
    (void)state;
    struct scripted_pool p = spot_pool();
    p.hazard_per_s = 2e-3;
    struct bed b;
    bed_make(&b, &p, 1);
    b.boot.family = DISTRIBUTION_UNIFORM;
    b.boot.p[0] = NUMBER_CERTAIN(50);
    b.boot.p[1] = NUMBER_CERTAIN(400);
    struct crew *c = bed_add(&b, 0, 0, 4);
    b.owners[0].on_lost = ask_again;
    uint32_t ready = 0, replaced = 0;
    for (b.world.replication = 0; b.world.replication < 200; b.world.replication++) {
        bed_begin(&b);
        crew_ask(c);
        while (strstr(b.told, "ready") == NULL) {
            b.told[0] = '\0';
            assert_true(calendar_step(&b.calendar, 1e9));
        }
        double slowest_s = 0;
        for (uint32_t i = 0; i < c->size; i++) {
            slowest_s = fmax(slowest_s, c->nodes[i].ready_s);
        }
        assert_near(b.calendar.now_s, slowest_s, 1e-9, "ready");
        ready++;
        replaced += c->launched > 4;
    }
    assert_true(ready == 200 && replaced > 50);
    bed_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crew_gets_what_there_is_and_the_rest_as_it_comes),
        cmocka_unit_test(first_come_first_served),
        cmocka_unit_test(one_crew_alone_is_not_told_of_its_own_room),
        cmocka_unit_test(obtainable_means_whole_and_at_once),
        cmocka_unit_test(a_gang_is_ready_at_its_slowest_boot),
        cmocka_unit_test(a_gang_is_ready_at_the_slowest_of_those_it_holds),
        cmocka_unit_test(a_hazard_strikes_each_launch_at_its_own_time),
        cmocka_unit_test(what_a_hazard_frees_goes_to_the_queue),
        cmocka_unit_test(a_node_goes_when_its_notice_ends),
        cmocka_unit_test(a_notice_in_boot_keeps_the_gang_from_being_ready),
        cmocka_unit_test(a_gang_given_back_in_boot_is_never_ready),
        cmocka_unit_test(nodes_given_back_under_notice_were_ended_by_us),
        cmocka_unit_test(a_drop_during_a_notice_takes_only_what_is_above_capacity),
        cmocka_unit_test(who_falls_does_not_depend_on_the_past),
        cmocka_unit_test(every_choice_is_equally_likely),
        cmocka_unit_test(a_reaction_does_not_change_who_falls),
        cmocka_unit_test(a_pool_stays_closed_after_a_loss),
        cmocka_unit_test(owners_are_told_when_a_pool_reopens),
        cmocka_unit_test(regain_is_drawn_anew_for_each_loss),
        cmocka_unit_test(a_pool_that_reopens_as_its_capacity_goes_grants_nothing),
        cmocka_unit_test(each_node_comes_after_a_wait_of_its_own),
        cmocka_unit_test(a_wait_given_up_is_drawn_anew),
        cmocka_unit_test(a_wait_does_not_lift_the_limit),
        cmocka_unit_test(what_nobody_tells_was_waiting),
        cmocka_unit_test(a_new_world_begins_empty),
        cmocka_unit_test(an_impossible_boot_is_refused),
        cmocka_unit_test(too_many_events_or_records_are_told),
        cmocka_unit_test(work_grows_with_the_gang),
    };
    return cmocka_run_group_tests_name("fleet", tests, NULL, NULL);
}
