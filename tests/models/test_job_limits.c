/* SPDX-License-Identifier: GPL-3.0-or-later
 * Limits on what a gang may cost to be asked for, as stories worked out by hand. The job is that of
 * test_job.c: alone it boots until 100 and is done at 1140; lost at 500 it has kept 300 and lost
 * 90, and launched anew at t it is done at t + 880. */
#include "models/policies/zone_rule.h"
#include "tests/support/job_rows.h"
#include "tests/support/scripted_market_double.h"

#define GANG         .nodes = 4, .work_s = 1000, .boot_s = 100
#define SAVES        .every_s = 300, .write_s = 10, .restore_s = 50
#define DOLLARS(n)   .per_hour = (n)*MONEY_UNIT
#define GAP(s, back) .steps = {{0, 4}, {s, 0}, {back, 4}}, .step_count = 3

static const struct job_row rows[] = {
    {"spot is asked when its price has fallen to the limit",
     {.spot = {DOLLARS(3), .prices = {{500, 2 * MONEY_UNIT}}},
      .max_price = 2,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 500..1640 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1640 of 1000; checkpoints 4, idle 500, launches 4; spot 4560, on-demand 0"}},
    /* Dear from 300 to 900; the gang of before runs on. */
    {"nodes that are held stay, and are not asked anew while they are dear",
     {.spot = {GAP(500, 700), DOLLARS(1), .prices = {{300, 5 * MONEY_UNIT}, {900, MONEY_UNIT}}},
      .max_price = 2,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 900..1780 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1780 of 1000; checkpoints 4, restarts 1, losses 1, idle 400, launches 8, "
      "interruptions 4; spot 5520, on-demand 0"}},
    {"of several zones only those within the limit",
     {.spot = {DOLLARS(3)},
      .zones = {{DOLLARS(2)}},
      .zone_count = 1,
      .rule = &zone_rule_sticky,
      .max_price = 2,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot-b 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0"}},
    {"to a policy spot that is too dear is not there",
     {.spot = {DOLLARS(3)},
      .on_demand = {DOLLARS(9)},
      .max_price = 2,
      .jobs = {{GANG, SAVES, .policy = "fallback", .after_s = 60}}},
     "on-demand 0-3 60..1200 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1200 of 1000; checkpoints 4, idle 60, launches 4; spot 0, on-demand 4560"}},
    /* 4 x 3 an hour on demand. */
    {"a gang on demand that costs more an hour is not asked: spot is awaited",
     {.spot = {GAP(500, 2000), DOLLARS(1)},
      .on_demand = {DOLLARS(3)},
      .max_hourly = 11.9,
      .jobs = {{GANG, SAVES, .policy = "fallback", .after_s = 60}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 2000..2880 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 2880 of 1000; checkpoints 4, restarts 1, losses 1, idle 1500, launches 8, "
      "interruptions 4; spot 5520, on-demand 0"}},
    {"what costs just as much is within the limit",
     {.spot = {GAP(500, 2000), DOLLARS(1)},
      .on_demand = {DOLLARS(3)},
      .max_hourly = 12,
      .jobs = {{GANG, SAVES, .policy = "fallback", .after_s = 60}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "on-demand 0-3 560..1440 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1440 of 1000; checkpoints 4, restarts 1, losses 1, idle 60, launches 8, "
      "interruptions 4; spot 2000, on-demand 3520"}},
    {"what the horizon leaves is finished whatever it costs",
     {.spot = {.steps = {{0, 0}}, .step_count = 1},
      .on_demand = {DOLLARS(3)},
      .max_hourly = 10,
      .horizon_s = 1000,
      .jobs = {{GANG, SAVES, .policy = "wait", .at_horizon = AT_HORIZON_FINISH_ON_DEMAND}}},
     "on-demand 0-3 1000..2140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 2140 of 1000; checkpoints 4, idle 1000, launches 4; spot 0, on-demand 4560"}},
    /* ---- a budget: the gang costs 1 a second, unless said ---- */
    {"work is saved and stops when a last write just fits",
     {.spot = {DOLLARS(900)}, .stop_at_budget = 610, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..610 budget: useful 490, checkpoint 20, boot 100\n",
     {"cut 610, kept 490 of 1000; checkpoints 2, launches 4; spot 2440, on-demand 0"}},
    {"what is not held costs nothing",
     {.spot = {GAP(500, 700), DOLLARS(900)},
      .stop_at_budget = 800,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 700..1000 budget: useful 140, checkpoint 10, restore 50, boot 100\n",
     {"cut 1000, kept 440 of 1000; checkpoints 2, restarts 1, losses 1, idle 200, launches 8, "
      "interruptions 4; spot 3200, on-demand 0"}},
    {"work that ends within the budget is done",
     {.spot = {DOLLARS(900)}, .stop_at_budget = 1140, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0"}},
    /* 300 in the first 300 s, then 2 a second. */
    {"at the prices of the moment",
     {.spot = {DOLLARS(900), .prices = {{300, 1800 * MONEY_UNIT}}},
      .stop_at_budget = 900,
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..600 budget: useful 480, checkpoint 20, boot 100\n",
     {"cut 600, kept 480 of 1000; checkpoints 2, launches 4; spot 2400, on-demand 0"}},
    {"a gang that boots is given back",
     {.spot = {DOLLARS(900)}, .stop_at_budget = 60, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..50 budget: boot 50\n",
     {"cut 50, kept 0 of 1000; launches 4; spot 200, on-demand 0"}},
    /* The write begins at 600 and takes until 610: lost at 605. */
    {"nodes that go under the last write take it with them",
     {.spot = {GAP(605, 606), DOLLARS(900)},
      .stop_at_budget = 610,
      .jobs = {{GANG, SAVES, .policy = "fallback"}}},
     "spot 0-3 0..605 interrupted: useful 300, checkpoint 15, boot 100, lost 190\n",
     {"cut 605, kept 300 of 1000; checkpoints 1, launches 4, interruptions 4; spot 2420, on-demand "
      "0"}},
    {"at the horizon it is finished on demand as far as the budget goes",
     {.spot = {.steps = {{0, 0}}, .step_count = 1},
      .on_demand = {DOLLARS(900)},
      .stop_at_budget = 610,
      .horizon_s = 1000,
      .jobs = {{GANG, SAVES, .policy = "wait", .at_horizon = AT_HORIZON_FINISH_ON_DEMAND}}},
     "on-demand 0-3 1000..1610 budget: useful 490, checkpoint 20, boot 100\n",
     {"cut 1610, kept 490 of 1000; checkpoints 2, idle 1000, launches 4; spot 0, on-demand 2440"}},
};

int main(void)
{
    return job_rows_run("job_limits", rows, sizeof rows / sizeof rows[0]);
}
