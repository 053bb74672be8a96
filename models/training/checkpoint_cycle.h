/* SPDX-License-Identifier: GPL-3.0-or-later
 * Work and checkpoints in turn, in closed form: where a job stands so many seconds after it began
 * to work, without an event for each checkpoint. That is what makes thousands of worlds cheap: the
 * simulation's cost grows with interruptions, not with checkpoints.
 *
 * A synchronous checkpoint makes work stand still while it is written. An asynchronous one does so
 * for the copy to host memory only; it is written behind the work that goes on, and complete
 * `behind_s` after the copy: what is lost before that falls back to the one before it. At the end
 * of all work the final one waits for the one under way, and work for it. */
#ifndef FLEETCAST_MODELS_CHECKPOINT_CYCLE_H
#define FLEETCAST_MODELS_CHECKPOINT_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

/* A stretch of work from a kept state: segments of `every_s` useful seconds, each followed by a
 * pause; the last segment is what is left, followed by a checkpoint when `final`. */
struct checkpoint_cycle {
    double left_s;    /* useful work in no checkpoint when the stretch began, done or not; > 0 */
    double every_s;   /* > 0; +infinity: no periodic checkpoint */
    double write_s;   /* >= 0: for which work stands still, the write or the copy */
    double behind_s;  /* >= 0, <= every_s: from then on until the checkpoint is complete */
    double carried_s; /* of left_s: done before the stretch, >= 0. More than an interval is due to
                         be written at once */
    bool final;
};

/* Seconds from the beginning of the stretch to the end of all work, final write included. */
double checkpoint_cycle_length_s(const struct checkpoint_cycle *c);

/* Where things stand after elapsed_s (0 <= elapsed_s; beyond the length: as at the length). */
struct checkpoint_state {
    double kept_s;       /* useful work that a complete checkpoint holds (at the end: all) */
    double unkept_s;     /* useful work done since, what was carried included */
    double writing_s;    /* time for which work stood still */
    double write_left_s; /* while work stands still: until what is done will be kept; else 0 */
    uint64_t written;    /* complete checkpoints */
};
struct checkpoint_state checkpoint_cycle_at(const struct checkpoint_cycle *c, double elapsed_s);

/* When the k-th checkpoint, from 1 on, is complete and no other is being written: seconds from the
 * beginning of the stretch. The last of all may be complete sooner or later: at the end. */
double checkpoint_cycle_written_s(const struct checkpoint_cycle *c, uint64_t k);

#endif
