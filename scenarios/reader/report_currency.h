/* SPDX-License-Identifier: GPL-3.0-or-later
 * `report_currency`: the report in another currency than the scenario counts in, at one rate that
 * the scenario states, with its date. Nothing is computed in it: amounts are converted when tables
 * are made, and a budget that is stated in it when it is read. */
#ifndef FLEETCAST_SCENARIOS_REPORT_CURRENCY_H
#define FLEETCAST_SCENARIOS_REPORT_CURRENCY_H

#include "engine/diagnostics.h"
#include "engine/schema.h"

#include <stdbool.h>

#define REPORT_RATE_MIN 1e-6
#define REPORT_RATE_MAX 1e6

struct yaml_node;

struct report_currency {
    bool given;
    const char *code; /* "EUR" */
    const char *rate_text;
    struct schema_date date; /* of the rate */
    const char *source;      /* NULL: not stated */
    struct place code_place, rate_place;
    double
        rate; /* how many of it one of the scenario's currency is; set by report_currency_check */
};
extern const struct schema report_currency_schema;

/* Code and rate as they stand in a scenario's tree, before it is bound: a budget may be stated in
 * this currency. False when there are none, or they are not right (report_currency_check says so).
 * currency: the scenario's. */
bool report_currency_find(const struct yaml_node *root, const char *currency, const char **code,
                          double *rate);
/* All that is wrong is told in d; else `rate` is set. where: the section's place. */
void report_currency_check(struct report_currency *r, const char *currency, struct place where,
                           struct diagnostics *d);

/* Amounts of the scenario's currency in the report's. */
static inline double in_report_currency(const struct report_currency *r, double amount)
{
    return r->given ? amount * r->rate : amount;
}

#endif
