/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes by the clock in a market written by hand: who ran when, to the second, and what was needed
 * and served. A node boots for 100 s. */
#include "models/usage/usage_run.h"

#include "tests/support/scripted_market_double.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OD, SPOT, BOOT_S = 100 };

struct run_case {
    const char *name;
    const char *nodes; /* "FROM FOR COUNT; …": for 0 = without end */
    double horizon_s;
    struct fill_entry entries[4]; /* pool: OD, SPOT */
    struct scripted_step on_demand[4], spot[4];
    size_t on_demand_steps, spot_steps;
    double notice_s, wait_s;
    const char *story; /* records in their order; those of spot that were interrupted, summed up */
};

/* ---- a world ---- */

struct scene {
    struct need_item items[4];
    struct usage_spec spec;
    struct usage_plan plan;
    struct market *market;
    struct calendar calendar;
    struct usage_log log;
    struct fleet *fleet;
    struct usage_run *run;
    struct arena *arena;
    struct diagnostics *diagnostics;
    bool at_horizon;
};

static void fill_items(struct scene *s, const char *text)
{
    size_t count = 0;
    while (*text != '\0') {
        double from_s, for_s, nodes;
        int used = 0;
        assert_int_equal(sscanf(text, "%lf %lf %lf%n", &from_s, &for_s, &nodes, &used), 3);
        text += used + (int)strspn(text + used, "; ");
        struct need_item *i = &s->items[count++];
        *i = (struct need_item){.nodes = NUMBER_CERTAIN(nodes),
                                .from = arena_format(s->arena, "%gs", from_s),
                                .length.value = for_s,
                                .length_given = for_s > 0};
        i->nodes.given = true;
    }
    s->spec.nodes = (struct schema_list){s->items, count};
}

static void make_plan(struct scene *s, const struct run_case *c)
{
    const struct market_context context = {
        .horizon_s = c->horizon_s, .arena = s->arena, .diagnostics = s->diagnostics};
    fill_items(s, c->nodes);
    s->spec.scale = NUMBER_CERTAIN(1);
    s->spec.boot = variate_constant(BOOT_S);
    s->plan = (struct usage_plan){.spec = &s->spec, .work = {.workload_name = "w"}};
    assert_true(need_plan_make(&s->plan.need, &s->spec, NULL, &context));
    uint32_t most = (uint32_t)need_most(&s->plan.need, NULL);
    bool uses[2] = {false, false};
    for (size_t i = 0; i < 4 && c->entries[i].most > 0; i++) {
        s->plan.fill.entries[s->plan.fill.count++] = c->entries[i];
        uses[c->entries[i].pool] = true;
    }
    assert_true(uses[OD]); /* entries name pools in the order of the list */
    for (uint32_t k = 0; k < 2 && uses[k]; k++) {
        s->plan.work.pools[s->plan.work.pool_count++] =
            (struct work_pool){.pool = (int)k, .purchase = (enum purchase)k, .nodes = most};
    }
}

static void make_market(struct scene *s, const struct run_case *c)
{
    struct scripted_pool pools[] = {
        {.name = "on-demand", .purchase = PURCHASE_ON_DEMAND, .delay_s = c->wait_s},
        {.name = "spot", .purchase = PURCHASE_SPOT, .notice_s = c->notice_s}};
    memcpy(pools[OD].steps, c->on_demand, sizeof c->on_demand);
    memcpy(pools[SPOT].steps, c->spot, sizeof c->spot);
    pools[OD].step_count = c->on_demand_steps;
    pools[SPOT].step_count = c->spot_steps;
    s->market = scripted_market_new(pools, 2);
    assert_non_null(s->market);
}

static void begin_scene(struct scene *s, const struct run_case *c)
{
    *s = (struct scene){.arena = arena_new(0), .diagnostics = diagnostics_new()};
    make_plan(s, c);
    make_market(s, c);
    assert_true(calendar_init(&s->calendar, 10000));
    usage_log_init(&s->log, 100000);
    s->fleet = fleet_new(s->market, &s->calendar, &s->log);
    s->run = usage_run_new(&s->plan, s->fleet);
    assert_non_null(s->run);
}

