/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/market_layouts.h"

#include "scenarios/output/layout_columns.h"

const struct column layout_market[LAYOUT_MARKET_COLUMNS] = {
    COUNT("replication",
          "Number of the world, from 0: the plan world of a strategy that uses spot"),
    TEXT("zone", "Zone of the spot pool"),
    TEXT("instance_type", "Instance type"),
    COUNT("nodes", "Most nodes that a workload of any strategy wants of the pool"),
    TIME("time", "Since when price and capacity are as they stand here (UTC, whole seconds)"),
    NUMBER("start_s", "s", "The same, since the scenario's start"),
    NUMBER("end_s", "s",
           "Until when. The rows of a pool and world go to the last end of work of those "
           "strategies; at most 20,000 rows a pool and world"),
    MONEY("price_CUR", "Spot price of a node, per hour"),
    COUNT("capacity_nodes", "Nodes that can be held, at most `nodes`; 0 while the price is above a "
                            "maximum price of the pool"),
    COUNT("lost_nodes", "By how many they have become fewer at the beginning of the row"),
};

const struct column layout_survival[LAYOUT_SURVIVAL_COLUMNS] = {
    TEXT("zone", "Zone of the spot pool"),
    TEXT("instance_type", "Instance type"),
    COUNT("nodes", "Nodes of the gang whose up times these are: most that a workload wants"),
    TEXT("curve", "`trace`: up times of the trace that is replayed; `fitted`: of the market model "
                  "fitted to it (`fleetcast calibrate spot`); `simulated`: of the first worlds of "
                  "this scenario; `planned`: what planning counts with, the constant rate of loss "
                  "by which checkpoints are spaced"),
    NUMBER("hours", "h", "Time since the gang was complete"),
    NUMBER("survival_frac", "frac",
           "Share of up times that are longer (Kaplan and Meier); empty beyond the longest"),
    NUMBER("low_frac", "frac", "Lower end of its 95 % interval, as if up times were independent"),
    NUMBER("high_frac", "frac", "Upper end"),
    COUNT("runs", "Up times behind the curve; that under way at the start is left out"),
    COUNT("ended", "Of these, those whose end was seen; the others are censored"),
};

const struct column layout_plan_world[LAYOUT_PLAN_WORLD_COLUMNS] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload, of kind training"),
    COUNT("replication", "Number of the strategy's plan world, from 0"),
    TIME("time", "Beginning (UTC, whole seconds)"),
    NUMBER("start_s", "s", "Beginning, since the scenario's start"),
    NUMBER("end_s", "s", "End; of an instant the same"),
    TEXT("what",
         "Stretches: `idle` (no node held), `gather` (some nodes of the gang are), `boot`, `down` "
         "(a "
         "node has failed and nobody has acted yet), `resize` (nodes join or leave), `restore`, "
         "`work` (with its periodic checkpoints), `checkpoint` (one out of turn), `saved` (that is "
         "written; waits for what comes). Instants: `checkpoint-written`, `interrupted` (the cloud "
         "takes nodes of a complete gang), `failed` (one of its nodes does), `done`, `cut` (ended "
         "unfinished)"),
    TEXT("purchase", "Way to buy the gang that counts: on-demand, spot, capacity-block or owned; a "
                     "second one that boots beside it is not shown"),
    TEXT("zone", "Its zone"),
    COUNT("nodes", "Nodes held in it"),
    COUNT("left_out",
          "Entries of the strategy beyond the first 20,000, which are not in the table"),
};
