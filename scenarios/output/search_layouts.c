/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/search_layouts.h"

#include "scenarios/output/layout_columns.h"

const struct column layout_candidates[LAYOUT_CANDIDATES_COLUMNS] = {
    TEXT("plan", "Name of the plan, by its number in the space of the search"),
    TEXT("status",
         "`chosen`; `runner-up`; `finalist`; `dropped` in some round; `tried` by a "
         "minimiser; `screened`: ruled out by what it takes or costs at the least; `refused`: not "
         "legal, does not fit, no such offer or no price"),
    TEXT("parameters", "What it sets, key by key"),
    COUNT("rounds", "Rounds that it took part in"),
    COUNT("worlds", "Worlds of the search that it met: the first so many"),
    TEXT("objective", "What is minimised, or maximised"),
    TEXT("objective_unit", "Its unit"),
    NUMBER("value", "", "The objective on these worlds; empty: unknown"),
    NUMBER("value_low", "", "Its 95 % interval: lower end; empty: open"),
    NUMBER("value_high", "", "Upper end; empty: open"),
    NUMBER("unfinished_frac", "frac", "Share of these worlds in which the work is not finished"),
    TEXT("meets_limits", "`yes`: `choose` may choose it by these worlds, by fresh ones where it "
                         "met some, and by those of `run` where they were asked; `no`; empty: it "
                         "was not simulated"),
    NUMBER("plan_cost_CUR", "CUR",
           "The middle of its cost, or of the objective's statistic where that is one of "
           "`cost_CUR`; on fresh worlds where there are any"),
    NUMBER("time_to_train_h", "h", "Likewise of the time to the end of the work"),
    COUNT("fresh_worlds", "Worlds that the search had not seen, on which it was estimated again"),
    NUMBER("fresh_value", "", "The objective on fresh worlds"),
    NUMBER("fresh_low", "", "Its 95 % interval: lower end"),
    NUMBER("fresh_high", "", "Upper end"),
    NUMBER("difference", "",
           "The objective less that of the chosen plan, on the worlds of the search that both met"),
    NUMBER("difference_error", "", "Its standard error"),
    TEXT("front", "`yes`: no plan judged beats it in both cost and time"),
    TEXT("reason", "Why it is not the chosen one"),
};

const struct column layout_front[LAYOUT_FRONT_COLUMNS] = {
    TEXT("plan", "Name of the plan; by rising cost"),
    TEXT("status", "As in candidates.csv"),
    TEXT("parameters", "What it sets, key by key"),
    TEXT("meets_limits", "`yes`: `choose` may choose it by all worlds that it was simulated in"),
    COUNT("worlds", "Fresh worlds on which all of this is estimated"),
    TEXT("cost", "What is meant by cost, such as `cost_CUR.p50`"),
    NUMBER("plan_cost_CUR", "CUR", "Its value"),
    NUMBER("cost_low_CUR", "CUR", "Its 95 % interval: lower end; empty: open"),
    NUMBER("cost_high_CUR", "CUR", "Upper end; empty: open"),
    TEXT("time", "What is meant by time, such as `time_to_train_h.p50`"),
    NUMBER("time_to_train_h", "h", "Its value"),
    NUMBER("time_low_h", "h", "Its 95 % interval: lower end; empty: open"),
    NUMBER("time_high_h", "h", "Upper end; empty: open"),
};
