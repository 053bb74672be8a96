/* SPDX-License-Identifier: GPL-3.0-or-later
 * Failures of hardware in elastic jobs, worked out by hand, and against a closed form. The job,
 * unless a row says otherwise: 1,000 s of work of four nodes, at least two, speed in proportion to
 * nodes, boot 100 s, 20 s for a resize, a checkpoint of 10 s after each 300 s of work and at the
 * end, restore 50 s; a failure is noticed after 30 s, and acted upon 60 s later. */
#include "models/fleet/fleet_pool.h"
#include "models/policies/zone_rule.h"
#include "tests/support/draws.h"
#include "tests/support/job_rows.h"
#include "tests/support/scripted_market_double.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define JOB                                                                                        \
    .nodes = 4, .work_s = 1000, .boot_s = 100, .patience_s = -1, .every_s = 300, .write_s = 10,    \
    .restore_s = 50, .detect_s = 30, .respond_s = 60, .policy = "wait"
#define CONTINUE .elastic = {.min = 2, .resize_s = 20, .on_loss = ELASTIC_CONTINUE}
#define RESTORE  .elastic = {.min = 2, .resize_s = 20, .on_loss = ELASTIC_RESTORE}

static const struct job_row rows[] = {
    /* w 400 c 410 w 500; three from 550, at 3/4 of the speed, with 90 of 300 s in memory; the
       fourth, asked for at 590, is ready at 690: 195 s in memory, four from 710: w 815 c 825 w 1125
       c 1135 w 1235 c 1245. */
    {"the state is kept: the others go on once it is noticed, and nothing is lost",
     {.jobs = {{JOB, CONTINUE, .fails = {{1, 500}}}}},
     "spot 1 0..590 failed: useful 390, checkpoint 10, boot 100, down 90\n"
     "spot 0 0..1245 finished: useful 1035, checkpoint 40, restore 40, boot 100, down 30\n"
     "spot 1 590..1245 finished: useful 505, checkpoint 30, restore 20, boot 100\n"
     "spot 2-3 0..1245 finished: useful 1035, checkpoint 40, restore 40, boot 100, down 30\n",
     {"done 1245 of 1000; checkpoints 4, losses 1, resizes 2, launches 5, failures 1; "
      "spot 4980, on-demand 0"}},

    /* 90 s lost; three from 600, at 690 c 700 for the fourth: 367.5 kept; four from 770. */
    {"back to the checkpoint: what it does not hold is lost",
     {.jobs = {{JOB, RESTORE, .fails = {{1, 500}}}}},
     "spot 1 0..590 failed: useful 300, checkpoint 10, boot 100, lost 90, down 90\n"
     "spot 0 0..1432.5 finished: useful 1022.5, checkpoint 50, restore 140, boot 100, lost 90, "
     "down 30\n"
     "spot 1 590..1432.5 finished: useful 632.5, checkpoint 30, restore 70, boot 100, waiting 10\n"
     "spot 2-3 0..1432.5 finished: useful 1022.5, checkpoint 50, restore 140, boot 100, lost 90, "
     "down 30\n",
     {"done 1432.5 of 1000; checkpoints 5, restarts 2, losses 1, resizes 2, launches 5, "
      "failures 1; spot 5730, on-demand 0"}},

    /* Three begin at 100; the fourth, asked for again at 140, joins at 240. */
    {"who fails before it takes part stops nobody",
     {.jobs = {{JOB, CONTINUE, .fails = {{1, 50}}}}},
     "spot 1 0..140 failed: boot 100, down 40\n"
     "spot 0 0..1195 finished: useful 1035, checkpoint 40, restore 20, boot 100\n"
     "spot 1 140..1195 finished: useful 895, checkpoint 40, restore 20, boot 100\n"
     "spot 2-3 0..1195 finished: useful 1035, checkpoint 40, restore 20, boot 100\n",
     {"done 1195 of 1000; checkpoints 4, resizes 1, launches 5, failures 1; "
      "spot 4780, on-demand 0"}},

    /* They wait from 530 to 690, when the new one is ready, and restore. */
    {"below the minimum the others wait for whoever acts, and memory is lost",
     {.jobs = {{JOB, .elastic = {.min = 4, .resize_s = 20, .on_loss = ELASTIC_CONTINUE},
                .fails = {{1, 500}}}}},
     "spot 1 0..590 failed: useful 300, checkpoint 10, boot 100, lost 90, down 90\n"
     "spot 0 0..1470 finished: useful 1000, checkpoint 40, restore 50, boot 100, lost 90, "
     "waiting 160, down 30\n"
     "spot 1 590..1470 finished: useful 700, checkpoint 30, restore 50, boot 100\n"
     "spot 2-3 0..1470 finished: useful 1000, checkpoint 40, restore 50, boot 100, lost 90, "
     "waiting 160, down 30\n",
     {"done 1470 of 1000; checkpoints 4, restarts 1, losses 1, launches 5, failures 1; "
      "spot 5880, on-demand 0"}},

    /* Two from 550: w 670 c 680 (450 kept) w 690; three from 690, four from 710: 730 w 1025 c 1035
       w 1285 c 1295. */
    {"what fails while they stand still is left out with it, and replaced in its own time",
     {.jobs = {{JOB, CONTINUE, .fails = {{1, 500}, {2, 510}}}}},
     "spot 1 0..590 failed: useful 390, checkpoint 10, boot 100, down 90\n"
     "spot 2 0..600 failed: useful 390, checkpoint 10, boot 100, down 100\n"
     "spot 0 0..1295 finished: useful 1065, checkpoint 40, restore 60, boot 100, down 30\n"
     "spot 1 590..1295 finished: useful 545, checkpoint 20, restore 40, boot 100\n"
     "spot 2 600..1295 finished: useful 545, checkpoint 20, restore 20, boot 100, waiting 10\n"
     "spot 3 0..1295 finished: useful 1065, checkpoint 40, restore 60, boot 100, down 30\n",
     {"done 1295 of 1000; checkpoints 4, losses 1, resizes 3, launches 6, failures 2; "
      "spot 5180, on-demand 0"}},

    {"the horizon cuts what stands still",
     {.jobs = {{JOB, CONTINUE, .fails = {{1, 500}}}}, .horizon_s = 515},
     "spot 0 0..515 horizon: useful 300, checkpoint 10, boot 100, lost 90, down 15\n"
     "spot 1 0..515 horizon: useful 390, checkpoint 10, boot 100, down 15\n"
     "spot 2-3 0..515 horizon: useful 300, checkpoint 10, boot 100, lost 90, down 15\n",
     {"cut 515, kept 300 of 1000; checkpoints 1, losses 1, launches 4, failures 1; "
      "spot 2060, on-demand 0"}},
};

