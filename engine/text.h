/* SPDX-License-Identifier: GPL-3.0-or-later
 * A growing string with a cap, and the few things done with text everywhere: quoting what a user
 * wrote so that it cannot drive a terminal, and finding the word that was probably meant. */
#ifndef FLEETCAST_ENGINE_TEXT_H
#define FLEETCAST_ENGINE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *data; /* read only; always NUL-terminated after text_init */
    size_t length;
    size_t capacity; /* 0 while data is not on the heap */
    size_t limit;
    bool overflow; /* the cap was met or memory ran out; what was added since is lost */
};

/* limit_bytes: most that length may reach; 0 = no limit. */
void text_init(struct text *t, size_t limit_bytes);
void text_release(struct text *t);
void text_clear(struct text *t); /* empties, keeps the memory, forgets an overflow */
/* After an overflow the adding functions do nothing; the text is a prefix of what was meant. */
void text_add(struct text *t, const char *s);
void text_add_bytes(struct text *t, const char *s, size_t length);
void text_format(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The ending of a regular plural: "" for one, else "s": `%zu node%s`. */
static inline const char *text_plural(double n)
{
    return n == 1.0 ? "" : "s";
}

/* Adds s so that it cannot drive a terminal: control characters (C0, C1, DEL) and bytes that are
 * not UTF-8 as \x1b (\n, \r and \t by name), line separators and marks that reorder text as \u202e.
 * At most max_bytes of s, cut between characters, then "...". */
void text_add_visible(struct text *t, const char *s, size_t max_bytes);

/* Line and paragraph separators, and marks that reorder what is shown. */
bool text_misleads(uint32_t code_point);

bool text_is_utf8(const char *s, size_t length);
/* The bytes (1 to 4) of the character at s[0..length), length > 0, and its code point; 0 when the
 * bytes are not UTF-8: take one byte and go on. */
size_t text_decode(const char *s, size_t length, uint32_t *code_point);
/* Columns a terminal needs: 0 for marks and controls, 2 for East Asian wide characters and emoji.
 */
int text_code_point_width(uint32_t code_point);
/* Columns a terminal needs for s; a byte that is not UTF-8 counts 1. */
size_t text_width(const char *s);

/* The candidate nearest to `word`, or NULL: smallest edit distance (insertion, deletion, exchange,
 * swap of neighbours), at most 1/3 of the word's length but at least 1 and at most 3; ASCII case is
 * ignored; the first wins a tie. candidates: count pointers, borrowed. Words above 64 characters
 * have no neighbour. */
const char *text_suggest(const char *word, const char *const *candidates, size_t count);

#endif
