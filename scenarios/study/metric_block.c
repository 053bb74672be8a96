/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/metric_block.h"

#include <math.h>
#include <stdlib.h>

bool metric_block_init(struct metric_block *b, size_t n)
{
    *b = (struct metric_block){.n = n};
    b->values = malloc((n + 1) * METRIC_COUNT * sizeof *b->values);
    b->censored = malloc((n + 1) * METRIC_COUNT);
    if (b->values == NULL || b->censored == NULL) {
        metric_block_release(b);
        return false;
    }
    return true;
}

void metric_block_release(struct metric_block *b)
{
    free(b->values);
    free(b->censored);
    *b = (struct metric_block){0};
}

void metric_block_fill(struct metric_block *b, const struct results *r, size_t strategy,
                       size_t workload)
{
    for (size_t i = 0; i < b->n; i++) {
        const struct metric_cells *c = results_cells(r, (uint32_t)i, strategy, workload);
        for (int m = 0; m < METRIC_COUNT; m++) {
            b->values[(size_t)m * b->n + i] = metric_number(c, (enum metric)m);
            b->censored[(size_t)m * b->n + i] = metric_censored(c, (enum metric)m);
        }
    }
}

size_t metric_block_leave_cancelled(struct metric_block *a, struct metric_block *b, enum metric m)
{
    const double *a_off = metric_block_values(a, METRIC_CANCELLED);
    const double *b_off = metric_block_values(b, METRIC_CANCELLED);
    const size_t row = (size_t)m * a->n;
    size_t left = 0;
    for (size_t i = 0; i < a->n; i++) {
        bool cancelled = a_off[i] > 0 && b_off[i] > 0;
        if (cancelled && isnan(a->values[row + i]) && isnan(b->values[row + i])) {
            continue;
        }
        a->values[row + left] = a->values[row + i];
        b->values[row + left] = b->values[row + i];
        a->censored[row + left] = a->censored[row + i];
        b->censored[row + left] = b->censored[row + i];
        left++;
    }
    return left;
}