static void end_scene(struct scene *s)
{
    usage_run_free(s->run);
    fleet_free(s->fleet);
    usage_log_release(&s->log);
    calendar_release(&s->calendar);
    market_free(s->market);
    diagnostics_free(s->diagnostics);
    arena_free(s->arena);
}

static void horizon_event(void *actor, uint64_t tag)
{
    struct scene *s = actor;
    (void)tag;
    s->at_horizon = true;
}

static void play(struct scene *s, double horizon_s)
{
    usage_log_clear(&s->log);
    s->at_horizon = false;
    assert_true(fleet_begin(s->fleet, (struct random_world){.seed = 1}, NULL, NULL));
    assert_true(usage_run_begin(s->run, NULL));
    assert_int_equal(
        calendar_schedule(&s->calendar, horizon_s, EVENT_MEASURE, horizon_event, s, 0, NULL),
        CALENDAR_OK);
    while (!usage_run_over(s->run)) {
        assert_true(calendar_step(&s->calendar, HUGE_VAL));
        if (s->at_horizon) {
            usage_run_horizon(s->run);
        }
    }
    assert_false(fleet_failed(s->fleet));
}

/* ---- its story ---- */

static void tell_record(const struct usage *u, FILE *out)
{
    fprintf(out, "%s %u", purchase_names[u->pool], u->slot);
    if (u->twins > 0) {
        fprintf(out, "-%u", u->slot + u->twins);
    }
    fprintf(out, " %.9g..%.9g %s", (double)u->start_us / 1e6, (double)u->end_us / 1e6,
            end_reason_names[u->reason]);
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        if (u->activity_us[a] > 0) {
            fprintf(out, ", %s %.9g", activity_names[a], (double)u->activity_us[a] / 1e6);
        }
    }
    fputs("; ", out);
}

/* Who falls is a matter of luck: of nodes that the cloud took only their number is told. */
static char *story_of(const struct scene *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int64_t interrupted = 0, interrupted_us = 0;
    for (size_t i = 0; i < s->log.count; i++) {
        const struct usage *u = &s->log.records[i];
        if (u->pool == SPOT) {
            interrupted += u->reason == END_INTERRUPTED ? usage_nodes(u) : 0;
            interrupted_us += usage_nodes(u) * (u->end_us - u->start_us);
        } else {
            tell_record(u, out);
        }
    }
    if (interrupted_us > 0) {
        fprintf(out, "spot %.9g, %d interrupted; ", (double)interrupted_us / 1e6, (int)interrupted);
    }
    struct work_result r = usage_run_result(s->run);
    fprintf(out, "%s %.9g, needed %.9g, served %.9g", r.finished ? "ended" : "cut", r.end_s,
            r.needed_node_s, r.served_node_s);
    if (r.idle_s > 0) {
        fprintf(out, ", idle %.9g", r.idle_s);
    }
    fprintf(out, ", launches %u", r.launches);
    fclose(out);
    return text;
}

#define REST FILL_ALL_THE_REST
#define OD_ALL                                                                                     \
    {                                                                                              \
        {                                                                                          \
            OD, REST                                                                               \
        }                                                                                          \
    }

