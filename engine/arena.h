/* SPDX-License-Identifier: GPL-3.0-or-later
 * Memory that lives and dies together: a scenario, a catalogue, one thread's simulation.
 * Blocks are taken in order and given back all at once; the cap makes hostile input a clean error.
 */
#ifndef FLEETCAST_ENGINE_ARENA_H
#define FLEETCAST_ENGINE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* limit_bytes: most that may be taken in all; 0 = no limit. NULL when out of memory. */
struct arena *arena_new(size_t limit_bytes);
void arena_free(struct arena *a);

/* Zeroed memory, aligned for any type; NULL beyond the limit. Owned by the arena. */
void *arena_alloc(struct arena *a, size_t bytes);
/* count × size with overflow check. */
void *arena_array(struct arena *a, size_t count, size_t size);
char *arena_copy(struct arena *a, const char *text, size_t length); /* NUL-terminated copy */
char *arena_string(struct arena *a, const char *text);
char *arena_format(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Gives everything back but keeps the memory for reuse. */
void arena_reset(struct arena *a);
size_t arena_used(const struct arena *a);

#endif
