/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long the accelerators of a job exchange gradients and activations in one optimizer step, by
 * rings (Patarasu and Yuan, J. Parallel Distrib. Comput. 69, 2009): an all-reduce of V bytes over w
 * ways moves 2 (w - 1) / w V through every member. Physics, not fitted: published runs choose batch
 * and parallelism so that next to nothing of it shows. */
#ifndef FLEETCAST_MODELS_INTERCONNECT_H
#define FLEETCAST_MODELS_INTERCONNECT_H

/* What hangs together, per accelerator and direction. */
struct interconnect {
    double per_node;            /* accelerators of a node */
    double inside_bytes_per_s;  /* to a neighbour in the node */
    double between_bytes_per_s; /* its share of the node's network; may be 0 when nodes <= 1 */
};

/* Without EFA a process reaches one network card, of at most 100 Gb/s (assumed). */
double interconnect_between(double network_bytes_per_s, double accelerators, int efa);

struct exchange {
    double gradient_bytes; /* of the whole model: trained parameters × bytes of a gradient */
    double weight_bytes;   /* likewise, of all parameters: ZeRO 3 gathers them */
    double tensor, pipeline, data; /* ways; their product is the number of accelerators */
    int zero; /* stage 3 gathers the weights in the forward and in the backward pass, and only then
                 adds up gradients: 1.5 times as much where all are trained (arXiv 1910.02054,
                 section 7) */
    /* Activations that tensor parallelism exchanges: samples per data-parallel way and step ×
     * layers × sequence × hidden × bytes. 0: none. */
    double activation_bytes;
    /* Activations that cross from one pipeline stage to the next in one direction, per accelerator
     * and step: samples per data-parallel way × sequence × hidden × bytes ÷ tensor ways. */
    double stage_bytes;
    /* A mixture of experts over so many data-parallel ways; up to 1: each has all of them. */
    double expert;
    double expert_gradient_bytes; /* of gradient_bytes, those of experts */
    double expert_weight_bytes;   /* of weight_bytes */
    /* What each accelerator sends to experts in one layer and one direction: tokens × experts of
     * each × hidden × bytes; and the layers of one stage. */
    double token_bytes, expert_layers;
};
/* Seconds of one optimizer step, nothing overlapped. */
double interconnect_gradients_s(const struct interconnect *c, const struct exchange *e);
/* Between pipeline stages: forward activations, backward their gradients (Narayanan et al., arXiv
 * 2104.04473, section 4.1, which divides them by the tensor ways). */
double interconnect_stages_s(const struct interconnect *c, const struct exchange *e);
/* Between experts: tokens are sent out and gathered in, in the forward and in the backward pass:
 * four all-to-alls a layer (GShard, arXiv 2006.16668, section 3.2). Of what is sent to E ways (w -
 * 1)/E stay in a node with w of them, and (E - w)/E leave it. */
double interconnect_experts_s(const struct interconnect *c, const struct exchange *e);
double interconnect_activations_s(const struct interconnect *c, const struct exchange *e);

#endif
