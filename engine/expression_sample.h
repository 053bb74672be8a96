/* SPDX-License-Identifier: GPL-3.0-or-later
 * `empirical(file.csv, column)`: the values of a column with their units. Private to the expression
 * files. */
#ifndef FLEETCAST_ENGINE_EXPRESSION_SAMPLE_H
#define FLEETCAST_ENGINE_EXPRESSION_SAMPLE_H

#include "engine/expression_value.h"

#define EXPRESSION_SAMPLE_MAX 1000000

/* Reads the column into the context's arena, sorted ascending: 1 to EXPRESSION_SAMPLE_MAX values,
 * none missing. Times are refused for a hazard. False with a message that names file and line. */
bool expression_sample(struct span file, struct span column, struct expression_context *c,
                       const double **values, size_t *count);

/* "s" for ("boot_s", TIME), "USD/h" for ("price_usd_per_hour", PRICE), "" when the name carries no
 * unit of this dimension. Writes into out; returns it. */
const char *expression_column_unit(const char *column, enum dimension dimension, char out[16]);

#endif
