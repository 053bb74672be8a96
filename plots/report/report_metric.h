/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a choice, or a limit, is made by, in words: "P99 latency (P90)" for "latency_p99_s.p90",
 * "chance late <= 5 %" for "p_late <= 5 %". Metrics that decisions are made by have words; any
 * other stands as the scenario names it. */
#ifndef FLEETCAST_PLOTS_REPORT_METRIC_H
#define FLEETCAST_PLOTS_REPORT_METRIC_H

#include "plots/report/report_document.h"
#include "plots/report/report_source.h"

/* Of "metric", "metric.p90", "workload:metric.mean", without a verb; in the arena of r. */
const char *report_metric(struct report_document *r, const struct report_source *s,
                          const char *text);
/* Of such and a bound, which stays as it was written. */
const char *report_condition(struct report_document *r, const struct report_source *s,
                             const char *text);

#endif
