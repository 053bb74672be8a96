/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/latency_law.h"

#include <float.h>
#include <math.h>

#define KNEE_STEPS  400
#define KNEE_LOW    (-8.0) /* ln(t_0 / c), beside the batches */
#define KNEE_HIGH   12.0
#define REFINEMENTS 6

double latency_law_s(const struct latency_law *law, double batch)
{
    return law->form == LATENCY_QUADRATURE ? hypot(law->start_s, law->sample_s * batch)
                                           : law->start_s + law->sample_s * batch;
}

/* Of all laws with t_0 = knee c the best: its scale is the mean of the logarithms. */
static double at_knee(struct latency_law *law, double knee, const double *batch,
                      const double *time_s, size_t count)
{
    double sum = 0, squares = 0;
    law->start_s = knee;
    law->sample_s = 1;
    for (size_t i = 0; i < count; i++) {
        const double e = log(time_s[i] / latency_law_s(law, batch[i]));
        sum += e;
        squares += e * e;
    }
    const double mean = sum / (double)count;
    law->sample_s = exp(mean);
    law->start_s = knee * law->sample_s;
    return squares - (double)count * mean * mean;
}

/* By a grid over the knee, refined about its best point. */
struct latency_law latency_law_fit(enum latency_form form, const double *batch,
                                   const double *time_s, size_t count)
{
    struct latency_law law = {.form = form};
    double low = KNEE_LOW, high = KNEE_HIGH, best = low;
    for (int round = 0; round < REFINEMENTS; round++) {
        const double step = (high - low) / KNEE_STEPS;
        double least = DBL_MAX;
        for (int i = 0; i <= KNEE_STEPS; i++) {
            const double squares = at_knee(&law, exp(low + i * step), batch, time_s, count);
            if (squares < least) {
                least = squares;
                best = low + i * step;
            }
        }
        low = best - step;
        high = best + step;
    }
    at_knee(&law, exp(best), batch, time_s, count);
    return law;
}
