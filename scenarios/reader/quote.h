/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a user wrote, as it stands in a message. */
#ifndef FLEETCAST_SCENARIOS_QUOTE_H
#define FLEETCAST_SCENARIOS_QUOTE_H

#include "engine/arena.h"

/* The text in single quotes, safe for a terminal, cut after 60 bytes; in the arena. */
const char *quote(struct arena *a, const char *text);

/* "'a', 'b' or 'c'" of a NULL-terminated list; in the arena. */
const char *quote_choices(struct arena *a, const char *const *choices);

#endif
