/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values of uncertain inputs as text: an input's unit is the suffix of its column ("frac",
 * "usd_per_hour", "s"), and text is what people read, and what a scenario takes. */
#ifndef FLEETCAST_ENGINE_COLUMN_UNIT_H
#define FLEETCAST_ENGINE_COLUMN_UNIT_H

#include "engine/quantity.h"

#include <stdbool.h>

/* Of a suffix that inputs can have; currency "" where there is none. */
struct column_unit {
    enum dimension dimension;
    char currency[4];
};
struct column_unit column_unit_of(const char *suffix);

/* "20.5 USD/h", "35 %", "1.5 h", "3.1/d": `digits` significant digits, at most 6. Returns out. */
char *column_unit_text(double value, const char *suffix, int digits, char out[48]);
/* To the last digit, in the inside unit: "0.34999999999999998", "5400 s", "20.5 USD/h": behind
 * `path=` of --set. Returns out. */
char *column_unit_setting(double value, const char *suffix, char out[64]);

#endif
