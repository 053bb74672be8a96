/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/focus_tenants.h"

#include "models/inference/inference_work.h"
#include "models/inference/service_plan.h"
#include "models/inference/shared_fleet_plan.h"
#include "scenarios/output/focus_cells.h"
#include "scenarios/study/host_split.h"

#include <math.h>
#include <stdlib.h>

/* The workload whose nodes this one stands on; SIZE_MAX: its own. */
static size_t host_of(const struct study *study, size_t strategy, size_t workload)
{
    const struct work_plan *plan = study->strategies[strategy].plans[workload];
    if (plan == NULL || plan->kind != &work_inference || service_plan_of(plan)->host == NULL) {
        return SIZE_MAX;
    }
    return service_plan_of(plan)->host->work.workload;
}

money_t *focus_tenants_make(const struct study *study, size_t strategy,
                            const struct metric_cells *cells)
{
    const size_t count = study->workload_count;
    money_t *shares = calloc(count + 1, sizeof *shares);
    struct work_result *works = calloc(count + 1, sizeof *works);
    struct host_split split;
    bool ok = host_split_init(&split, count) && shares != NULL && works != NULL;
    for (size_t w = 0; ok && w < count; w++) {
        const size_t host = host_of(study, strategy, w);
        const double hours = metric_number(&cells[w], METRIC_SHARED_NODE_HOURS);
        works[w].hosted = host != SIZE_MAX;
        works[w].host = works[w].hosted ? (uint32_t)host : 0;
        works[w].hosted_node_s = isnan(hours) ? 0 : 3600 * hours;
    }
    for (size_t h = 0; ok && h < count; h++) {
        if (study_work_kind(study, h)->is_host &&
            host_split_amount(&split, works, h, FOCUS_TENANT_PARTS)) {
            for (size_t w = 0; w < count; w++) {
                shares[w] += split.parts[w];
            }
        }
    }
    host_split_release(&split);
    free(works);
    if (!ok) {
        free(shares);
        shares = NULL;
    }
    return shares;
}

void focus_tenants_write(struct text *out, const struct study *study, size_t strategy,
                         const money_t *shares, size_t host)
{
    text_clear(out);
    for (size_t w = 0; w < study->workload_count; w++) {
        const struct label_spec *labels = study->charges.workloads[w].data.labels;
        if (shares[w] == 0 || host_of(study, strategy, w) != host) {
            continue;
        }
        text_add(out, out->length == 0 ? "[{\"job\":" : ",{\"job\":");
        cell_add_json(out, study_workload_name(study, w));
        if (labels != NULL && labels->owner != NULL) {
            text_add(out, ",\"owner\":");
            cell_add_json(out, labels->owner);
        }
        text_format(out, ",\"share\":%lld.%09lld}", (long long)(shares[w] / FOCUS_TENANT_PARTS),
                    (long long)(shares[w] % FOCUS_TENANT_PARTS));
    }
    if (out->length > 0) {
        text_add(out, "]");
    }
}
