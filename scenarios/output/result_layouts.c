/* SPDX-License-Identifier: GPL-3.0-or-later
 * A column that ends in _CUR holds money of the scenario's currency: the suffix becomes _usd, _cny
 * … */
#include "scenarios/output/result_layouts.h"

#include "scenarios/output/choice_layouts.h"
#include "scenarios/output/job_layouts.h"
#include "scenarios/output/layout_columns.h"
#include "scenarios/output/market_layouts.h"
#include "scenarios/output/search_layouts.h"
#include "scenarios/output/sensitivity_layouts.h"
#include "scenarios/output/service_layouts.h"
#include "scenarios/study/metrics.h"

#include <string.h>

#define IN_UNIT(n, m) NUMBER(n, "unit", m)
/* Four columns of a table by months or quarters. */
#define PERIOD_SPREAD(n, what, periods)                                                            \
    NUMBER(n "_mean_CUR", "CUR", what ": mean over all worlds, adds up over " periods),            \
        MONEY(n "_plan_CUR", what " in the plan world, exact: adds up likewise"),                  \
        NUMBER(n "_p10_CUR", "CUR",                                                                \
               "10 % of worlds are surely at or below; does not add up over " periods),            \
        NUMBER(n "_p90_CUR", "CUR", "90 % of worlds are surely at or below; does not add up")

static const struct column summary[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload; `all` for all of them together"),
    TEXT("metric", "Name of the metric, as a column of replications.csv"),
    TEXT("unit", "Unit of all numbers in the row"),
    COUNT("n", "Worlds in which the metric exists"),
    COUNT("censored",
          "Worlds whose work was cut off at the horizon, so that only a lower bound is known"),
    IN_UNIT("mean", "Mean over worlds; empty when any value is censored. Of a yes-or-no metric the "
                    "share of ones: the chance, and with censored worlds the least it can be"),
    IN_UNIT("sd", "Standard deviation over worlds; empty when any value is censored"),
    IN_UNIT("min", "Smallest value; empty when a censored one may be"),
    IN_UNIT("p5", "5 % of worlds are at or below: the smallest value of which that is true; empty "
                  "when censoring makes it unknowable, as all that follow"),
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
    COUNT("n", "Worlds in which both values are known"),
    COUNT("left_out",
          "Worlds in which either is not: cut off at the horizon, or without the metric"),
    IN_UNIT("mean_difference",
            "Mean of strategy minus baseline, world by world; empty when any is left out"),
    IN_UNIT("low", "Lower end of its 95 % Student interval"),
    IN_UNIT("high", "Upper end"),
    NUMBER("win_frac", "frac",
           "Share of all worlds with the metric in which the strategy's value is surely the "
           "smaller: one that was cut off never is; less than one that was cut off, surely"),
    NUMBER("tie_frac", "frac", "Share in which both are known and equal"),
    NUMBER("relative_frac", "frac", "Mean difference over the baseline's mean"),
    IN_UNIT("difference_at_least",
            "Sure lower bound of the mean difference when worlds are left out; empty when the mean "
            "is known, or the baseline was cut off in any"),
    IN_UNIT("difference_at_most",
            "Sure upper bound likewise; empty when the strategy was cut off in any"),
    TEXT("rests_on",
         "`savings-plan rate`: one of the two holds Reserved Instances, the other a savings plan "
         "whose rate is assumed from their price, so that nothing is found out about which is the "
         "cheaper; else empty"),
};

static const struct column distribution[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload; `all` for all of them together"),
    TEXT("metric", "cost or time to train, as in summary.csv"),
    IN_UNIT("value", "A value of the empirical distribution, ascending; at most 1,000 of them"),
    NUMBER("cumulative_frac", "frac",
           "Share of worlds at or below it, the bounds of unfinished work taken for values: the "
           "most that the distribution function can be"),
    COUNT("censored", "1: the work was cut off, the value is only a lower bound"),
    NUMBER("finished_frac", "frac",
           "Share of worlds that are finished and at or below it: the least that the distribution "
           "function can be"),
};

