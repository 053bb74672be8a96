/* SPDX-License-Identifier: GPL-3.0-or-later
 * Steps of an alarm: from which value of a metric on capacity is changed, and by how much. For step
 * and simple scaling (EC2 Auto Scaling User Guide, "Step and simple scaling policies", 2023-06-15).
 *
 * Of steps that add, a value belongs to the highest that it reaches; of steps that take away, to
 * the lowest: lower bounds are inclusive above the threshold, upper ones below it. */
#ifndef FLEETCAST_MODELS_SCALING_STEPS_H
#define FLEETCAST_MODELS_SCALING_STEPS_H

#include "models/autoscaling/autoscaler.h"
#include "models/autoscaling/metric_alarm.h"

struct scaling_step {
    struct schema_item item;
    struct scaling_target at;            /* the value where it begins */
    struct number percent, count, exact; /* exactly one is given */
};
extern const struct schema scaling_step_schema;

/* What step and simple scaling have in common. */
struct scaling_steps {
    struct schema_list out, in; /* struct scaling_step, rising and falling */
    struct number period;       /* of datapoints */
    int64_t out_points, in_points, least;
};

/* most: steps in each list. */
#define SCALING_STEPS_KEYS(type, field, most)                                                      \
    {.name = "out",                                                                                \
     .kind = SCHEMA_LIST,                                                                          \
     .inner = &scaling_step_schema,                                                                \
     .list_or_one = true,                                                                          \
     .high = (most),                                                                               \
     .offset = offsetof(type, field.out),                                                          \
     .help = "From which value on replicas are added, and how many; of several steps at rising "   \
             "values the last that is reached."},                                                  \
        {.name = "in",                                                                             \
         .kind = SCHEMA_LIST,                                                                      \
         .inner = &scaling_step_schema,                                                            \
         .list_or_one = true,                                                                      \
         .high = (most),                                                                           \
         .offset = offsetof(type, field.in),                                                       \
         .help = "Down from which value replicas are taken away, and how many; of several steps "  \
                 "at falling values the last that is reached."},                                   \
        {.name = "period",                                                                         \
         .kind = SCHEMA_NUMBER,                                                                    \
         .dimension = DIMENSION_TIME,                                                              \
         .low = 1,                                                                                 \
         .high = 3600,                                                                             \
         .default_text = "1min",                                                                   \
         .offset = offsetof(type, field.period),                                                   \
         .help = "Time between two datapoints."},                                                  \
        {.name = "out_after",                                                                      \
         .kind = SCHEMA_INTEGER,                                                                   \
         .low = 1,                                                                                 \
         .high = 1000,                                                                             \
         .default_text = "1",                                                                      \
         .offset = offsetof(type, field.out_points),                                               \
         .help = "Datapoints in a row at or above the first value of `out` before it acts."},      \
        {.name = "in_after",                                                                       \
         .kind = SCHEMA_INTEGER,                                                                   \
         .low = 1,                                                                                 \
         .high = 1000,                                                                             \
         .default_text = "1",                                                                      \
         .offset = offsetof(type, field.in_points),                                                \
         .help = "Datapoints in a row at or below the first value of `in` before it acts."},       \
    {                                                                                              \
        .name = "min_change", .kind = SCHEMA_INTEGER, .low = 1, .high = AUTOSCALER_MOST_REPLICAS,  \
        .default_text = "1", .offset = offsetof(type, field.least),                                \
        .help = "Fewest replicas that a percentage changes (MinAdjustmentMagnitude)."              \
    }

/* The value of the first step, where they are of that metric; else NaN. */
double scaling_steps_first(const struct scaling_steps *s, enum scaling_metric metric);
/* Exactly one metric and one change in every step, the same metric in all of both lists, each list
 * in order (each may be empty, not both); else a sentence for `who`. */
bool scaling_steps_check(const struct scaling_steps *s, const char *who, char *message,
                         size_t size);

struct scaling_alarms {
    struct metric_alarm high, low;
};

/* The step whose alarm is on after this datapoint: to add, to take, or none (both NULL). */
struct scaling_alarm {
    const struct scaling_step *add, *take;
};
struct scaling_alarm scaling_steps_look(const struct scaling_steps *s,
                                        struct scaling_alarms *alarms,
                                        const struct autoscaler_view *view);

/* What a step makes of so many replicas. A percentage gives whole replicas: above 1 rounded down,
 * between 0 and 1 up to 1; at least `least` of them when it is not 0. */
uint32_t scaling_step_add(const struct scaling_step *step, uint32_t replicas, int64_t least);
uint32_t scaling_step_take(const struct scaling_step *step, uint32_t replicas, int64_t least);

#endif
