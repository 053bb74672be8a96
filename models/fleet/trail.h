/* SPDX-License-Identifier: GPL-3.0-or-later
 * What each gang does from hour to hour, for a picture of one world: stretches of one state, and
 * marks at instants. NULL in every ordinary run, so that it costs nothing. */
#ifndef FLEETCAST_MODELS_TRAIL_H
#define FLEETCAST_MODELS_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trail_state {
    TRAIL_NONE,       /* not submitted yet, or over */
    TRAIL_IDLE,       /* holds no node */
    TRAIL_GATHER,     /* holds some nodes of the gang, and pays for them */
    TRAIL_BOOT,       /* the gang is complete, and not ready yet */
    TRAIL_DOWN,       /* stands still after a failure, until somebody acts */
    TRAIL_RESIZE,     /* nodes have joined or left: work is shared anew */
    TRAIL_RESTORE,    /* reads a checkpoint back */
    TRAIL_WORK,       /* works, with its periodic checkpoints */
    TRAIL_CHECKPOINT, /* writes one out of turn: because of a notice, or before a move */
    TRAIL_SAVED,      /* all is saved; waits for other nodes or the end of the notice */
    TRAIL_STATES
};
/* "none", "idle", "gather", "boot", "down", "resize", "restore", "work", "checkpoint", "saved",
 * NULL */
extern const char *const trail_state_names[];

enum trail_mark {
    TRAIL_WRITTEN, /* a checkpoint is complete */
    TRAIL_LOSS,    /* the cloud takes nodes of a complete gang */
    TRAIL_FAILURE, /* a node of a complete gang fails */
    TRAIL_DONE,    /* the work is done */
    TRAIL_CUT,     /* it ends unfinished: at the horizon, its budget, or with the project */
    TRAIL_MARKS
};
extern const char *const
    trail_mark_names[]; /* "checkpoint-written", "interrupted", "failed", "done", "cut", NULL */

/* A stretch, or an instant (start = end) when it is a mark. */
struct trail_entry {
    double start_s, end_s;
    uint32_t workload;
    bool is_mark;
    enum trail_state state; /* of a stretch */
    enum trail_mark mark;
    int pool;       /* market pool; -1: none */
    uint32_t nodes; /* held in it by the gang that counts */
};

struct trail;
/* limit: most entries; the rest is counted. NULL when out of memory. The caller frees. */
struct trail *trail_new(size_t limit);
void trail_free(struct trail *t);

/* From now on the workload is in this state; nothing when it is in it already. Time must not go
 * back for one workload. Does nothing when t is NULL. */
void trail_enter(struct trail *t, double now_s, uint32_t workload, enum trail_state state, int pool,
                 uint32_t nodes);
/* Marks may come late: at_s may lie before what was told last. */
void trail_mark(struct trail *t, double at_s, uint32_t workload, enum trail_mark mark, int pool);

/* Ends all stretches at end_s and sorts: by workload, then by time, a mark behind the stretch that
 * begins with it. */
void trail_close(struct trail *t, double end_s);
size_t trail_count(const struct trail *t);
size_t trail_dropped(const struct trail *t); /* beyond the limit, or without memory */
const struct trail_entry *trail_at(const struct trail *t, size_t index); /* NULL beyond the last */

#endif
