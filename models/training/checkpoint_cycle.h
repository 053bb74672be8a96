/* SPDX-License-Identifier: GPL-3.0-or-later
 * Work and checkpoints in turn, in closed form: where a job stands so many seconds after it began
 * to work, without an event for each checkpoint. That is what makes thousands of worlds cheap: the
 * simulation's cost grows with interruptions, not with checkpoints. */
#ifndef FLEETCAST_MODELS_CHECKPOINT_CYCLE_H
#define FLEETCAST_MODELS_CHECKPOINT_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

/* A stretch of work from a kept state: segments of `every_s` useful seconds, each followed by a
 * write; the last segment is what is left, followed by a write when `final`. */
struct checkpoint_cycle {
    double left_s;  /* useful work left when the stretch began; > 0 */
    double every_s; /* > 0; +infinity: no periodic checkpoint */
    double write_s; /* >= 0 */
    bool final;
};

/* Seconds from the beginning of the stretch to the end of all work, final write included. */
double checkpoint_cycle_length_s(const struct checkpoint_cycle *c);

/* Where things stand after elapsed_s (0 <= elapsed_s; beyond the length: as at the length). */
struct checkpoint_state {
    double kept_s;       /* useful work that a complete checkpoint holds (at the end: all) */
    double unkept_s;     /* useful work done since */
    double writing_s;    /* time spent writing, the current write included */
    double write_left_s; /* of the write under way; 0 when none is */
    uint64_t written;    /* complete checkpoints */
};
struct checkpoint_state checkpoint_cycle_at(const struct checkpoint_cycle *c, double elapsed_s);

#endif
