/* SPDX-License-Identifier: GPL-3.0-or-later
 * Text for people, broken into lines at spaces. */
#ifndef FLEETCAST_SCENARIOS_WRAP_H
#define FLEETCAST_SCENARIOS_WRAP_H

#include <stdio.h>

/* Prints text and a line break so that no line passes `width` columns, a single longer word
 * excepted. The first line begins at column `column`, where the cursor stands, later ones at
 * `indent`. Line breaks in the text end a paragraph: a blank line follows. */
void wrap_print(FILE *out, const char *text, int column, int indent, int width);

#endif
