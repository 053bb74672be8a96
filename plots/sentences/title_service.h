/* SPDX-License-Identifier: GPL-3.0-or-later
 * Titles of the charts of services; each claims no more than the tables hold.
 *   demand   "In its plan world X is overloaded in 3.2 of the 48 hours shown", "… is never
 *            overloaded" (the stretch shown), of the subject, else of the first strategy shown
 *   latency  an objective: "X answers 99.2 % of requests within its objective (mean)", rounded
 *            down; "all requests"; without: "X: P95 of latency is at most 1.32 s in 9 of 10
 *            futures", in all when they are one or the same; ", hours of overload included" where
 * there are any; several services: "Latency by service" slo      the cheapest that stands and
 * answers most within the objective are one: "X is the cheapest and answers most within its
 * objective: 99.2 %"; else "X is the cheapest, $41 with 97.1 % within the objective; Y reaches 99.8
 * % for $52" (P50 of cost, means); equal to a tenth of a percent: "No strategy answers more within
 * its objective than X, the cheapest: 99.8 %". One strategy: "X answers 99.2 % within its objective
 * for $41" slo-hours "In its worst hour X answers at least 86.0 % within its objective in 9 of 10
 * futures": the bucket with the least P10, rounded down; "all requests"; "nothing … in 1 of 10
 *            futures or more"; one world: "… in the one simulated future"
 *   unit-cost "In its plan world X pays $1.32 for a million tokens at 0.28 requests/s, $0.61 at
 *            2.1", of the subject, else of the first shown with a curve: its least and its most
 *            load; less than 5 % apart: "… pays about $0.61 for a million tokens from 0.28 to 2.1
 *            requests/s"
 *   week     "X pays most on Tuesdays at 19:00 UTC: $4.10 an hour, 2.3 times its mean"; less than
 *            5 % above the mean: "What X pays is the same in every hour of the week, within 3 %" */
#ifndef FLEETCAST_PLOTS_TITLE_SERVICE_H
#define FLEETCAST_PLOTS_TITLE_SERVICE_H

#include "engine/text.h"
#include "plots/facts/load_curve.h"
#include "plots/facts/service_course.h"
#include "plots/facts/study_facts.h"

void title_demand(struct text *out, const struct study_facts *f, size_t strategy,
                  const struct service_hours *hours);
void title_latency(struct text *out, const struct study_facts *f, size_t strategy);
void title_slo(struct text *out, const struct study_facts *f);
/* worst: the least P10 over buckets of so many hours. */
void title_slo_hours(struct text *out, const struct study_facts *f, size_t strategy, double worst,
                     double bucket_h);

/* curve: of this strategy; it has points. */
void title_unit_cost(struct text *out, const struct study_facts *f, size_t strategy,
                     const struct load_curve *curve);

enum { TITLE_WEEK_HOURS = 168 };
/* spend: of each hour of the week, from Monday 00:00; NaN: there is no such hour. */
void title_week(struct text *out, const struct study_facts *f, size_t strategy,
                const double spend[TITLE_WEEK_HOURS]);

/* "840 ms", "1.32 s" */
struct figure title_latency_figure(double s, enum figure_rounding rounding);
/* A share of requests, rounded down so that what is not all is not shown as all: "99.2 %". */
struct figure title_attained(double share);

#endif
