/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which characters this machine has a font for. Where there is none, gnuplot's bitmap terminal
 * draws the box that stands for a missing glyph as large as the page, over the chart; so such
 * characters are exchanged for U+25A1 before gnuplot sees them. Asked of fontconfig's fc-list,
 * which the library that draws the text (Pango) comes with. */
#ifndef FLEETCAST_PLOTS_FONT_COVERAGE_H
#define FLEETCAST_PLOTS_FONT_COVERAGE_H

#include "engine/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct font_coverage {
    bool known;         /* false: nothing is exchanged */
    uint8_t bits[8192]; /* one for each code point of the basic plane */
};

/* From lines such as ":charset=20-7e a0 d55c" (hexadecimal), one for each font. */
void font_coverage_parse(struct font_coverage *c, const char *list);
/* Of the machine; not known when there is no fc-list or it names no font. */
void font_coverage_of_machine(struct font_coverage *c);

/* True when s is plain enough for any font: Latin, Greek, Cyrillic. No coverage is needed then. */
bool font_coverage_any_font(const char *s, size_t length);
/* Adds s to out with every character that no font has exchanged for U+25A1. Returns how many. */
size_t font_coverage_mask(const struct font_coverage *c, struct text *out, const char *s,
                          size_t length);

#endif
