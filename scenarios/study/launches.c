/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/launches.h"

#include <stdlib.h>

bool launch_counts_init(struct launch_counts *l, const struct study *s, size_t strategy)
{
    size_t total = 0;
    l->study = s;
    l->plans = s->strategies[strategy].plans;
    l->first = calloc(s->workload_count, sizeof *l->first);
    l->counts = NULL;
    if (l->first == NULL) {
        return false;
    }
    for (size_t w = 0; w < s->workload_count; w++) {
        l->first[w] = total;
        total += (size_t)PURCHASE_COUNT * l->plans[w].nodes;
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
    size_t purchase = (size_t)market_pool_info(l->study->market, u->pool)->purchase;
    size_t slot = u->slot + (size_t)twin;
    return l->counts[l->first[u->workload] + purchase * l->plans[u->workload].nodes + slot]++;
}
