/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about usage without a job: nodes that run by the clock. */
#ifndef FLEETCAST_MODELS_USAGE_KEYS_H
#define FLEETCAST_MODELS_USAGE_KEYS_H

#include "engine/inputs.h"
#include "engine/quantity.h"
#include "engine/schema.h"
#include "models/fleet/label_keys.h"
#include "models/fleet/storage_keys.h"
#include "models/usage/need_file.h"

#include <stdbool.h>

/* One item of `nodes`: a count that holds all the time, or from a time on for some while; or one
 * hour of a profile; or a file in their place. Absent: from, file NULL. */
struct need_item {
    struct schema_item item;
    struct number nodes;
    const char *from; /* see moment.h */
    struct place from_place;
    struct quantity length; /* `for` */
    bool length_given;
    const char *file;
    struct place file_place;
};

struct usage_spec {
    struct schema_item item;
    struct schema_list nodes; /* struct need_item, one at least */
    struct place nodes_place;
    struct number scale;
    const char *from, *until; /* see moment.h; may be NULL */
    struct place from_place, until_place;
    struct variate boot; /* seconds from launch to ready */
    struct storage_spec storage;
    struct label_spec labels; /* whose nodes they are */

    struct need_steps steps; /* of `file`, read before planning */
};
extern const struct schema usage_schema; /* variant "usage" of `kind` */

#endif
