/* SPDX-License-Identifier: GPL-3.0-or-later
 * A growing string with a cap, and the few things done with text everywhere: quoting what a user
 * wrote so that it cannot drive a terminal, and finding the word that was probably meant. */
#ifndef FLEETCAST_ENGINE_TEXT_H
#define FLEETCAST_ENGINE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* read only; always NUL-terminated after text_init */
    size_t length;
    size_t capacity;
    size_t limit;
    bool overflow; /* the cap was met or memory ran out; what was added since is lost */
};

void text_init(struct text *t, size_t limit_bytes);
void text_release(struct text *t);
void text_clear(struct text *t);
void text_add(struct text *t, const char *s);
void text_add_bytes(struct text *t, const char *s, size_t length);
void text_format(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds s with control characters and invalid UTF-8 shown as \x1b; at most max_bytes of s, then "...". */
void text_add_visible(struct text *t, const char *s, size_t max_bytes);

bool text_is_utf8(const char *s, size_t length);
/* Columns a terminal needs for s (UTF-8; East Asian wide characters count 2). */
size_t text_width(const char *s);

/* The candidate nearest to `word` (edit distance <= 1/3 of its length, at least 1, at most 3; case is
 * ignored), or NULL. candidates: count pointers, borrowed. */
const char *text_suggest(const char *word, const char *const *candidates, size_t count);

#endif
