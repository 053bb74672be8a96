/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/service_layouts.h"

#include "scenarios/output/layout_columns.h"

const struct column layout_services[LAYOUT_SERVICES_COLUMNS] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the service"),
    COUNT("replication", "Number of the strategy's plan world, from 0"),
    TIME("start",
         "Beginning of the bucket (UTC): those of timeline.csv where these are no longer "
         "than an hour, else an hour; five minutes at least where services are in steps of time"),
    NUMBER("start_s", "s", "The same, since the scenario's start"),
    NUMBER("end_s", "s", "Its end, or the horizon"),
    NUMBER("arrival_rate", "1/s", "Requests that came, a second"),
    NUMBER("served_rate", "1/s", "Requests that were answered, a second"),
    NUMBER("could_serve_rate", "1/s",
           "What the ready replicas could serve at most, a second, on average over the bucket; "
           "empty: not known"),
    NUMBER("ready_replicas", "", "Replicas that are ready, on average over the bucket"),
    NUMBER("asked_replicas", "", "Replicas asked for"),
    NUMBER(
        "busy_frac", "frac",
        "Share of the slots that was busy, of replicas that are ready, or drain and have "
        "something to do; of a language model of the sequences that fill a replica; empty: there "
        "was none"),
    NUMBER("waiting_requests", "", "Requests that wait, on average"),
    NUMBER("latency_p50_s", "s",
           "P50 of the latency of what was answered in the bucket, from arrival; empty: nothing "
           "was. In an overloaded bucket it is of no steady state"),
    NUMBER("latency_p95_s", "s", "P95, likewise"),
    NUMBER("slo_s", "s", "The objective of latency in this world; empty: none"),
    NUMBER("slo_attained_frac", "frac",
           "Of the requests that ended in the bucket, however, the share answered within the "
           "objective; empty: none is stated, or none ended"),
    NUMBER("arrived", "", "Requests that came in the bucket"),
    NUMBER("retried", "", "Times that one was sent again"),
    NUMBER("served", "", "Requests that were answered, those sent again included"),
    NUMBER("dropped", "", "Given up since the queue was full"),
    NUMBER("timed_out", "", "Given up since they had waited too long"),
    NUMBER("lost", "", "Given up since their node had vanished"),
    NUMBER("rejected", "", "Longer than any replica could serve, or turned away by `admission`"),
    COUNT(
        "overloaded",
        "1: more came (what was sent again included) than the ready replicas could serve, in all, "
        "or for some minutes of the bucket by more than three times the root of the number that "
        "came in them, or the queue grew from quarter to quarter by more than three times the root "
        "of the number that came; else 0; empty: it begins before `measure_from`"),
    NUMBER("latency_p90_s", "s", "P90, as the others"),
    NUMBER("latency_p99_s", "s", "P99"),
    NUMBER("ttft_p50_s", "s",
           "Of language models: P50 of the time to the first token of what was answered in the "
           "bucket, likewise"),
    NUMBER("ttft_p90_s", "s", "P90"),
    NUMBER("ttft_p95_s", "s", "P95"),
    NUMBER("ttft_p99_s", "s", "P99"),
    NUMBER("tpot_p50_s", "s",
           "P50 of the time from token to token after the first, of answers of two tokens or more"),
    NUMBER("tpot_p90_s", "s", "P90"),
    NUMBER("tpot_p95_s", "s", "P95"),
    NUMBER("tpot_p99_s", "s", "P99"),
    NUMBER(
        "gpu_active_frac", "frac",
        "Share of the time of these replicas in which they have something to do: what a GPU's own "
        "utilisation shows, which says nothing of how much more it could do; empty: not known"),
    NUMBER("kv_cache_frac", "frac",
           "Of language models: share of the key-value cache that is in use, on average"),
    NUMBER(
        "gpu_memory_frac", "frac",
        "Share of the accelerators' memory that the weights and what of the cache is in use take "
        "of a language model, on average; engines hold the rest of the cache all the same. Of "
        "other services what their replicas and the requests in service take of their parts of "
        "it; empty: `memory` is not stated"),
    NUMBER("prompt_tokens", "", "Of language models: of what was answered in the bucket"),
    NUMBER("output_tokens", "", "Likewise of the answers"),
    NUMBER(
        "spend_CUR", "CUR",
        "What is paid in the bucket, as spend_usd of timeline.csv: nodes, commitments, other "
        "charges. Empty where other work shares it, or where something is paid ahead of its use"),
    NUMBER("slo_ttft_s", "s", "The objective of TTFT in this world; empty: none"),
    NUMBER("slo_tpot_s", "s", "The objective of TPOT in this world; empty: none"),
};

const struct column layout_hour_of_week[LAYOUT_HOUR_OF_WEEK_COLUMNS] = {
    TEXT("strategy", "Name of the strategy"),
    COUNT("replication", "Number of the strategy's plan world, from 0"),
    COUNT("hour_of_week", "Hours since Monday 00:00 (UTC), 0 to 167"),
    COUNT("hours", "How many such hours lie inside the horizon"),
    NUMBER("nodes_mean", "", "Nodes held, mean over these hours"),
    NUMBER("spend_mean_CUR", "CUR",
           "What nodes are charged in such an hour, mean over these hours, before commitments, "
           "discounts and other charges"),
    COUNT("hours_used", "How many of these hours lie between the strategy's first node and its "
                        "last, and so are no hours before or after all work"),
};

const struct column layout_service_hours[LAYOUT_SERVICE_HOURS_COLUMNS] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the service"),
    TEXT("by", "`horizon`: a bucket of the horizon, an hour where 400 suffice for all of it, else "
               "several; `week`: an hour of the week, all of them together"),
    TIME("start", "Beginning of the bucket (UTC); empty by week, as the next two"),
    NUMBER("start_s", "s", "The same, since the scenario's start"),
    NUMBER("end_s", "s", "Its end, or the horizon"),
    COUNT("hour_of_week", "Hours since Monday 00:00 (UTC), 0 to 167; empty by horizon"),
    NUMBER("slo_attained_mean_frac", "frac",
           "Of the requests that ended then, however, the share answered within the objective: "
           "mean over all worlds in which any ended, or more came than could be served and none "
           "ended (0); empty: no objective is stated, or none ended anywhere"),
    NUMBER("slo_attained_p10_frac", "frac",
           "In 9 of 10 of these worlds it is at least this (P10 over worlds)"),
    NUMBER("slo_attained_p50_frac", "frac", "P50 over worlds"),
    NUMBER("slo_attained_p90_frac", "frac", "P90 over worlds"),
    NUMBER("overloaded_frac", "frac",
           "Share of the worlds in which the hour is overloaded, as services.csv has it, for whole "
           "hours; of several hours: of them, in all worlds. What is attained there is no steady "
           "state"),
    NUMBER("slo_met_frac", "frac",
           "Likewise the share in which the share of requests that `slo` asks for (`share`, 95 %) "
           "was within it; empty: no objective is stated, or none ended"),
    NUMBER("ended_per_hour_mean", "1/h", "Requests that ended in an hour of it, mean over worlds"),
    COUNT("hours", "So many hours all this is of: worlds times the hours in which the service ran, "
                   "without those that begin before `measure_from`"),
};
