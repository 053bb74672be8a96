/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/roofline.h"

#include <math.h>
#include <stddef.h>

const char *const speed_stack_names[] = {"tuned", "plain", "unstated", NULL};
_Static_assert(STACK_TUNED == 0 && STACK_UNSTATED == 2,
               "speed_stack_names are indexed by enum speed_stack");

/* Standard errors: k 0.17, 0.4, 0.8; plain 0.02; campaign 0.025; step delay 0.12 ms. */
const struct roofline roofline_fitted = {
    .peak_share = 0.90,
    .bytes_per_kiloflop = {[ROOFLINE_LLM] = 4.2, [ROOFLINE_ENCODER] = 7.0, [ROOFLINE_CNN] = 16.5},
    .plain = 0.65,
    .campaign = 0.74,
    .step_delay_s = 1.2e-3,
};

double roofline_stack(const struct roofline *r, enum speed_stack stack)
{
    switch (stack) {
    case STACK_TUNED:
        return 1;
    case STACK_PLAIN:
        return r->plain;
    case STACK_UNSTATED:
        break;
    }
    return sqrt(r->plain);
}

double roofline_compute_s(const struct roofline *r, const struct roofline_unit *unit)
{
    return unit->flops / (r->peak_share * unit->peak_flops);
}

double roofline_traffic_s(const struct roofline *r, const struct roofline_unit *unit)
{
    return unit->flops * r->bytes_per_kiloflop[unit->class] / 1000 * unit->bytes_per_element / 2 /
           unit->bandwidth_bytes_per_s;
}
