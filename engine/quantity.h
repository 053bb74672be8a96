/* SPDX-License-Identifier: GPL-3.0-or-later
 * Numbers with units as people write them: "90s", "4min", "98 GB", "30/s", "12 %", "6000 USD",
 * "7B". Inside the program: seconds, bytes, per second, shares, currency units (per hour for
 * prices). */
#ifndef FLEETCAST_ENGINE_QUANTITY_H
#define FLEETCAST_ENGINE_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

enum dimension {
    DIMENSION_COUNT,     /* bare; suffixes k M B (or G) T = 1e3 1e6 1e9 1e12 */
    DIMENSION_SHARE,     /* bare 0.12 or "12 %" */
    DIMENSION_TIME,      /* us ms s min h d w; "mo" and "y" only where a calendar span is meant */
    DIMENSION_SPAN,      /* as TIME, and whole months "3mo" or years "1y" counted in the calendar */
    DIMENSION_OFFSET,    /* as TIME, and below zero: of a clock */
    DIMENSION_DATA,      /* B kB MB GB TB PB (10^3) and KiB MiB GiB TiB PiB (2^10) -> bytes */
    DIMENSION_DATA_RATE, /* DATA "/s", and kbit/s Mbit/s Gbit/s Tbit/s, kbps Mbps Gbps Tbps -> bytes
                            per second */
    DIMENSION_RATE,   /* "30/s", "0.2/h", "5/d", "2/min", "1/w" -> per second; suffixes as COUNT */
    DIMENSION_HAZARD, /* as RATE, or a mean time between events "14h" -> per second */
    DIMENSION_MONEY,  /* "6000 USD", "6k USD", "$6000"; the currency must be the scenario's */
    DIMENSION_PRICE,  /* "0.9 USD/h", "$0.9/h", per h d w min s, and per month of 730 h "657 USD/mo"
                         ->  currency units per hour */
    DIMENSION_FLOPS   /* TFLOPS PFLOPS, "312 TFLOP/s" (k M G T P E) -> per second */
};

struct quantity {
    double value;
    int months;       /* DIMENSION_SPAN only: calendar months beside `value` seconds */
    char currency[4]; /* MONEY and PRICE: "USD", "CNY", …; "" for a plain zero */
};

/* Parses the whole of text[0..length). On failure returns false and writes a sentence part for the
 * user ("a bare number where a duration is wanted; write 90s, 4min or 2h") into message. Infinity,
 * NaN, hex, what a double cannot hold, and trailing text are refused; so is a negative value,
 * except for COUNT, SHARE and MONEY. A bare 0 is accepted for TIME, SPAN, DATA, MONEY. A number has
 * no thousands separator; one space may stand before the unit. `$` means USD; other currencies are
 * written with their three letters, which are not checked against any list here. */
bool quantity_parse(const char *text, size_t length, enum dimension dimension, struct quantity *out,
                    char *message, size_t message_size);

/* How many bytes of text[0..length) the number takes, sign included, from its first byte on; 0 when
 * it does not begin with one. What follows is its unit. */
size_t quantity_number_length(const char *text, size_t length);

/* "a duration such as 90s, 4min or 2h": what a key of this dimension wants. */
const char *quantity_wanted(enum dimension dimension);
/* The unit shown in key tables: "s", "share", "bytes", "USD/h" …; "" for COUNT. */
const char *quantity_unit(enum dimension dimension);
/* The legal least value that follows from the dimension alone: 0 or -infinity. */
double quantity_least(enum dimension dimension);

/* A value in inside units as a user would write it, six digits at most: "90 s", "12 %", "16 GiB",
 * "0.2/h". currency: of MONEY and PRICE; NULL: left out. Returns out. */
char *quantity_text(double value, enum dimension dimension, const char *currency, char out[48]);

/* "4 min", "2.5 h", "3.2 d": three significant digits at most, for people. NaN and infinity are
 * "unknown". Returns out. */
char *quantity_time_text(double s, char out[32]);

#endif
