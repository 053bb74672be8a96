/* SPDX-License-Identifier: GPL-3.0-or-later
 * The horizon in each phase of a job, cut or finished on-demand, as stories worked out by hand. The
 * job is that of test_progress.c: alone it boots until 100 and then works (w) and writes (c):
 *
 *     100 w 400 c 410 w 710 c 720 w 1020 c 1030 w 1130 c 1140
 *
 * What is finished on-demand from t on with 700 s left is done at t + 880: boot 100, restore 50,
 * work and three writes. */
#include "tests/support/job_rows.h"
#include "tests/support/scripted_market_double.h"

#define GANG   .nodes = 4, .work_s = 1000, .boot_s = 100
#define SAVES  .every_s = 300, .write_s = 10, .restore_s = 50
#define FINISH .at_horizon = AT_HORIZON_FINISH_ON_DEMAND
/* The pool holds the gang until `gone`, and again from `back` on. */
#define GAP(gone, back) .steps = {{0, 4}, {gone, 0}, {back, 4}}, .step_count = 3

static const struct job_row rows[] = {
    /* ---- cut ---- */
    {"cut in boot",
     {.horizon_s = 50, .jobs = {{GANG, SAVES, .policy = "on-demand"}}},
     "on-demand 0-3 0..50 horizon: boot 50\n",
     {"cut 50, kept 0 of 1000; launches 4; spot 0, on-demand 200"}},
    {"cut at work: what no checkpoint holds is lost",
     {.horizon_s = 500, .jobs = {{GANG, SAVES, .policy = "on-demand"}}},
     "on-demand 0-3 0..500 horizon: useful 300, checkpoint 10, boot 100, lost 90\n",
     {"cut 500, kept 300 of 1000; checkpoints 1, launches 4; spot 0, on-demand 2000"}},
    {"cut at work, continuous checkpoints: nothing is lost",
     {.horizon_s = 500, .jobs = {{GANG, .mode = CHECKPOINT_CONTINUOUS, .policy = "on-demand"}}},
     "on-demand 0-3 0..500 horizon: useful 400, boot 100\n",
     {"cut 500, kept 400 of 1000; launches 4; spot 0, on-demand 2000"}},
    {"cut in a write",
     {.horizon_s = 405, .jobs = {{GANG, SAVES, .policy = "on-demand"}}},
     "on-demand 0-3 0..405 horizon: checkpoint 5, boot 100, lost 300\n",
     {"cut 405, kept 0 of 1000; launches 4; spot 0, on-demand 1620"}},
    {"cut at the instant at which a write ends",
     {.horizon_s = 410, .jobs = {{GANG, SAVES, .policy = "on-demand"}}},
     "on-demand 0-3 0..410 horizon: useful 300, checkpoint 10, boot 100\n",
     {"cut 410, kept 300 of 1000; checkpoints 1, launches 4; spot 0, on-demand 1640"}},
    {"cut in restore",
     {.horizon_s = 720, .spot = {GAP(500, 600)}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 600..720 horizon: restore 20, boot 100\n",
     {"cut 720, kept 300 of 1000; checkpoints 1, restarts 1, losses 1, idle 100, launches 8, "
      "interruptions 4; spot 2480, on-demand 0"}},
    {"cut while nothing is held",
     {.horizon_s = 550, .spot = {GAP(500, 600)}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n",
     {"cut 550, kept 300 of 1000; checkpoints 1, losses 1, idle 50, launches 4, interruptions 4; "
      "spot 2000, on-demand 0"}},
    {"cut while a part of the gang is held",
     {.horizon_s = 150,
      .spot = {.steps = {{0, 3}}, .step_count = 1},
      .jobs = {{GANG, SAVES, .patience_s = 1000, .policy = "wait"}}},
     "spot 0-2 0..150 horizon: boot 100, waiting 50\n",
     {"cut 150, kept 0 of 1000; launches 3; spot 450, on-demand 0"}},
    {"cut under notice",
     {.horizon_s = 560,
      .spot = {GAP(500, 700), .notice_s = 120},
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..560 horizon: useful 300, checkpoint 10, boot 100, lost 150\n",
     {"cut 560, kept 300 of 1000; checkpoints 1, launches 4; spot 2240, on-demand 0"}},
    {"cut in an emergency checkpoint",
     {.horizon_s = 530,
      .spot = {GAP(500, 700), .notice_s = 120},
      .jobs = {{GANG, .every_s = 300, .write_s = 60, .on_notice = ON_NOTICE_CHECKPOINT,
                .policy = "wait"}}},
     "spot 0-3 0..530 horizon: useful 300, checkpoint 90, boot 100, lost 40\n",
     {"cut 530, kept 300 of 1000; checkpoints 1, launches 4; spot 2120, on-demand 0"}},
    {"cut after an emergency checkpoint",
     {.horizon_s = 530,
      .spot = {GAP(500, 700), .notice_s = 120},
      .jobs = {{GANG, SAVES, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..530 horizon: useful 390, checkpoint 20, boot 100, waiting 20\n",
     {"cut 530, kept 390 of 1000; checkpoints 2, launches 4; spot 2120, on-demand 0"}},
    {"cut while spot boots and on-demand works",
     {.horizon_s = 550,
      .spot = {.steps = {{0, 0}, {500, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "on-demand 0-3 0..550 horizon: useful 300, checkpoint 10, boot 100, lost 140\n"
     "spot 0-3 500..550 horizon: boot 50\n",
     {"cut 550, kept 300 of 1000; checkpoints 1, launches 8; spot 200, on-demand 2200"}},
    {"cut in the checkpoint before a return",
     {.horizon_s = 604,
      .spot = {.steps = {{0, 0}, {500, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, .policy = "fallback", .back = true}}},
     "on-demand 0-3 0..604 horizon: useful 300, checkpoint 14, boot 100, lost 190\n"
     "spot 0-3 500..604 horizon: boot 100, waiting 4\n",
     {"cut 604, kept 300 of 1000; checkpoints 1, launches 8; spot 416, on-demand 2416"}},
    {"done at the horizon",
     {.horizon_s = 1140, .jobs = {{GANG, SAVES, .policy = "on-demand"}}},
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 0, on-demand 4560"}},

    /* ---- finished on-demand ---- */
    {"on-demand goes on",
     {.horizon_s = 500, .jobs = {{GANG, SAVES, FINISH, .policy = "on-demand"}}},
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 0, on-demand 4560"}},
    /* 390 kept at 510, on-demand from then on: 610, 660, w 960 c 970 w 1270 c 1280 w 1290 c 1300 */
    {"spot at work writes a checkpoint first",
     {.horizon_s = 500, .jobs = {{GANG, SAVES, FINISH, .policy = "wait"}}},
     "spot 0-3 0..510 released: useful 390, checkpoint 20, boot 100\n"
     "on-demand 0-3 510..1300 finished: useful 610, checkpoint 30, restore 50, boot 100\n",
     {"done 1300 of 1000; checkpoints 5, restarts 1, switches 1, launches 8; spot 2040, "
      "on-demand 3160"}},
    {"spot is lost in that checkpoint",
     {.horizon_s = 500,
      .spot = {.steps = {{0, 4}, {505, 0}}, .step_count = 2},
      .jobs = {{GANG, SAVES, FINISH, .policy = "wait"}}},
     "spot 0-3 0..505 interrupted: useful 300, checkpoint 15, boot 100, lost 90\n"
     "on-demand 0-3 505..1385 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1385 of 1000; checkpoints 4, restarts 1, losses 1, launches 8, interruptions 4; spot "
      "2020, on-demand 3520"}},
    {"spot is given notice in that checkpoint, which is written all the same",
     {.horizon_s = 500,
      .spot = {.steps = {{0, 4}, {505, 0}}, .step_count = 2, .notice_s = 120},
      .jobs = {{GANG, SAVES, FINISH, .policy = "wait"}}},
     "spot 0-3 0..510 released: useful 390, checkpoint 20, boot 100\n"
     "on-demand 0-3 510..1300 finished: useful 610, checkpoint 30, restore 50, boot 100\n",
     {"done 1300 of 1000; checkpoints 5, restarts 1, switches 1, launches 8; spot 2040, "
      "on-demand 3160"}},
    {"spot in a periodic write ends it",
     {.horizon_s = 405, .jobs = {{GANG, SAVES, FINISH, .policy = "wait"}}},
     "spot 0-3 0..410 released: useful 300, checkpoint 10, boot 100\n"
     "on-demand 0-3 410..1290 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1290 of 1000; checkpoints 4, restarts 1, switches 1, launches 8; spot 1640, "
      "on-demand 3520"}},
    {"spot at work, continuous checkpoints",
     {.horizon_s = 500,
      .jobs = {{GANG, .mode = CHECKPOINT_CONTINUOUS, .restore_s = 50, FINISH, .policy = "wait"}}},
     "spot 0-3 0..500 released: useful 400, boot 100\n"
     "on-demand 0-3 500..1250 finished: useful 600, restore 50, boot 100\n",
     {"done 1250 of 1000; restarts 1, switches 1, launches 8; spot 2000, on-demand 3000"}},
    {"spot at work, no checkpoints: all starts over again",
     {.horizon_s = 500,
      .jobs = {{GANG, .mode = CHECKPOINT_NONE, .restore_s = 50, FINISH, .policy = "wait"}}},
     "spot 0-3 0..500 released: boot 100, lost 400\n"
     "on-demand 0-3 500..1600 finished: useful 1000, boot 100\n",
     {"done 1600 of 1000; switches 1, launches 8; spot 2000, on-demand 4400"}},
    {"spot at work, whose end is nearer than a checkpoint's: it ends its work",
     {.horizon_s = 1125, .jobs = {{GANG, SAVES, .no_final = true, FINISH, .policy = "wait"}}},
     "spot 0-3 0..1130 finished: useful 1000, checkpoint 30, boot 100\n",
     {"done 1130 of 1000; checkpoints 3, launches 4; spot 4520, on-demand 0"}},
    {"spot in boot is dropped, nothing is restored",
     {.horizon_s = 50, .jobs = {{GANG, SAVES, FINISH, .policy = "wait"}}},
     "spot 0-3 0..50 released: boot 50\n"
     "on-demand 0-3 50..1190 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1190 of 1000; checkpoints 4, switches 1, launches 8; spot 200, on-demand 4560"}},
    {"spot in restore is dropped",
     {.horizon_s = 720, .spot = {GAP(500, 600)}, .jobs = {{GANG, SAVES, FINISH, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 600..720 released: restore 20, boot 100\n"
     "on-demand 0-3 720..1600 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1600 of 1000; checkpoints 4, restarts 2, losses 1, switches 1, idle 100, launches "
      "12, interruptions 4; spot 2480, on-demand 3520"}},
    {"spot under notice is dropped, what no checkpoint holds is lost, the rest is restored",
     {.horizon_s = 550,
      .spot = {GAP(500, 900), .notice_s = 120},
      .jobs = {{GANG, SAVES, FINISH, .policy = "wait"}}},
     "spot 0-3 0..550 released: useful 300, checkpoint 10, boot 100, lost 140\n"
     "on-demand 0-3 550..1430 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1430 of 1000; checkpoints 4, restarts 1, switches 1, launches 8; spot 2200, "
      "on-demand 3520"}},
    /* 100 w 400 c 460 w 500 c 560; on-demand from then on, 660 left: w 1010 c 1070 w 1370 c 1430
       w 1490 c 1550 */
    {"spot in an emergency checkpoint ends it, and then at once",
     {.horizon_s = 530,
      .spot = {GAP(500, 900), .notice_s = 120},
      .jobs = {{GANG, .every_s = 300, .write_s = 60, .restore_s = 50,
                .on_notice = ON_NOTICE_CHECKPOINT, FINISH, .policy = "wait"}}},
     "spot 0-3 0..560 released: useful 340, checkpoint 120, boot 100\n"
     "on-demand 0-3 560..1550 finished: useful 660, checkpoint 180, restore 50, boot 100\n",
     {"done 1550 of 1000; checkpoints 5, restarts 1, switches 1, launches 8; spot 2240, "
      "on-demand 3960"}},
    {"spot after an emergency checkpoint is dropped at once",
     {.horizon_s = 530,
      .spot = {GAP(500, 900), .notice_s = 120},
      .jobs = {{GANG, SAVES, .on_notice = ON_NOTICE_CHECKPOINT, FINISH, .policy = "wait"}}},
     "spot 0-3 0..530 released: useful 390, checkpoint 20, boot 100, waiting 20\n"
     "on-demand 0-3 530..1320 finished: useful 610, checkpoint 30, restore 50, boot 100\n",
     {"done 1320 of 1000; checkpoints 5, restarts 1, switches 1, launches 8; spot 2120, "
      "on-demand 3160"}},
    {"nothing is held: on-demand is asked at the horizon",
     {.horizon_s = 550, .spot = {GAP(500, 900)}, .jobs = {{GANG, SAVES, FINISH, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "on-demand 0-3 550..1430 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1430 of 1000; checkpoints 4, restarts 1, losses 1, idle 50, launches 8, "
      "interruptions 4; spot 2000, on-demand 3520"}},
    {"a part of the gang on spot is given back",
     {.horizon_s = 150,
      .spot = {.steps = {{0, 3}}, .step_count = 1},
      .jobs = {{GANG, SAVES, FINISH, .patience_s = 1000, .policy = "wait"}}},
     "spot 0-2 0..150 released: boot 100, waiting 50\n"
     "on-demand 0-3 150..1290 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1290 of 1000; checkpoints 4, launches 7; spot 450, on-demand 4560"}},
    {"after patience was over",
     {.horizon_s = 150,
      .spot = {.steps = {{0, 3}}, .step_count = 1},
      .jobs = {{GANG, SAVES, FINISH, .patience_s = 60, .policy = "wait"}}},
     "spot 0-2 0..60 released: boot 60\n"
     "on-demand 0-3 150..1290 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1290 of 1000; checkpoints 4, idle 90, launches 7; spot 180, on-demand 4560"}},
    {"spot that boots for a return is dropped, on-demand works on",
     {.horizon_s = 550,
      .spot = {.steps = {{0, 0}, {500, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, FINISH, .policy = "fallback", .back = true}}},
     "spot 0-3 500..550 released: boot 50\n"
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 8; spot 200, on-demand 4560"}},
    {"in the checkpoint before a return: it is written, on-demand works on",
     {.horizon_s = 604,
      .spot = {.steps = {{0, 0}, {500, 4}}, .step_count = 2},
      .jobs = {{GANG, SAVES, FINISH, .policy = "fallback", .back = true}}},
     "spot 0-3 500..604 released: boot 100, waiting 4\n"
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 8; spot 416, on-demand 4560"}},
    {"in a move to on-demand, which boots already",
     {.horizon_s = 550,
      .jobs = {{GANG, SAVES, FINISH, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..560 released: useful 440, checkpoint 20, boot 100\n"
     "on-demand 0-3 500..1230 finished: useful 560, checkpoint 20, restore 50, boot 100\n",
     {"done 1230 of 1000; checkpoints 4, restarts 1, switches 1, launches 8; spot 2240, "
      "on-demand 2920"}},
    {"in the checkpoint before a move to on-demand: it is written",
     {.horizon_s = 604,
      .jobs = {{GANG, SAVES, FINISH, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {500, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..610 released: useful 490, checkpoint 20, boot 100\n"
     "on-demand 0-3 500..1190 finished: useful 510, checkpoint 20, restore 50, boot 100, waiting "
     "10\n",
     {"done 1190 of 1000; checkpoints 4, restarts 1, switches 1, launches 8; spot 2440, "
      "on-demand 2760"}},
    {"a move is no loss: nothing is restored from scratch",
     {.horizon_s = 50,
      .jobs = {{GANG, SAVES, FINISH, .restore_from_scratch = true, .policy = "wait"}}},
     "spot 0-3 0..50 released: boot 50\n"
     "on-demand 0-3 50..1190 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1190 of 1000; checkpoints 4, switches 1, launches 8; spot 200, on-demand 4560"}},
    /* Spot saves 90 s until 510; on-demand, asked at 450, is ready at 550. */
    {"after an emergency checkpoint, when on-demand is ready",
     {.horizon_s = 550,
      .spot = {GAP(500, 900), .notice_s = 120},
      .jobs = {{GANG, SAVES, FINISH, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {450, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..550 released: useful 390, checkpoint 20, boot 100, waiting 40\n"
     "on-demand 0-3 450..1240 finished: useful 610, checkpoint 30, restore 50, boot 100\n",
     {"done 1240 of 1000; checkpoints 5, restarts 1, switches 1, launches 8; spot 2200, "
      "on-demand 3160"}},
    /* It is ready at 520, while 60 s are still written until 560. */
    {"in an emergency checkpoint, when on-demand is ready",
     {.horizon_s = 530,
      .spot = {GAP(500, 900), .notice_s = 120},
      .jobs = {{GANG, .every_s = 300, .write_s = 60, .restore_s = 50,
                .on_notice = ON_NOTICE_CHECKPOINT, FINISH, .policy = "script",
                .wants = {{0, PURCHASE_SPOT}, {420, PURCHASE_ON_DEMAND}}}}},
     "spot 0-3 0..560 released: useful 340, checkpoint 120, boot 100\n"
     "on-demand 0-3 420..1450 finished: useful 660, checkpoint 180, restore 50, boot 100, waiting "
     "40\n",
     {"done 1450 of 1000; checkpoints 5, restarts 1, switches 1, launches 8; spot 2240, "
      "on-demand 4120"}},
};

int main(void)
{
    return job_rows_run("job_horizon", rows, sizeof rows / sizeof rows[0]);
}
