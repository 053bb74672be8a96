/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the two sides of `fleetcast diff` rest on, where that is not the same: keys that the
 * scenarios state otherwise, prices and assumptions, and uncertain inputs. For diff_page.c. */
#ifndef FLEETCAST_SCENARIOS_DIFF_BASIS_H
#define FLEETCAST_SCENARIOS_DIFF_BASIS_H

#include "scenarios/cli/diff_page.h"

#include <stdbool.h>

/* A list item on Markdown, a line on a terminal. */
void diff_say(const char *text, bool markdown);
/* On standard output; what cannot be printed is told in the command's diagnostics. */
void diff_basis_print(struct command *c, const struct diff_page *p, bool markdown);

#endif
