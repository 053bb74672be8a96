/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/commitment_layouts.h"

#include "scenarios/output/layout_columns.h"

const struct column layout_commitments[LAYOUT_COMMITMENTS_COLUMNS] = {
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

const struct column layout_commitment_levels[LAYOUT_COMMITMENT_LEVELS_COLUMNS] = {
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

const struct column layout_break_even[LAYOUT_BREAK_EVEN_COLUMNS] = {
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
