/* SPDX-License-Identifier: GPL-3.0-or-later
 * Thousands of random jobs in random markets, and what must hold in each: nothing is held beyond
 * capacity, every second of every node is accounted for once, what is useful was kept, whoever
 * could go on does. Times are mostly multiples of 10 s, so that events meet at one instant. */
#include "models/fleet/fleet_pool.h"
#include "tests/support/draws.h"
#include "tests/support/job_world.h"
#include "tests/support/scripted_market_double.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 20000, FAILING_WORLDS = 6000, MOST_NODES = 6, MOST_SPARES = 2 };

/* ---- random scripts ---- */

static double draw_time_s(uint64_t *random, int64_t most)
{
    double t_s = 10.0 * (double)draw_below(random, most / 10 + 1);
    return draw_below(random, 5) == 0 ? t_s + 10 * draw_uniform(random) : t_s;
}

static double one_of(uint64_t *random, const double *values, int64_t count)
{
    return values[draw_below(random, count)];
}
#define ONE_OF(random, ...)                                                                        \
    one_of(random, (const double[]){__VA_ARGS__},                                                  \
           sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void draw_spot(uint64_t *random, struct scripted_pool *p)
{
    double at_s = 0;
    p->step_count = 1 + (size_t)draw_below(random, SCRIPTED_STEPS);
    for (size_t i = 0; i < p->step_count; i++) {
        p->steps[i] = (struct scripted_step){at_s, (uint32_t)draw_below(random, 2 * MOST_NODES)};
        at_s += 10 + draw_time_s(random, 800);
    }
    p->hazard_per_s = ONE_OF(random, 0, 0, 1e-4, 1e-3);
    p->notice_s = ONE_OF(random, 0, 60, 120, 7.5);
    p->delay_s = ONE_OF(random, 0, 0, 0, 200);
    p->delay_spread_s = ONE_OF(random, 0, 0, 0, 100);
}

/* A limit that every gang fits; waits; sometimes losses, which no market has today. */
static void draw_on_demand(uint64_t *random, struct scripted_pool *p)
{
    if (draw_below(random, 2) == 0) {
        p->step_count = 1;
        p->steps[0] =
            (struct scripted_step){0, MOST_NODES + (uint32_t)draw_below(random, 2 * MOST_NODES)};
    }
    p->delay_s = ONE_OF(random, 0, 0, 300);
    p->delay_spread_s = ONE_OF(random, 0, 0, 100);
    if (draw_below(random, 10) == 0) {
        p->hazard_per_s = 1e-4;
        p->notice_s = 60;
    }
}

static void draw_policy(uint64_t *random, struct job_script *j)
{
    static const char *const names[] = {"on-demand", "wait",     "wait",
                                        "fallback",  "fallback", "script"};
    j->policy = names[draw_below(random, 6)];
    j->after_s = ONE_OF(random, 0, 60, 600);
    j->back = draw_below(random, 2) == 0;
    double from_s = 0;
    for (int i = 0; i < 4; i++) {
        j->wants[i].from_s = from_s;
        j->wants[i].want = (enum purchase)draw_below(random, PURCHASE_SPOT + 1);
        from_s += 10 + draw_time_s(random, 2000);
    }
}

static void draw_job(uint64_t *random, struct job_script *j)
{
    *j = (struct job_script){
        .nodes = 1 + (uint32_t)draw_below(random, MOST_NODES),
        .submit_s = ONE_OF(random, 0, 0, 100, 1500),
        .work_s = draw_time_s(random, 4000),
        .boot_s = ONE_OF(random, 0, 100, 33.3),
        .boot_spread_s = ONE_OF(random, 0, 0, 60),
        .mode = (int)ONE_OF(random, CHECKPOINT_PERIODIC, CHECKPOINT_PERIODIC, CHECKPOINT_PERIODIC,
                            CHECKPOINT_CONTINUOUS, CHECKPOINT_NONE),
        .every_s = ONE_OF(random, 0, 300, 100, 77.7),
        .write_s = ONE_OF(random, 0, 10, 60, 120, 130, 1.1),
        .restore_s = ONE_OF(random, 0, 50, 17.3),
        .restore_spread_s = ONE_OF(random, 0, 0, 30),
        .no_final = draw_below(random, 2) == 0,
        .restore_from_scratch = draw_below(random, 2) == 0,
        .restart = (int)draw_below(random, 2),
        .on_notice = (int)draw_below(random, 2),
        .at_horizon = (int)draw_below(random, 2),
        .patience_s = ONE_OF(random, 0, 100, 600, -1),
    };
    draw_policy(random, j);
}

/* Not so often that a job without checkpoints never ends. */
static void draw_failures(uint64_t *random, struct job_script *j)
{
    j->mtbf_s = ONE_OF(random, 15000, 40000, 100000);
    j->young_factor = ONE_OF(random, 1, 1, 2, 0);
    j->detect_s = ONE_OF(random, 0, 0, 30, 200);
    j->respond_s = ONE_OF(random, 0, 100, 700, 33.3);
    j->failure_restart =
        (int)ONE_OF(random, FAILURE_RESTART_NODE, FAILURE_RESTART_NODE, FAILURE_RESTART_GANG);
    j->spares = (uint32_t)draw_below(random, MOST_SPARES + 1);
    j->staging_s = ONE_OF(random, 0, 0, 50, 17.7);
}

static void draw_script(uint64_t *random, struct job_world_script *s)
{
    memset(s, 0, sizeof *s);
    s->horizon_s = 10 + draw_time_s(random, 15000);
    s->job_count = (size_t)ONE_OF(random, 1, 1, 2, 3);
    draw_spot(random, &s->spot);
    draw_on_demand(random, &s->on_demand);
    for (size_t i = 0; i < s->job_count; i++) {
        draw_job(random, &s->jobs[i]);
        /* Else a gang may never come together, and on-demand is waited for beyond any horizon. */
        if (s->on_demand.delay_spread_s > 0 && s->jobs[i].patience_s >= 0) {
            s->jobs[i].patience_s += s->on_demand.delay_spread_s;
        }
    }
}

/* ---- after each event ---- */

static void check_crew(const struct crew *c)
{
    uint32_t count[NODE_NOTICED + 1] = {0};
    for (uint32_t i = 0; i < c->size; i++) {
        count[c->nodes[i].state]++;
    }
    assert_int_equal(count[NODE_WAITING], c->waiting);
    assert_int_equal(count[NODE_ASKED], c->asked);
    assert_int_equal(count[NODE_NOTICED], c->noticed);
    assert_int_equal(count[NODE_HELD] + count[NODE_NOTICED], c->held);
    assert_int_equal(c->queued, c->asked > 0);
    uint32_t failed = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        bool held = c->nodes[i].state == NODE_HELD || c->nodes[i].state == NODE_NOTICED;
        assert_true(held || !c->nodes[i].failed);
        failed += c->nodes[i].failed;
    }
    assert_int_equal(failed, c->failed);
}

