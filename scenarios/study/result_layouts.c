/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of the result tables, and what each means. A column that ends in _CUR holds money of
 * the scenario's currency: the suffix becomes _usd, _cny … */
#include "scenarios/study/result_tables.h"

#include <ctype.h>
#include <string.h>

#define TEXT(n, m)                                                                                 \
    {                                                                                              \
        .name = n, .unit = "", .meaning = m, .kind = COLUMN_TEXT, .decimals = -1                   \
    }
#define COUNT(n, m)                                                                                \
    {                                                                                              \
        .name = n, .unit = "", .meaning = m, .kind = COLUMN_INTEGER, .decimals = 0                 \
    }
#define NUMBER(n, u, m)                                                                            \
    {                                                                                              \
        .name = n, .unit = u, .meaning = m, .kind = COLUMN_NUMBER, .decimals = -1                  \
    }
#define IN_UNIT(n, m) NUMBER(n, "unit", m)

static const struct column summary[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload; `all` for all of them together"),
    TEXT("metric", "Name of the metric, as a column of replications.csv"),
    TEXT("unit", "Unit of all numbers in the row"),
    COUNT("n", "Worlds in which the metric exists"),
    COUNT("censored",
          "Worlds whose work was cut off at the horizon, so that only a lower bound is known"),
    IN_UNIT("mean", "Mean over worlds; empty when any value is censored"),
    IN_UNIT("sd", "Standard deviation over worlds; empty when any value is censored"),
    IN_UNIT("min", "Smallest value"),
    IN_UNIT("p5", "5 % of worlds are at or below; empty when censoring makes it unknowable"),
    IN_UNIT("p10", "10 % of worlds are at or below"),
    IN_UNIT("p25", "25 % of worlds are at or below"),
    IN_UNIT("p50", "Half of the worlds are at or below: the median"),
    IN_UNIT("p75", "75 % of worlds are at or below"),
    IN_UNIT("p80", "80 % of worlds are at or below"),
    IN_UNIT("p90", "90 % of worlds are at or below"),
    IN_UNIT("p95", "95 % of worlds are at or below"),
    IN_UNIT("p99", "99 % of worlds are at or below"),
    IN_UNIT("max", "Largest value; empty when any value is censored"),
    IN_UNIT("p50_low", "Lower end of the 95 % order-statistic interval of p50"),
    IN_UNIT("p50_high", "Upper end; empty when open"),
    IN_UNIT("p80_low", "Lower end of the 95 % interval of p80"),
    IN_UNIT("p80_high", "Upper end; empty when open"),
    IN_UNIT("p90_low", "Lower end of the 95 % interval of p90"),
    IN_UNIT("p90_high", "Upper end; empty when open"),
    IN_UNIT("p95_low", "Lower end of the 95 % interval of p95"),
    IN_UNIT("p95_high", "Upper end; empty when open"),
    IN_UNIT("p50_at_least", "Sure lower bound of p50 when p50 itself is unknown"),
    IN_UNIT("p80_at_least", "Sure lower bound of p80 when p80 itself is unknown"),
    IN_UNIT("p90_at_least", "Sure lower bound of p90 when p90 itself is unknown"),
    IN_UNIT("p95_at_least", "Sure lower bound of p95 when p95 itself is unknown"),
    IN_UNIT("p50_at_most",
            "Sure upper bound of p50 when p50 itself is unknown; empty when there is none"),
    IN_UNIT("p80_at_most",
            "Sure upper bound of p80 when p80 itself is unknown; empty when there is none"),
    IN_UNIT("p90_at_most",
            "Sure upper bound of p90 when p90 itself is unknown; empty when there is none"),
    IN_UNIT("p95_at_most",
            "Sure upper bound of p95 when p95 itself is unknown; empty when there is none"),
};

static const struct column comparison[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("baseline", "Name of the strategy it is compared with"),
    TEXT("workload", "Name of the workload; `all` for all of them together"),
    TEXT("metric", "Name of the metric"),
    TEXT("unit", "Unit of the difference"),
    COUNT("n", "Worlds in which both are known"),
    COUNT("left_out", "Worlds left out because either was cut off at the horizon"),
    IN_UNIT("mean_difference",
            "Mean of strategy minus baseline, world by world; empty when any is left out"),
    IN_UNIT("low", "Lower end of its 95 % Student interval"),
    IN_UNIT("high", "Upper end"),
    NUMBER("win_frac", "frac",
           "Share of the worlds compared in which the strategy's value is smaller"),
    NUMBER("tie_frac", "frac", "Share in which both are equal"),
    NUMBER("relative_frac", "frac", "Mean difference over the baseline's mean"),
};