/* ---- random worlds ---- */

enum { WORLDS = 4000, MOST_NODES = 6 };

static double one_of(uint64_t *random, const double *values, int64_t count)
{
    return values[draw_below(random, count)];
}
#define ONE_OF(random, ...)                                                                        \
    one_of(random, (const double[]){__VA_ARGS__},                                                  \
           sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void draw_job(uint64_t *random, struct job_script *j)
{
    static const char *const policies[] = {"wait", "wait", "fallback"};
    *j = (struct job_script){
        .nodes = 1 + (uint32_t)draw_below(random, MOST_NODES),
        .submit_s = ONE_OF(random, 0, 0, 100),
        .work_s = 10.0 * (double)draw_below(random, 400),
        .boot_s = ONE_OF(random, 0, 100, 33.3),
        .boot_spread_s = ONE_OF(random, 0, 0, 60),
        .mode =
            (int)ONE_OF(random, CHECKPOINT_PERIODIC, CHECKPOINT_PERIODIC, CHECKPOINT_CONTINUOUS),
        .every_s = ONE_OF(random, 0, 300, 100, 77.7),
        .write_s = ONE_OF(random, 0, 10, 60, 1.1),
        .restore_s = ONE_OF(random, 0, 50, 17.3),
        .on_notice = (int)draw_below(random, 2),
        .patience_s = ONE_OF(random, 0, 100, 600, -1),
        .mtbf_s = ONE_OF(random, 3000, 15000, 40000),
        .young_factor = ONE_OF(random, 1, 1, 2, 0),
        .detect_s = ONE_OF(random, 0, 0, 30, 200),
        .respond_s = ONE_OF(random, 0, 100, 700, 33.3),
        .staging_s = ONE_OF(random, 0, 0, 50),
        .policy = policies[draw_below(random, 3)],
        .after_s = ONE_OF(random, 0, 60, 600),
        .back = draw_below(random, 2) == 0,
    };
    j->restart = (int)draw_below(random, 2);
    j->elastic.min = 1 + (uint32_t)draw_below(random, j->nodes);
    j->elastic.resize_s = ONE_OF(random, 0, 20, 33.3);
    j->elastic.settle_s = ONE_OF(random, 0, 60);
    j->elastic.on_loss = (int)draw_below(random, 2);
}

/* Other zones of spot, with the same steps at other times: all at once, or one at a time. */
static void draw_zones(uint64_t *random, struct job_world_script *s)
{
    static const struct zone_rule *const rules[] = {&zone_rule_cheapest, &zone_rule_sticky};
    s->zone_count = (size_t)ONE_OF(random, 0, 0, 1, 2);
    s->span = s->zone_count > 0 && draw_below(random, 2) == 0;
    s->rule = s->span ? NULL : rules[draw_below(random, 2)];
    for (size_t z = 0; z < s->zone_count; z++) {
        s->zones[z] = s->spot;
        for (size_t i = 1; i < s->spot.step_count; i++) {
            s->zones[z].steps[i].nodes = (uint32_t)draw_below(random, 2 * MOST_NODES);
            s->zones[z].steps[i].from_s += z == 0 ? 0 : 5;
        }
    }
}

static void draw_script(uint64_t *random, struct job_world_script *s)
{
    double at_s = 0;
    memset(s, 0, sizeof *s);
    s->horizon_s = 200 + 10.0 * (double)draw_below(random, 1500);
    s->job_count = (size_t)ONE_OF(random, 1, 1, 2);
    s->spot.step_count = 1 + (size_t)draw_below(random, 8);
    for (size_t i = 0; i < s->spot.step_count; i++) {
        s->spot.steps[i] =
            (struct scripted_step){at_s, (uint32_t)draw_below(random, 2 * MOST_NODES)};
        at_s += 10 + 10.0 * (double)draw_below(random, 100);
    }
    s->spot.hazard_per_s = ONE_OF(random, 0, 0, 1e-4, 1e-3);
    s->spot.notice_s = ONE_OF(random, 0, 60, 120, 7.5);
    s->on_demand.delay_s = ONE_OF(random, 0, 0, 300);
    draw_zones(random, s);
    for (size_t i = 0; i < s->job_count; i++) {
        draw_job(random, &s->jobs[i]);
        if (s->span && draw_below(random, 2) == 0) {
            s->jobs[i].elastic.min = 0; /* a gang */
            s->jobs[i].failure_restart = (int)draw_below(random, 2);
        }
    }
}

/* What is counted is what there is. */
static void watch(struct job_world *w)
{
    const struct fleet *f = job_world_fleet(w);
    for (size_t k = 0; k < f->crew_count; k++) {
        const struct crew *c = f->crews[k];
        uint32_t held = 0, noticed = 0, ready = 0, part = 0, part_noticed = 0, failed = 0, down = 0;
        for (uint32_t i = 0; i < c->size; i++) {
            const struct node *n = &c->nodes[i];
            bool here = n->state == NODE_HELD, goes = n->state == NODE_NOTICED;
            held += here || goes;
            noticed += goes;
            ready += here && n->booted;
            part += (here || goes) && n->part == NODE_TAKES_PART;
            part_noticed += goes && n->part == NODE_TAKES_PART;
            failed += n->failed;
            down += here && n->failed;
            assert_true(here || goes || !n->failed);
            assert_false(n->failed && (n->booted || n->part == NODE_TAKES_PART));
        }
        assert_int_equal(held, c->held);
        assert_int_equal(noticed, c->noticed);
        assert_int_equal(ready, c->ready);
        assert_int_equal(part, c->team.part);
        assert_int_equal(part_noticed, c->team.noticed);
        assert_int_equal(failed, c->failed);
        assert_int_equal(down, c->team.failed);
    }
}

struct sums {
    int64_t useful_us, lost_us, down_us, nodes, interrupted, failed;
};

static void add_record(struct sums *sum, int64_t free_from_us[MOST_NODES], const struct usage *u)
{
    int64_t nodes = usage_nodes(u), told_us = 0;
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        assert_true(u->activity_us[a] >= 0);
        told_us += u->activity_us[a];
    }
    assert_int_equal(told_us, u->end_us - u->start_us);
    sum->useful_us += nodes * u->activity_us[ACTIVITY_USEFUL];
    sum->lost_us += nodes * u->activity_us[ACTIVITY_LOST];
    sum->down_us += nodes * u->activity_us[ACTIVITY_DOWN];
    sum->nodes += nodes;
    sum->interrupted += u->reason == END_INTERRUPTED ? nodes : 0;
    sum->failed += u->reason == END_FAILED ? nodes : 0;
    for (int64_t i = u->slot; i < u->slot + nodes; i++) {
        assert_true(i < MOST_NODES && u->start_us >= free_from_us[i]);
        free_from_us[i] = u->end_us;
    }
}

