/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading accelerators, instance types and regions. */
#ifndef FLEETCAST_MODELS_CATALOGUE_FILES_H
#define FLEETCAST_MODELS_CATALOGUE_FILES_H

#include "models/catalogue/catalogue_store.h"

#include <stdbool.h>

/* Fills the three tables of c from the files in c->folder. All errors are told; false when there
 * was one. */
bool catalogue_read_accelerators(struct catalogue *c, struct diagnostics *d);
bool catalogue_read_types(struct catalogue *c, struct diagnostics *d); /* after the accelerators */
bool catalogue_read_regions(struct catalogue *c, struct diagnostics *d);

#endif
