/* SPDX-License-Identifier: GPL-3.0-or-later
 * Elastic jobs as stories worked out by hand, and their mean speed against a closed form. The job,
 * unless a row says otherwise: 1,000 s of work of four nodes, at least two, speed in proportion to
 * nodes, boot 100 s, 20 s for a resize, a checkpoint of 10 s after each 300 s of work and at the
 * end, restore 50 s. */
#include "tests/support/job_rows.h"
#include "tests/support/scripted_market_double.h"
#include "tests/support/testing.h"

#include <math.h>

#define FOUR     .nodes = 4, .work_s = 1000, .boot_s = 100, .patience_s = -1
#define SAVES    .every_s = 300, .write_s = 10, .restore_s = 50
#define CONTINUE .elastic = {.min = 2, .resize_s = 20, .on_loss = ELASTIC_CONTINUE}
#define RESTORE  .elastic = {.min = 2, .resize_s = 20, .on_loss = ELASTIC_RESTORE}
#define STEPS(...)                                                                                 \
    .steps = {__VA_ARGS__},                                                                        \
    .step_count = sizeof((struct scripted_step[]){__VA_ARGS__}) / sizeof(struct scripted_step)

static const struct job_row rows[] = {
    {"undisturbed: as a gang",
     {.jobs = {{FOUR, SAVES, CONTINUE, .policy = "wait"}}},
     "spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0"}},

    /* Four: w 400 c 410 w 500; two at half the speed from 520: w 640 c 650 (150 of 300 s count) w
       900; four from 920: w 1095 c 1105 w 1355 c 1365. */
    {"the state is kept: two go and come again, nothing is lost",
     {.spot = {STEPS({0, 4}, {500, 2}, {800, 4})},
      .jobs = {{FOUR, SAVES, CONTINUE, .policy = "wait"}}},
     "spot 0-1 0..500 interrupted: useful 390, checkpoint 10, boot 100\n"
     "spot 0-1 800..1365 finished: useful 425, checkpoint 20, restore 20, boot 100\n"
     "spot 2-3 0..1365 finished: useful 1185, checkpoint 40, restore 40, boot 100\n",
     {"done 1365 of 1000; checkpoints 4, losses 1, resizes 2, launches 6, interruptions 2; "
      "spot 4860, on-demand 0"}},

    /* 90 s lost at 500; two from 570: w 870 c 880 w 900, c 910 for the two that are ready; four
       from 980: w 1280 c 1290 w 1530 c 1540. */
    {"back to the checkpoint: work since is lost, and one is written before nodes join",
     {.spot = {STEPS({0, 4}, {500, 2}, {800, 4})},
      .jobs = {{FOUR, SAVES, RESTORE, .policy = "wait"}}},
     "spot 0-1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-1 800..1540 finished: useful 540, checkpoint 20, restore 70, boot 100, waiting 10\n"
     "spot 2-3 0..1540 finished: useful 1160, checkpoint 50, restore 140, boot 100, lost 90\n",
     {"done 1540 of 1000; checkpoints 5, restarts 2, losses 1, resizes 2, launches 6, "
      "interruptions 2; spot 5560, on-demand 0"}},

    /* The one that is left waits, paid; all begin again at 800 from 300 s. */
    {"below the minimum it waits, and its memory is lost",
     {.spot = {STEPS({0, 4}, {500, 1}, {700, 4})},
      .jobs = {{FOUR, SAVES, CONTINUE, .policy = "wait"}}},
     "spot 0-1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-1 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n"
     "spot 2 0..1580 finished: useful 1000, checkpoint 40, restore 50, boot 100, lost 90, "
     "waiting 300\n"
     "spot 3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, launches 7, interruptions 3; "
      "spot 5720, on-demand 0"}},
    {"out of patience what is left is given back",
     {.spot = {STEPS({0, 4}, {500, 1}, {700, 4})},
      .jobs = {{.nodes = 4,
                .work_s = 1000,
                .boot_s = 100,
                .patience_s = 60,
                SAVES,
                CONTINUE,
                .policy = "wait"}}},
     "spot 0-1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 2 0..560 released: useful 300, checkpoint 10, boot 100, lost 90, waiting 60\n"
     "spot 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 140, launches 8, "
      "interruptions 3; spot 5580, on-demand 0"}},

    /* The two that stay begin anew at 510 with 390 s kept: two from 580 on: w 880 c 890 w 1190 c
       1200 w 1500 c 1510 w 1810 c 1820 w 1840 c 1850. */
    {"at a notice all is saved, and the others go on at once",
     {.spot = {STEPS({0, 4}, {500, 2}), .notice_s = 120},
      .jobs = {{FOUR, SAVES, RESTORE, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-1 0..620 interrupted: useful 390, checkpoint 20, boot 100, waiting 110\n"
     "spot 2-3 0..1850 finished: useful 1610, checkpoint 70, restore 70, boot 100\n",
     {"done 1850 of 1000; checkpoints 7, restarts 1, resizes 1, launches 4, interruptions 2; "
      "spot 4940, on-demand 0"}},
    /* Works on to 620; carried 210 s of four: 420 of two, overdue: c 640..650; then 490 left: w 950
       c 960 w 1260 c 1270 w 1570 c 1580 w 1660 c 1670, at half the speed 980 s. */
    {"at a notice who keeps the state works on to its end",
     {.spot = {STEPS({0, 4}, {500, 2}), .notice_s = 120},
      .jobs = {{FOUR, SAVES, CONTINUE, .policy = "wait"}}},
     "spot 0-1 0..620 interrupted: useful 510, checkpoint 10, boot 100\n"
     "spot 2-3 0..1670 finished: useful 1490, checkpoint 60, restore 20, boot 100\n",
     {"done 1670 of 1000; checkpoints 6, losses 1, resizes 1, launches 4, interruptions 2; "
      "spot 4580, on-demand 0"}},

    /* Spot is gone for good at 500: two on-demand go on. */
    {"a base on demand and spot on top",
     {.spot = {STEPS({0, 9}, {500, 0})},
      .jobs = {{FOUR, SAVES,
                .elastic = {.min = 2,
                            .resize_s = 20,
                            .on_loss = ELASTIC_CONTINUE,
                            .fill = {{PURCHASE_ON_DEMAND, 2}, {PURCHASE_SPOT, 9}}},
                .policy = "fallback"}}},
     "spot 0-1 0..500 interrupted: useful 390, checkpoint 10, boot 100\n"
     "on-demand 0-1 0..1790 finished: useful 1610, checkpoint 60, restore 20, boot 100\n",
     {"done 1790 of 1000; checkpoints 6, losses 1, resizes 1, launches 4, interruptions 2; "
      "spot 1000, on-demand 3580"}},

    /* Two work from 100 on: 50 of 1,000 s until 200, when the other two are ready. */
    {"it begins on what there is",
     {.spot = {STEPS({0, 2}, {100, 4})},
      .jobs = {{FOUR, .write_s = 10, .restore_s = 50, CONTINUE, .policy = "wait"}}},
     "spot 0-1 0..1180 finished: useful 1050, checkpoint 10, restore 20, boot 100\n"
     "spot 2-3 100..1180 finished: useful 950, checkpoint 10, restore 20, boot 100\n",
     {"done 1180 of 1000; checkpoints 1, resizes 1, launches 4; spot 4520, on-demand 0"}},
    {"with the minimum of all it waits for all",
     {.spot = {STEPS({0, 2}, {100, 4})},
      .jobs = {{FOUR, .write_s = 10, .elastic = {.min = 4, .resize_s = 20}, .policy = "wait"}}},
     "spot 0-1 0..1210 finished: useful 1000, checkpoint 10, boot 100, waiting 100\n"
     "spot 2-3 100..1210 finished: useful 1000, checkpoint 10, boot 100\n",
     {"done 1210 of 1000; checkpoints 1, launches 4; spot 4640, on-demand 0"}},
    /* One is ready at 250, another boots until 300: it is waited for. */
    {"those that are ready wait for those that boot",
     {.spot = {STEPS({0, 2}, {150, 3}, {200, 4})},
      .jobs = {{FOUR, .write_s = 10,
                .elastic = {.min = 2, .resize_s = 20, .settle_s = 60, .on_loss = ELASTIC_CONTINUE},
                .policy = "wait"}}},
     "spot 0-1 0..1230 finished: useful 1100, checkpoint 10, restore 20, boot 100\n"
     "spot 2 150..1230 finished: useful 900, checkpoint 10, restore 20, boot 100, waiting 50\n"
     "spot 3 200..1230 finished: useful 900, checkpoint 10, restore 20, boot 100\n",
     {"done 1230 of 1000; checkpoints 1, resizes 1, launches 4; spot 4570, on-demand 0"}},
    {"but not longer than stated",
     {.spot = {STEPS({0, 2}, {150, 3}, {200, 4})},
      .jobs = {{FOUR, .write_s = 10,
                .elastic = {.min = 2, .resize_s = 20, .settle_s = 30, .on_loss = ELASTIC_CONTINUE},
                .policy = "wait"}}},
     /* Two to 280: 90 s; three stand still to 300, when the fourth joins: all from 320. */
     "spot 0-1 0..1240 finished: useful 1090, checkpoint 10, restore 40, boot 100\n"
     "spot 2 150..1240 finished: useful 910, checkpoint 10, restore 40, boot 100, waiting 30\n"
     "spot 3 200..1240 finished: useful 910, checkpoint 10, restore 20, boot 100\n",
     {"done 1240 of 1000; checkpoints 1, resizes 2, launches 4; spot 4610, on-demand 0"}},
    /* 40 s must be left when they are ready: 20 of four and the resize. */
    {"who is there in time is asked for",
     {.spot = {STEPS({0, 2}, {1950, 4})},
      .jobs = {{FOUR, .write_s = 10,
                .elastic = {.min = 2, .resize_s = 20, .on_loss = ELASTIC_CONTINUE},
                .policy = "wait"}}},
     "spot 0-1 0..2105 finished: useful 1975, checkpoint 10, restore 20, boot 100\n"
     "spot 2-3 1950..2105 finished: useful 25, checkpoint 10, restore 20, boot 100\n",
     {"done 2105 of 1000; checkpoints 1, resizes 1, launches 4; spot 4520, on-demand 0"}},
    {"who would come too late is not",
     {.spot = {STEPS({0, 2}, {1965, 4})},
      .jobs = {{FOUR, .write_s = 10,
                .elastic = {.min = 2, .resize_s = 20, .on_loss = ELASTIC_CONTINUE},
                .policy = "wait"}}},
     "spot 0-1 0..2110 finished: useful 2000, checkpoint 10, boot 100\n",
     {"done 2110 of 1000; checkpoints 1, launches 2; spot 4220, on-demand 0"}},
};

/* ---- mean speed ---- */

/* Each node is struck every 1/h on average and is replaced at once, which takes a boot b: of a life
 * L it works max(L - b, 0), so for exp(-h b) of the time. */
static void mean_speed_is_that_of_independent_nodes(void **state)
{
    (void)state;
    const double hazard = 1 / 3600.0, boot_s = 600, work_s = 2e5;
    struct job_world_script script = {.spot = {.hazard_per_s = hazard},
                                      .horizon_s = 1e9,
                                      .jobs = {{.nodes = 8,
                                                .work_s = work_s,
                                                .boot_s = boot_s,
                                                .mode = CHECKPOINT_CONTINUOUS,
                                                .patience_s = -1,
                                                .elastic = {.min = 1, .on_loss = ELASTIC_CONTINUE},
                                                .policy = "wait"}}};
    struct job_world *w = job_world_new(&script);
    double sum = 0, squares = 0;
    const int worlds = 60;
    for (int i = 0; i < worlds; i++) {
        assert_true(job_world_run(w, (uint32_t)i, NULL));
        struct work_result r = job_world_work(w, 0);
        assert_true(r.finished);
        double speed = work_s / (r.end_s - boot_s);
        sum += speed;
        squares += speed * speed;
    }
    double mean = sum / worlds;
    double error = sqrt((squares / worlds - mean * mean) / worlds);
    assert_true(error < 0.002);
    assert_near(mean, exp(-hazard * boot_s), 4 * error, "mean speed");
    job_world_free(w);
}

int main(void)
{
    int failures = job_rows_run("elastic_job", rows, sizeof rows / sizeof rows[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(mean_speed_is_that_of_independent_nodes)};
    return failures + cmocka_run_group_tests_name("elastic_speed", tests, NULL, NULL);
}
