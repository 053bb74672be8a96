/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/queue_metrics.h"

#include <math.h>

void queue_metrics_fill(struct metric_cells *c, const struct work_queue *q)
{
    const double nan = (double)NAN;
    const struct {
        enum metric metric;
        double value;
    } of_jobs[] = {
        {METRIC_JOBS, q == NULL ? nan : q->jobs},
        {METRIC_JOBS_DONE, q == NULL ? nan : q->done},
        {METRIC_JOBS_WAITED, q == NULL || q->jobs == 0 ? nan : (double)q->waited / q->jobs},
        {METRIC_WAIT_MEAN, q == NULL ? nan : q->wait_mean_s / 3600},
        {METRIC_WAIT_P50, q == NULL ? nan : q->wait_p50_s / 3600},
        {METRIC_WAIT_P95, q == NULL ? nan : q->wait_p95_s / 3600},
        {METRIC_WAIT_MAX, q == NULL ? nan : q->wait_max_s / 3600},
        {METRIC_TURNAROUND_MEAN, q == NULL ? nan : q->turnaround_mean_s / 3600},
        {METRIC_TURNAROUND_P95, q == NULL ? nan : q->turnaround_p95_s / 3600},
        {METRIC_UTILISATION,
         q == NULL || q->base_node_s <= 0 ? nan : q->base_busy_node_s / q->base_node_s},
    };
    for (size_t i = 0; i < sizeof of_jobs / sizeof of_jobs[0]; i++) {
        c->value[of_jobs[i].metric].number = of_jobs[i].value;
    }
}

/* A mean over jobs is that of all jobs; a quantile is known of one workload only. */
void queue_metrics_join(struct metric_cells *all, const struct metric_cells *workloads,
                        size_t count)
{
    static const enum metric means[] = {METRIC_JOBS_WAITED, METRIC_WAIT_MEAN,
                                        METRIC_TURNAROUND_MEAN};
    static const enum metric others[] = {METRIC_WAIT_P50, METRIC_WAIT_P95, METRIC_TURNAROUND_P95,
                                         METRIC_UTILISATION};
    size_t queues = 0, last = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(workloads[i].value[METRIC_JOBS].number)) {
            queues++;
            last = i;
        }
    }
    for (size_t k = 0; k < sizeof means / sizeof means[0]; k++) {
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            double jobs = workloads[i].value[METRIC_JOBS].number;
            sum += jobs > 0 ? jobs * workloads[i].value[means[k]].number : 0;
        }
        double jobs = all->value[METRIC_JOBS].number;
        all->value[means[k]].number = jobs > 0 ? sum / jobs : (double)NAN;
    }
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        all->value[others[k]].number =
            queues == 1 ? workloads[last].value[others[k]].number : (double)NAN;
    }
}
