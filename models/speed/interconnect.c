/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/interconnect.h"

#include <math.h>

#define ONE_CARD_BYTES_PER_S (100e9 / 8)
/* Two all-reduces in the forward and two in the backward pass of a layer (Megatron-LM, arXiv
 * 1909.08053, section 3). */
#define REDUCES_PER_LAYER 4.0
/* Two in each pass. */
#define ALL_TO_ALLS_PER_LAYER 4.0

double interconnect_between(double network_bytes_per_s, double accelerators, int efa)
{
    const double node = efa ? network_bytes_per_s : fmin(network_bytes_per_s, ONE_CARD_BYTES_PER_S);
    return node / fmax(1, accelerators);
}

static double ring_s(double ways, double bytes, double bytes_per_s)
{
    return ways > 1 ? 2 * (ways - 1) / ways * bytes / bytes_per_s : 0;
}

/* Data-parallel ways in a node: model-parallel ways fill it first. */
static double ways_inside(const struct interconnect *c, const struct exchange *e)
{
    return fmin(e->data, fmax(1, floor(c->per_node / (e->tensor * e->pipeline))));
}

/* Parameters that so many ways have in common, of which `inside` are in a node. */
static double reduce_s(const struct interconnect *c, const struct exchange *e, double ways,
                       double inside, double gradient_bytes, double weight_bytes)
{
    /* Gathering moves half of what an all-reduce of as much does; so does its second half alone. */
    const double volume = e->zero >= 3 ? (2 * weight_bytes + gradient_bytes) / 2 : gradient_bytes;
    const double bytes = volume / (e->tensor * e->pipeline);
    return ring_s(inside, bytes, c->inside_bytes_per_s) +
           ring_s(ways / inside, bytes / inside, c->between_bytes_per_s);
}

double interconnect_gradients_s(const struct interconnect *c, const struct exchange *e)
{
    const double inside = ways_inside(c, e);
    if (!(e->expert > 1)) {
        return reduce_s(c, e, e->data, inside, e->gradient_bytes, e->weight_bytes);
    }
    /* Those that share the experts are neighbours; each has its own part of them in common with one
     * of each other such group. */
    const double groups = e->data / e->expert, near = fmax(1, floor(inside / e->expert));
    return reduce_s(c, e, e->data, inside, e->gradient_bytes - e->expert_gradient_bytes,
                    e->weight_bytes - e->expert_weight_bytes) +
           reduce_s(c, e, groups, fmin(groups, near), e->expert_gradient_bytes / e->expert,
                    e->expert_weight_bytes / e->expert);
}

double interconnect_stages_s(const struct interconnect *c, const struct exchange *e)
{
    const double link =
        e->tensor * e->pipeline <= c->per_node ? c->inside_bytes_per_s : c->between_bytes_per_s;
    return e->pipeline > 1 ? 2 * e->stage_bytes / link : 0;
}

double interconnect_experts_s(const struct interconnect *c, const struct exchange *e)
{
    if (!(e->expert > 1)) {
        return 0;
    }
    const double near = fmin(e->expert, ways_inside(c, e));
    const double far = e->expert - near;
    const double one_s = (near - 1) / e->expert / c->inside_bytes_per_s +
                         (far > 0 ? far / e->expert / c->between_bytes_per_s : 0);
    return ALL_TO_ALLS_PER_LAYER * e->expert_layers * e->token_bytes * one_s;
}

double interconnect_activations_s(const struct interconnect *c, const struct exchange *e)
{
    const double link = e->tensor <= c->per_node ? c->inside_bytes_per_s : c->between_bytes_per_s;
    return REDUCES_PER_LAYER / e->pipeline * ring_s(e->tensor, e->activation_bytes, link);
}