static const struct column distribution[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload; `all` for all of them together"),
    TEXT("metric", "cost or time to train, as in summary.csv"),
    IN_UNIT("value", "A value of the empirical distribution, ascending"),
    NUMBER("cumulative_frac", "frac", "Share of worlds at or below it"),
    COUNT("censored", "1: the work was cut off, the value is only a lower bound"),
};

static const struct column timeline[] = {
    TEXT("strategy", "Name of the strategy"),
    {.name = "time",
     .unit = "",
     .meaning = "Start of the bucket (UTC)",
     .kind = COLUMN_TIME,
     .decimals = -1},
    NUMBER("bucket_start_s", "s", "Start of the bucket since the scenario's start"),
    NUMBER("bucket_s", "s", "Length of the bucket"),
    TEXT("measure", "spend and cumulative spend (with the currency), on_demand_nodes, spot_nodes"),
    TEXT("unit", "Unit of the numbers"),
    IN_UNIT("mean", "Mean over the first 2,000 worlds: adds up over buckets"),
    IN_UNIT("plan", "In the plan world: adds up"),
    IN_UNIT("p10", "10 % of these worlds are at or below; does not add up over buckets"),
    IN_UNIT("p25", "25 % are at or below; does not add up"),
    IN_UNIT("p50", "Half are at or below; does not add up"),
    IN_UNIT("p75", "75 % are at or below; does not add up"),
    IN_UNIT("p90", "90 % are at or below; does not add up"),
};

static const struct column monthly[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("month",
         "Calendar month in UTC, YYYY-MM; the last row of a strategy holds later months too"),
    NUMBER("cost_mean_CUR", "CUR", "Mean cost in the month over all worlds: adds up over months"),
    {.name = "cost_plan_CUR",
     .unit = "CUR",
     .meaning = "Cost in the month in the plan world, exact: adds up",
     .kind = COLUMN_MONEY,
     .decimals = 2},
    NUMBER("cost_p10_CUR", "CUR", "10 % of worlds are at or below; does not add up over months"),
    NUMBER("cost_p90_CUR", "CUR", "90 % of worlds are at or below; does not add up"),
    COUNT("censored", "Worlds whose work was cut off at the horizon: their cost is a lower bound"),
};

static const struct column lines[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload"),
    TEXT("purchase", "Way to buy: on-demand or spot"),
    TEXT("activity", "What the time went to: useful, checkpoint, restore, boot, lost, waiting"),
    NUMBER("cost_mean_CUR", "CUR", "Mean cost over all worlds: adds up over lines"),
    {.name = "cost_plan_CUR",
     .unit = "CUR",
     .meaning = "Cost in the plan world, exact: adds up",
     .kind = COLUMN_MONEY,
     .decimals = 2},
    NUMBER("cost_p10_CUR", "CUR", "10 % of worlds are at or below; does not add up over lines"),
    NUMBER("cost_p90_CUR", "CUR", "90 % of worlds are at or below; does not add up"),
    NUMBER("node_h_mean", "h", "Mean node-hours, billed or not"),
    NUMBER("node_h_plan", "h", "Node-hours in the plan world"),
};

#define LAYOUT(table)                                                                              \
    {                                                                                              \
#table, table, sizeof table / sizeof table[0]                                              \
    }
static const struct {
    const char *name;
    const struct column *columns;
    size_t count;
} layouts[] = {LAYOUT(summary),  LAYOUT(comparison), LAYOUT(distribution),
               LAYOUT(timeline), LAYOUT(monthly),    LAYOUT(lines)};

/* "cost_mean_CUR" -> "cost_mean_usd". */
static const char *with_currency(struct arena *a, const char *name, const char *currency)
{
    size_t length = strlen(name);
    if (length < 3 || strcmp(name + length - 3, "CUR") != 0) {
        return name;
    }
    char *out = arena_format(a, "%.*s%s", (int)(length - 3), name, currency);
    for (char *p = out == NULL ? NULL : out + length - 3; p != NULL && *p != '\0'; p++) {
        *p = (char)tolower((unsigned char)*p);
    }
    return out;
}

bool result_table_layout(const char *name, const char *currency, struct arena *a,
                         struct result_table_layout *out)
{
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        if (strcmp(layouts[i].name, name) != 0) {
            continue;
        }
        out->name = layouts[i].name;
        out->count = layouts[i].count;
        out->columns = arena_array(a, layouts[i].count, sizeof *out->columns);
        if (out->columns == NULL) {
            return false;
        }
        for (size_t c = 0; c < out->count; c++) {
            out->columns[c] = layouts[i].columns[c];
            out->columns[c].name = with_currency(a, layouts[i].columns[c].name, currency);
            out->columns[c].unit = with_currency(a, layouts[i].columns[c].unit, currency);
            if (out->columns[c].name == NULL || out->columns[c].unit == NULL) {
                return false;
            }
        }
        return true;
    }
    return false;
}
