/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/world_quantiles.h"

#include "engine/statistics.h"

#include <math.h>

/* The smallest value that a share p of worlds is surely at or below. */
static double quantile(const struct sample *s, double p)
{
    struct quantile q = sample_quantile(s, p, 0.95);
    double sure = q.known ? q.value : q.at_most;
    return isfinite(sure) ? sure : (double)NAN;
}

bool world_quantiles(struct world_quantiles *q, const double *values, const unsigned char *censored,
                     size_t n)
{
    struct sample *s = sample_new(values, censored, n);
    if (s == NULL) {
        return false;
    }
    *q = (struct world_quantiles){
        .mean = sample_mean(s),
        .p10 = quantile(s, 0.10),
        .p25 = quantile(s, 0.25),
        .p50 = quantile(s, 0.50),
        .p75 = quantile(s, 0.75),
        .p90 = quantile(s, 0.90),
    };
    sample_free(s);
    return true;
}
