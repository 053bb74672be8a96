/* SPDX-License-Identifier: GPL-3.0-or-later
 * Numbers as people read them: few digits, thousands separated, the unit beside them. CSV and JSON
 * never go through here. A claim is rounded so that it stays true: "at most" upwards, "at least"
 * downwards. Texts come back by value: figure_money(…).text lives to the end of the expression. */
#ifndef FLEETCAST_PLOTS_FIGURES_H
#define FLEETCAST_PLOTS_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

enum figure_rounding { FIGURE_NEAREST, FIGURE_DOWN, FIGURE_UP };
enum time_unit { TIME_MINUTES, TIME_HOURS, TIME_DAYS };

struct figure {
    char text[48];
};

/* value to `digits` significant digits; FIGURE_DOWN and FIGURE_UP forgive one part in 1e9, so that
 * 2.4 stays 2.4. */
double figure_round(double value, int digits, enum figure_rounding rounding);

/* "$2,410", "$54,900", "$417k", "$1.23M", "CNY 417k", "$0.0523": three digits; "unknown" when not
 * finite. */
struct figure figure_money(double value, const char *currency, enum figure_rounding rounding);
/* An amount that somebody stated, such as a budget: nothing is rounded away but fractions of a
 * cent. "$6,000", "$61,250", "$1.5M", "$99.95". */
struct figure figure_money_exact(double value, const char *currency);
/* "$" or "CNY " */
struct figure figure_currency(const char *currency);
/* "512,400" or "14.73" with `decimals` (0 to 9) decimals; without decimals, to four significant
 * digits. What is not zero never prints as zero ("< 1", "< 0.01"). */
struct figure figure_amount(double value, int decimals, enum figure_rounding rounding);
/* Decimals that suit a column whose largest absolute value is `largest`. */
int figure_amount_decimals(double largest);
/* "2,000" */
struct figure figure_count(double n);
/* Plain fixed point with a comma every three digits of the whole part: "1,234.50". */
struct figure figure_decimal(double value, int decimals);
/* "2.40" becomes "2.4", "10.0" becomes "10"; without a point nothing is dropped. */
void figure_drop_zeros(char *text);

/* The unit for values of this size: minutes below 1.5 h, days from 72 h. */
enum time_unit figure_time_unit(double hours);
double figure_time_in(double hours, enum time_unit unit);
const char *figure_time_suffix(enum time_unit unit); /* "min", "h", "d" */
/* "38.5 h", "3.52 d", three digits. */
struct figure figure_time(double hours, enum time_unit unit, enum figure_rounding rounding);
/* For sentences, in the unit of the chart or table they stand on: "3.55 days", "12 hours", "1 day":
 * three digits. */
struct figure figure_time_words(double hours, enum time_unit unit, enum figure_rounding rounding);

/* A chance among n worlds: "12 %", "< 1 %", "> 99 %", "0 of 1,000", "all 1,000", below 100 worlds
 * "4 of 5". NaN: "unknown". */
struct figure figure_share(double share, double n);
/* A chance of which two bounds are known: "0 to 2 %", ">= 97 %", "< 1 %", below 100 worlds "0 to 2
 * of 5"; as figure_share where both say the same; "unknown" from 0 to 1. */
struct figure figure_chance(double at_least, double at_most, double n);
/* A change over what was: "+4.2 %", "-12 %", "+163 %": two digits, or whole; "unknown" when not
 * finite. */
struct figure figure_change(double share);
/* For sentences, after "in": "93 of 100 futures", "9 of 10 futures", "all 2,000 futures", "none of
 * 2,000 futures", "fewer than 1 of 100 futures", "4 of 5 futures" below 100 worlds, "the one
 * future". */
struct figure figure_futures(double share, double n, enum figure_rounding rounding);

#endif
