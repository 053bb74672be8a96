/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/item_metrics.h"

#include <math.h>

static double per_million(const struct metric_cells *c, double done)
{
    return done > 0 ? 1e6 * money_to_double(c->value[METRIC_COST].money) / done : (double)NAN;
}

void item_metrics_fill(struct metric_cells *c, const struct work_items *items)
{
    const double none = (double)NAN;
    bool given = items != NULL;
    c->value[METRIC_ITEMS].number = given ? items->items : none;
    c->value[METRIC_ITEMS_DONE].number = given ? items->done : none;
    c->value[METRIC_ITEMS_REDONE].number = given ? items->redone : none;
    c->value[METRIC_PER_MILLION_ITEMS].number = given ? per_million(c, items->done) : none;
}

/* The cost of all holds that of other work: only with one workload is it that of items. */
void item_metrics_join(struct metric_cells *all, const struct metric_cells *workloads, size_t count)
{
    all->value[METRIC_PER_MILLION_ITEMS].number =
        count == 1 && !isnan(workloads[0].value[METRIC_ITEMS].number)
            ? per_million(all, workloads[0].value[METRIC_ITEMS_DONE].number)
            : (double)NAN;
}