/* A job that holds nothing and asks for nothing sleeps, which it may only while there is no room.
 */
static void check_nobody_sleeps_on(struct job_world *w, size_t index)
{
    const struct fleet *f = job_world_fleet(w);
    const struct job_script *s = &job_world_script_of(w)->jobs[index];
    if (s->submit_s > f->calendar->now_s || job_done(job_world_job(w, index))) {
        return;
    }
    bool obtainable[PURCHASE_COUNT] = {false};
    for (size_t k = 0; k < f->crew_count; k++) {
        const struct crew *c = f->crews[k];
        if (c->workload != index) {
            continue;
        }
        if (c->own_books && c->held == 0) {
            continue; /* spares come with their gang */
        }
        if (c->held + c->asked + c->waiting > 0) {
            return;
        }
        obtainable[c->purchase] = crew_obtainable(c);
    }
    bool spot = strcmp(s->policy, "wait") == 0 || strcmp(s->policy, "fallback") == 0;
    if (f->calendar->now_s >= job_world_script_of(w)->horizon_s) {
        assert_false(obtainable[PURCHASE_ON_DEMAND]);
    } else if (strcmp(s->policy, "script") != 0) {
        assert_false(obtainable[spot ? PURCHASE_SPOT : PURCHASE_ON_DEMAND]);
    }
}

static void watch(struct job_world *w)
{
    const struct fleet *f = job_world_fleet(w);
    double now_s = f->calendar->now_s;
    for (size_t k = 0; k < f->crew_count; k++) {
        check_crew(f->crews[k]);
    }
    if (calendar_next_time(f->calendar) <= now_s) {
        return; /* more is to happen at this instant */
    }
    for (size_t i = 0; i < f->pool_count; i++) {
        const struct fleet_pool *p = f->pools[i];
        uint32_t held = 0;
        for (size_t k = 0; k < f->crew_count; k++) {
            held += f->crews[k]->in == p ? f->crews[k]->held - f->crews[k]->noticed : 0;
        }
        assert_int_equal(held, p->held);
        assert_true(held <= market_capacity(f->market, p->pool, now_s, UINT32_MAX));
        bool closed = now_s < p->closed_until_s;
        assert_true(closed || p->first_asking == NULL || p->held == p->capacity);
    }
    size_t jobs = job_world_script_of(w)->job_count;
    for (size_t i = 0; i < jobs; i++) {
        check_nobody_sleeps_on(w, i);
    }
}

