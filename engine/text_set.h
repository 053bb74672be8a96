/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts kept once each: a million cells that name three strategies cost three strings. Equal texts
 * give the same pointer. */
#ifndef FLEETCAST_ENGINE_TEXT_SET_H
#define FLEETCAST_ENGINE_TEXT_SET_H

#include <stddef.h>

struct text_set;

/* limit_bytes: most that the texts may take in all; 0 = no limit. NULL when out of memory. */
struct text_set *text_set_new(size_t limit_bytes);
void text_set_free(struct text_set *s);
/* The set's own copy of text, owned by the set; NULL beyond the limit or when out of memory. */
const char *text_set_add(struct text_set *s, const char *text);
size_t text_set_count(const struct text_set *s); /* different texts */

#endif
