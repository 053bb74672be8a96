/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about a training job that runs on as many nodes as it gets. */
#ifndef FLEETCAST_MODELS_ELASTIC_KEYS_H
#define FLEETCAST_MODELS_ELASTIC_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"

#include <stdbool.h>
#include <stdint.h>

enum elastic_on_loss { ELASTIC_RESTORE, ELASTIC_CONTINUE };

struct elastic_spec {
    bool given;
    struct place place;
    int64_t min, max;     /* nodes; max 0: the strategy's */
    struct number resize; /* seconds */
    struct number settle; /* seconds */
    int on_loss;          /* enum elastic_on_loss */
};
extern const struct schema elastic_schema; /* section `elastic` */

#endif
