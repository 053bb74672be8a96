/* SPDX-License-Identifier: GPL-3.0-or-later
 * Autoscalers: how many replicas a service should have, decided from what its monitoring shows, as
 * the real controllers decide it. A new one is one file and one row in autoscaler_rows.h.
 *
 * An autoscaler is asked at its own period. It keeps what it has seen in a state of its own, and
 * draws nothing: request-level and interval simulation ask the same code. Limits and several
 * autoscalers at once are autoscaler_group's. */
#ifndef FLEETCAST_MODELS_AUTOSCALER_H
#define FLEETCAST_MODELS_AUTOSCALER_H

#include "engine/schema.h"
#include "models/autoscaling/scaling_metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most replicas that may be asked for. */
#define AUTOSCALER_MOST_REPLICAS 1000000

/* All that a controller could know at this moment; nothing drawn, nothing of the future. */
struct autoscaler_view {
    double now_s;        /* from the scenario's start */
    double unix_s;       /* of now */
    uint32_t desired;    /* replicas asked for at this moment */
    uint32_t ready;      /* that serve, and count in the metrics */
    uint32_t warming;    /* asked for or started, not counted in the metrics yet */
    double changed_at_s; /* when the last replica finished launching or ending; -infinity: none
                            has yet */
    uint32_t minimum, maximum; /* in force */
    struct scaling_reading readings[SCALING_METRIC_COUNT];
};

enum autoscaler_says {
    AUTOSCALER_NOTHING,  /* no opinion: whatever the others want */
    AUTOSCALER_STAY,     /* not fewer than now */
    AUTOSCALER_WANT,     /* so many */
    AUTOSCALER_AT_LEAST, /* not fewer than so many; takes none away of its own will */
    AUTOSCALER_SET       /* so many now, whatever the others say */
};

struct autoscaler_decision {
    enum autoscaler_says says;
    uint32_t replicas; /* of WANT, AT_LEAST and SET */
    /* Scheduled actions: limits in place of those in force, from now on. */
    bool sets_minimum, sets_maximum;
    uint32_t minimum, maximum;
};

struct autoscaler {
    const struct schema *schema; /* name, keys of its parameters, help */
    /* A sentence on what is wrong with the parameters together, for `message`; NULL: nothing can
     * be. */
    bool (*check)(const void *params, char *message, size_t size);
    bool by_clock;  /* what it says follows from the time alone */
    bool by_alarms; /* acts on the mean of a metric, in proportion, after minutes */
    bool of_jobs;   /* replicas are jobs: each serves one request and ends by itself; works alone */
    double (*period_s)(const void *params); /* > 0: how often it looks */
    /* What it keeps a metric at, or the first value of it that it acts on; NaN: it does not look at
     * that metric. NULL: it looks at arrivals, or at none. */
    double (*aims_at)(const void *params, enum scaling_metric metric);
    /* The highest limit, least or most replicas, that it may ever set; NULL: it sets none. */
    uint32_t (*highest_limit)(const void *params);
    /* Of its state, in bytes; `begin` makes it, in zeroed memory that is aligned for any type. */
    size_t (*state_size)(const void *params);
    void (*begin)(const void *params, void *state);
    struct autoscaler_decision (*decide)(const void *params, void *state,
                                         const struct autoscaler_view *view);
};

extern const struct autoscaler *const autoscaler_table[]; /* NULL-terminated */
extern const struct schema *const autoscaler_variants[];  /* their schemas, same order */

/* Replicas from a quotient: the next whole number, unless it is one already but for rounding; at
 * most AUTOSCALER_MOST_REPLICAS, at least 0. */
uint32_t autoscaler_ceil(double replicas);

static inline struct autoscaler_decision autoscaler_want(uint32_t replicas)
{
    return (struct autoscaler_decision){.says = AUTOSCALER_WANT, .replicas = replicas};
}
static inline struct autoscaler_decision autoscaler_stay(void)
{
    return (struct autoscaler_decision){.says = AUTOSCALER_STAY};
}

#endif