static struct work_result check_job(const struct job_world *w, uint32_t index)
{
    const struct job_script *s = &job_world_script_of(w)->jobs[index];
    const struct usage_log *log = job_world_usage(w);
    const struct work_result r = job_world_work(w, index);
    int64_t free_from_us[SITE_COUNT][MOST_NODES] = {{0}};
    struct sums sum = {0};
    for (size_t i = 0; i < log->count; i++) {
        if (log->records[i].workload == index) {
            add_record(&sum, free_from_us[log->records[i].pool], &log->records[i]);
        }
    }
    assert_int_equal(sum.nodes, r.launches);
    assert_int_equal(sum.interrupted, r.interruptions);
    assert_true(sum.failed <= r.failures);
    assert_true(r.kept_s >= 0 && r.kept_s <= r.work_s);
    assert_true(!r.finished || r.kept_s >= r.work_s);
    assert_true(r.failures > 0 || sum.down_us == 0);
    /* Speed is in proportion to nodes, so that each node-second kept is one of the work; what was
     * carried on may have been told as useful, and lost after the node had left. */
    double useful_s = (double)sum.useful_us / 1e6, kept_s = r.kept_s * s->nodes;
    double slack_s = 1e-3 + 2e-6 * (double)sum.nodes;
    assert_true(useful_s >= kept_s - slack_s);
    if (s->elastic.on_loss == ELASTIC_RESTORE) {
        assert_near(useful_s, kept_s, slack_s, "useful node-seconds");
    } else if (s->elastic.min == 1 && s->mode == CHECKPOINT_CONTINUOUS) {
        assert_int_equal(sum.lost_us, 0);
    }
    return r;
}

