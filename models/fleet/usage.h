/* SPDX-License-Identifier: GPL-3.0-or-later
 * Usage records: who ran what, where, bought how, from when to when, why it ended. What the
 * simulation hands to billing; every dollar is traced to one of these. */
#ifndef FLEETCAST_MODELS_USAGE_H
#define FLEETCAST_MODELS_USAGE_H

#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What a node's time went to. Only USEFUL is work that was kept. */
enum activity {
    ACTIVITY_USEFUL,
    ACTIVITY_CHECKPOINT, /* writing checkpoints */
    ACTIVITY_RESTORE,    /* reading one back */
    ACTIVITY_BOOT,       /* from launch to ready */
    ACTIVITY_LOST,       /* work done and thrown away */
    ACTIVITY_WAITING,    /* ready or held, but idle: for other nodes of the gang */
    ACTIVITY_STAGING,    /* reading the data set, between boot and ready */
    ACTIVITY_EVALUATION, /* work stands still for an evaluation */
    ACTIVITY_DOWN,       /* after a failure of hardware, until somebody or something acts */
    ACTIVITY_COUNT
};
extern const char *const activity_names[]; /* "useful", "checkpoint", …, NULL */

enum end_reason {
    END_FINISHED,    /* the work was done */
    END_INTERRUPTED, /* by the cloud */
    END_RELEASED,    /* by us: gang restart, patience over, switch to another pool */
    END_HORIZON,     /* still running when the horizon came */
    END_CANCELLED,   /* the project was cancelled */
    END_BUDGET,      /* the work was stopped at its budget */
    END_FAILED,      /* by us, since its hardware had failed */
    END_REASON_COUNT
};
extern const char *const end_reason_names[]; /* "finished", "interrupted", …, NULL */

struct usage {
    uint32_t workload; /* index in the scenario */
    uint32_t slot;     /* place in the workload's gang, from 0 */
    int32_t pool;
    int64_t start_us, end_us;            /* since the scenario's start */
    int64_t activity_us[ACTIVITY_COUNT]; /* adds up to end - start */
    enum end_reason reason;
    uint32_t twins; /* further nodes with the same record but for the slot, which are slot + 1 …
                       slot + twins: a gang that came and went together is one record */
};

/* Nodes that the record stands for. */
static inline int64_t usage_nodes(const struct usage *u)
{
    return 1 + (int64_t)u->twins;
}

/* Equal in all but which and how many nodes. */
static inline bool usage_alike(const struct usage *a, const struct usage *b)
{
    return a->start_us == b->start_us && a->end_us == b->end_us && a->pool == b->pool &&
           a->workload == b->workload && a->reason == b->reason &&
           memcmp(a->activity_us, b->activity_us, sizeof a->activity_us) == 0;
}

#define USAGE_LATEST_S             1e12 /* 31,700 years: no sum of such times overflows int64 */
#define USAGE_ACTIVITY_TOLERANCE_S 1e-3 /* most by which activities may miss end - start */

/* A growing list with a cap. Records of one slot stand in the order of their launches. */
struct usage_log {
    struct usage *records; /* read only */
    size_t count, capacity, limit;
    bool overflow; /* the replication must be refused: the cap was met, memory ran out, or a record
                      had impossible times (negative, not finite, end before start) */
};
void usage_log_init(struct usage_log *log, size_t limit); /* limit: most records; takes no memory */
void usage_log_release(struct usage_log *log); /* may be used again, with the same limit */
void usage_log_clear(struct usage_log *log);   /* keeps the memory; overflow is forgotten */
/* Appends a copy of record with its times and activities set, whatever it says of them: start and
 * end are rounded to microseconds once, activity_s is scaled so that its parts add up to end -
 * start exactly, none negative (what lies below zero counts as zero, all zero means WAITING).
 * Builds with FLEETCAST_SLOW_CHECKS assert that activities, unless all are zero, miss end - start
 * by no more than the tolerance above. */
void usage_log_add(struct usage_log *log, const struct usage *record, double start_s, double end_s,
                   const double activity_s[ACTIVITY_COUNT]);
/* The log holds copies of these records, and nothing else. False when there is no room for them. */
bool usage_log_set(struct usage_log *log, const struct usage *records, size_t count);
/* Appends the last record once more, for other nodes. There must be one, or the log has overflowed.
 */
void usage_log_again(struct usage_log *log, uint32_t slot, uint32_t twins);

#endif
