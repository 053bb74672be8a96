/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is measured in each world, for each strategy and workload, and how it follows from results
 * and bills. A metric is one row of metric_table.c. */
#ifndef FLEETCAST_SCENARIOS_METRICS_H
#define FLEETCAST_SCENARIOS_METRICS_H

#include "engine/money.h"
#include "models/billing/bill.h"
#include "models/fleet/work.h"
#include "scenarios/study/metric_table.h"

#include <stdbool.h>
#include <stddef.h>

/* What commitments do to the bill of all workloads together: lines of nobody in particular, which
 * with the lines of the workloads add up to the cost. Ends with a NULL activity. */
struct shared_line {
    const char *activity;
    enum metric metric;
    int sign;
    enum bill_category category;
    bool beside; /* only where there is an account beside the plan */
};
extern const struct shared_line metric_shared_lines[];
/* Likewise of capacity blocks: the price of what no node used. */
extern const struct shared_line metric_block_line;
/* … of capacity reserved on demand: what is idle. */
extern const struct shared_line metric_reservation_line;
#define METRIC_RESERVED_PURCHASE "capacity-reservation"
/* … and of hardware of one's own: ends with a NULL activity. */
extern const struct shared_line metric_owned_lines[];
#define METRIC_SHARED_WORKLOAD "shared"
#define METRIC_SHARED_PURCHASE "commitment"

/* One value: money exact, the rest double (NaN = does not exist in this world). */
union metric_value {
    money_t money;
    double number;
};

/* One strategy × workload in one world. */
struct metric_cells {
    union metric_value value[METRIC_COUNT];
    money_t line[PURCHASE_COUNT][ACTIVITY_COUNT];
    double node_h[PURCHASE_COUNT][ACTIVITY_COUNT];
};

/* Any kind as a double: currency units, hours, 0 or 1 …; NaN when it does not exist. */
double metric_number(const struct metric_cells *c, enum metric m);
/* True when the work was cut off at the horizon, which cancelled work is not, nor usage by the
 * clock. */
bool metric_cut(const struct metric_cells *c);
/* True when the project was cancelled before the work was done: its cost is final. */
bool metric_cancelled(const struct metric_cells *c);
/* True when the value is only a lower bound: the metric grows with the end, and the work was cut.
 */
bool metric_censored(const struct metric_cells *c, enum metric m);

/* True of usage by the clock alone, which has no end of its own. */
bool metric_endless(const struct metric_cells *c);

/* From a workload's result and its bill. deadline_s as in the plan. */
void metric_fill(struct metric_cells *c, const struct work_result *r, const struct bill *b,
                 double deadline_s);
/* The row `all` from the workloads' rows and the joint bill. budget NaN: none. */
void metric_fill_all(struct metric_cells *all, const struct metric_cells *workloads, size_t count,
                     const struct bill *b, double budget);

#endif