static const struct column timeline[] = {
    TEXT("strategy", "Name of the strategy"),
    TIME("time", "Start of the bucket (UTC)"),
    NUMBER("bucket_start_s", "s", "Start of the bucket since the scenario's start"),
    NUMBER("bucket_s", "s",
           "Length of the bucket; the last one may reach beyond the horizon, where nothing is"),
    TEXT("measure", "`spend_CUR` within the bucket, `cumulative_CUR` up to its end, "
                    "`on_demand_nodes`, `spot_nodes` and, of strategies that buy them, "
                    "`capacity_block_nodes` and `owned_nodes` held on average in it"),
    TEXT("unit", "Unit of the numbers"),
    IN_UNIT("mean", "Mean over the first 2,000 worlds (`timeline_replications` of manifest.json): "
                    "adds up over buckets"),
    IN_UNIT("plan", "In the plan world: adds up to its cash cost"),
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
    MONEY("cost_plan_CUR", "Cost in the month in the plan world, exact: adds up to its cost"),
    NUMBER("cost_p10_CUR", "CUR",
           "10 % of worlds are surely at or below; does not add up over months"),
    NUMBER("cost_p90_CUR", "CUR", "90 % of worlds are surely at or below; does not add up"),
    COUNT("censored",
          "Worlds whose work was cut off at the horizon, where the month ends behind it: "
          "the mean is then empty"),
    PERIOD_SPREAD("cash", "Cash paid in the month", "months"),
    PERIOD_SPREAD("amortised", "Amortised cost of the month", "months"),
};

static const struct column quarters[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("quarter", "Fiscal quarter, such as FY2026 Q1: the year is named after the calendar year "
                    "in which it ends, and begins in the month that `fiscal_year` names"),
    TEXT("first_month", "Its first month that the plan has, YYYY-MM"),
    TEXT("last_month", "Its last month that the plan has"),
    PERIOD_SPREAD("cost", "Cost in the quarter", "quarters"),
    PERIOD_SPREAD("cash", "Cash paid in the quarter", "quarters"),
    PERIOD_SPREAD("amortised", "Amortised cost of the quarter", "quarters"),
    COUNT("censored",
          "Worlds whose work was cut off at the horizon, where the quarter ends behind it: the "
          "means are then empty"),
};

static const struct column categories[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("month", "Calendar month in UTC, as in monthly.csv"),
    TEXT("category",
         "What it is for: on-demand and spot nodes (on-demand less what commitments cover), "
         "commitments-used (what is used after the horizon in the month after it) and -unused "
         "inside the horizon, commitments-later after it (in the month after it), storage, "
         "transfer, fees, "
         "discount (negative), support, tax, "
         "and with an account displaced"),
    PERIOD_SPREAD("cost", "Cost of the category in the month", "months and categories"),
    COUNT("censored",
          "Worlds whose work was cut off at the horizon, where the month ends behind it: the mean "
          "is then empty"),
};

static const struct column lines[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload; `shared`: of all of them together"),
    TEXT("purchase", "Way to buy: on-demand, spot, capacity-block or owned; `commitment`: what "
                     "commitments do to the bill of all; `capacity-reservation`: capacity reserved "
                     "on demand; `other`: charges beside nodes"),
    TEXT("activity",
         "What the time went to: useful, checkpoint, restore, boot, lost, waiting, staging, "
         "evaluation, down; of commitments "
         "covered (negative: taken off the on-demand lines), used, unused, later, with an account "
         "displaced; of capacity blocks also unused, of capacity reservations idle, of owned "
         "hardware capital, power, staff, "
         "colocation; of another charge its name"),
    NUMBER("cost_mean_CUR", "CUR",
           "Mean cost over all worlds: adds up over lines; empty when any world is censored"),
    MONEY("cost_plan_CUR", "Cost in the plan world, exact: adds up to its cost"),
    NUMBER("cost_p10_CUR", "CUR",
           "10 % of worlds are surely at or below; does not add up over lines"),
    NUMBER("cost_p90_CUR", "CUR", "90 % of worlds are surely at or below; does not add up"),
    NUMBER("node_h_mean", "h",
           "Mean node-hours, billed or not; empty when any world is censored, and of `shared`"),
    NUMBER("node_h_plan", "h", "Node-hours in the plan world"),
    COUNT("censored", "Worlds in which the workload was cut off at the horizon"),
    TEXT("category", "The category of categories.csv that the line belongs to"),
};

