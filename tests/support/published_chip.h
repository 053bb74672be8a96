/* SPDX-License-Identifier: GPL-3.0-or-later
 * The accelerator that a published measurement was made on, from the words of its row. */
#ifndef FLEETCAST_TESTS_PUBLISHED_CHIP_H
#define FLEETCAST_TESTS_PUBLISHED_CHIP_H

#include "models/catalogue/catalogue.h"

/* text: "H100-SXM-80GB"; instance: what the row calls equivalent, "p5/8", or "". Fills *out and
 * returns NULL, or says why it is none that the catalogue (or a data sheet known here) has. */
const char *published_chip_find(const char *text, const char *instance, const struct catalogue *c,
                                struct accelerator *out);

#endif
