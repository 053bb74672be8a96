/* SPDX-License-Identifier: GPL-3.0-or-later
 * See coverage_world.h. */
#include "models/commitments/coverage_world.h"

#include <stdlib.h>

bool coverage_world_init(struct coverage_world *w, const struct commitment_plan *plan)
{
    *w = (struct coverage_world){.plan = plan, .run = coverage_run_new(plan->coverage)};
    return w->run != NULL;
}

static bool drops_any(const struct commitment_plan *plan, int64_t signed_until_us)
{
    size_t k = 0;
    while (k < plan->count && plan->items[k].start_us < signed_until_us) {
        k++;
    }
    return k < plan->count;
}

/* Back to the plan's own coverage, from that of a world before. */
static bool as_planned(struct coverage_world *w)
{
    struct coverage_run *run = w->own == NULL ? NULL : coverage_run_new(w->plan->coverage);
    if (w->own != NULL && run == NULL) {
        return false;
    }
    if (run != NULL) {
        coverage_world_release(w);
        w->run = run;
    }
    return true;
}

bool coverage_world_begin(struct coverage_world *w, struct market *m, const double *drawn,
                          int64_t signed_until_us)
{
    const struct commitment_plan *plan = w->plan;
    if (plan->reserved_rates == NULL && !plan->later.moves && !drops_any(plan, signed_until_us)) {
        return as_planned(w);
    }
    if (w->items == NULL) {
        w->items = calloc(plan->count + plan->sunk, sizeof *w->items);
    }
    struct diagnostics *none = diagnostics_new(); /* the same with planned rates was right */
    struct coverage *own = none == NULL || w->items == NULL
                               ? NULL
                               : commitment_plan_coverage(plan, m, drawn, signed_until_us, w->items,
                                                          (struct place){0}, none);
    struct coverage_run *run = own == NULL ? NULL : coverage_run_new(own);
    diagnostics_free(none);
    if (run == NULL) {
        coverage_free(own);
        return false;
    }
    coverage_run_free(w->run);
    coverage_free(w->own);
    w->run = run;
    w->own = own;
    return true;
}

const struct commitment *coverage_world_items(const struct coverage_world *w)
{
    return w->items != NULL ? w->items : w->plan->items;
}

void coverage_world_release(struct coverage_world *w)
{
    coverage_run_free(w->run);
    coverage_free(w->own);
    free(w->items);
    w->run = NULL;
    w->own = NULL;
    w->items = NULL;
}