static const struct column commitments[] = {
    TEXT("strategy", "Name of the strategy"),
    COUNT("commitment",
          "Number of the commitment, from 1 in the file's order, each purchase of a "
          "ladder by itself; empty in the row of all, of those that exist before the plan, and "
          "of capacity reservations"),
    TEXT("name",
         "What was signed, in words; `all`: all commitments of the strategy together, where "
         "it has several"),
    TEXT("kind", "Zonal or regional reserved instances, which savings plan, or capacity "
                 "reservation; of the last `used` is what ran in it, charged with the nodes, and "
                 "`unused` what was idle, both at on-demand prices before commitments"),
    TEXT("class", "Reserved Instances: standard or convertible"),
    COUNT("term_years", "Length of the term"),
    TEXT("payment", "no-upfront, partial-upfront or all-upfront"),
    COUNT("count", "Instances reserved"),
    NUMBER("hourly_CUR", "CUR", "Savings plans: the commitment an hour, in savings-plan rates"),
    COUNT("purchase", "Which purchase of a ladder, from 1"),
    COUNT("purchases", "Purchases of the ladder; 1: bought once"),
    TIME("start", "When it is bought and comes into force (UTC)"),
    TIME("end", "When its term ends (UTC)"),
    MONEY("signed_CUR",
          "All that it obliges to pay, to the end of its term, as planned: worlds in which "
          "prices change before it is bought pay their own"),
    MONEY("paid_CUR", "Of that, what is paid inside the horizon, as planned; empty for a capacity "
                      "reservation"),
    NUMBER("covered_mean_CUR", "CUR",
           "Mean worth, at on-demand prices, of what it covered; empty when work was cut off"),
    NUMBER("used_mean_CUR", "CUR",
           "Mean of its cost as far as it was used; empty when work was cut off"),
    NUMBER("unused_mean_CUR", "CUR", "Mean of its cost inside the horizon that nothing used"),
    NUMBER("later_mean_CUR", "CUR",
           "Mean of its cost after the horizon, less what is of use elsewhere"),
    MONEY("covered_plan_CUR", "Covered in the plan world, exact"),
    MONEY("used_plan_CUR",
          "Used in the plan world, exact: `used`, `unused` and `later` of a row add up to what is "
          "signed less reuse, and each over the numbered rows of a strategy to its line in "
          "lines.csv"),
    MONEY("unused_plan_CUR", "Unused in the plan world, exact"),
    MONEY("later_plan_CUR", "Later in the plan world, exact"),
    NUMBER("utilisation_mean_frac", "frac",
           "Used share of its cost inside the horizon, world by world: the mean; empty when it is "
           "in force only after it"),
    NUMBER("utilisation_p10_frac", "frac", "10 % of worlds are at or below"),
    NUMBER("utilisation_p90_frac", "frac", "90 % of worlds are at or below"),
    NUMBER("utilisation_plan_frac", "frac", "In the plan world"),
    NUMBER(
        "coverage_mean_frac", "frac",
        "Share that it covered of the node time on demand that it could cover by its terms while "
        "in force; of `all` of all node time on demand. The mean over worlds that have such time"),
    NUMBER("coverage_p10_frac", "frac", "10 % of these worlds are at or below"),
    NUMBER("coverage_p90_frac", "frac", "90 % of these worlds are at or below"),
    NUMBER("coverage_plan_frac", "frac", "In the plan world"),
    NUMBER("covered_h_mean", "h", "Mean node-hours that it covered; empty when work was cut off"),
    NUMBER("unused_per_hour_CUR", "CUR",
           "Mean unused cost for each hour in force inside the horizon; of `all` for each hour of "
           "the horizon"),
    NUMBER("unused_over_10_frac", "frac",
           "Share of worlds in which more than 10 % of its cost inside the horizon is unused"),
    NUMBER("unused_over_25_frac", "frac", "The same for more than 25 %"),
    NUMBER("unused_over_50_frac", "frac", "The same for more than 50 %"),
    COUNT("censored",
          "Worlds in which work was cut off at the horizon, so that more of it may have "
          "been used later"),
    NUMBER("others_h_mean", "h",
           "Mean node-hours of others in the account that it covered; empty without an account"),
};

