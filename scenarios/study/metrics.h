/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is measured in each world, for each strategy and workload: the columns of replications.csv
 * and the rows of summary.csv. A metric is one row of metric_table (metrics.c). */
#ifndef FLEETCAST_SCENARIOS_METRICS_H
#define FLEETCAST_SCENARIOS_METRICS_H

#include "engine/money.h"
#include "models/billing/bill.h"
#include "models/fleet/work.h"

#include <stdbool.h>
#include <stddef.h>

enum metric {
    METRIC_COST,
    METRIC_CASH,
    METRIC_AMORTISED,
    METRIC_OBLIGATION,
    METRIC_ON_DEMAND_COST,
    METRIC_SPOT_COST,
    METRIC_TIME_TO_TRAIN,
    METRIC_FINISHED,
    METRIC_LATE,
    METRIC_OVER_BUDGET,
    METRIC_INTERRUPTIONS,
    METRIC_LAUNCHES,
    METRIC_LOSSES,
    METRIC_RESTARTS,
    METRIC_SWITCHES,
    METRIC_CHECKPOINTS,
    METRIC_USEFUL,
    METRIC_CHECKPOINT,
    METRIC_RESTORE,
    METRIC_BOOT,
    METRIC_LOST,
    METRIC_WAITING,
    METRIC_NODE_HOURS,
    METRIC_SPOT_NODE_HOURS,
    METRIC_FREE_NODE_HOURS,
    METRIC_IDLE,
    METRIC_GOODPUT,
    METRIC_COVERED,
    METRIC_COMMITMENT_USED,
    METRIC_COMMITMENT_UNUSED,
    METRIC_COMMITMENT_LATER,
    METRIC_OTHER_COST,
    METRIC_DISCOUNT,
    METRIC_BLOCK_USED,
    METRIC_BLOCK_UNUSED,
    METRIC_DISPLACED,
    METRIC_CANCELLED,
    METRIC_NEEDED,
    METRIC_SERVED,
    METRIC_UNMET,
    METRIC_SERVED_SHARE,
    METRIC_OWNED_CAPITAL,
    METRIC_OWNED_POWER,
    METRIC_OWNED_STAFF,
    METRIC_OWNED_COLOCATION,
    METRIC_RESERVATION_IDLE,
    METRIC_MAKESPAN,
    METRIC_BEYOND_TRACE,
    METRIC_JOBS,
    METRIC_JOBS_DONE,
    METRIC_JOBS_WAITED,
    METRIC_WAIT_MEAN,
    METRIC_WAIT_P50,
    METRIC_WAIT_P95,
    METRIC_WAIT_MAX,
    METRIC_TURNAROUND_MEAN,
    METRIC_TURNAROUND_P95,
    METRIC_UTILISATION,
    METRIC_FAILURES,
    METRIC_STAGING,
    METRIC_EVALUATION,
    METRIC_DOWN,
    METRIC_EFFECTIVE_TIME,
    METRIC_REQUESTS,
    METRIC_REQUESTS_SERVED,
    METRIC_REQUESTS_DROPPED,
    METRIC_REQUESTS_TIMED_OUT,
    METRIC_REQUESTS_LOST,
    METRIC_REQUESTS_LEFT,
    METRIC_RETRIES,
    METRIC_LATENCY_MEAN,
    METRIC_LATENCY_P50,
    METRIC_LATENCY_P90,
    METRIC_LATENCY_P95,
    METRIC_LATENCY_P99,
    METRIC_REQUEST_WAIT_MEAN,
    METRIC_REQUEST_WAIT_P95,
    METRIC_REQUESTS_WAITED,
    METRIC_SLO_ATTAINED,
    METRIC_REPLICA_HOURS,
    METRIC_REPLICA_BUSY,
    METRIC_REQUESTS_INSIDE,
    METRIC_PER_1000_REQUESTS,
    METRIC_RESIZES,
    METRIC_MEAN_NODES,
    METRIC_REQUESTS_REJECTED,
    METRIC_TTFT_MEAN,
    METRIC_TTFT_P50,
    METRIC_TTFT_P90,
    METRIC_TTFT_P95,
    METRIC_TTFT_P99,
    METRIC_TPOT_MEAN,
    METRIC_TPOT_P50,
    METRIC_TPOT_P90,
    METRIC_TPOT_P95,
    METRIC_TPOT_P99,
    METRIC_PROMPT_TOKENS,
    METRIC_OUTPUT_TOKENS,
    METRIC_OUTPUT_TOKEN_RATE,
    METRIC_PER_MILLION_OUTPUT_TOKENS,
    METRIC_PER_MILLION_TOKENS,
    METRIC_EVICTIONS,
    METRIC_SESSIONS,
    METRIC_SESSIONS_FORGOTTEN,
    METRIC_FORGOTTEN_NODE_HOURS,
    METRIC_FORGOTTEN_COST,
    METRIC_SESSION_WAIT_MEAN,
    METRIC_ITEMS,
    METRIC_ITEMS_DONE,
    METRIC_ITEMS_REDONE,
    METRIC_PER_MILLION_ITEMS,
    METRIC_IDLE_COST,
    METRIC_COLD_START_COST,
    METRIC_COUNT
};

enum metric_kind { METRIC_MONEY, METRIC_NUMBER, METRIC_YES_NO };

/* How the values of a strategy's workloads make that of `all`. */
enum metric_join { JOIN_SUM, JOIN_LAST, JOIN_ALL, JOIN_ANY, JOIN_OWN };

/* A number in the currency, which a quotient of money is. */
#define METRIC_UNIT_CURRENCY "currency"

struct metric_row {
    const char *name; /* without the currency: "cost" */
    const char *unit; /* "h", "", "frac", METRIC_UNIT_CURRENCY; METRIC_MONEY: the currency */
    enum metric_kind kind;
    enum metric_join join;
    /* Of work cut off at the horizon it is only known to be at least this; a yes-or-no metric that
     * is 1 already is known. */
    bool grows_with_the_end;
    const char *meaning;
};
extern const struct metric_row metric_table[METRIC_COUNT];

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

/* "cost_usd", "time_to_train_h", "finished": writes into out and returns it. */
const char *metric_column(enum metric m, const char *currency, char out[64]);
const char *metric_unit(enum metric m, const char *currency, char out[16]);

/* Of an amount, or a quotient of one: it has a twin in the report's currency. */
bool metric_in_currency(enum metric m);

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
