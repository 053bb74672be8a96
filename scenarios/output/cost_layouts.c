/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/cost_layouts.h"

#include "scenarios/output/layout_columns.h"

/* Four columns of a table by months or quarters. */
#define PERIOD_SPREAD(n, what, periods)                                                            \
    NUMBER(n "_mean_CUR", "CUR", what ": mean over all worlds, adds up over " periods),            \
        MONEY(n "_plan_CUR", what " in the plan world, exact: adds up likewise"),                  \
        NUMBER(n "_p10_CUR", "CUR",                                                                \
               "10 % of worlds are surely at or below; does not add up over " periods),            \
        NUMBER(n "_p90_CUR", "CUR", "90 % of worlds are surely at or below; does not add up")

const struct column layout_timeline[LAYOUT_TIMELINE_COLUMNS] = {
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

const struct column layout_monthly[LAYOUT_MONTHLY_COLUMNS] = {
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

const struct column layout_quarters[LAYOUT_QUARTERS_COLUMNS] = {
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

const struct column layout_categories[LAYOUT_CATEGORIES_COLUMNS] = {
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

const struct column layout_lines[LAYOUT_LINES_COLUMNS] = {
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

const struct column layout_split[LAYOUT_SPLIT_COLUMNS] = {
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