static const struct column commitment_levels[] = {
    TEXT("strategy", "Name of the strategy"),
    NUMBER("level_frac", "frac",
           "Size of all its commitments over what it signs: 0 for none, 1 for what it signs"),
    COUNT("instances", "Reserved instances at this level, of all purchases together"),
    NUMBER("hourly_CUR", "CUR",
           "Savings plans at this level: the commitment an hour, of all purchases together"),
    NUMBER("committed_per_hour_CUR", "CUR",
           "What the commitments cost inside the horizon, spread over their terms, for each hour "
           "of the horizon, as planned"),
    MONEY("signed_CUR", "All that they oblige to pay, to the end of their terms, as planned"),
    COUNT("n", "Worlds whose usage was rated at this level: the first 2,000"),
    COUNT("censored", "Of these, worlds whose work was cut off at the horizon"),
    NUMBER("cost_mean_CUR", "CUR",
           "Mean cost of the plan at this level, with the usage of the signed one; empty when work "
           "was cut off, as its interval and what is saved"),
    NUMBER("cost_low_CUR", "CUR", "Lower end of its 95 % Student interval"),
    NUMBER("cost_high_CUR", "CUR", "Upper end"),
    NUMBER("cost_p10_CUR", "CUR", "10 % of worlds are surely at or below"),
    NUMBER("cost_p50_CUR", "CUR", "Half of the worlds are surely at or below"),
    NUMBER("cost_p90_CUR", "CUR", "90 % of worlds are surely at or below"),
    NUMBER("unused_mean_frac", "frac",
           "Share of the commitments' cost inside the horizon that nothing used, world by world: "
           "the mean; empty when nothing is signed"),
    NUMBER("coverage_mean_frac", "frac",
           "Share of the node time on demand that they covered: the mean over worlds that have "
           "such time"),
    NUMBER("saving_mean_CUR", "CUR", "Mean of cost at level 0 less cost at this level"),
    NUMBER("saving_low_CUR", "CUR",
           "Lower end of its 95 % Student interval, from differences world by world"),
    NUMBER("saving_high_CUR", "CUR", "Upper end"),
    NUMBER("over_signed_mean_CUR", "CUR",
           "Mean of cost at this level less cost at level 1; negative: this one is cheaper"),
    NUMBER("over_signed_low_CUR", "CUR", "Lower end of its 95 % Student interval, likewise"),
    NUMBER("over_signed_high_CUR", "CUR", "Upper end"),
};

static const struct column break_even[] = {
    TEXT("instance_type", "An instance type that some strategy runs or reserves"),
    TEXT("way", "Way to buy an hour of it: on-demand, spot (at its mean price), standard or "
                "convertible Reserved Instances, a savings plan, a capacity-block"),
    COUNT("term_years", "Years of the term"),
    TEXT("payment", "no-upfront, partial-upfront or all-upfront"),
    TEXT("basis", "`planned`: price that planning sees; `listed` in the catalogue or a price file; "
                  "`stated` in the scenario; `assumed` from a reserved price"),
    COUNT("fixed", "1: paid in every hour of its term, used or not; 0: by use"),
    COUNT("signed", "Commitments of the strategies that are bought so"),
    MONEY("per_hour_CUR", "Price of an hour, upfront payments spread over the term"),
    NUMBER("break_even_frac", "frac",
           "Share of the hours that must be used for it to beat on-demand; above 1 it never does"),
    NUMBER("break_even_spot_frac", "frac", "The same against spot at its mean price"),
};

static const struct column usage[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload"),
    COUNT("replication", "Number of the strategy's plan world, from 0"),
    TEXT("zone", "Zone of the node"),
    TEXT("instance_type", "Instance type"),
    TEXT("purchase", "Way to buy: on-demand, spot, capacity-block or owned"),
    COUNT("slot", "Place in the workload's gang, from 0"),
    COUNT("launch", "How many nodes held the slot in this pool before"),
    TIME("start", "Launch (UTC, whole seconds)"),
    TIME("end", "End (UTC, whole seconds)"),
    NUMBER("start_s", "s", "Launch, since the scenario's start"),
    NUMBER("end_s", "s", "End, since the scenario's start"),
    NUMBER("useful_s", "s", "Work that was kept"),
    NUMBER("checkpoint_s", "s", "Writing checkpoints"),
    NUMBER("restore_s", "s", "Reading a checkpoint back"),
    NUMBER("boot_s", "s", "From launch to ready"),
    NUMBER("lost_s", "s", "Work done and thrown away"),
    NUMBER("waiting_s", "s", "Held, but idle: for other nodes of the gang"),
    TEXT("end_reason",
         "finished (the work), interrupted (by the cloud), released (by us), horizon "
         "(cut off), cancelled (with the project), budget (stopped at it), failed (hardware)"),
    COUNT("free", "1: not billed, since the cloud interrupted in the first hour"),
    MONEY("cost_CUR",
          "What the node is charged before commitments and discounts, exact: with the `shared` and "
          "`other` lines of lines.csv it adds up to the plan world's cost"),
    NUMBER("staging_s", "s", "Reading the data set, between boot and ready"),
    NUMBER("evaluation_s", "s", "Work stood still for an evaluation"),
    NUMBER("down_s", "s", "From a failure of hardware until somebody or something acted"),
};

