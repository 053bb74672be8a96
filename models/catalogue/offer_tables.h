/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reserved offers, savings-plan rates and capacity blocks as tables, for `fleetcast show
 * reserved|savings|blocks`: each price
 * beside the on-demand price and the mean spot price of the day, and the utilisation above which it
 * pays. */
#ifndef FLEETCAST_MODELS_OFFER_TABLES_H
#define FLEETCAST_MODELS_OFFER_TABLES_H

#include "models/catalogue/catalogue_tables.h"

/* As the tables of catalogue_tables.h. Prices in a strange order are warnings in d, unless the
 * table is a history. With history an offer that had ended is a row without a price. */
struct table *catalogue_table_reserved(const struct catalogue *c, const struct catalogue_filter *f,
                                       struct diagnostics *d);
/* Savings-plan rates: those that the catalogue lists, and without a history where it lists none
 * what `rate: as-reserved` would assume. */
struct table *catalogue_table_savings(const struct catalogue *c, const struct catalogue_filter *f,
                                      struct diagnostics *d);
struct table *catalogue_table_blocks(const struct catalogue *c, const struct catalogue_filter *f,
                                     struct diagnostics *d);

#endif
