/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long a batch of b samples takes: the quadrature sqrt(t_0^2 + (c b)^2) or the line t_0 + c b,
 * fitted to measured batches. */
#ifndef FLEETCAST_TESTS_LATENCY_LAW_H
#define FLEETCAST_TESTS_LATENCY_LAW_H

#include <stddef.h>

enum latency_form { LATENCY_QUADRATURE, LATENCY_LINEAR };

struct latency_law {
    enum latency_form form;
    double start_s;  /* t_0 */
    double sample_s; /* c */
};

double latency_law_s(const struct latency_law *law, double batch);
/* Least squares of ln(T); count >= 2. One of the two numbers may come out as 0. */
struct latency_law latency_law_fit(enum latency_form form, const double *batch,
                                   const double *time_s, size_t count);

#endif