static const struct column split[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("by", "`owner`, or `tag`: each split adds up to the strategy's whole cost"),
    TEXT("tag", "Name of the tag; empty by owner"),
    TEXT("part", "`stated`: of those that state `value`; `none`: of those that state no owner, or "
                 "not this tag; `shared`: what is kept apart (`shared: keep`)"),
    TEXT("value", "The owner, or the tag's value; empty where none is stated"),
    NUMBER("cost_mean_CUR", "CUR",
           "Mean cost over all worlds, shares of what is shared among it: adds up over a split; "
           "empty when any world is censored"),
    MONEY("cost_plan_CUR", "Cost in the plan world, exact: adds up to its cost"),
    NUMBER("cost_p10_CUR", "CUR",
           "10 % of worlds are at or below; does not add up. Empty when any world is censored"),
    NUMBER("cost_p90_CUR", "CUR", "90 % of worlds are at or below; likewise"),
    COUNT("censored", "Worlds in which some workload was cut off at the horizon: neither its own "
                      "cost is known nor the share of the others"),
};

static const struct column oracle[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload"),
    COUNT("n", "Worlds compared: of the first `worlds` those in which this strategy did the work "
               "by the deadline, without one by the horizon"),
    COUNT("worlds", "Worlds for which it was found out what hindsight could have done: the first "
                    "so many"),
    NUMBER("oracle_mean_CUR", "CUR",
           "Mean over the `n` worlds of the least that the nodes of any plan in time cost in that "
           "world, on the market's grid and with all of its future known: a lower bound"),
    NUMBER("nodes_mean_CUR", "CUR",
           "Mean over the same worlds of what the strategy's nodes cost: `on_demand_cost_CUR` and "
           "`spot_cost_CUR` of replications.csv"),
    NUMBER("regret_mean_CUR", "CUR", "Mean of nodes less oracle, world by world"),
    NUMBER("regret_p90_CUR", "CUR", "In 90 % of these worlds the regret is at or below"),
    NUMBER("regret_frac", "frac",
           "Mean regret over the mean cost of the nodes: at most such a "
           "share of it could have been saved"),
};

/* The first columns; the metrics of metrics.c follow, then the inputs drawn. */
static const struct column replications[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload; `all` for all of them together"),
    COUNT("replication", "Number of the world, from 0"),
};

#define LAYOUT(table)                                                                              \
    {                                                                                              \
#table, table, sizeof table / sizeof table[0]                                              \
    }
