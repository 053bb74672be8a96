/* SPDX-License-Identifier: GPL-3.0-or-later
 * Jobs that share a pool, as stories worked out by hand: first come first served, and nobody sleeps
 * on while there is room. Each job is that of test_progress.c and takes 1,140 s from launch to end:
 * boot 100, work 1,000, four writes. */
#include "tests/support/job_rows.h"
#include "tests/support/scripted_market_double.h"

#define WORK     .work_s = 1000, .boot_s = 100, .every_s = 300, .write_s = 10, .restore_s = 50
#define FOR_EVER -1
#define ROOM(n)  .steps = {{0, n}}, .step_count = 1

static const struct job_row rows[] = {
    {"room for both",
     {.spot = {ROOM(8)},
      .job_count = 2,
      .jobs = {{.nodes = 4, WORK, .policy = "wait"}, {.nodes = 4, WORK, .policy = "wait"}}},
     "a spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n"
     "b spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0",
      "done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0"}},
    {"first come first served: the second holds what is left and waits for the first",
     {.spot = {ROOM(6)},
      .job_count = 2,
      .jobs = {{.nodes = 4, WORK, .policy = "wait"},
               {.nodes = 4, WORK, .patience_s = FOR_EVER, .policy = "wait"}}},
     "a spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n"
     "b spot 0-1 0..2280 finished: useful 1000, checkpoint 40, boot 100, waiting 1140\n"
     "b spot 2-3 1140..2280 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0",
      "done 2280 of 1000; checkpoints 4, launches 4; spot 6840, on-demand 0"}},
    {"submitted first is served first",
     {.spot = {ROOM(4)},
      .job_count = 2,
      .jobs = {{.nodes = 4, WORK, .submit_s = 10, .policy = "wait"},
               {.nodes = 4, WORK, .submit_s = 5, .policy = "wait"}}},
     "b spot 0-3 5..1145 finished: useful 1000, checkpoint 40, boot 100\n"
     "a spot 0-3 1145..2285 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 2285 of 1000; checkpoints 4, idle 1135, launches 4; spot 4560, on-demand 0",
      "done 1145 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0"}},
    {"a sleeper is woken when the other job ends, though K never changes",
     {.spot = {ROOM(6)},
      .job_count = 2,
      .jobs = {{.nodes = 4, WORK, .policy = "wait"},
               {.nodes = 4, WORK, .patience_s = 100, .policy = "wait"}}},
     "b spot 0-1 0..100 released: boot 100\n"
     "a spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n"
     "b spot 0-3 1140..2280 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0",
      "done 2280 of 1000; checkpoints 4, idle 1040, launches 6; spot 4760, on-demand 0"}},
    {"sleepers too large for what is left do not pass it to and fro",
     {.spot = {ROOM(5)},
      .job_count = 3,
      .jobs = {{.nodes = 4, WORK, .policy = "wait"},
               {.nodes = 3, WORK, .patience_s = 100, .policy = "wait"},
               {.nodes = 3, WORK, .patience_s = 100, .policy = "wait"}}},
     "b spot 0 0..100 released: boot 100\n"
     "c spot 0 100..200 released: boot 100\n"
     "a spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n"
     "b spot 0-2 1140..2280 finished: useful 1000, checkpoint 40, boot 100\n"
     "c spot 0-2 2280..3420 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0",
      "done 2280 of 1000; checkpoints 4, idle 1040, launches 4; spot 3520, on-demand 0",
      "done 3420 of 1000; checkpoints 4, idle 2180, launches 4; spot 3520, on-demand 0"}},
    {"on-demand up to a limit: one after the other",
     {.on_demand = {ROOM(4)},
      .job_count = 2,
      .jobs = {{.nodes = 4, WORK, .policy = "on-demand"},
               {.nodes = 4, WORK, .policy = "on-demand"}}},
     "a on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n"
     "b on-demand 0-3 1140..2280 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 0, on-demand 4560",
      "done 2280 of 1000; checkpoints 4, idle 1140, launches 4; spot 0, on-demand 4560"}},
    {"on-demand up to a limit: a part is given back once, not every ten minutes",
     {.on_demand = {ROOM(6)},
      .job_count = 2,
      .jobs = {{.nodes = 4, WORK, .policy = "on-demand"},
               {.nodes = 4, WORK, .patience_s = 100, .policy = "on-demand"}}},
     "b on-demand 0-1 0..100 released: boot 100\n"
     "a on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n"
     "b on-demand 0-3 1140..2280 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 0, on-demand 4560",
      "done 2280 of 1000; checkpoints 4, idle 1040, launches 6; spot 0, on-demand 4760"}},
    {"a wait does not lift the limit",
     {.on_demand = {ROOM(4), .delay_s = 50},
      .job_count = 2,
      .jobs = {{.nodes = 4, WORK, .policy = "on-demand"},
               {.nodes = 4, WORK, .policy = "on-demand"}}},
     "a on-demand 0-3 50..1190 finished: useful 1000, checkpoint 40, boot 100\n"
     "b on-demand 0-3 1190..2330 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1190 of 1000; checkpoints 4, idle 50, launches 4; spot 0, on-demand 4560",
      "done 2330 of 1000; checkpoints 4, idle 1190, launches 4; spot 0, on-demand 4560"}},
    /* Spot is free from 1140 on, ready at 1240. On-demand: 100 w 400 c 410 w 710 c 720 w 1020 c
       1030 w 1240 c 1250; 890 left from 1300 on: w 1600 c 1610 w 1910 c 1920 w 2210 c 2220 */
    {"return when another job gives spot back",
     {.spot = {ROOM(4)},
      .job_count = 2,
      .jobs = {{.nodes = 4, WORK, .policy = "wait"},
               {.nodes = 4,
                .work_s = 2000,
                .boot_s = 100,
                .every_s = 300,
                .write_s = 10,
                .restore_s = 50,
                .policy = "fallback",
                .back = true}}},
     "a spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n"
     "b on-demand 0-3 0..1250 released: useful 1110, checkpoint 40, boot 100\n"
     "b spot 0-3 1140..2220 finished: useful 890, checkpoint 30, restore 50, boot 100, waiting "
     "10\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0",
      "done 2220 of 2000; checkpoints 7, restarts 1, switches 1, launches 8; spot 4320, "
      "on-demand 5000"}},
    {"one drop takes nodes of two jobs",
     {.spot = {.steps = {{0, 6}, {500, 0}, {600, 6}}, .step_count = 3},
      .job_count = 2,
      .jobs = {{.nodes = 4, WORK, .policy = "wait"}, {.nodes = 2, WORK, .policy = "wait"}}},
     "a spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "b spot 0-1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "a spot 0-3 600..1480 finished: useful 700, checkpoint 30, restore 50, boot 100\n"
     "b spot 0-1 600..1480 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1480 of 1000; checkpoints 4, restarts 1, losses 1, idle 100, launches 8, "
      "interruptions 4; spot 5520, on-demand 0",
      "done 1480 of 1000; checkpoints 4, restarts 1, losses 1, idle 100, launches 4, "
      "interruptions 2; spot 2760, on-demand 0"}},
    /* The first job's gang is given up at once, and its nodes serve the queue: the second job,
       which asked first, then the first. */
    {"what a restarted gang gives up goes to those who asked before",
     {.spot = {.steps = {{0, 6}, {500, 5}, {900, 8}}, .step_count = 3},
      .job_count = 2,
      .jobs = {{.nodes = 5, WORK, .patience_s = FOR_EVER, .policy = "wait"},
               {.nodes = 3, WORK, .patience_s = FOR_EVER, .policy = "wait"}}},
     "a spot 1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "a spot 0 0..500 released: useful 300, checkpoint 10, boot 100, lost 90\n"
     "a spot 2-4 0..500 released: useful 300, checkpoint 10, boot 100, lost 90\n"
     "b spot 0 0..1640 finished: useful 1000, checkpoint 40, boot 100, waiting 500\n"
     "b spot 1-2 500..1640 finished: useful 1000, checkpoint 40, boot 100\n"
     "a spot 0-1 500..1780 finished: useful 700, checkpoint 30, restore 50, boot 100, waiting 400\n"
     "a spot 2-4 900..1780 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1780 of 1000; checkpoints 4, restarts 1, losses 1, launches 10, interruptions 1; "
      "spot 7700, on-demand 0",
      "done 1640 of 1000; checkpoints 4, launches 3; spot 3920, on-demand 0"}},
};

int main(void)
{
    return job_rows_run("job_sharing", rows, sizeof rows / sizeof rows[0]);
}
