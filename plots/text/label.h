/* SPDX-License-Identifier: GPL-3.0-or-later
 * A user's text on a chart or in a table: made harmless, measured without a font at hand, shortened
 * or wrapped to the room there is.
 *
 * What reaches gnuplot stands in single quotes, where gnuplot executes nothing (backquotes, @macros
 * and backslashes are plain text there); the one thing to escape is the quote itself. It is put in
 * as 'it'.Q.'s', where the script sets Q = sprintf('%c', 39). Doubled, gnuplot 5.4 would take it
 * for a quote only behind another character of the string, so that 'x' or a''b were a syntax error;
 * and a double-quoted "'" would turn the state of its search for @macros over, so that an @name in
 * the rest of the text were expanded. Terminals are `noenhanced`, so that _ ^ { } ~ & are plain
 * text. */
#ifndef FLEETCAST_PLOTS_LABEL_H
#define FLEETCAST_PLOTS_LABEL_H

#include "engine/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Adds s without control characters (a line break or tab becomes a space), without marks that
 * reorder or hide text, with U+FFFD for bytes that are not UTF-8 and code points that XML forbids,
 * and with U+25A1 for what few machines have a font for: all above U+FFFF, and private use. */
void label_clean(struct text *out, const char *s);

/* Adds 'clean s' as a gnuplot string expression in single quotes; "]]>" is split, since gnuplot's
 * SVG forgets to escape it. */
void label_quote(struct text *out, const char *s);
/* The same for a tic label, where % begins a format. */
void label_quote_tic(struct text *out, const char *s);

/* Width in em (1 = the font size), after the wider of Inter and DejaVu Sans for each ASCII
 * character, so that a fallback font does not run off the page. */
double label_width(const char *s, bool bold);

/* Adds s, shortened in the middle with "…" to at most max_em. The end stays, because names of
 * strategies differ there ("spot-p4d-4", "spot-p4d-8"). */
void label_shorten(struct text *out, const char *s, double max_em, bool bold);

/* Breaks s into at most two lines of at most max_em, at the end of a clause or at a space, else
 * after one of - _ / + , . or before a wide character, else anywhere; what does not fit is
 * shortened. second is left empty when one line is enough. True when nothing was shortened. */
bool label_wrap(struct text *first, struct text *second, const char *s, double max_em, bool bold);

#endif
