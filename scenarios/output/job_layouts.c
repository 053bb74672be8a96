/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/job_layouts.h"

#include "scenarios/output/layout_columns.h"

const struct column layout_jobs[LAYOUT_JOBS_COLUMNS] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload; all that have an end"),
    COUNT("replication", "Number of the strategy's plan world, from 0"),
    COUNT("job", "Number of the job in the workload, from 0, in the order in which jobs come; a "
                 "training workload is one job"),
    TEXT("name", "Its name in the list or file; empty where there is none"),
    TEXT("row", "`job`: all of it; `attempt`: one stretch of running on one set of nodes, or the "
                "last wait of a job that did not run again. The rows of a job follow each other"),
    COUNT("attempt", "Of an attempt: its number, from 0; of a job: how many attempts it took"),
    TIME("submitted", "When it came; of an attempt since when it waited (UTC, whole seconds)"),
    TIME("started", "When it first ran; empty: never"),
    TIME("ended", "When it was done, or ended undone"),
    NUMBER("submitted_s", "s", "As `submitted`, since the scenario's start"),
    NUMBER("started_s", "s", "As `started`"),
    NUMBER("ended_s", "s", "As `ended`"),
    NUMBER("wait_s", "s", "From submitted to started; of what never ran, to ended"),
    COUNT("nodes", "Nodes that it ran on, of an elastic job the most at a time; of a job: in its "
                   "last attempt, as all that follows up to the outcome"),
    NUMBER("node_share_frac", "frac",
           "Share of each node that it had: below 1 where jobs share a "
           "node by GPUs"),
    TEXT("zone", "Zone"),
    TEXT("purchase", "Way to buy: on-demand, spot, capacity-block or owned"),
    TEXT("outcome", "`finished`; `stopped`: given up early, as planned, and so done; `lost`: nodes "
                    "were lost, the rest is done later; `left`: it left its nodes of its own will; "
                    "`cut`: by the horizon, its budget or with the project; `preempted`: a job of "
                    "higher priority took its nodes"),
    NUMBER("node_s", "s", "Node-seconds that it had nodes for"),
    NUMBER("useful_s", "s", "Of its own time: work that was kept; empty of training"),
    NUMBER("lost_s", "s", "Work that was thrown away; empty of training"),
    MONEY("cost_CUR", "Its share, by node-seconds, of what the workload's nodes are charged before "
                      "commitments and discounts, idle and booting nodes spread over all jobs: "
                      "exact, the jobs of a workload add up, as do the attempts of a job"),
};

const struct column layout_utilisation[LAYOUT_UTILISATION_COLUMNS] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload, of kind jobs or trials"),
    COUNT("replication", "Number of the strategy's plan world, from 0"),
    TIME("start", "Beginning of the bucket (UTC): those of timeline.csv"),
    NUMBER("start_s", "s", "The same, since the scenario's start"),
    NUMBER("end_s", "s", "Its end"),
    COUNT("capacity_nodes", "Nodes of the strategy's first way to buy, held or not"),
    NUMBER("base_held_nodes", "", "Of these, held on average over the bucket"),
    NUMBER("base_busy_nodes", "", "Of these, with jobs on them, a shared node by its share"),
    NUMBER("utilisation_frac", "frac", "Busy of capacity, as a monitoring page would show it"),
    NUMBER("overflow_busy_nodes", "", "Nodes of the other ways to buy with jobs on them"),
    NUMBER("running_jobs", "", "Jobs that run, on average over the bucket"),
    NUMBER("waiting_jobs", "", "Jobs that wait"),
};
