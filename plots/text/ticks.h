/* SPDX-License-Identifier: GPL-3.0-or-later
 * Axis ticks at round numbers, labelled in C: gnuplot's own formats know neither $250k nor days of
 * a scenario, and thousands separators there need a locale that a bare machine lacks. */
#ifndef FLEETCAST_PLOTS_TICKS_H
#define FLEETCAST_PLOTS_TICKS_H

#include "plots/text/figures.h"

#include <stddef.h>
#include <stdint.h>

#define TICKS_MAX 16

struct tick {
    double at; /* in the axis's unit */
    char label[32];
};

struct ticks {
    size_t count;
    struct tick tick[TICKS_MAX];
};

/* The smallest of 1, 2, 2.5, 5 × 10^k that gives at most `wanted` (>= 1) steps in `span` > 0. */
double ticks_step(double span, size_t wanted);

/* Ticks within low..high (low < high, finite), at most `wanted` + 1 of them and at most TICKS_MAX.
 */
void ticks_money(struct ticks *t, double low, double high, size_t wanted, const char *currency);
/* The axis holds values in `unit`; labels carry no unit: the axis says it. */
void ticks_plain(struct ticks *t, double low, double high, size_t wanted);
/* Whole numbers only. */
void ticks_whole(struct ticks *t, double low, double high, size_t wanted);
/* The axis holds seconds from start_unix_s; ticks stand at round UTC times: hours, midnights,
 * Mondays, firsts of a month or of a year. Labels: "14:00", "2 Mar", or months, "Dec 2026", "Jan
 * 2027", "Feb", the year where it begins. */
void ticks_dates(struct ticks *t, int64_t start_unix_s, double low_s, double high_s, size_t wanted);

/* "2 Mar 2026", with "14:00" before it when the instant is no midnight and hours matter. */
struct figure ticks_date_words(int64_t unix_s, bool with_hours);

#endif