/* ---- afterwards ---- */

struct sums {
    int64_t activity_us[ACTIVITY_COUNT]; /* over all nodes */
    int64_t records, nodes, interrupted, failed;
};

static void check_record(const struct job_script *s, const struct usage *u)
{
    int64_t sum_us = 0;
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        assert_true(u->activity_us[a] >= 0);
        sum_us += u->activity_us[a];
    }
    int64_t length_us = u->end_us - u->start_us;
    assert_true(length_us >= 0);
    assert_int_equal(sum_us, length_us);
    assert_true(u->start_us >= llrint(s->submit_s * 1e6));
    assert_true(u->slot + u->twins < s->nodes + s->spares);
    int64_t least_us = llrint(s->boot_s * 1e6), most_us = least_us + llrint(s->boot_spread_s * 1e6);
    int64_t boot_us = u->activity_us[ACTIVITY_BOOT];
    assert_true(boot_us >= (length_us < least_us ? length_us : least_us) - 2);
    assert_true(boot_us <= most_us + 2);
    int64_t staging_us = u->activity_us[ACTIVITY_STAGING], whole_us = llrint(s->staging_s * 1e6);
    assert_true(staging_us <= whole_us + 2);
    assert_true(staging_us >= whole_us - 2 || boot_us + staging_us >= length_us - 2);
}

/* Adds the record up and sees that its slots were free when it began. */
static void add_record(struct sums *sum, int64_t free_from_us[MOST_NODES + MOST_SPARES],
                       const struct usage *u)
{
    int64_t nodes = usage_nodes(u);
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        sum->activity_us[a] += nodes * u->activity_us[a];
    }
    sum->records++;
    sum->nodes += nodes;
    sum->interrupted += u->reason == END_INTERRUPTED ? nodes : 0;
    sum->failed += u->reason == END_FAILED ? nodes : 0;
    for (int64_t i = u->slot; i < u->slot + nodes; i++) {
        assert_true(u->start_us >= free_from_us[i]);
        free_from_us[i] = u->end_us;
    }
}

/* Seconds from submission to the end in which no record of the job runs: records are few, so all
 * starts are tried as ends of a gap. */
static double idle_s(const struct usage_log *log, uint32_t index, double from_s, double to_s)
{
    double idle = 0, at_s = from_s;
    while (at_s < to_s) {
        double until_s = at_s, next_s = to_s;
        for (size_t i = 0; i < log->count; i++) {
            const struct usage *u = &log->records[i];
            double start_s = (double)u->start_us / 1e6, end_s = (double)u->end_us / 1e6;
            if (u->workload != index) {
                continue;
            }
            if (start_s <= at_s && end_s > until_s) {
                until_s = end_s;
            } else if (start_s > at_s && start_s < next_s) {
                next_s = start_s;
            }
        }
        if (until_s <= at_s) {
            idle += next_s - at_s;
            until_s = next_s;
        }
        at_s = until_s;
    }
    return idle;
}

static void check_job(const struct job_world *w, uint32_t index)
{
    const struct job_world_script *script = job_world_script_of(w);
    const struct job_script *s = &script->jobs[index];
    const struct usage_log *log = job_world_usage(w);
    const struct work_result r = job_result(job_world_job(w, index));
    int64_t free_from_us[PURCHASE_COUNT][MOST_NODES + MOST_SPARES] = {{0}};
    struct sums sum = {0};
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        if (u->workload == index) {
            check_record(s, u);
            add_record(&sum, free_from_us[u->pool], u);
            assert_true(u->end_us <= microseconds(r.end_s));
        }
    }
    assert_int_equal(sum.nodes, r.launches);
    assert_int_equal(sum.interrupted, r.interruptions);
    assert_true(sum.failed <= r.failures);
    assert_true(r.kept_s >= 0 && r.kept_s <= r.work_s);
    assert_true(!r.finished || r.kept_s >= r.work_s);
    double slack_s = 1e-3 + 2e-6 * (double)sum.nodes;
    assert_near((double)sum.activity_us[ACTIVITY_USEFUL] / 1e6, r.kept_s * s->nodes, slack_s,
                "useful node-seconds");
    assert_near(r.idle_s, idle_s(log, index, s->submit_s, r.end_s), 1e-3, "idle seconds");
    if (s->at_horizon == AT_HORIZON_CUT) {
        assert_true(r.finished ? r.end_s <= script->horizon_s
                               : r.end_s >= script->horizon_s && r.end_s <= script->horizon_s);
    } else {
        assert_true(r.finished);
    }
    if (s->mode == CHECKPOINT_CONTINUOUS) {
        assert_int_equal(sum.activity_us[ACTIVITY_LOST], 0);
    }
    if (s->mode != CHECKPOINT_PERIODIC) {
        assert_int_equal(sum.activity_us[ACTIVITY_CHECKPOINT], 0);
        assert_int_equal(r.checkpoints, 0);
    }
    if (sum.interrupted == 0 && r.failures == 0 && r.switches == 0 && r.finished) {
        assert_int_equal(sum.activity_us[ACTIVITY_LOST], 0);
        assert_int_equal(sum.activity_us[ACTIVITY_RESTORE], 0);
    }
}