static const struct layout {
    const char *name;
    const struct column *columns;
    size_t count;
} layouts[] = {LAYOUT(summary),
               LAYOUT(comparison),
               LAYOUT(distribution),
               LAYOUT(timeline),
               LAYOUT(monthly),
               LAYOUT(lines),
               LAYOUT(quarters),
               LAYOUT(categories),
               LAYOUT(commitments),
               LAYOUT(usage),
               LAYOUT(replications),
               LAYOUT(split),
               LAYOUT(commitment_levels),
               LAYOUT(break_even),
               LAYOUT(oracle),
               {"market", layout_market, LAYOUT_MARKET_COLUMNS},
               {"survival", layout_survival, LAYOUT_SURVIVAL_COLUMNS},
               {"plan_world", layout_plan_world, LAYOUT_PLAN_WORLD_COLUMNS},
               {"jobs", layout_jobs, LAYOUT_JOBS_COLUMNS},
               {"utilisation", layout_utilisation, LAYOUT_UTILISATION_COLUMNS},
               {"services", layout_services, LAYOUT_SERVICES_COLUMNS},
               {"hour_of_week", layout_hour_of_week, LAYOUT_HOUR_OF_WEEK_COLUMNS},
               {"service_hours", layout_service_hours, LAYOUT_SERVICE_HOURS_COLUMNS},
               {"sensitivity", layout_sensitivity, LAYOUT_SENSITIVITY_COLUMNS},
               {"information", layout_information, LAYOUT_INFORMATION_COLUMNS},
               {"thresholds", layout_thresholds, LAYOUT_THRESHOLDS_COLUMNS},
               {"candidates", layout_candidates, LAYOUT_CANDIDATES_COLUMNS},
               {"front", layout_front, LAYOUT_FRONT_COLUMNS},
               {"choice", layout_choice, LAYOUT_CHOICE_COLUMNS},
               {"limits", layout_limits, LAYOUT_LIMITS_COLUMNS}};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

const char *const result_layout_names[] = {"summary",
                                           "comparison",
                                           "distribution",
                                           "timeline",
                                           "monthly",
                                           "lines",
                                           "quarters",
                                           "categories",
                                           "usage",
                                           "replications",
                                           "commitments",
                                           "split",
                                           "commitment_levels",
                                           "break_even",
                                           "oracle",
                                           "market",
                                           "survival",
                                           "plan_world",
                                           "jobs",
                                           "utilisation",
                                           "services",
                                           "hour_of_week",
                                           "service_hours",
                                           "sensitivity",
                                           "information",
                                           "thresholds",
                                           "candidates",
                                           "front",
                                           "choice",
                                           "limits",
                                           NULL};

/* ---- in a currency ---- */

/* "cost_mean_CUR" -> "cost_mean_usd", wherever CUR stands. */
static const char *with_currency(struct arena *a, const char *text, const char *unit)
{
    const char *found = strstr(text, "CUR");
    if (found == NULL) {
        return text;
    }
    const char *rest = with_currency(a, found + 3, unit); /* as deep as there are CURs */
    return rest == NULL ? NULL : arena_format(a, "%.*s%s%s", (int)(found - text), text, unit, rest);
}

static bool translate(struct column *c, struct arena *a, const char *unit)
{
    c->name = with_currency(a, c->name, unit);
    c->unit = with_currency(a, c->unit, unit);
    c->meaning = with_currency(a, c->meaning, unit);
    return c->name != NULL && c->unit != NULL && c->meaning != NULL;
}

/* ---- the metrics as columns ---- */

static bool metric_as_column(struct column *c, enum metric m, const char *currency, struct arena *a)
{
    char name[64], unit[16];
    bool is_money = metric_table[m].kind == METRIC_MONEY;
    *c = (struct column){
        .name = arena_string(a, metric_column(m, currency, name)),
        .unit = arena_string(a, metric_unit(m, currency, unit)),
        .meaning = metric_table[m].meaning,
        .kind = is_money ? COLUMN_MONEY : COLUMN_NUMBER,
        .decimals = is_money ? 2 : -1,
    };
    return c->name != NULL && c->unit != NULL;
}

static const struct layout *find(const char *name)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        if (strcmp(layouts[i].name, name) == 0) {
            return &layouts[i];
        }
    }
    return NULL;
}

bool result_table_layout(const char *name, const char *currency, struct arena *a,
                         struct result_table_layout *out)
{
    const struct layout *l = find(name);
    if (l == NULL) {
        return false;
    }
    size_t metrics = l->columns == replications ? METRIC_COUNT : 0;
    char unit[16];
    metric_unit(METRIC_COST, currency, unit);
    *out = (struct result_table_layout){.name = l->name, .count = l->count + metrics};
    out->columns = arena_array(a, out->count, sizeof *out->columns);
    bool ok = out->columns != NULL;
    for (size_t i = 0; ok && i < l->count; i++) {
        out->columns[i] = l->columns[i];
        ok = translate(&out->columns[i], a, unit);
    }
    for (size_t m = 0; ok && m < metrics; m++) {
        ok = metric_as_column(&out->columns[l->count + m], (enum metric)m, currency, a);
    }
    return ok;
}
