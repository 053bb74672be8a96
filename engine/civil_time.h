/* SPDX-License-Identifier: GPL-3.0-or-later
 * The calendar: proleptic Gregorian, UTC, no leap seconds. Instants are int64 seconds since
 * 1970-01-01; the simulator's clock is double seconds since the scenario's start. */
#ifndef FLEETCAST_ENGINE_CIVIL_TIME_H
#define FLEETCAST_ENGINE_CIVIL_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct civil {
    int year, month, day; /* month and day from 1 */
    int hour, minute, second;
};

/* "2026-03-02", "2026-03-02T08:00Z", "2026-03-02T08:00:00Z", "2026-03-02 08:00" (UTC); years 1970
 * to 2999. False on anything else, 30 February included; then *unix_s is untouched. */
bool civil_parse(const char *text, int64_t *unix_s);
/* Instants outside the years 0000 to 9999 give the nearest end of that range. */
struct civil civil_from_unix(int64_t unix_s);
int64_t civil_to_unix(struct civil c); /* month may be outside 1..12: it is carried into the year */
/* `months` later, the day clamped to the month's last (31 Jan + 1 month = 28 or 29 Feb). Count from
 * the first instant, not in steps: 31 Jan + 2 months is 31 Mar, in two steps it is 28 Mar. */
int64_t civil_add_months(int64_t unix_s, int months);
int64_t civil_month_start(int64_t unix_s);
int civil_weekday(int64_t unix_s); /* 0 = Monday … 6 = Sunday */

/* "2026-03-02" and "2026-03-02T08:00:00Z"; out must hold 24 bytes; returns out. */
char *civil_date_text(int64_t unix_s, char out[24]);
char *civil_time_text(int64_t unix_s, char out[24]);

#endif
