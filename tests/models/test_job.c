/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which gang a job runs and when, as stories worked out by hand: gangs restarted whole or in part,
 * patience, the return from on-demand to spot. The job is that of test_progress.c: 1,000 s of work,
 * boot 100 s, a checkpoint of 10 s after each 300 s of work and at the end, restore 50 s. Alone it
 * boots until 100 and then works (w) and writes (c):
 *
 *     100 w 400 c 410 w 710 c 720 w 1020 c 1030 w 1130 c 1140
 *
 * Lost at 500, it has kept 300 and lost 90; launched anew at t it is done at t + 880: boot 100,
 * restore 50, then 700 s of work and three writes.
 *
 * Which slot falls when capacity drops in part is the shuffle's matter (test_fleet.c). */
#include "tests/support/job_rows.h"
#include "tests/support/scripted_market_double.h"

#define GANG     .nodes = 4, .work_s = 1000, .boot_s = 100
#define SAVES    .every_s = 300, .write_s = 10, .restore_s = 50
#define FOR_EVER -1
/* The pool holds the gang until `gone`, and again from `back` on. */
#define GAP(gone, back) .steps = {{0, 4}, {gone, 0}, {back, 4}}, .step_count = 3

static const struct job_row rows[] = {
    /* ---- some nodes of a gang are lost ---- */
    {"restart gang: all nodes are launched anew",
     {.spot = {GAP(500, 700)}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 200, launches 8, "
      "interruptions 4; spot 5520, on-demand 0"}},
    /* Three come at once, at 500, and wait for the fourth, of 700: done at 700 + 880. */
    {"restart gang, one node lost: the others are given up",
     {.spot = {.steps = {{0, 4}, {500, 3}, {700, 4}}, .step_count = 3},
      .jobs = {{GANG, SAVES, .patience_s = FOR_EVER, .policy = "wait"}}},
     "spot 1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0 0..500 released: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 2-3 0..500 released: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-2 500..1580 finished: useful 700, checkpoint 30, restore 50, boot 100, waiting 200\n"
     "spot 3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, launches 8, interruptions 1; spot "
      "6120, on-demand 0"}},
    /* Idle 500 … 800, while the fourth comes at 700 and boots. */
    {"restart node, one node lost: the others wait for it",
     {.spot = {.steps = {{0, 4}, {500, 3}, {700, 4}}, .step_count = 3},
      .jobs = {{GANG, SAVES, .restart = RESTART_NODE, .patience_s = FOR_EVER, .policy = "wait"}}},
     "spot 1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0 0..1580 finished: useful 1000, checkpoint 40, restore 50, boot 100, lost 90, waiting "
     "300\n"
     "spot 1 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n"
     "spot 2-3 0..1580 finished: useful 1000, checkpoint 40, restore 50, boot 100, lost 90, "
     "waiting 300\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, launches 5, interruptions 1; spot "
      "6120, on-demand 0"}},
    {"restart node, all nodes lost",
     {.spot = {GAP(500, 600)},
      .jobs = {{GANG, SAVES, .restart = RESTART_NODE, .patience_s = FOR_EVER, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 600..1480 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1480 of 1000; checkpoints 4, restarts 1, losses 1, idle 100, launches 8, "
      "interruptions 4; spot 5520, on-demand 0"}},
    /* The fourth is ready at 180; 1,040 s of work and writes. */
    {"restart node, lost in boot: the others have booted meanwhile",
     {.spot = {.steps = {{0, 4}, {60, 3}, {80, 4}}, .step_count = 3},
      .jobs = {{GANG, SAVES, .restart = RESTART_NODE, .patience_s = FOR_EVER, .policy = "wait"}}},
     "spot 3 0..60 interrupted: boot 60\n"
     "spot 0-2 0..1220 finished: useful 1000, checkpoint 40, boot 100, waiting 80\n"
     "spot 3 80..1220 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1220 of 1000; checkpoints 4, losses 1, launches 5, interruptions 1; spot 4860, "
      "on-demand 0"}},
    {"restart gang, lost in boot",
     {.spot = {.steps = {{0, 4}, {60, 3}, {80, 4}}, .step_count = 3},
      .jobs = {{GANG, SAVES, .patience_s = FOR_EVER, .policy = "wait"}}},
     "spot 3 0..60 interrupted: boot 60\n"
     "spot 0-2 0..60 released: boot 60\n"
     "spot 0-2 60..1220 finished: useful 1000, checkpoint 40, boot 100, waiting 20\n"
     "spot 3 80..1220 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1220 of 1000; checkpoints 4, losses 1, launches 8, interruptions 1; spot 4860, "
      "on-demand 0"}},
    /* Gone at 620 (210 lost) and 680; replaced then; ready at 780, restore 830, 730 more. */
    {"restart node, two notices that overlap: one loss",
     {.spot = {.steps = {{0, 4}, {500, 3}, {560, 2}, {600, 4}}, .step_count = 4, .notice_s = 120},
      .jobs = {{GANG, SAVES, .restart = RESTART_NODE, .patience_s = FOR_EVER, .policy = "wait"}}},
     "spot 1 0..620 interrupted: useful 300, checkpoint 10, boot 100, lost 210\n"
     "spot 0 0..680 interrupted: useful 300, checkpoint 10, boot 100, lost 210, waiting 60\n"
     "spot 0 680..1560 finished: useful 700, checkpoint 30, restore 50, boot 100\n"
     "spot 1 620..1560 finished: useful 700, checkpoint 30, restore 50, boot 100, waiting 60\n"
     "spot 2-3 0..1560 finished: useful 1000, checkpoint 40, restore 50, boot 100, lost 210, "
     "waiting 160\n",
     {"done 1560 of 1000; checkpoints 4, restarts 1, losses 1, launches 6, interruptions 2; spot "
      "6240, on-demand 0"}},
    /* All is asked for at 620: done at 620 + 880. */
    {"restart gang, two notices that overlap: the second one's node is given up with the rest",
     {.spot = {.steps = {{0, 4}, {500, 3}, {560, 2}, {600, 4}}, .step_count = 4, .notice_s = 120},
      .jobs = {{GANG, SAVES, .patience_s = FOR_EVER, .policy = "wait"}}},
     "spot 1 0..620 interrupted: useful 300, checkpoint 10, boot 100, lost 210\n"
     "spot 0 0..620 released: useful 300, checkpoint 10, boot 100, lost 210\n"
     "spot 2-3 0..620 released: useful 300, checkpoint 10, boot 100, lost 210\n"
     "spot 0-3 620..1500 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1500 of 1000; checkpoints 4, restarts 1, losses 1, launches 8, interruptions 1; spot "
      "6000, on-demand 0"}},
    /* K = 2 at 200 takes one of three, until 320. K = 4 at 250 leaves room for the one that was
       missing; the other is asked for at 320, ready at 420: done at 420 + 1,040. */
    {"restart gang, a node lost before the gang was whole: it alone is replaced, no loss",
     {.spot = {.steps = {{0, 3}, {200, 2}, {250, 4}}, .step_count = 3, .notice_s = 120},
      .jobs = {{GANG, SAVES, .patience_s = FOR_EVER, .policy = "wait"}}},
     "spot 1 0..320 interrupted: boot 100, waiting 220\n"
     "spot 0 0..1460 finished: useful 1000, checkpoint 40, boot 100, waiting 320\n"
     "spot 1 320..1460 finished: useful 1000, checkpoint 40, boot 100\n"
     "spot 2 0..1460 finished: useful 1000, checkpoint 40, boot 100, waiting 320\n"
     "spot 3 250..1460 finished: useful 1000, checkpoint 40, boot 100, waiting 70\n",
     {"done 1460 of 1000; checkpoints 4, launches 5, interruptions 1; spot 5590, on-demand 0"}},

    /* ---- patience ---- */
    {"patience: survivors are given back, and all asked for when K changes",
     {.spot = {.steps = {{0, 4}, {500, 3}, {700, 4}}, .step_count = 3},
      .jobs = {{GANG, SAVES, .restart = RESTART_NODE, .patience_s = 100, .policy = "wait"}}},
     "spot 1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0 0..600 released: useful 300, checkpoint 10, boot 100, lost 90, waiting 100\n"
     "spot 2-3 0..600 released: useful 300, checkpoint 10, boot 100, lost 90, waiting 100\n"
     "spot 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 100, launches 8, "
      "interruptions 1; spot 5820, on-demand 0"}},
    {"patience: a part is held, paid, given back, and asked for again at the next change of K",
     {.spot = {.steps = {{0, 2}, {300, 3}, {500, 4}}, .step_count = 3},
      .jobs = {{GANG, SAVES, .patience_s = 100, .policy = "wait"}}},
     "spot 0-1 0..100 released: boot 100\n"
     "spot 0-2 300..400 released: boot 100\n"
     "spot 0-3 500..1640 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1640 of 1000; checkpoints 4, idle 300, launches 9; spot 5060, on-demand 0"}},
    {"patience: it runs on when more nodes come",
     {.spot = {.steps = {{0, 2}, {60, 3}, {500, 4}}, .step_count = 3},
      .jobs = {{GANG, SAVES, .patience_s = 100, .policy = "wait"}}},
     "spot 0-1 0..100 released: boot 100\n"
     "spot 2 60..100 released: boot 40\n"
     "spot 0-3 500..1640 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1640 of 1000; checkpoints 4, idle 400, launches 7; spot 4800, on-demand 0"}},
    {"patience: the last node comes at the instant at which it ends",
     {.spot = {.steps = {{0, 2}, {100, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .patience_s = 100, .policy = "wait"}}},
     "spot 0-1 0..1240 finished: useful 1000, checkpoint 40, boot 100, waiting 100\n"
     "spot 2-3 100..1240 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1240 of 1000; checkpoints 4, launches 4; spot 4760, on-demand 0"}},
    {"patience 0: nothing is held for others",
     {.spot = {.steps = {{0, 2}, {500, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-1 0..0 released\n"
     "spot 0-3 500..1640 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1640 of 1000; checkpoints 4, idle 500, launches 6; spot 4560, on-demand 0"}},
    {"patience 0, restart node: the node is replaced at once or all are given back",
     {.spot = {.steps = {{0, 4}, {500, 3}, {700, 4}}, .step_count = 3},
      .jobs = {{GANG, SAVES, .restart = RESTART_NODE, .policy = "wait"}}},
     "spot 1 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0 0..500 released: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 2-3 0..500 released: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 200, launches 8, "
      "interruptions 1; spot 5520, on-demand 0"}},

    /* ---- waits and regain ---- */
    {"a pool that makes nodes wait",
     {.on_demand = {.delay_s = 300}, .jobs = {{GANG, SAVES, .policy = "on-demand"}}},
     "on-demand 0-3 300..1440 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1440 of 1000; checkpoints 4, idle 300, launches 4; spot 0, on-demand 4560"}},
    {"regain: nothing is granted for so long after a loss",
     {.spot = {GAP(500, 510), .delay_s = 200}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 200, launches 8, "
      "interruptions 4; spot 5520, on-demand 0"}},

    /* ---- fallback ---- */
    {"fallback: spot never comes",
     {.spot = {.steps = {{0, 0}}, .step_count = 1},
      .jobs = {{GANG, SAVES, .policy = "fallback", .after_s = 600}}},
     "on-demand 0-3 600..1740 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1740 of 1000; checkpoints 4, idle 600, launches 4; spot 0, on-demand 4560"}},
    {"fallback: a part of the gang on spot is given up for on-demand",
     {.spot = {.steps = {{0, 3}}, .step_count = 1},
      .jobs = {{GANG, SAVES, .patience_s = FOR_EVER, .policy = "fallback", .after_s = 60}}},
     "spot 0-2 0..60 released: boot 60\n"
     "on-demand 0-3 60..1200 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1200 of 1000; checkpoints 4, launches 7; spot 180, on-demand 4560"}},
    {"fallback: patience is over first",
     {.spot = {.steps = {{0, 3}}, .step_count = 1},
      .jobs = {{GANG, SAVES, .patience_s = 60, .policy = "fallback", .after_s = 600}}},
     "spot 0-2 0..60 released: boot 60\n"
     "on-demand 0-3 600..1740 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1740 of 1000; checkpoints 4, idle 540, launches 7; spot 180, on-demand 4560"}},
    {"fallback, stay: on-demand after a loss, to the end",
     {.spot = {GAP(500, 650)}, .jobs = {{GANG, SAVES, .policy = "fallback", .after_s = 100}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "on-demand 0-3 600..1480 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1480 of 1000; checkpoints 4, restarts 1, losses 1, idle 100, launches 8, "
      "interruptions 4; spot 2000, on-demand 3520"}},
    {"fallback: spot comes back while on-demand is waited for",
     {.spot = {GAP(500, 700)},
      .on_demand = {.delay_s = 300},
      .jobs = {{GANG, SAVES, .policy = "fallback", .after_s = 100}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 200, launches 8, "
      "interruptions 4; spot 5520, on-demand 0"}},
    {"fallback: spot comes back within the time",
     {.spot = {GAP(500, 550)}, .jobs = {{GANG, SAVES, .policy = "fallback", .after_s = 100}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 550..1430 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1430 of 1000; checkpoints 4, restarts 1, losses 1, idle 50, launches 8, "
      "interruptions 4; spot 5520, on-demand 0"}},
    /* Gone at 620 with 210 lost; on-demand at 720: done at 720 + 880. */
    {"fallback: the time counts from the loss, not from the start",
     {.spot = {GAP(500, 2000), .notice_s = 120},
      .jobs = {{GANG, SAVES, .policy = "fallback", .after_s = 100}}},
     "spot 0-3 0..620 interrupted: useful 300, checkpoint 10, boot 100, lost 210\n"
     "on-demand 0-3 720..1600 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1600 of 1000; checkpoints 4, restarts 1, losses 1, idle 100, launches 8, "
      "interruptions 4; spot 2480, on-demand 3520"}},

    /* ---- and back ---- */
    /* Ready at 600 with 190 s that no checkpoint holds; written at 610, restored at 660; 510 left:
       w 960 c 970 w 1180 c 1190. */
    {"return: on-demand works while spot boots, writes a checkpoint and stops; spot restores",
     {.spot = {.steps = {{0, 0}, {500, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "on-demand 0-3 0..610 released: useful 490, checkpoint 20, boot 100\n"
     "spot 0-3 500..1190 finished: useful 510, checkpoint 20, restore 50, boot 100, waiting 10\n",
     {"done 1190 of 1000; checkpoints 4, restarts 1, switches 1, launches 8; spot 2760, "
      "on-demand 2440"}},
    {"return: not to a part of the gang",
     {.spot = {.steps = {{0, 0}, {500, 3}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 0, on-demand 4560"}},
    /* On-demand: 880 kept at 1010, after 280 s since its write of 720. Spot, ready at 1000: 120
       left. */
    {"return, spot is lost before it is ready: on-demand works on",
     {.spot = {.steps = {{0, 0}, {500, 4}, {550, 0}, {900, 4}}, .step_count = 4},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "spot 0-3 500..550 interrupted: boot 50\n"
     "on-demand 0-3 0..1010 released: useful 880, checkpoint 30, boot 100\n"
     "spot 0-3 900..1190 finished: useful 120, checkpoint 10, restore 50, boot 100, waiting 10\n",
     {"done 1190 of 1000; checkpoints 4, restarts 1, switches 1, launches 12, interruptions 4; "
      "spot 1360, on-demand 4040"}},
    {"return, spot is given notice while it boots",
     {.spot = {.steps = {{0, 0}, {500, 4}, {550, 0}}, .step_count = 3, .notice_s = 120},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "spot 0-3 500..670 interrupted: boot 100, waiting 70\n"
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 8, interruptions 4; spot 680, on-demand 4560"}},
    /* On-demand: the write of 610 and those of 920 (300 later) and 1140, the final one. */
    {"return, spot is lost during the checkpoint: it is written, and on-demand works on",
     {.spot = {.steps = {{0, 0}, {500, 4}, {605, 0}}, .step_count = 3},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "spot 0-3 500..605 interrupted: boot 100, waiting 5\n"
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 8, interruptions 4; spot 420, on-demand 4560"}},
    {"return, spot is given notice during the checkpoint",
     {.spot = {.steps = {{0, 0}, {500, 4}, {605, 0}}, .step_count = 3, .notice_s = 120},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "spot 0-3 500..725 interrupted: boot 100, waiting 125\n"
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 8, interruptions 4; spot 900, on-demand 4560"}},
    /* The second spot gang is ready at 706: 96 s more are written at 716; 414 left from 766 on. */
    {"return, spot is lost and had again during the checkpoint: a second one when it is ready",
     {.spot = {.steps = {{0, 0}, {500, 4}, {603, 0}, {606, 4}}, .step_count = 4},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "spot 0-3 500..603 interrupted: boot 100, waiting 3\n"
     "on-demand 0-3 0..716 released: useful 586, checkpoint 30, boot 100\n"
     "spot 0-3 606..1200 finished: useful 414, checkpoint 20, restore 50, boot 100, waiting 10\n",
     {"done 1200 of 1000; checkpoints 5, restarts 1, switches 1, launches 12, interruptions 4; "
      "spot 2788, on-demand 2864"}},
    /* Spot is ready at 404, in the write 400 … 410. */
    {"return during a periodic write: its rest is enough",
     {.spot = {.steps = {{0, 0}, {304, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "on-demand 0-3 0..410 released: useful 300, checkpoint 10, boot 100\n"
     "spot 0-3 304..1190 finished: useful 700, checkpoint 30, restore 50, boot 100, waiting 6\n",
     {"done 1190 of 1000; checkpoints 4, restarts 1, switches 1, launches 8; spot 3544, "
      "on-demand 1640"}},
    {"return with continuous checkpoints",
     {.spot = {.steps = {{0, 0}, {500, 4}}, .step_count = 2},
      .jobs = {{GANG, .mode = CHECKPOINT_CONTINUOUS, .write_s = 10, .restore_s = 50,
                .policy = "fallback", .back = true}}},
     "on-demand 0-3 0..600 released: useful 500, boot 100\n"
     "spot 0-3 500..1150 finished: useful 500, restore 50, boot 100\n",
     {"done 1150 of 1000; restarts 1, switches 1, launches 8; spot 2600, on-demand 2400"}},
    /* At 1120 the work has 10 s to go, as many as a write takes. */
    {"return when the work ends sooner than the checkpoint would",
     {.spot = {.steps = {{0, 0}, {1020, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .no_final = true, .policy = "fallback", .back = true}}},
     "on-demand 0-3 0..1130 finished: useful 1000, checkpoint 30, boot 100\n"
     "spot 0-3 1020..1130 finished: boot 100, waiting 10\n",
     {"done 1130 of 1000; checkpoints 3, launches 8; spot 440, on-demand 4520"}},
    {"return during the final write",
     {.spot = {.steps = {{0, 0}, {1035, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n"
     "spot 0-3 1035..1140 finished: boot 100, waiting 5\n",
     {"done 1140 of 1000; checkpoints 4, launches 8; spot 420, on-demand 4560"}},
    {"the work ends while spot boots",
     {.spot = {.steps = {{0, 0}, {1100, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n"
     "spot 0-3 1100..1140 finished: boot 40\n",
     {"done 1140 of 1000; checkpoints 4, launches 8; spot 160, on-demand 4560"}},
    /* Spot is ready at 150, after 50 s of work: written at 160; 950 left from 210 on. */
    {"return while on-demand boots",
     {.spot = {.steps = {{0, 0}, {50, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "on-demand 0-3 0..160 released: useful 50, checkpoint 10, boot 100\n"
     "spot 0-3 50..1200 finished: useful 950, checkpoint 40, restore 50, boot 100, waiting 10\n",
     {"done 1200 of 1000; checkpoints 5, restarts 1, switches 1, launches 8; spot 4600, "
      "on-demand 640"}},
    /* On-demand is ready at 600, spot at 640: done at 540 + 880. */
    {"return while on-demand restores: it is stopped at once",
     {.spot = {GAP(500, 540)}, .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "on-demand 0-3 500..640 released: restore 40, boot 100\n"
     "spot 0-3 540..1420 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1420 of 1000; checkpoints 4, restarts 2, losses 1, switches 1, launches 12, "
      "interruptions 4; spot 5520, on-demand 560"}},
    /* On-demand from 500: ready 600, restored 650. The pool reopens at 700, spot is ready at 800:
       150 s are written at 810; 550 left from 860 on. */
    {"return when the pool reopens, though K has long been there",
     {.spot = {GAP(500, 510), .delay_s = 200},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "on-demand 0-3 500..810 released: useful 150, checkpoint 10, restore 50, boot 100\n"
     "spot 0-3 700..1430 finished: useful 550, checkpoint 20, restore 50, boot 100, waiting 10\n",
     {"done 1430 of 1000; checkpoints 4, restarts 2, losses 1, switches 1, launches 12, "
      "interruptions 4; spot 4920, on-demand 1240"}},

    /* On-demand from 40 on: w 440 c 450 w 600 c 610. Spot restores until 660 and is lost at 760,
       with 100 s that no checkpoint holds. On-demand from 800 on: ready 900, restored 950, w 1250
       c 1260 w 1510 c 1520. */
    {"return, and lost later: a loss like any other",
     {.spot = {.steps = {{0, 0}, {500, 4}, {760, 0}}, .step_count = 3},
      .jobs = {{GANG, SAVES, .policy = "fallback", .after_s = 40, .back = true}}},
     "on-demand 0-3 40..610 released: useful 450, checkpoint 20, boot 100\n"
     "spot 0-3 500..760 interrupted: restore 50, boot 100, lost 100, waiting 10\n"
     "on-demand 0-3 800..1520 finished: useful 550, checkpoint 20, restore 50, boot 100\n",
     {"done 1520 of 1000; checkpoints 4, restarts 2, losses 1, switches 1, idle 80, launches 12, "
      "interruptions 4; spot 1040, on-demand 5160"}},

    /* ---- a policy that changes its mind ---- */
    {"from spot to on-demand: spot works while on-demand boots",
     {.jobs = {{GANG, SAVES, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..610 released: useful 490, checkpoint 20, boot 100\n"
     "on-demand 0-3 500..1190 finished: useful 510, checkpoint 20, restore 50, boot 100, waiting "
     "10\n",
     {"done 1190 of 1000; checkpoints 4, restarts 1, switches 1, launches 8; spot 2440, "
      "on-demand 2760"}},
    /* On-demand, asked at 500, is ready at 600: done at 500 + 880. */
    {"from spot to on-demand, spot is lost meanwhile: what boots is taken over",
     {.spot = {.steps = {{0, 4}, {550, 0}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..550 interrupted: useful 300, checkpoint 10, boot 100, lost 140\n"
     "on-demand 0-3 500..1380 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1380 of 1000; checkpoints 4, restarts 1, losses 1, launches 8, interruptions 4; spot "
      "2200, on-demand 3520"}},
    /* Lost in the write 600 … 610: on-demand, ready since 600, restores from 605 on. */
    {"from spot to on-demand, spot is lost when on-demand is ready",
     {.spot = {.steps = {{0, 4}, {605, 0}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..605 interrupted: useful 300, checkpoint 15, boot 100, lost 190\n"
     "on-demand 0-3 500..1385 finished: useful 700, checkpoint 30, restore 50, boot 100, waiting "
     "5\n",
     {"done 1385 of 1000; checkpoints 4, restarts 1, losses 1, switches 1, launches 8, "
      "interruptions 4; spot 2420, on-demand 3540"}},
    {"from spot to on-demand and back to spot, which is lost: what boots is given up",
     {.spot = {GAP(550, 700)},
      .jobs = {{GANG, SAVES, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}, {520, PURCHASE_SPOT}}}}},
     "spot 0-3 0..550 interrupted: useful 300, checkpoint 10, boot 100, lost 140\n"
     "on-demand 0-3 500..550 released: boot 50\n"
     "spot 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 150, launches 12, "
      "interruptions 4; spot 5720, on-demand 200"}},
    {"from spot to on-demand, which has no room for the whole gang",
     {.on_demand = {.steps = {{0, 3}}, .step_count = 1},
      .jobs = {{GANG, SAVES, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0"}},
    /* On-demand is taken over as before: restored at 650, w 950 c 960. Spot, asked at 900, is ready
       at 1000: 40 s written at 1010, restored at 1060; 360 left: w 1360 c 1370 w 1430 c 1440. */
    {"from spot to on-demand, taken over, and back again",
     {.spot = {GAP(550, 700)},
      .jobs = {{GANG, SAVES, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}, {900, PURCHASE_SPOT}}}}},
     "spot 0-3 0..550 interrupted: useful 300, checkpoint 10, boot 100, lost 140\n"
     "on-demand 0-3 500..1010 released: useful 340, checkpoint 20, restore 50, boot 100\n"
     "spot 0-3 900..1440 finished: useful 360, checkpoint 20, restore 50, boot 100, waiting 10\n",
     {"done 1440 of 1000; checkpoints 5, restarts 2, losses 1, switches 1, launches 12, "
      "interruptions 4; spot 4360, on-demand 2040"}},
    /* 150 s are saved at 570; on-demand, ready at 600, need not wait for the end of the notice:
       restored at 650, 550 left: w 950 c 960 w 1210 c 1220. */
    {"from spot to on-demand, ready after an emergency checkpoint",
     {.spot = {GAP(560, 2000), .notice_s = 120},
      .jobs = {{GANG, SAVES, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..600 released: useful 450, checkpoint 20, boot 100, waiting 30\n"
     "on-demand 0-3 500..1220 finished: useful 550, checkpoint 20, restore 50, boot 100\n",
     {"done 1220 of 1000; checkpoints 4, restarts 1, switches 1, launches 8; spot 2400, "
      "on-demand 2880"}},
    /* 185 s are saved at 605; restored at 655, 515 left: w 955 c 965 w 1180 c 1190. */
    {"from spot to on-demand, ready in an emergency checkpoint",
     {.spot = {GAP(595, 2000), .notice_s = 120},
      .jobs = {{GANG, SAVES, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..605 released: useful 485, checkpoint 20, boot 100\n"
     "on-demand 0-3 500..1190 finished: useful 515, checkpoint 20, restore 50, boot 100, waiting "
     "5\n",
     {"done 1190 of 1000; checkpoints 4, restarts 1, switches 1, launches 8; spot 2420, "
      "on-demand 2760"}},
    /* Advised at 440: 30 s more are saved at 450, and of the work from there on 50 are lost. Again
       at 700, restored at 850, 670 left: w 1150 c 1160 w 1460 c 1470 w 1540 c 1550. */
    {"a rebalance recommendation, saved at once",
     {.spot = {GAP(500, 700), .rebalance_lead_s = 60},
      .jobs = {{GANG, SAVES, .on_rebalance = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 330, checkpoint 20, boot 100, lost 50\n"
     "spot 0-3 700..1550 finished: useful 670, checkpoint 30, restore 50, boot 100\n",
     {"done 1550 of 1000; checkpoints 5, restarts 1, losses 1, idle 200, launches 8, interruptions "
      "4; spot 5400, on-demand 0"}},
    {"a rebalance recommendation, not heeded",
     {.spot = {GAP(500, 700), .rebalance_lead_s = 60}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 200, launches 8, interruptions "
      "4; spot 5520, on-demand 0"}},
    /* At 435 and 870: w 400 c 410 w 435 c 445 w 745 c 755 w 870 c 880 w 1140 c 1150. */
    {"false alarms cost a checkpoint each",
     {.spot = {.false_alarm_s = 435},
      .jobs = {{GANG, SAVES, .on_rebalance = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..1150 finished: useful 1000, checkpoint 50, boot 100\n",
     {"done 1150 of 1000; checkpoints 5, launches 4; spot 4600, on-demand 0"}},
    {"without checkpoints, on-demand is ready at the instant at which the work ends",
     {.jobs = {{GANG, .mode = CHECKPOINT_NONE, .restore_s = 50, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {1000, PURCHASE_ON_DEMAND}}}}},
     "on-demand 0-3 1000..1100 finished: boot 100\n"
     "spot 0-3 0..1100 finished: useful 1000, boot 100\n",
     {"done 1100 of 1000; launches 8; spot 4400, on-demand 400"}},
    {"without checkpoints a move loses all",
     {.jobs = {{GANG, .mode = CHECKPOINT_NONE, .restore_s = 50, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..600 released: boot 100, lost 500\n"
     "on-demand 0-3 500..1600 finished: useful 1000, boot 100\n",
     {"done 1600 of 1000; switches 1, launches 8; spot 2400, on-demand 4400"}},
};

int main(void)
{
    return job_rows_run("job", rows, sizeof rows / sizeof rows[0]);
}
