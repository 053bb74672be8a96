/* SPDX-License-Identifier: GPL-3.0-or-later
 * The published models as a table, for `fleetcast show models`. */
#ifndef FLEETCAST_MODELS_MODEL_TABLES_H
#define FLEETCAST_MODELS_MODEL_TABLES_H

#include "models/catalogue/catalogue_tables.h"

/* As the tables of catalogue_tables.h; only the pattern filters, on name and class. */
struct table *catalogue_table_models(const struct catalogue *c, const struct catalogue_filter *f,
                                     struct diagnostics *d);

#endif
