/* SPDX-License-Identifier: GPL-3.0-or-later
 * Elastic jobs in several zones, and gangs that span them on spot, as stories worked out by hand.
 * The job is that of test_elastic_job.c: alone it boots until 100 and is done at 1140; lost at 500
 * it has kept 300 and lost 90. "crossed" are seconds of work on all nodes, times borders. */
#include "models/policies/zone_rule.h"
#include "tests/support/job_rows.h"
#include "tests/support/scripted_market_double.h"

#define FOUR     .nodes = 4, .work_s = 1000, .boot_s = 100, .patience_s = -1
#define SAVES    .every_s = 300, .write_s = 10, .restore_s = 50
#define CONTINUE .elastic = {.min = 2, .resize_s = 20, .on_loss = ELASTIC_CONTINUE}
#define RESTORE  .elastic = {.min = 2, .resize_s = 20, .on_loss = ELASTIC_RESTORE}
#define STEPS(...)                                                                                 \
    .steps = {__VA_ARGS__},                                                                        \
    .step_count = sizeof((struct scripted_step[]){__VA_ARGS__}) / sizeof(struct scripted_step)
#define DOLLARS(n) .per_hour = (n)*MONEY_UNIT

static const struct job_row rows[] = {
    {"a gang that no zone alone could hold",
     {.spot = {STEPS({0, 2})},
      .zones = {{STEPS({0, 2})}},
      .zone_count = 1,
      .span = true,
      .jobs = {{FOUR, SAVES, .restart = RESTART_NODE, .policy = "wait"}}},
     "spot 0-1 0..1140 finished: useful 1000, checkpoint 40, boot 100\n"
     "spot-b 0-1 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4, crossed 2000; spot 4560, on-demand 0"}},
    {"all of it in the first zone: no border is crossed",
     {.spot = {STEPS({0, 9})},
      .zones = {{STEPS({0, 9})}},
      .zone_count = 1,
      .span = true,
      .jobs = {{FOUR, SAVES, .restart = RESTART_NODE, .policy = "wait"}}},
     "spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0"}},

    /* Two wait from 500 to 800; restore to 850, 700 s of work and three checkpoints: 1580. */
    {"restart: node: the others wait for those that come again",
     {.spot = {STEPS({0, 2})},
      .zones = {{STEPS({0, 2}, {500, 0}, {700, 2})}},
      .zone_count = 1,
      .span = true,
      .jobs = {{FOUR, SAVES, .restart = RESTART_NODE, .policy = "wait"}}},
     "spot-b 0-1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-1 0..1580 finished: useful 1000, checkpoint 40, restore 50, boot 100, lost 90, "
     "waiting 300\n"
     "spot-b 0-1 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, launches 6, interruptions 2, "
      "crossed 2180; spot 5920, on-demand 0"}},
    {"restart: gang: the others are given back, and all is launched anew",
     {.spot = {STEPS({0, 2})},
      .zones = {{STEPS({0, 2}, {500, 0}, {700, 2})}},
      .zone_count = 1,
      .span = true,
      .jobs = {{FOUR, SAVES, .restart = RESTART_GANG, .policy = "wait"}}},
     "spot-b 0-1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-1 0..500 released: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-1 500..1580 finished: useful 700, checkpoint 30, restore 50, boot 100, waiting 200\n"
     "spot-b 0-1 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, launches 8, interruptions 2, "
      "crossed 2180; spot 5920, on-demand 0"}},
    /* A third zone has two at once: ready at 600, restored at 650. */
    {"another zone stands in, and keeps its place when the first has room again",
     {.spot = {STEPS({0, 2})},
      .zones = {{STEPS({0, 2}, {500, 0}, {700, 2})}, {STEPS({0, 2})}},
      .zone_count = 2,
      .span = true,
      .jobs = {{FOUR, SAVES, .restart = RESTART_NODE, .policy = "wait"}}},
     "spot-b 0-1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-1 0..1380 finished: useful 1000, checkpoint 40, restore 50, boot 100, lost 90, "
     "waiting 100\n"
     "spot-c 0-1 500..1380 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1380 of 1000; checkpoints 4, restarts 1, losses 1, launches 6, interruptions 2, "
      "crossed 2180; spot 5520, on-demand 0"}},
    {"out of patience all that is held is given back",
     {.spot = {STEPS({0, 2})},
      .zones = {{STEPS({0, 2}, {500, 0}, {700, 2})}},
      .zone_count = 1,
      .span = true,
      .jobs = {{.nodes = 4,
                .work_s = 1000,
                .boot_s = 100,
                .patience_s = 60,
                SAVES,
                .restart = RESTART_NODE,
                .policy = "wait"}}},
     "spot-b 0-1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-1 0..560 released: useful 300, checkpoint 10, boot 100, lost 90, waiting 60\n"
     "spot 0-1 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n"
     "spot-b 0-1 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 140, launches 8, "
      "interruptions 2, crossed 2180; spot 5640, on-demand 0"}},
    /* All of 390 s are kept at 510; what stays waits from then to 800. */
    {"at a notice in one zone all is saved",
     {.spot = {STEPS({0, 2}), .notice_s = 120},
      .zones = {{STEPS({0, 2}, {500, 0}, {700, 2}), .notice_s = 120}},
      .zone_count = 1,
      .span = true,
      .jobs = {{FOUR, SAVES, .restart = RESTART_NODE, .on_notice = ON_NOTICE_CHECKPOINT,
                .policy = "wait"}}},
     "spot-b 0-1 0..620 interrupted: useful 390, checkpoint 20, boot 100, waiting 110\n"
     "spot 0-1 0..1490 finished: useful 1000, checkpoint 50, restore 50, boot 100, waiting 290\n"
     "spot-b 0-1 700..1490 finished: useful 610, checkpoint 30, restore 50, boot 100\n",
     {"done 1490 of 1000; checkpoints 5, restarts 1, losses 1, launches 6, interruptions 2, "
      "crossed 2000; spot 5800, on-demand 0"}},

    /* Two at half the speed in one zone from 520: nothing crosses; then as in test_elastic_job.c.
     */
    {"elastic over several zones: what one loses the other works on, and it grows again",
     {.spot = {STEPS({0, 2})},
      .zones = {{STEPS({0, 2}, {500, 0}, {800, 2})}},
      .zone_count = 1,
      .span = true,
      .jobs = {{FOUR, SAVES, CONTINUE, .policy = "wait"}}},
     "spot-b 0-1 0..500 interrupted: useful 390, checkpoint 10, boot 100\n"
     "spot 0-1 0..1365 finished: useful 1185, checkpoint 40, restore 40, boot 100\n"
     "spot-b 0-1 800..1365 finished: useful 425, checkpoint 20, restore 20, boot 100\n",
     {"done 1365 of 1000; checkpoints 4, losses 1, resizes 2, launches 6, interruptions 2, "
      "crossed 1630; spot 4860, on-demand 0"}},

    /* Three are ready at 600 with three quarters of the speed: 1000/0.75 s and a last write. */
    {"elastic in one zone at a time: to another when too few are left, as the rule says",
     {.spot = {STEPS({0, 4}, {500, 1}), DOLLARS(2)},
      .zones = {{STEPS({0, 3}), DOLLARS(3)}, {STEPS({0, 4}), DOLLARS(4)}},
      .zone_count = 2,
      .rule = &zone_rule_cheapest,
      .jobs = {{FOUR, .write_s = 10, .restore_s = 50, .elastic = {.min = 3}, .policy = "wait"}}},
     "spot 0-1 0..500 interrupted: boot 100, lost 400\n"
     "spot 3 0..500 interrupted: boot 100, lost 400\n"
     "spot 2 0..500 released: boot 100, lost 400\n"
     "spot-b 0-2 500..1943.333333 finished: useful 1333.333333, checkpoint 10, boot 100\n",
     {"done 1943.33333333 of 1000; checkpoints 1, losses 1, launches 7, interruptions 3; spot "
      "6329.999999, on-demand 0"}},
    {"elastic in one zone at a time: it stays while enough are left",
     {.spot = {STEPS({0, 4}, {500, 3}), DOLLARS(2)},
      .zones = {{STEPS({0, 4}), DOLLARS(3)}},
      .zone_count = 1,
      .rule = &zone_rule_cheapest,
      .jobs = {{FOUR, .write_s = 10, .elastic = {.min = 3, .on_loss = ELASTIC_CONTINUE},
                .policy = "wait"}}},
     "spot 1 0..500 interrupted: useful 400, boot 100\n"
     "spot 0 0..1310 finished: useful 1200, checkpoint 10, boot 100\n"
     "spot 2-3 0..1310 finished: useful 1200, checkpoint 10, boot 100\n",
     {"done 1310 of 1000; checkpoints 1, losses 1, launches 4, interruptions 1; spot 4430, "
      "on-demand 0"}},
    /* Noticed at 500, the zone that has room is asked at once: ready at 600, saved since 510. */
    {"elastic in one zone at a time: at a notice the next zone is asked while work is saved",
     {.spot = {STEPS({0, 4}, {500, 0}), .notice_s = 120, DOLLARS(2)},
      .zones = {{STEPS({0, 4}), DOLLARS(3)}},
      .zone_count = 1,
      .rule = &zone_rule_cheapest,
      .jobs = {{FOUR, SAVES, RESTORE, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..620 interrupted: useful 390, checkpoint 20, boot 100, waiting 110\n"
     "spot-b 0-3 500..1310 finished: useful 610, checkpoint 30, restore 70, boot 100\n",
     {"done 1310 of 1000; checkpoints 5, restarts 1, resizes 1, launches 8, interruptions 4; spot "
      "5720, on-demand 0"}},
};

int main(void)
{
    return job_rows_run("elastic_zones", rows, sizeof rows / sizeof rows[0]);
}
