/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/launches.h"

#include <stdlib.h>

bool launch_counts_init(struct launch_counts *l, const struct study *s, size_t strategy)
{
    size_t total = 0;
    l->plans = s->strategies[strategy].plans;
    l->first = calloc(s->workload_count * WORK_MAX_POOLS, sizeof *l->first);
    l->counts = NULL;
    if (l->first == NULL) {
        return false;
    }
    for (size_t w = 0; w < s->workload_count; w++) {
        for (size_t k = 0; k < l->plans[w]->pool_count; k++) {
            l->first[w * WORK_MAX_POOLS + k] = total;
            total += l->plans[w]->pools[k].nodes;
        }
    }
    l->counts = calloc(total + 1, sizeof *l->counts);
    return l->counts != NULL;
}

void launch_counts_release(struct launch_counts *l)
{
    free(l->counts);
    free(l->first);
}

uint32_t launch_counts_next(struct launch_counts *l, const struct usage *u, uint32_t twin)
{
    const struct work_plan *plan = l->plans[u->workload];
    size_t k = 0;
    while (plan->pools[k].pool != u->pool) {
        k++;
    }
    size_t slot = u->slot + (size_t)twin;
    return l->counts[l->first[u->workload * WORK_MAX_POOLS + k] + slot]++;
}
