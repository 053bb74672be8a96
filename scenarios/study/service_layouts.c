/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/service_layouts.h"

#include "scenarios/study/layout_columns.h"

const struct column layout_services[LAYOUT_SERVICES_COLUMNS] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the service"),
    COUNT("replication", "Number of the strategy's plan world, from 0"),
    TIME("start", "Beginning of the bucket (UTC): those of timeline.csv where these are no longer "
                  "than an hour, else an hour"),
    NUMBER("start_s", "s", "The same, since the scenario's start"),
    NUMBER("end_s", "s", "Its end, or the horizon"),
    NUMBER("arrival_rate", "1/s", "Requests that came, a second"),
    NUMBER("served_rate", "1/s", "Requests that were answered, a second"),
    NUMBER("could_serve_rate", "1/s",
           "What the ready replicas could serve at most, a second, on average over the bucket; "
           "empty: not known"),
    NUMBER("ready_replicas", "", "Replicas that are ready, on average over the bucket"),
    NUMBER("asked_replicas", "", "Replicas asked for"),
    NUMBER("busy_frac", "frac",
           "Share of the ready replicas' slots that was busy; empty: none was "
           "ready"),
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
    NUMBER("rejected", "", "Longer than any replica could serve"),
    COUNT("overloaded",
          "1: more came (what was sent again included) than the ready replicas could serve, or "
          "the queue grew from quarter to quarter of the bucket by more than three times the root "
          "of the number that came; else 0"),
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
};