static const struct run_case run_cases[] = {
    {"a constant number",
     "0 0 3",
     1000,
     OD_ALL,
     {{0, 0}},
     {{0, 0}},
     0,
     0,
     0,
     0,
     "on-demand 0-2 0..1000 horizon, useful 900, boot 100; "
     "cut 1000, needed 3000, served 2700, launches 3"},
    {"a list that ends: 2 × 600 + 3 × 200 needed",
     "0 600 2; 200 200 3",
     1000,
     OD_ALL,
     {{0, 0}},
     {{0, 0}},
     0,
     0,
     0,
     0,
     "on-demand 2-4 200..400 released, useful 100, boot 100; "
     "on-demand 0-1 0..600 finished, useful 500, boot 100; "
     "ended 600, needed 1800, served 1300, launches 5"},
    {"a list with a gap",
     "0 300 1; 500 300 1",
     1000,
     OD_ALL,
     {{0, 0}},
     {{0, 0}},
     0,
     0,
     0,
     0,
     "on-demand 0 0..300 released, useful 200, boot 100; "
     "on-demand 0 500..800 finished, useful 200, boot 100; "
     "ended 800, needed 600, served 400, launches 2"},
    {"what boots goes first when the need falls",
     "0 0 2; 300 50 2",
     1000,
     OD_ALL,
     {{0, 0}},
     {{0, 0}},
     0,
     0,
     0,
     0,
     "on-demand 2-3 300..350 released, boot 50; "
     "on-demand 0-1 0..1000 horizon, useful 900, boot 100; "
     "cut 1000, needed 2100, served 1800, launches 4"},
    {"a limit leaves the rest unmet",
     "0 0 3",
     1000,
     OD_ALL,
     {{0, 1}},
     {{0, 0}},
     1,
     0,
     0,
     0,
     "on-demand 0 0..1000 horizon, useful 900, boot 100; "
     "cut 1000, needed 3000, served 900, launches 1"},
    {"a limit that is lifted: who was asked for comes",
     "0 0 3",
     1000,
     OD_ALL,
     {{0, 1}, {500, 9}},
     {{0, 0}},
     2,
     0,
     0,
     0,
     "on-demand 0 0..1000 horizon, useful 900, boot 100; "
     "on-demand 1-2 500..1000 horizon, useful 400, boot 100; "
     "cut 1000, needed 3000, served 1700, launches 3"},
    {"nothing to be had: idle until there is",
     "0 0 2",
     1000,
     OD_ALL,
     {{0, 0}, {400, 2}},
     {{0, 0}},
     2,
     0,
     0,
     0,
     "on-demand 0-1 400..1000 horizon, useful 500, boot 100; "
     "cut 1000, needed 2000, served 1000, idle 400, launches 2"},
    /* 2 on-demand, 4 of spot; three of them get notice at 1000 and go at 1120. Three on-demand
     * nodes are asked for at 1000 and stand in from 1100; spot is back at 2000 and ready at 2100.
     * Spot: 4 × 1120 + (3000 - 1120) + 3 × 1000 = 9360 node-seconds. */
    {"a later entry stands in for spot, and is given back",
     "0 0 6",
     3000,
     {{OD, 2}, {SPOT, REST}, {OD, REST}},
     {{0, 0}},
     {{0, 4}, {1000, 1}, {2000, 4}},
     0,
     3,
     120,
     0,
     "on-demand 2-4 1000..2100 released, useful 1000, boot 100; "
     "on-demand 0-1 0..3000 horizon, useful 2900, boot 100; "
     "spot 9360, 3 interrupted; "
     "cut 3000, needed 18000, served 17400, launches 12"},
    /* Without notice the three are gone at 1000, and nobody stands in before 1100. */
    {"without notice there is a gap",
     "0 0 6",
     3000,
     {{OD, 2}, {SPOT, REST}, {OD, REST}},
     {{0, 0}},
     {{0, 4}, {1000, 1}, {2000, 4}},
     0,
     3,
     0,
     0,
     "on-demand 2-4 1000..2100 released, useful 1000, boot 100; "
     "on-demand 0-1 0..3000 horizon, useful 2900, boot 100; "
     "spot 9000, 3 interrupted; "
     "cut 3000, needed 18000, served 17100, launches 12"},
    /* The need falls to 3 at 1500, while two on-demand nodes stand in for spot. */
    {"the last in the list goes first when the need falls",
     "0 0 3; 0 1500 3",
     2000,
     {{OD, 2}, {SPOT, REST}, {OD, REST}},
     {{0, 0}},
     {{0, 2}},
     0,
     1,
     0,
     0,
     "on-demand 2-3 0..1500 released, useful 1400, boot 100; "
     "on-demand 0-1 0..2000 horizon, useful 1900, boot 100; "
     "spot 3500, 0 interrupted; "
     "cut 2000, needed 10500, served 9900, launches 6"},
    /* On-demand comes after 300 s and is ready at 400; spot stands in from 100 to then. */
    {"spot stands in for on-demand that is waited for",
     "0 0 2",
     1000,
     {{OD, 2}, {SPOT, REST}},
     {{0, 0}},
     {{0, 0}},
     0,
     0,
     0,
     300,
     "on-demand 0-1 300..1000 horizon, useful 600, boot 100; "
     "spot 800, 0 interrupted; "
     "cut 1000, needed 2000, served 1800, launches 4"},
    {"a waiting node that is no longer needed never comes",
     "0 200 2",
     1000,
     OD_ALL,
     {{0, 0}},
     {{0, 0}},
     0,
     0,
     0,
     300,
     "ended 200, needed 400, served 0, idle 200, launches 0"},
};

