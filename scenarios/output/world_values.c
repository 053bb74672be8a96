/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/world_values.h"

#include <stdlib.h>

bool world_values_init(struct world_values *w, size_t n)
{
    *w = (struct world_values){.n = n};
    w->values = malloc((n + 1) * sizeof *w->values);
    w->censored = malloc(n + 1);
    return w->values != NULL && w->censored != NULL;
}

void world_values_release(struct world_values *w)
{
    free(w->values);
    free(w->censored);
}

void world_values_mark_cut(struct world_values *w, const struct results *r, size_t strategy,
                           size_t workload)
{
    w->cut = 0;
    for (size_t i = 0; i < w->n; i++) {
        w->censored[i] = metric_cut(results_cells(r, (uint32_t)i, strategy, workload));
        w->cut += w->censored[i];
    }
}
