/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables market, survival, plan_world and jobs as a study writes them, by hand: their columns,
 * and small ones for the strategies of sample_study_real. */
#ifndef FLEETCAST_TESTS_SAMPLE_MARKET_H
#define FLEETCAST_TESTS_SAMPLE_MARKET_H

#include "tests/support/text_table.h"

#define SAMPLE_MARKET_COLUMNS                                                                      \
    "replication,zone:t,instance_type:t,nodes,start_s,end_s,price_usd,capacity_nodes,lost_nodes"
#define SAMPLE_SURVIVAL_COLUMNS                                                                    \
    "zone:t,instance_type:t,nodes,curve:t,hours,survival_frac,low_frac,high_frac,runs,ended"
#define SAMPLE_PLAN_WORLD_COLUMNS                                                                  \
    "strategy:t,workload:t,replication,start_s,end_s,what:t,purchase:t,zone:t,nodes,left_out"
#define SAMPLE_JOBS_COLUMNS                                                                        \
    "strategy:t,workload:t,job,row:t,submitted_s,started_s,ended_s,purchase:t,outcome:t"

#define SAMPLE_UTILISATION_COLUMNS                                                                 \
    "strategy:t,workload:t,start_s,end_s,capacity_nodes,base_held_nodes,base_busy_nodes,"          \
    "overflow_busy_nodes,waiting_jobs"

#define SAMPLE_SERVICES_COLUMNS                                                                    \
    "strategy:t,workload:t,start_s,end_s,arrival_rate,could_serve_rate,latency_p50_s,"             \
    "latency_p95_s,slo_s,arrived,overloaded,served,prompt_tokens,output_tokens,spend_usd"
#define SAMPLE_SENSITIVITY_COLUMNS                                                                 \
    "strategy:t,metric:t,input:t,input_unit:t,n,rank_correlation,input_p10,input_p90,"             \
    "metric_when_low,metric_when_high,metric_p50"
#define SAMPLE_HOUR_OF_WEEK_COLUMNS "strategy:t,hour_of_week,hours,spend_mean_usd"

#define SAMPLE_SERVICE_HOURS_COLUMNS                                                               \
    "strategy:t,workload:t,by:t,start_s,end_s,slo_attained_p10_frac,slo_attained_p50_frac,"        \
    "slo_attained_p90_frac,overloaded_frac"

struct table *sample_market_table(void);
struct table *sample_survival_table(void);
struct table *sample_plan_world_table(void);
/* Of "spot in three zones": two trials, the second of which loses a node, and a training job. */
struct table *sample_jobs_table(void);
/* Two queues of two strategies: the first of four nodes, of which one is idle at first; two nodes
 * overflow while a job waits. */
struct table *sample_utilisation_table(void);
/* Nine days of 'chat' in buckets of two days and a half, of which the middle one is overloaded in
 * "spot in three zones"; and a little of 'side'. */
struct table *sample_services_table(void);
/* Four buckets of two days of 'chat', of which "spot in three zones" is overloaded in the second in
 * half of the worlds, and in the third in one of twenty; an hour of the week. */
struct table *sample_service_hours_table(void);
/* Three hours, of which Tuesday 19:00 is the dearest. */
struct table *sample_hour_of_week_table(void);
/* Three inputs of "spot in three zones": two that move its cost, one of them to one side only, and
 * one that does not. */
struct table *sample_sensitivity_table(void);
/* Two strategies at three values of a number with a unit: they change places behind the second. */
struct table *sample_sweep_table(void);

#endif
