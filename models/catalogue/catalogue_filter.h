/* SPDX-License-Identifier: GPL-3.0-or-later
 * The filters of `fleetcast show`, parsed once and then asked for each row. */
#ifndef FLEETCAST_MODELS_CATALOGUE_FILTER_H
#define FLEETCAST_MODELS_CATALOGUE_FILTER_H

#include "models/catalogue/catalogue_tables.h"

#include <stdbool.h>
#include <stdint.h>

enum comparison_operator {
    COMPARE_ANY,
    COMPARE_EQUAL,
    COMPARE_BELOW,
    COMPARE_AT_MOST,
    COMPARE_ABOVE,
    COMPARE_AT_LEAST
};
struct comparison {
    enum comparison_operator operator;
    double value;
};

struct filter_plan {
    const char *pattern;         /* borrowed; NULL = all */
    const struct region *region; /* NULL = all */
    int64_t day;
    struct comparison gpu_memory_bytes, gpus;
    int precision; /* -1 = any */
    bool history;
};

/* Parses f (NULL = no filter). False when something in it cannot be used, told in d. */
bool filter_prepare(struct filter_plan *p, const struct catalogue *c,
                    const struct catalogue_filter *f, struct diagnostics *d);
/* Case is ignored; a pattern without * ? [ matches any part of the name. */
bool filter_pattern(const char *pattern, const char *name);
/* Everything but the pattern: memory (to 0.1 %), count and precision. */
bool filter_hardware(const struct filter_plan *p, const struct instance_type *t);
/* The pattern (on the type, the accelerator's short name and its full name) and the hardware. */
bool filter_type(const struct filter_plan *p, const struct instance_type *t);

#endif
