/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where the binder is in the tree, and how it speaks of that. */
#ifndef FLEETCAST_SCENARIOS_BINDER_WALK_H
#define FLEETCAST_SCENARIOS_BINDER_WALK_H

#include "engine/text.h"
#include "scenarios/reader/binder.h"

#include <stdbool.h>
#include <stddef.h>

struct binder_walk {
    const struct binder *b;
    const struct schema *root;
    struct text path; /* dotted, of the key at hand */
    bool is_default;  /* inside a key's default: a fault there is the program's, not the user's */
};

/* Adds a part to the path; returns the length to go back to with binder_pop. */
size_t binder_push(struct binder_walk *w, const char *part);
void binder_pop(struct binder_walk *w, size_t length);

/* Always false. */
bool binder_tell(struct binder_walk *w, struct place where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool binder_out_of_memory(struct binder_walk *w, struct place where);

/* " in 'workloads.a'", or nothing at the root; in the arena. */
const char *binder_in_path(struct binder_walk *w);
/* Whether it is still worth the time to find out what was meant: only so many errors are shown. */
bool binder_still_guesses(const struct binder_walk *w);

#endif
