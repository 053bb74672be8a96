/* SPDX-License-Identifier: GPL-3.0-or-later
 * Numbers with units as people write them: "90s", "4min", "98 GB", "30/s", "12 %", "6000 USD", "7B".
 * Inside the program: seconds, bytes, per second, shares, currency units (per hour for prices). */
#ifndef FLEETCAST_ENGINE_QUANTITY_H
#define FLEETCAST_ENGINE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

enum dimension {
    DIMENSION_COUNT,      /* bare; suffixes k M B (or G) T = 1e3 1e6 1e9 1e12 */
    DIMENSION_SHARE,      /* bare 0.12 or "12 %" */
    DIMENSION_TIME,       /* us ms s min h d w; "mo" and "y" only where a calendar span is meant */
    DIMENSION_SPAN,       /* as TIME, and whole months "3mo" or years "1y" counted in the calendar */
    DIMENSION_DATA,       /* B kB MB GB TB (10^3) and KiB MiB GiB TiB (2^10) -> bytes */
    DIMENSION_DATA_RATE,  /* DATA "/s", and Mbit/s Gbit/s Gbps -> bytes per second */
    DIMENSION_RATE,       /* "30/s", "0.2/h", "5/d", "2/min" -> per second; suffixes k M B allowed */
    DIMENSION_HAZARD,     /* as RATE, or a mean time between events "14h" -> per second */
    DIMENSION_MONEY,      /* "6000 USD", "6k USD", "$6000"; the currency must be the scenario's */
    DIMENSION_PRICE,      /* "0.9 USD/h", "$0.9/h" -> currency units per hour */
    DIMENSION_FLOPS       /* TFLOPS PFLOPS, "312 TFLOP/s" -> per second */
};

struct quantity {
    double value;
    int months;        /* DIMENSION_SPAN only: calendar months beside `value` seconds */
    char currency[4];  /* MONEY and PRICE: "USD", "CNY", …; "" for a plain zero */
};

/* Parses the whole of text[0..length). On failure returns false and writes a sentence part for the
 * user ("a bare number where a duration is wanted; write 90s, 4min or 2h") into message. Infinity,
 * NaN, hex and trailing text are refused. A bare 0 is accepted for TIME, SPAN, DATA, MONEY. */
bool quantity_parse(const char *text, size_t length, enum dimension dimension,
                    struct quantity *out, char *message, size_t message_size);

/* "a duration such as 90s, 4min or 2h": what a key of this dimension wants. */
const char *quantity_wanted(enum dimension dimension);
/* The unit shown in key tables: "s", "share", "bytes", "USD/h" … */
const char *quantity_unit(enum dimension dimension);

/* "4 min", "2.5 h", "3.2 d": two or three significant digits for people. Returns out. */
char *quantity_time_text(double s, char out[32]);

#endif
