/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about machines that people work on: notebooks, workstations. */
#ifndef FLEETCAST_MODELS_NOTEBOOK_KEYS_H
#define FLEETCAST_MODELS_NOTEBOOK_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/fleet/label_keys.h"
#include "models/fleet/storage_keys.h"

#include <stdbool.h>

/* Who notices a machine that was left on. */
enum notebook_found { FOUND_NEXT_USE, FOUND_NEXT_DAY };

enum { NOTEBOOK_MOST_PEOPLE = 2000, NOTEBOOK_MOST_SESSIONS = 10 };

struct notebook_spec {
    struct schema_item item;
    int64_t people;
    struct variate begins;   /* seconds since 00:00 UTC of a day */
    struct variate session;  /* seconds */
    int64_t sessions;        /* of a day of use */
    struct variate pause;    /* seconds between two of a day */
    struct number use;       /* share of working days */
    bool weekend;            /* Saturdays and Sundays are working days too */
    struct number forgotten; /* share of sessions */
    int found;               /* enum notebook_found */
    struct variate boot;     /* seconds from launch to ready */
    struct storage_spec storage;
    struct label_spec labels;
};
extern const struct schema notebooks_schema; /* variant "notebooks" of `kind` */

#endif
