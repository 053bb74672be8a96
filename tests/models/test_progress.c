/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the time of one gang goes to, as stories worked out by hand: each row says what the market
 * does and expects every usage record and counter. The job, unless a row says otherwise: 1,000 s of
 * work, boot 100 s, a checkpoint of 10 s after each 300 s of work and at the end, restore 50 s.
 * Alone it boots until 100 and then works (w) and writes (c):
 *
 *     100 w 400 c 410 w 710 c 720 w 1020 c 1030 w 1130 c 1140 */
#include "tests/support/job_rows.h"
#include "tests/support/scripted_market_double.h"

#define GANG   .nodes = 4, .work_s = 1000, .boot_s = 100
#define SAVES  .every_s = 300, .write_s = 10, .restore_s = 50
#define BEHIND .every_s = 300, .copy_s = 5, .write_s = 100, .restore_s = 50
/* The pool holds the gang until `gone`, and again from `back` on. */
#define GAP(gone, back) .steps = {{0, 4}, {gone, 0}, {back, 4}}, .step_count = 3

static const struct job_row rows[] = {
    /* ---- undisturbed ---- */
    {"boot, work, periodic and final checkpoints",
     {.jobs = {{GANG, SAVES, .policy = "on-demand"}}},
     "on-demand 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 0, on-demand 4560"}},
    {"one node",
     {.jobs = {{.nodes = 1, .work_s = 1000, .boot_s = 100, SAVES, .policy = "on-demand"}}},
     "on-demand 0 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 1; spot 0, on-demand 1140"}},
    {"a thousand nodes are one record",
     {.jobs = {{.nodes = 1000, .work_s = 1000, .boot_s = 100, SAVES, .policy = "on-demand"}}},
     "on-demand 0-999 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 1000; spot 0, on-demand 1140000"}},
    {"no final checkpoint",
     {.jobs = {{GANG, SAVES, .no_final = true, .policy = "on-demand"}}},
     "on-demand 0-3 0..1130 finished: useful 1000, checkpoint 30, boot 100\n",
     {"done 1130 of 1000; checkpoints 3, launches 4; spot 0, on-demand 4520"}},
    {"the interval divides the work: the last periodic checkpoint is the final one",
     {.jobs = {{GANG, .every_s = 500, .write_s = 10, .policy = "on-demand"}}},
     "on-demand 0-3 0..1120 finished: useful 1000, checkpoint 20, boot 100\n",
     {"done 1120 of 1000; checkpoints 2, launches 4; spot 0, on-demand 4480"}},
    {"the final checkpoint alone",
     {.jobs = {{GANG, .write_s = 10, .policy = "on-demand"}}},
     "on-demand 0-3 0..1110 finished: useful 1000, checkpoint 10, boot 100\n",
     {"done 1110 of 1000; checkpoints 1, launches 4; spot 0, on-demand 4440"}},
    {"writes that take no time",
     {.jobs = {{GANG, .every_s = 300, .policy = "on-demand"}}},
     "on-demand 0-3 0..1100 finished: useful 1000, boot 100\n",
     {"done 1100 of 1000; checkpoints 4, launches 4; spot 0, on-demand 4400"}},
    {"continuous checkpoints take no time, whatever a write would take",
     {.jobs = {{GANG, .mode = CHECKPOINT_CONTINUOUS, .write_s = 10, .policy = "on-demand"}}},
     "on-demand 0-3 0..1100 finished: useful 1000, boot 100\n",
     {"done 1100 of 1000; launches 4; spot 0, on-demand 4400"}},
    {"no checkpoints, no final one either",
     {.jobs = {{GANG, .mode = CHECKPOINT_NONE, .write_s = 10, .policy = "on-demand"}}},
     "on-demand 0-3 0..1100 finished: useful 1000, boot 100\n",
     {"done 1100 of 1000; launches 4; spot 0, on-demand 4400"}},
    {"no boot",
     {.jobs = {{.nodes = 4, .work_s = 1000, SAVES, .policy = "wait"}}},
     "spot 0-3 0..1040 finished: useful 1000, checkpoint 40\n",
     {"done 1040 of 1000; checkpoints 4, launches 4; spot 4160, on-demand 0"}},
    {"no work",
     {.jobs = {{.nodes = 4, .boot_s = 100, SAVES, .policy = "wait"}}},
     "",
     {"done 0 of 0; spot 0, on-demand 0"}},
    {"no work, submitted later",
     {.jobs = {{.nodes = 4, .submit_s = 500, .policy = "wait"}}},
     "",
     {"done 500 of 0; spot 0, on-demand 0"}},
    {"submitted later: no idle time before",
     {.jobs = {{GANG, SAVES, .submit_s = 500, .policy = "on-demand"}}},
     "on-demand 0-3 500..1640 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1640 of 1000; checkpoints 4, launches 4; spot 0, on-demand 4560"}},

    /* ---- lost at once, in each phase ---- */
    {"lost in boot: nothing to restore",
     {.spot = {GAP(60, 200)}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..60 interrupted: boot 60\n"
     "spot 0-3 200..1340 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1340 of 1000; checkpoints 4, losses 1, idle 140, launches 8, interruptions 4; "
      "spot 4800, on-demand 0"}},
    {"lost in boot: a restore from scratch is paid",
     {.spot = {GAP(60, 200)},
      .jobs = {{GANG, SAVES, .restore_from_scratch = true, .policy = "wait"}}},
     "spot 0-3 0..60 interrupted: boot 60\n"
     "spot 0-3 200..1390 finished: useful 1000, checkpoint 40, restore 50, boot 100\n",
     {"done 1390 of 1000; checkpoints 4, restarts 1, losses 1, idle 140, launches 8, "
      "interruptions 4; spot 5000, on-demand 0"}},
    {"lost before the first checkpoint",
     {.spot = {GAP(300, 400)}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..300 interrupted: boot 100, lost 200\n"
     "spot 0-3 400..1540 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1540 of 1000; checkpoints 4, losses 1, idle 100, launches 8, interruptions 4; "
      "spot 5760, on-demand 0"}},
    /* 700 left: w 1050 c 1060 w 1360 c 1370 w 1470 c 1480 */
    {"lost at work: back to the last checkpoint",
     {.spot = {GAP(500, 600)}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 600..1480 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1480 of 1000; checkpoints 4, restarts 1, losses 1, idle 100, launches 8, "
      "interruptions 4; spot 5520, on-demand 0"}},
    {"lost in a write: what it would have held is lost",
     {.spot = {GAP(405, 500)}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..405 interrupted: checkpoint 5, boot 100, lost 300\n"
     "spot 0-3 500..1640 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1640 of 1000; checkpoints 4, losses 1, idle 95, launches 8, interruptions 4; "
      "spot 6180, on-demand 0"}},
    {"lost at the instant at which a write ends: it counts",
     {.spot = {GAP(410, 500)}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..410 interrupted: useful 300, checkpoint 10, boot 100\n"
     "spot 0-3 500..1380 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1380 of 1000; checkpoints 4, restarts 1, losses 1, idle 90, launches 8, "
      "interruptions 4; spot 5160, on-demand 0"}},
    {"lost in restore",
     {.spot = {.steps = {{0, 4}, {500, 0}, {600, 4}, {720, 0}, {800, 4}}, .step_count = 5},
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 600..720 interrupted: restore 20, boot 100\n"
     "spot 0-3 800..1680 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1680 of 1000; checkpoints 4, restarts 2, losses 2, idle 180, launches 12, "
      "interruptions 8; spot 6000, on-demand 0"}},
    {"lost in the second boot",
     {.spot = {.steps = {{0, 4}, {500, 0}, {600, 4}, {650, 0}, {800, 4}}, .step_count = 5},
      .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 300, checkpoint 10, boot 100, lost 90\n"
     "spot 0-3 600..650 interrupted: boot 50\n"
     "spot 0-3 800..1680 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1680 of 1000; checkpoints 4, restarts 1, losses 2, idle 250, launches 12, "
      "interruptions 8; spot 5720, on-demand 0"}},
    {"lost in the final write",
     {.spot = {GAP(1135, 1200)}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..1135 interrupted: useful 900, checkpoint 35, boot 100, lost 100\n"
     "spot 0-3 1200..1460 finished: useful 100, checkpoint 10, restore 50, boot 100\n",
     {"done 1460 of 1000; checkpoints 4, restarts 1, losses 1, idle 65, launches 8, "
      "interruptions 4; spot 5580, on-demand 0"}},
    {"lost at the instant at which the final write ends: the work is done",
     {.spot = {GAP(1140, 1200)}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..1140 interrupted: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4, interruptions 4; spot 4560, on-demand 0"}},
    {"lost at the instant at which the work ends, without a final write: it is done",
     {.spot = {GAP(1130, 1200)}, .jobs = {{GANG, SAVES, .no_final = true, .policy = "wait"}}},
     "spot 0-3 0..1130 interrupted: useful 1000, checkpoint 30, boot 100\n",
     {"done 1130 of 1000; checkpoints 3, launches 4, interruptions 4; spot 4520, on-demand 0"}},
    {"no checkpoints: all starts over again",
     {.spot = {GAP(600, 700)},
      .jobs = {{GANG, .mode = CHECKPOINT_NONE, .restore_s = 50, .policy = "wait"}}},
     "spot 0-3 0..600 interrupted: boot 100, lost 500\n"
     "spot 0-3 700..1800 finished: useful 1000, boot 100\n",
     {"done 1800 of 1000; losses 1, idle 100, launches 8, interruptions 4; spot 6800, "
      "on-demand 0"}},
    {"continuous checkpoints: nothing is lost but the restore",
     {.spot = {GAP(600, 700)},
      .jobs = {{GANG, .mode = CHECKPOINT_CONTINUOUS, .restore_s = 50, .policy = "wait"}}},
     "spot 0-3 0..600 interrupted: useful 500, boot 100\n"
     "spot 0-3 700..1350 finished: useful 500, restore 50, boot 100\n",
     {"done 1350 of 1000; restarts 1, losses 1, idle 100, launches 8, interruptions 4; "
      "spot 5000, on-demand 0"}},

    /* ---- with two minutes' notice ---- */
    {"notice, nothing is done: work goes on until the nodes go",
     {.spot = {GAP(500, 700), .notice_s = 120}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..620 interrupted: useful 300, checkpoint 10, boot 100, lost 210\n"
     "spot 0-3 700..1580 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, idle 80, launches 8, "
      "interruptions 4; spot 6000, on-demand 0"}},
    /* 400 left: w 1250 c 1260 w 1360 c 1370 */
    {"notice, nothing is done: a periodic checkpoint falls into it",
     {.spot = {GAP(650, 800), .notice_s = 120}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..770 interrupted: useful 600, checkpoint 20, boot 100, lost 50\n"
     "spot 0-3 800..1370 finished: useful 400, checkpoint 20, restore 50, boot 100\n",
     {"done 1370 of 1000; checkpoints 4, restarts 1, losses 1, idle 30, launches 8, "
      "interruptions 4; spot 5360, on-demand 0"}},
    /* 390 kept at 510; 610 left: w 1150 c 1160 w 1460 c 1470 w 1480 c 1490 */
    {"notice, checkpoint: it fits, then the gang waits for its end",
     {.spot = {GAP(500, 700), .notice_s = 120},
      .jobs = {{GANG, SAVES, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..620 interrupted: useful 390, checkpoint 20, boot 100, waiting 110\n"
     "spot 0-3 700..1490 finished: useful 610, checkpoint 30, restore 50, boot 100\n",
     {"done 1490 of 1000; checkpoints 5, restarts 1, losses 1, idle 80, launches 8, "
      "interruptions 4; spot 5640, on-demand 0"}},
    /* 100 w 400 c 530 w 720; 700 left: w 1250 c 1380 w 1680 c 1810 w 1910 c 2040 */
    {"notice, checkpoint: it does not fit, so it is not begun",
     {.spot = {GAP(600, 800), .notice_s = 120},
      .jobs = {{GANG, .every_s = 300, .write_s = 130, .restore_s = 50,
                .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..720 interrupted: useful 300, checkpoint 130, boot 100, lost 190\n"
     "spot 0-3 800..2040 finished: useful 700, checkpoint 390, restore 50, boot 100\n",
     {"done 2040 of 1000; checkpoints 4, restarts 1, losses 1, idle 80, launches 8, "
      "interruptions 4; spot 7840, on-demand 0"}},
    /* 100 w 400 c 460; 700 left: w 1050 c 1110 w 1410 c 1470 w 1570 c 1630 */
    {"notice, checkpoint: the rest of a write under way is enough",
     {.spot = {GAP(420, 600), .notice_s = 120},
      .jobs = {{GANG, .every_s = 300, .write_s = 60, .restore_s = 50,
                .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..540 interrupted: useful 300, checkpoint 60, boot 100, waiting 80\n"
     "spot 0-3 600..1630 finished: useful 700, checkpoint 180, restore 50, boot 100\n",
     {"done 1630 of 1000; checkpoints 4, restarts 1, losses 1, idle 60, launches 8, "
      "interruptions 4; spot 6280, on-demand 0"}},
    /* 100 w 400 c 530 w 570; 700 left: w 1050 c 1180 w 1480 c 1610 w 1710 c 1840 */
    {"notice, checkpoint: one that does not fit is under way, and ends in time all the same",
     {.spot = {GAP(450, 600), .notice_s = 120},
      .jobs = {{GANG, .every_s = 300, .write_s = 130, .restore_s = 50,
                .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..570 interrupted: useful 300, checkpoint 130, boot 100, lost 40\n"
     "spot 0-3 600..1840 finished: useful 700, checkpoint 390, restore 50, boot 100\n",
     {"done 1840 of 1000; checkpoints 4, restarts 1, losses 1, idle 30, launches 8, "
      "interruptions 4; spot 7240, on-demand 0"}},
    /* 100 w 400 c 520 w 600 c 720; 620 left: w 1250 c 1370 w 1670 c 1790 w 1810 c 1930 */
    {"notice, checkpoint: a write as long as the notice fits",
     {.spot = {GAP(600, 800), .notice_s = 120},
      .jobs = {{GANG, .every_s = 300, .write_s = 120, .restore_s = 50,
                .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..720 interrupted: useful 380, checkpoint 240, boot 100\n"
     "spot 0-3 800..1930 finished: useful 620, checkpoint 360, restore 50, boot 100\n",
     {"done 1930 of 1000; checkpoints 5, restarts 1, losses 1, idle 80, launches 8, "
      "interruptions 4; spot 7400, on-demand 0"}},
    {"notice, checkpoint: the work ends within the notice, so it goes on",
     {.spot = {GAP(1050, 2000), .notice_s = 120},
      .jobs = {{GANG, SAVES, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..1140 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4; spot 4560, on-demand 0"}},
    {"notice: the work ends at the instant at which the nodes go",
     {.spot = {GAP(1050, 2000), .notice_s = 90},
      .jobs = {{GANG, SAVES, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..1140 interrupted: useful 1000, checkpoint 40, boot 100\n",
     {"done 1140 of 1000; checkpoints 4, launches 4, interruptions 4; spot 4560, on-demand 0"}},
    {"no notice, and a checkpoint that takes no time, fit each other",
     {.spot = {GAP(500, 600)},
      .jobs = {{GANG, .every_s = 300, .restore_s = 50, .on_notice = ON_NOTICE_CHECKPOINT,
                .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: useful 400, boot 100\n"
     "spot 0-3 600..1350 finished: useful 600, restore 50, boot 100\n",
     {"done 1350 of 1000; checkpoints 4, restarts 1, losses 1, idle 100, launches 8, "
      "interruptions 4; spot 5000, on-demand 0"}},
    {"notice, checkpoint, with nothing to save: at the instant at which a write ended",
     {.spot = {GAP(410, 600), .notice_s = 120},
      .jobs = {{GANG, SAVES, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..530 interrupted: useful 300, checkpoint 10, boot 100, waiting 120\n"
     "spot 0-3 600..1480 finished: useful 700, checkpoint 30, restore 50, boot 100\n",
     {"done 1480 of 1000; checkpoints 4, restarts 1, losses 1, idle 70, launches 8, "
      "interruptions 4; spot 5640, on-demand 0"}},
    {"notice in restore: it goes on, and what is worked after it is lost",
     {.spot = {.steps = {{0, 4}, {380, 0}, {600, 4}, {720, 0}, {900, 4}},
               .step_count = 5,
               .notice_s = 120},
      .jobs = {{GANG, SAVES, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     /* 280 kept at 390; again 700 … 750 restore, w 840; 720 left: w 1350 c 1360 w 1660 c 1670 w
        1790 c 1800 */
     "spot 0-3 0..500 interrupted: useful 280, checkpoint 10, boot 100, waiting 110\n"
     "spot 0-3 600..840 interrupted: restore 50, boot 100, lost 90\n"
     "spot 0-3 900..1800 finished: useful 720, checkpoint 30, restore 50, boot 100\n",
     {"done 1800 of 1000; checkpoints 4, restarts 2, losses 2, idle 160, launches 12, "
      "interruptions 8; spot 6560, on-demand 0"}},
    {"notice in boot: the gang does not begin",
     {.spot = {GAP(50, 200), .notice_s = 120}, .jobs = {{GANG, SAVES, .policy = "wait"}}},
     "spot 0-3 0..170 interrupted: boot 100, waiting 70\n"
     "spot 0-3 200..1340 finished: useful 1000, checkpoint 40, boot 100\n",
     {"done 1340 of 1000; checkpoints 4, losses 1, idle 30, launches 8, interruptions 4; "
      "spot 5240, on-demand 0"}},

    /* ---- asynchronous: 5 s for the copy, then 100 s until it is complete ----
     *
     *     100 w 400 c 405 (505) w 705 c 710 (810) w 1010 c 1015 (1115) w 1115 c 1120 (1220) */
    {"asynchronous: work goes on behind the copy, the last write is waited for",
     {.jobs = {{GANG, BEHIND, .policy = "on-demand"}}},
     "on-demand 0-3 0..1220 finished: useful 1000, checkpoint 120, boot 100\n",
     {"done 1220 of 1000; checkpoints 4, launches 4; spot 0, on-demand 4880"}},
    {"asynchronous, no final one: nothing is waited for",
     {.jobs = {{GANG, BEHIND, .no_final = true, .policy = "on-demand"}}},
     "on-demand 0-3 0..1115 finished: useful 1000, checkpoint 15, boot 100\n",
     {"done 1115 of 1000; checkpoints 3, launches 4; spot 0, on-demand 4460"}},
    {"asynchronous, lost before the write ends: back to the one before",
     {.spot = {GAP(500, 600)}, .jobs = {{GANG, BEHIND, .policy = "wait"}}},
     "spot 0-3 0..500 interrupted: checkpoint 5, boot 100, lost 395\n"
     "spot 0-3 600..1820 finished: useful 1000, checkpoint 120, boot 100\n",
     {"done 1820 of 1000; checkpoints 4, losses 1, idle 100, launches 8, interruptions 4; "
      "spot 6880, on-demand 0"}},
    /* 700 left: w 1050 c 1055 w 1355 c 1360 (1460) w 1460 c 1465 (1565) */
    {"asynchronous, lost at the instant at which the write ends: it counts",
     {.spot = {GAP(505, 600)}, .jobs = {{GANG, BEHIND, .policy = "wait"}}},
     "spot 0-3 0..505 interrupted: useful 300, checkpoint 5, boot 100, lost 100\n"
     "spot 0-3 600..1565 finished: useful 700, checkpoint 115, restore 50, boot 100\n",
     {"done 1565 of 1000; checkpoints 4, restarts 1, losses 1, idle 95, launches 8, "
      "interruptions 4; spot 5880, on-demand 0"}},
    /* 605 left: 750 w 1050 c 1055 w 1355 c 1360 (1460) w 1365, c 1370, (1460) 1560 */
    {"asynchronous, at a notice all is copied and written",
     {.spot = {GAP(500, 600), .notice_s = 120},
      .jobs = {{GANG, BEHIND, .on_notice = ON_NOTICE_CHECKPOINT, .policy = "wait"}}},
     "spot 0-3 0..620 interrupted: useful 395, checkpoint 110, boot 100, waiting 15\n"
     "spot 0-3 620..1580 finished: useful 605, checkpoint 205, restore 50, boot 100\n",
     {"done 1580 of 1000; checkpoints 4, restarts 1, losses 1, launches 8, interruptions 4; "
      "spot 6320, on-demand 0"}},
};

int main(void)
{
    return job_rows_run("progress", rows, sizeof rows / sizeof rows[0]);
}
