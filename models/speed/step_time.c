/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/step_time.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

const char *const step_bound_names[] = {
    [STEP_COMPUTE] = "compute",        [STEP_TRAFFIC] = "device memory bandwidth",
    [STEP_EXCHANGE] = "communication", [STEP_DELAY] = "latency of the steps",
    [STEP_BUBBLE] = "pipeline bubble", [STEP_LOADER] = "input pipeline",
};

static enum step_bound largest(const struct step_time *t)
{
    const double parts[] = {
        [STEP_COMPUTE] = t->compute_s,
        [STEP_TRAFFIC] = t->traffic_s,
        [STEP_EXCHANGE] = t->exchange_s - t->hidden_s,
        [STEP_DELAY] = t->delay_s,
        [STEP_BUBBLE] = t->bubble_s,
    };
    enum step_bound most = STEP_COMPUTE;
    for (int i = STEP_TRAFFIC; i <= STEP_BUBBLE; i++) {
        if (parts[i] > parts[most]) {
            most = (enum step_bound)i;
        }
    }
    return most;
}

struct step_time step_time_of(const struct step_question *q)
{
    const bool known = q->units_per_step > 0;
    const double b = known ? q->units_per_step / q->accelerators : 1;
    struct step_time t = {.compute_s = b * q->compute_s, .traffic_s = b * q->traffic_s};
    const double work_s = t.compute_s + t.traffic_s;
    if (known) {
        t.exchange_s = interconnect_gradients_s(&q->links, &q->exchange) +
                       interconnect_activations_s(&q->links, &q->exchange) +
                       interconnect_stages_s(&q->links, &q->exchange) +
                       interconnect_experts_s(&q->links, &q->exchange);
        t.hidden_s = fmin(t.exchange_s, STEP_OVERLAP * work_s);
        t.delay_s = q->step_delay_s * log2(q->accelerators);
    }
    if (q->exchange.pipeline > 1 && q->micro_batches > 0) {
        t.bubble_s = work_s * (q->exchange.pipeline - 1) / q->micro_batches;
    }
    t.step_s = work_s + t.bubble_s + t.delay_s + (t.exchange_s - t.hidden_s);
    t.own_units_per_s = q->accelerators * b / t.step_s * q->speed_factor;
    t.units_per_s = fmin(t.own_units_per_s, q->loader_units_per_s);
    t.bound = t.own_units_per_s > q->loader_units_per_s ? STEP_LOADER : largest(&t);
    return t;
}

double step_units_that_hide(const struct step_question *q)
{
    const double unit_s = q->compute_s + q->traffic_s;
    return interconnect_gradients_s(&q->links, &q->exchange) / (STEP_OVERLAP * unit_s) *
           q->accelerators;
}
