/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/service_swings.h"

#include "models/inference/llm_capacity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Load of a replica up to which target tracking may leave it. Measured beside request level: up to
 * 3.4 % of the cost below, 4 to 47 % above. */
#define MOST_TRACKED_LOAD 0.6

/* A metric that makes them swing. */
struct swing {
    const char *of;
    double most; /* NaN: any aim errs */
};

static bool find_swing(const struct service_plan *p, const struct autoscaler *a, const void *params,
                       struct swing *found)
{
    const struct llm_rules *rules = &p->hosts[0].rules;
    const struct llm_lengths *means = &p->llm.lengths;
    const double n = llm_sequences_at(rules, means, MOST_TRACKED_LOAD);
    const struct {
        enum scaling_metric metric;
        bool by_alarms; /* only those */
        double most;
    } rows[] = {{SCALING_QUEUE, false, (double)NAN},
                {SCALING_LATENCY, false, (double)NAN},
                {SCALING_CONCURRENCY, true, n},
                {SCALING_UTILISATION, true, n / llm_saturated_sequences(rules, means)}};
    for (size_t i = 0; a->aims_at != NULL && i < sizeof rows / sizeof rows[0]; i++) {
        double aim = a->aims_at(params, rows[i].metric);
        if (isnan(aim) || (rows[i].by_alarms && (!a->by_alarms || aim <= rows[i].most))) {
            continue;
        }
        *found = (struct swing){.of = scaling_metric_name(rows[i].metric), .most = rows[i].most};
        return true;
    }
    return false;
}

bool service_check_swings(const struct service_making *m)
{
    const struct service_plan *p = m->plan;
    struct swing swing = {0};
    bool any = false;
    char limit[120] = ", which a replica hardly shows until it is full";
    for (size_t i = 0; p->is_llm && p->mode.interval && i < p->use_count && !any; i++) {
        any = find_swing(p, p->uses[i].autoscaler, p->uses[i].params, &swing);
    }
    if (!any) {
        return true;
    }
    if (!isnan(swing.most)) {
        bool share = strcmp(swing.of, "utilisation") == 0;
        snprintf(limit, sizeof limit, ", of which a replica has %.3g%s at %.0f %% of its load",
                 share ? 100 * swing.most : swing.most, share ? " %" : "", 100 * MOST_TRACKED_LOAD);
    }
    return service_steps_err(
        m, m->terms.autoscale_place, "half of the cost and 10 points of the objective",
        isnan(swing.most) ? "scale by 'concurrency'" : "a lower target",
        "strategy '%s' scales '%s' by its %s%s: replicas swing between too few and too many",
        m->strategy, m->workload, swing.of, limit);
}
