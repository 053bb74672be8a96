/* SPDX-License-Identifier: GPL-3.0-or-later
 * A gang that may run in several zones on spot, as stories worked out by hand. The job is that of
 * test_job.c: alone it boots until 100 and is done at 1140; lost at 500 it has kept 300 and lost
 * 90, and launched anew at t it is done at t + 880. */
#include "models/policies/zone_rule.h"
#include "tests/support/job_rows.h"
#include "tests/support/scripted_market_double.h"

#define GANG         .nodes = 4, .work_s = 1000, .boot_s = 100
#define SAVES        .every_s = 300, .write_s = 10, .restore_s = 50
#define FOR_EVER     -1
#define DOLLARS(n)   .per_hour = (n)*MONEY_UNIT
#define FROM(s)      .steps = {{0, 0}, {s, 4}}, .step_count = 2
#define UNTIL(s)     .steps = {{0, 4}, {s, 0}}, .step_count = 2
#define GAP(s, back) .steps = {{0, 4}, {s, 0}, {back, 4}}, .step_count = 3
#define ALWAYS(n)    .steps = {{0, n}}, .step_count = 1

static const struct job_row rows[] = {
    {"cheapest: the cheaper zone, and the other one at once when it is lost",
     {.spot = {ALWAYS(4), DOLLARS(2)},
      .zones = {{UNTIL(500), DOLLARS(1)}},
      .zone_count = 1,
      .rule = &zone_rule_cheapest,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot-b 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 500..1380 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1380 of 1000; checkpoints 4, restarts 1, losses 1, launches 8, interruptions 4; spot "
      "5520, on-demand 0"}},
    /* While none has room the cheapest is asked, which never gets any. */
    {"cheapest: of two that come at one instant the cheaper, not the first that is told",
     {.spot = {GAP(500, 700), DOLLARS(3)},
      .zones = {{FROM(700), DOLLARS(2)}, {ALWAYS(0), DOLLARS(1)}},
      .zone_count = 2,
      .rule = &zone_rule_cheapest,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot-b 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 200, launches 8, "
      "interruptions 4; spot 5520, on-demand 0"}},
    {"cheapest: a gang that runs is not moved for a price that falls elsewhere",
     {.spot = {ALWAYS(4), DOLLARS(2)},
      .zones = {{ALWAYS(4), DOLLARS(3), .prices = {{200, MONEY_UNIT}}}},
      .zone_count = 1,
      .rule = &zone_rule_cheapest,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0"}},
    {"cheapest: by the price now, not by that of the start",
     {.spot = {UNTIL(500), DOLLARS(2)},
      .zones = {{ALWAYS(4), DOLLARS(3), .prices = {{300, 5 * MONEY_UNIT}}},
                {ALWAYS(4), DOLLARS(4)}},
      .zone_count = 2,
      .rule = &zone_rule_cheapest,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot-c 0-3 500..1380 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1380 of 1000; checkpoints 4, restarts 1, losses 1, launches 8, interruptions 4; spot "
      "5520, on-demand 0"}},
    {"sticky: back where it ran, though another zone is cheaper",
     {.spot = {ALWAYS(0), DOLLARS(1)},
      .zones = {{GAP(500, 700), DOLLARS(3)}, {FROM(700), DOLLARS(2)}},
      .zone_count = 2,
      .rule = &zone_rule_sticky,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot-b 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot-b 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 200, launches 8, "
      "interruptions 4; spot 5520, on-demand 0"}},
    /* At 300 zone c has been there all the time; at 800 zone b for 300 of 800 s, a never. */
    {"most-available: where it could be had for the largest share of the time so far",
     {.spot = {FROM(800), DOLLARS(1)},
      .zones = {{GAP(300, 800), DOLLARS(2)}, {UNTIL(500), DOLLARS(3)}},
      .zone_count = 2,
      .rule = &zone_rule_most_available,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot-b 0-3 0..300 interrupted: boot 100, lost 200\n"
     "spot-c 0-3 300..500 interrupted: boot 100, lost 100\n"
     "spot-b 0-3 800..1940 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1940 of 1000; checkpoints 4, losses 2, idle 300, launches 12, interruptions 8; spot "
      "6560, on-demand 0"}},
    /* At 900 it has been watched for 300 s: b was there for 200 of them, a for 100, although for
       700 of 900 since the start. */
    {"most-available: what was before the submission was not seen",
     {.spot = {.steps = {{0, 4}, {700, 0}, {900, 4}}, .step_count = 3},
      .zones = {{FROM(700)}, {.steps = {{0, 0}, {600, 4}, {900, 0}}, .step_count = 3}},
      .zone_count = 2,
      .rule = &zone_rule_most_available,
      .jobs = {{GANG, SAVES, .submit_s = 600, .policy = "wait"}}},
     "spot 0-3 600..700 interrupted: boot 100\n"
     "spot-c 0-3 700..900 interrupted: boot 100, lost 100\n"
     "spot-b 0-3 900..2040 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 2040 of 1000; checkpoints 4, losses 2, launches 12, interruptions 8; spot 5760, "
      "on-demand 0"}},
    {"a part is held, and given back, zone after zone",
     {.spot = {ALWAYS(3)},
      .zones = {{ALWAYS(3)}, {FROM(1000)}},
      .zone_count = 2,
      .rule = &zone_rule_cheapest,
      .jobs = {{GANG, SAVES, .patience_s = 200, .policy = "wait"}}},
     "spot 0-2 0..200 released: boot 100, waiting 100\n"
     "spot-b 0-2 200..400 released: boot 100, waiting 100\n"
     "spot-c 0-3 1000..2140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 2140 of 1000; checkpoints 4, idle 600, launches 10; spot 5760, on-demand 0"}},
    /* Given back at 200 and 400; from 400 on all are given up. At 600 zone a is another one. */
    {"a zone is tried again when its room has changed",
     {.spot = {.steps = {{0, 3}, {600, 2}, {700, 4}}, .step_count = 3},
      .zones = {{ALWAYS(3)}},
      .zone_count = 1,
      .rule = &zone_rule_sticky,
      .jobs = {{GANG, SAVES, .patience_s = 200, .policy = "wait"}}},
     "spot 0-2 0..200 released: boot 100, waiting 100\n"
     "spot-b 0-2 200..400 released: boot 100, waiting 100\n"
     "spot 0-1 600..1840 finished: useful 1000, checkpoint 40, boot 100, waiting 100\n"
     "spot 2-3 700..1840 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1840 of 1000; checkpoints 4, idle 200, launches 10; spot 5960, on-demand 0"}},
    {"a part is left at once for a zone that has room for all",
     {.spot = {ALWAYS(3)},
      .zones = {{FROM(150)}},
      .zone_count = 1,
      .rule = &zone_rule_cheapest,
      .jobs = {{GANG, SAVES, .patience_s = FOR_EVER, .policy = "wait"}}},
     "spot 0-2 0..150 released: boot 100, waiting 50\n"
     "spot-b 0-3 150..1290 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1290 of 1000; checkpoints 4, launches 7; spot 5010, on-demand 0"}},
    {"restart node: what is left of a gang goes where there is room for all",
     {.spot = {.steps = {{0, 4}, {500, 3}}, .step_count = 2},
      .zones = {{ALWAYS(4)}},
      .zone_count = 1,
      .rule = &zone_rule_sticky,
      .jobs = {{GANG, SAVES, .restart = RESTART_NODE, .patience_s = FOR_EVER, .policy = "wait"}}},
     "spot 1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0 0..500 released: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 2-3 0..500 released: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot-b 0-3 500..1380 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1380 of 1000; checkpoints 4, restarts 1, losses 1, launches 8, interruptions 1; spot "
      "5520, on-demand 0"}},
    /* On-demand boots until 700, restores until 750 and works; the new gang is ready at 800, when
       50 s of work are saved by a write of 10 s. It restores until 860; 650 s are left. */
    {"fallback returns to whichever zone has room",
     {.spot = {UNTIL(500)},
      .zones = {{FROM(700)}},
      .zone_count = 1,
      .rule = &zone_rule_sticky,
      .jobs = {{GANG, SAVES, .policy = "fallback", .after_s = 100, .back = true}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "on-demand 0-3 600..810 released: useful 50, checkpoint 10, restore 50, boot 100\n"
     "spot-b 0-3 700..1540 finished: useful 650, checkpoint 30, restore 50, boot 100, waiting 10\n",
     {"done 1540 of 1000; checkpoints 5, restarts 2, losses 1, switches 1, idle 100, launches 12, "
      "interruptions 4; spot 5360, on-demand 840"}},
    {"fallback stays on spot as long as some zone has room",
     {.spot = {UNTIL(500)},
      .zones = {{ALWAYS(4)}},
      .zone_count = 1,
      .rule = &zone_rule_sticky,
      .jobs = {{GANG, SAVES, .policy = "fallback"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot-b 0-3 500..1380 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1380 of 1000; checkpoints 4, restarts 1, losses 1, launches 8, interruptions 4; spot "
      "5520, on-demand 0"}},
};

int main(void)
{
    return job_rows_run("job_zones", rows, sizeof rows / sizeof rows[0]);
}
