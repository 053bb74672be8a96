/* SPDX-License-Identifier: GPL-3.0-or-later
 * The list of what is measured: the columns of replications.csv and the rows of summary.csv. A
 * metric is one value here, one row in metric_table.c, and what fills it (metrics.c). */
#ifndef FLEETCAST_SCENARIOS_METRIC_TABLE_H
#define FLEETCAST_SCENARIOS_METRIC_TABLE_H

#include <stdbool.h>

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
    METRIC_SHARED_NODES_COST,
    METRIC_SHARED_NODE_HOURS,
    METRIC_SLO_HOURS,
    METRIC_OVERLOADED,
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

/* "cost_usd", "time_to_train_h", "finished": writes into out and returns it. */
const char *metric_column(enum metric m, const char *currency, char out[64]);
const char *metric_unit(enum metric m, const char *currency, char out[16]);

/* Of an amount, or a quotient of one: it has a twin in the report's currency. */
bool metric_in_currency(enum metric m);

#endif