static void random_worlds_add_up(void **state)
{
    (void)state;
    uint64_t random = 20261130;
    uint32_t finished = 0, cut = 0, failures = 0, resizes = 0;
    for (uint32_t i = 0; i < WORLDS; i++) {
        struct job_world_script script;
        draw_script(&random, &script);
        struct job_world *w = job_world_new(&script);
        if (!job_world_run(w, i, watch)) {
            fail_msg("world %u came to a standstill", i);
        }
        for (uint32_t k = 0; k < script.job_count; k++) {
            struct work_result r = check_job(w, k);
            finished += r.finished;
            cut += !r.finished;
            failures += r.failures;
            resizes += r.resizes;
        }
        char *first = job_world_story(w);
        if (i % 20 == 0) { /* a world does not depend on the one before */
            assert_true(job_world_run(w, i + 1, NULL) && job_world_run(w, i, NULL));
            char *again = job_world_story(w);
            assert_string_equal(again, first);
            free(again);
        }
        free(first);
        job_world_free(w);
    }
    assert_true(finished > WORLDS / 3 && cut > WORLDS / 20);
    assert_true(failures > WORLDS && resizes > WORLDS);
}

/* ---- mean speed ---- */

/* A node fails every 1/h on average, from its launch on, and is held for d; it works from its boot
 * b on, for exp(-h b)/h of each 1/h + d. All failures are noticed at once. */
static void mean_speed_is_that_of_independent_nodes(void **state)
{
    (void)state;
    const double hazard = 1 / 3600.0, boot_s = 600, act_s = 900, work_s = 1e5;
    struct job_world_script script = {.horizon_s = 1e9,
                                      .jobs = {{.nodes = 8,
                                                .work_s = work_s,
                                                .boot_s = boot_s,
                                                .mode = CHECKPOINT_CONTINUOUS,
                                                .patience_s = -1,
                                                .mtbf_s = 1 / hazard,
                                                .young_factor = 1,
                                                .respond_s = act_s,
                                                .elastic = {.min = 1, .on_loss = ELASTIC_CONTINUE},
                                                .policy = "wait"}}};
    struct job_world *w = job_world_new(&script);
    double sum = 0, squares = 0;
    const int worlds = 60;
    for (int i = 0; i < worlds; i++) {
        assert_true(job_world_run(w, (uint32_t)i, NULL));
        struct work_result r = job_world_work(w, 0);
        assert_true(r.finished && r.interruptions == 0);
        double speed = work_s / (r.end_s - boot_s);
        sum += speed;
        squares += speed * speed;
    }
    double mean = sum / worlds;
    double error = sqrt((squares / worlds - mean * mean) / worlds);
    assert_true(error < 0.004);
    assert_near(mean, exp(-hazard * boot_s) / (1 + hazard * act_s), 4 * error, "mean speed");
    job_world_free(w);
}

int main(void)
{
    int failures = job_rows_run("elastic_failures", rows, sizeof rows / sizeof rows[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_worlds_add_up),
        cmocka_unit_test(mean_speed_is_that_of_independent_nodes),
    };
    return failures + cmocka_run_group_tests_name("elastic_failures_worlds", tests, NULL, NULL);
}