static void worlds_add_up(uint64_t random, uint32_t worlds, bool failing)
{
    uint32_t finished = 0, cut = 0, failures = 0;
    for (uint32_t i = 0; i < worlds; i++) {
        struct job_world_script script;
        draw_script(&random, &script);
        for (size_t k = 0; failing && k < script.job_count; k++) {
            draw_failures(&random, &script.jobs[k]);
        }
        for (size_t k = 0; k < script.job_count; k++) {
            if (script.jobs[k].submit_s >= script.horizon_s) {
                script.jobs[k].submit_s = 0; /* else refused before */
            }
        }
        struct job_world *w = job_world_new(&script);
        if (!job_world_run(w, i, watch)) {
            fail_msg("world %u came to a standstill", i);
        }
        for (uint32_t k = 0; k < script.job_count; k++) {
            check_job(w, k);
            bool done = job_result(job_world_job(w, k)).finished;
            finished += done;
            cut += !done;
            failures += job_result(job_world_job(w, k)).failures;
        }
        job_world_free(w);
    }
    assert_true(finished > worlds / 2 && cut > worlds / 20);
    assert_int_equal(failures > worlds / 2, failing);
}

static void random_worlds_add_up(void **state)
{
    (void)state;
    worlds_add_up(20260105, WORLDS, false);
}

static void worlds_with_failures_add_up(void **state)
{
    (void)state;
    worlds_add_up(20260717, FAILING_WORLDS, true);
}

/* A world does not depend on what was simulated before it. */
static void worlds_repeat(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (uint32_t i = 0; i < 200; i++) {
        struct job_world_script script;
        draw_script(&random, &script);
        struct job_world *w = job_world_new(&script);
        assert_true(job_world_run(w, i, NULL));
        char *first = job_world_story(w);
        assert_true(job_world_run(w, i + 1, NULL));
        assert_true(job_world_run(w, i, NULL));
        char *again = job_world_story(w);
        assert_string_equal(again, first);
        free(first);
        free(again);
        job_world_free(w);
    }
}

/* The k-th restore on a pool takes the k-th draw of a source of its own, so that two strategies
 * meet the same luck. Five losses, each after the first write; 100 s between two stretches. */
static void each_restore_has_its_own_luck(void **state)
{
    (void)state;
    struct job_world_script script = {
        .horizon_s = 100000,
        .jobs = {{.nodes = 2,
                  .work_s = 3000,
                  .mode = CHECKPOINT_CONTINUOUS,
                  .restore_s = 10,
                  .restore_spread_s = 90,
                  .policy = "wait"}},
    };
    for (size_t i = 0; i < 11; i++) {
        script.spot.steps[i] = (struct scripted_step){300.0 * (double)i, i % 2 == 0 ? 2 : 0};
    }
    script.spot.step_count = 11;
    struct job_world *w = job_world_new(&script);
    const struct random_world world = {.seed = 1, .replication = 5};
    assert_true(job_world_run(w, world.replication, NULL));
    const struct usage_log *log = job_world_usage(w);
    assert_int_equal(log->count, 6);
    uint64_t source = random_source("launch/a/spot/0/restore");
    for (uint32_t i = 0; i < 6; i++) {
        double restore_s = i == 0 ? 0 : 10 + 90 * random_uniform_at(world, source, i - 1);
        assert_near((double)log->records[i].activity_us[ACTIVITY_RESTORE] / 1e6, restore_s, 1e-6,
                    "restore");
    }
    job_world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_worlds_add_up),
        cmocka_unit_test(worlds_with_failures_add_up),
        cmocka_unit_test(worlds_repeat),
        cmocka_unit_test(each_restore_has_its_own_luck),
    };
    return cmocka_run_group_tests_name("job_random", tests, NULL, NULL);
}
