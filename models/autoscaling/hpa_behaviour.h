/* SPDX-License-Identifier: GPL-3.0-or-later
 * How fast the Kubernetes horizontal pod autoscaler may go: stabilisation windows and rate policies
 * (kubernetes.io, "Horizontal Pod Autoscaling", autoscaling/v2 `behavior`), for all that scales
 * through it. */
#ifndef FLEETCAST_MODELS_HPA_BEHAVIOUR_H
#define FLEETCAST_MODELS_HPA_BEHAVIOUR_H

#include "models/autoscaling/autoscaler.h"

enum hpa_select { HPA_SELECT_MAX, HPA_SELECT_MIN, HPA_SELECT_DISABLED };

/* Longest that the API allows. */
#define HPA_LONGEST_WINDOW_S 3600.0
#define HPA_LONGEST_PERIOD_S 1800.0

struct hpa_policy {
    struct schema_item item;
    struct number pods, percent; /* exactly one is given */
    struct number per;           /* seconds */
};

/* In one direction. */
struct hpa_rules {
    struct number window;        /* of stabilisation, seconds */
    int select;                  /* enum hpa_select */
    struct schema_list policies; /* struct hpa_policy; none: the defaults */
};

struct hpa_behaviour {
    struct hpa_rules up, down;
};
extern const struct schema hpa_up_schema, hpa_down_schema;

/* The keys of a behaviour, for a table of keys. */
#define HPA_BEHAVIOUR_KEYS(type, field)                                                            \
    {.name = "up",                                                                                 \
     .kind = SCHEMA_SECTION,                                                                       \
     .inner = &hpa_up_schema,                                                                      \
     .offset = offsetof(type, field.up),                                                           \
     .help = "How fast pods may be added."},                                                       \
    {                                                                                              \
        .name = "down", .kind = SCHEMA_SECTION, .inner = &hpa_down_schema,                         \
        .offset = offsetof(type, field.down), .help = "How fast pods may be taken away."           \
    }

/* Each policy says pods or percent; else a sentence. */
bool hpa_behaviour_check(const struct hpa_behaviour *b, const char *who, char *message,
                         size_t size);

/* What it remembers: recommendations and changes, as long as any window or period needs them. */
struct hpa_memory;
size_t hpa_memory_size(const struct hpa_behaviour *b, double every_s);
void hpa_memory_begin(struct hpa_memory *m, const struct hpa_behaviour *b, double every_s);

/* From what the metrics recommend to what is asked for, at a look every `every_s`: the lowest
 * recommendation of the up window and the highest of the down window count, and no more change than
 * the policies allow. A recommendation counts while it is younger than its window, a change while
 * it is younger than its policy's period. */
uint32_t hpa_behaviour_limit(const struct hpa_behaviour *b, struct hpa_memory *m, double now_s,
                             uint32_t current, uint32_t recommended, uint32_t minimum,
                             uint32_t maximum);

#endif
