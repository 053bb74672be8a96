/* SPDX-License-Identifier: GPL-3.0-or-later
 * An instant as a scenario may say it: a date or time (UTC), or how long after its start. */
#ifndef FLEETCAST_MODELS_MOMENT_H
#define FLEETCAST_MODELS_MOMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "2026-03-02", "2026-03-02T08:00Z", "36h", "2mo" (calendar months) → seconds from the start, which
 * are negative for a date before it. False with a sentence part in message, and *s untouched. */
bool moment_parse(const char *text, int64_t start_unix_s, double *s, char *message,
                  size_t message_size);

#endif
