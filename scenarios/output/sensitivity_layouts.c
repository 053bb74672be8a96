/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/sensitivity_layouts.h"

#include "scenarios/output/layout_columns.h"

const struct column layout_sensitivity[LAYOUT_SENSITIVITY_COLUMNS] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("metric", "Cost or time to train, of all workloads together"),
    TEXT("metric_unit", "Its unit"),
    TEXT("input", "An uncertain input, by its path in the scenario: a column of replications.csv"),
    TEXT("input_unit", "Its unit"),
    COUNT("n", "Worlds in which the metric exists"),
    NUMBER("rank_correlation", "",
           "Spearman's rank correlation of input and metric, -1 to 1, ties sharing their rank. "
           "Unfinished worlds rank behind all others, level with each other. With inputs that are "
           "tied to it (`correlate`) it shows their effect too; empty when either does not vary"),
    NUMBER("rank_correlation_low", "", "Lower end of its 95 % interval (Bonett and Wright)"),
    NUMBER("rank_correlation_high", "", "Upper end"),
    NUMBER("input_p10", "input_unit", "10 % of these worlds have an input at or below"),
    NUMBER("input_p50", "input_unit", "Half of them have an input at or below"),
    NUMBER("input_p90", "input_unit", "90 % of them have an input at or below"),
    NUMBER("metric_when_low", "unit",
           "Median of the metric in the fifth of the worlds with the lowest input (at or below "
           "its P20); where unfinished worlds leave it between two bounds at most 1 % apart, the "
           "upper one; empty when they leave it unknown, or the input does not vary"),
    NUMBER("metric_when_high", "unit", "Likewise in the fifth with the highest (at or above P80)"),
    NUMBER("metric_p50", "unit", "Median over all worlds, likewise"),
    COUNT("censored", "Of the n worlds, those that are unfinished"),
};

const struct column layout_information[LAYOUT_INFORMATION_COLUMNS] = {
    TEXT("input", "What would be known before the strategy is chosen: an uncertain input by its "
                  "path; `all`: everything that differs between worlds, the market's future too"),
    TEXT("metric",
         "What the choice is made by: the mean of this metric. That of `choose`; cost where it "
         "names no mean, or there is no `choose`"),
    TEXT("unit", "Its unit"),
    NUMBER("value", "unit",
           "How much better the mean would be: of one input the gain of a rule that chooses by it, "
           "fitted to other worlds than it is judged in; 0 when it would not change the choice"),
    NUMBER("value_low", "unit", "Lower end of its 95 % Student interval, not below 0"),
    NUMBER("value_high", "unit", "Upper end"),
    COUNT("worlds", "Worlds it was found in"),
    COUNT("strategies",
          "Strategies there are to choose from: of those known in all worlds the ones "
          "that `choose` allows, or, without it, that serve all but 1 % of what the "
          "best one serves"),
};

const struct column layout_thresholds[LAYOUT_THRESHOLDS_COLUMNS] = {
    TEXT("input", "A key of the scenario, by its path as --set takes it"),
    TEXT("unit", "Unit of the values: that of the input's column in replications.csv"),
    NUMBER("now", "unit", "The value that planning sees: the median; empty where it is not known"),
    TEXT("chosen", "The strategy that is best as the scenario stands"),
    TEXT("other", "The strategy that it is held against"),
    NUMBER("threshold", "unit",
           "The value at which the two change places, with the input at this one value in all "
           "worlds; empty: none in the range, or not known. Of a key that takes whole numbers the "
           "first value at which they have changed"),
    NUMBER("threshold_low", "unit",
           "From here on the 95 % interval of their difference covers zero, or, by `eligibility`, "
           "that of what the condition is on covers its bound; empty: to the end of the range"),
    NUMBER("threshold_high", "unit", "Up to here"),
    TEXT("direction", "`below` or `above`: on which side of the threshold the other is the better"),
    NUMBER("from", "unit", "Beginning of the range searched; empty where nothing could be"),
    NUMBER("to", "unit", "Its end"),
    TEXT("objective", "What they are held against each other by"),
    TEXT("sentence", "All this in words"),
    COUNT("worlds", "Worlds simulated at each value"),
    TEXT("outcome", "`flips`: there is a value; else what holds wherever it is known: `ahead`, "
                    "`behind` or `same`, of the chosen one; `unknown`: nothing is, or not "
                    "everywhere between"),
    NUMBER("known_from", "unit", "From here on the difference is known; empty: nowhere"),
    NUMBER("known_to", "unit", "Up to here"),
    TEXT("cause", "Why they change places: `objective`: the other becomes the better by it; "
                  "`eligibility`: on one side one of the two cannot be chosen, by a condition, for "
                  "one; empty: there is no threshold"),
};
