/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/choice_layouts.h"

#include "scenarios/output/layout_columns.h"

const struct column layout_choice[LAYOUT_CHOICE_COLUMNS] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("status",
         "`chosen`; `level`: cannot be told from the chosen one; `worse`; and of those that cannot "
         "be chosen `breaks-limit`, `unfinished` (in more than 1 % of worlds) or `unknown`"),
    COUNT("rank", "1 = chosen, 2 = runner-up, …, by `value`; empty of those that cannot be chosen"),
    TEXT("objective", "What is minimised or maximised, as in the scenario"),
    TEXT("unit", "Its unit, and that of all numbers but the limit's"),
    IN_UNIT("value", "The objective, in the worlds of the run; empty when it is unknown"),
    IN_UNIT("value_low", "Lower end of its own interval, at `confidence`; empty when open"),
    IN_UNIT("value_high", "Upper end"),
    IN_UNIT("difference", "To the chosen strategy, in the same worlds; above 0 is worse. Empty for "
                          "the chosen one and those that cannot be chosen"),
    IN_UNIT("difference_low", "Lower end of its interval: those of all pairs hold at once, at "
                              "`confidence`; empty when open"),
    IN_UNIT("difference_high", "Upper end"),
    COUNT("fresh_worlds", "Other worlds in which the chosen strategy and the runner-up were "
                          "estimated anew; empty for the others"),
    IN_UNIT("fresh_value", "The objective in those"),
    IN_UNIT("fresh_low", "Lower end of its interval"),
    IN_UNIT("fresh_high", "Upper end"),
    IN_UNIT("fresh_difference", "Of the runner-up to the chosen one, in those"),
    IN_UNIT("fresh_difference_low", "Lower end of its interval"),
    IN_UNIT("fresh_difference_high", "Upper end"),
    TEXT("limit", "The first condition that does not hold or is not known to, or `serve_at_least`"),
    NUMBER("limit_value", "",
           "What it is held against, in the unit of its metric (hours, seconds, "
           "shares, the currency); empty when unknown"),
    NUMBER("limit_bound", "", "Its bound, in the same unit"),
    TEXT("reason", "Why it was chosen, or not: one sentence"),
};

const struct column layout_limits[LAYOUT_LIMITS_COLUMNS] = {
    TEXT("strategy", "Name of the strategy: the chosen one, or without `choose` each; empty when "
                     "none can be chosen"),
    TEXT("limit", "The condition, as in the scenario"),
    TEXT("status", "`kept`, `broken`, or `unknown`, which counts as broken"),
    TEXT("unit", "Unit of the numbers"),
    IN_UNIT("value", "What is held against the bound; empty when it is unknown"),
    IN_UNIT("value_low", "Lower end of its 95 % interval (of the choice's `confidence`); empty "
                         "when open"),
    IN_UNIT("value_high", "Upper end"),
    IN_UNIT("bound", "The bound"),
    TEXT("sentence", "The same in words"),
};
