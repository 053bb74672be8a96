/* SPDX-License-Identifier: GPL-3.0-or-later
 * Names to numbers from 0 on, in the order in which they first came. */
#ifndef FLEETCAST_SCENARIOS_NAME_INDEX_H
#define FLEETCAST_SCENARIOS_NAME_INDEX_H

#include "engine/arena.h"

#include <stddef.h>

struct name_index {
    const char **names; /* read only: of each number */
    size_t count;       /* likewise */

    /* private: numbers + 1 by hash, 0 where there is none */
    size_t capacity;
    size_t *slots;
    size_t slot_count;
};

void name_index_release(struct name_index *n); /* all zero is a good beginning */
/* The name's number, new or known; the name is copied into the arena. SIZE_MAX when out of
 * memory. */
size_t name_index_put(struct name_index *n, struct arena *arena, const char *name);
/* SIZE_MAX when it has none. */
size_t name_index_find(const struct name_index *n, const char *name);

#endif