static void test_case(void **state)
{
    const struct run_case *c = *state;
    struct scene s;
    begin_scene(&s, c);
    for (int again = 0; again < 2; again++) { /* a world leaves nothing behind */
        play(&s, c->horizon_s);
        char *story = story_of(&s);
        assert_string_equal(story, c->story);
        free(story);
    }
    end_scene(&s);
}

/* Three years in which 100 of 200 nodes come and go every day: a record for each coming and going,
 * whatever the number of nodes. */
static void test_twins(void **state)
{
    (void)state;
    static const struct run_case c = {.nodes = "0 0 100", .entries = OD_ALL};
    struct scene s;
    begin_scene(&s, &(struct run_case){.nodes = c.nodes, .entries = OD_ALL, .horizon_s = 1});
    struct need_item day[24];
    for (size_t i = 0; i < 24; i++) {
        day[i] = (struct need_item){.nodes = NUMBER_CERTAIN(i >= 8 && i < 20 ? 200 : 100)};
        day[i].nodes.given = true;
    }
    end_scene(&s);
    s = (struct scene){.arena = arena_new(0), .diagnostics = diagnostics_new()};
    const double horizon_s = 1095 * 86400.0;
    const struct market_context context = {
        .horizon_s = horizon_s, .arena = s.arena, .diagnostics = s.diagnostics};
    s.spec = (struct usage_spec){
        .nodes = {day, 24}, .scale = NUMBER_CERTAIN(1), .boot = variate_constant(BOOT_S)};
    s.plan = (struct usage_plan){
        .spec = &s.spec,
        .work = {.workload_name = "w", .pools = {{0, PURCHASE_ON_DEMAND, 200}}, .pool_count = 1},
        .fill.entries = OD_ALL,
        .fill.count = 1};
    assert_true(need_plan_make(&s.plan.need, &s.spec, NULL, &context));
    make_market(&s, &c);
    assert_true(calendar_init(&s.calendar, 10000));
    usage_log_init(&s.log, 100000);
    s.fleet = fleet_new(s.market, &s.calendar, &s.log);
    s.run = usage_run_new(&s.plan, s.fleet);
    play(&s, horizon_s);
    struct work_result r = usage_run_result(s.run);
    assert_int_equal(s.log.count, 1095 + 1);
    assert_int_equal(r.launches, 100 + 1095 * 100);
    assert_true(s.calendar.fired < 6000);
    end_scene(&s);
}

int main(void)
{
    enum { CASES = sizeof run_cases / sizeof run_cases[0] };
    struct CMUnitTest tests[CASES + 1];
    for (size_t i = 0; i < CASES; i++) {
        tests[i] =
            (struct CMUnitTest){run_cases[i].name, test_case, NULL, NULL, (void *)&run_cases[i]};
    }
    tests[CASES] = (struct CMUnitTest)cmocka_unit_test(test_twins);
    return _cmocka_run_group_tests("usage_run", tests, CASES + 1, NULL, NULL);
}
