/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/interconnect.h"

#include <math.h>

#define ONE_CARD_BYTES_PER_S (100e9 / 8)
/* Two all-reduces in the forward and two in the backward pass of a layer (Megatron-LM, arXiv
 * 1909.08053, section 3). */
#define REDUCES_PER_LAYER 4.0

double interconnect_between(double network_bytes_per_s, double accelerators, int efa)
{
    const double node = efa ? network_bytes_per_s : fmin(network_bytes_per_s, ONE_CARD_BYTES_PER_S);
    return node / fmax(1, accelerators);
}

static double ring_s(double ways, double bytes, double bytes_per_s)
{
    return ways > 1 ? 2 * (ways - 1) / ways * bytes / bytes_per_s : 0;
}

double interconnect_gradients_s(const struct interconnect *c, const struct exchange *e)
{
    /* Model-parallel ways fill a node first, so what is left of it is data-parallel. */
    const double model = e->tensor * e->pipeline;
    const double inside = fmin(e->data, fmax(1, floor(c->per_node / model)));
    const double outside = e->data / inside;
    /* Gathering moves half of what an all-reduce of as much does; so does its second half alone. */
    const double volume =
        e->zero >= 3 ? (2 * e->weight_bytes + e->gradient_bytes) / 2 : e->gradient_bytes;
    const double bytes = volume / model;
    return ring_s(inside, bytes, c->inside_bytes_per_s) +
           ring_s(outside, bytes / inside, c->between_bytes_per_s);
}

double interconnect_activations_s(const struct interconnect *c, const struct exchange *e)
{
    const double link = e->tensor <= c->per_node ? c->inside_bytes_per_s : c->between_bytes_per_s;
    return REDUCES_PER_LAYER / e->pipeline * ring_s(e->tensor, e->activation_bytes, link);
}
