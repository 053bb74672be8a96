/* SPDX-License-Identifier: GPL-3.0-or-later
 * The manual page (docs/fleetcast.1) as troff with the macros of man(7), from the tables of verbs
 * and options. */
#ifndef FLEETCAST_SCENARIOS_MAN_PAGE_H
#define FLEETCAST_SCENARIOS_MAN_PAGE_H

#include <stdio.h>

void man_page_write(FILE *out);

#endif
