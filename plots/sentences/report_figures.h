/* SPDX-License-Identifier: GPL-3.0-or-later
 * Numbers, amounts, dates and chances as the reader of a report expects them in his language.
 * English is that of figures.h, so that report, table and charts agree. In Chinese amounts are
 * grouped by 10,000 and 100,000,000, with the currency's name behind them, dates are written year,
 * month, day, and the percent sign follows its number without a space. Digits and rounding are the
 * same in both. */
#ifndef FLEETCAST_PLOTS_REPORT_FIGURES_H
#define FLEETCAST_PLOTS_REPORT_FIGURES_H

#include "plots/facts/study_facts.h"
#include "plots/text/figures.h"
#include "plots/text/report_words.h"

#include <stdint.h>

struct report_figure {
    char text[128];
};

/* "$2,410", "$417k"; "2,410 美元", "41.7 万美元". Unknown when not finite. */
struct report_figure report_money(enum report_language l, double value, const char *currency,
                                  enum figure_rounding rounding);
/* A stated amount: nothing is rounded away but fractions of a cent. */
struct report_figure report_money_exact(enum report_language l, double value, const char *currency);
/* The rest of an amount beside a part of it, so that the three add up as they are shown: both are
 * taken as report_money rounds them (`stated`: the whole is shown exactly), their difference is not
 * rounded. Where rounding leaves nothing of a difference, or turns its sign, it is shown as it is.
 */
struct report_figure report_money_rest(enum report_language l, double whole, bool stated,
                                       double part, const char *currency);
/* From low to high, unit and scale beside both: "$2,320 to $2,330". */
struct report_figure report_money_range(enum report_language l, double low, double high,
                                        const char *currency);
/* A quantile or its bounds: as quantile_text.h says it. */
struct report_figure report_quantile(enum report_language l, const struct fact_quantile *q,
                                     const char *currency);
/* "2 Mar 2026", "2026年3月2日", in UTC. */
struct report_figure report_date(enum report_language l, int64_t unix_s);
/* The same of "2026-03-02" or "2026-03-02T08:00:00Z"; other text as it is. */
struct report_figure report_date_text(enum report_language l, const char *iso);
/* "3.55 days", "3.55 天" */
struct report_figure report_time(enum report_language l, double hours, enum time_unit unit,
                                 enum figure_rounding rounding);
/* "3.55 d", for tables. */
struct report_figure report_time_short(enum report_language l, double hours, enum time_unit unit,
                                       enum figure_rounding rounding);
/* "12 %", "12%"; of few or all worlds their number; as figure_share and figure_chance. */
struct report_figure report_share(enum report_language l, double share, double n);
struct report_figure report_chance(enum report_language l, double at_least, double at_most,
                                   double n);
/* "93 of 100 futures"; see figure_futures. */
struct report_figure report_futures(enum report_language l, double share, double n,
                                    enum figure_rounding rounding);
/* "2,000" */
struct report_figure report_count(enum report_language l, double n);
/* A value in a unit of the result tables: of a currency ("usd") an amount, "h" a time, "frac" a
 * share, of a unit of inputs what driver_value says, else a number to
 * four digits. */
struct report_figure report_value(enum report_language l, double value, const char *unit);

#endif
