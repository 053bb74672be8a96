/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long an accelerator takes for one unit of training work (a token, a sequence, an image): an
 * additive roofline. Compute time and memory-traffic time are added, not overlapped, because a
 * training step alternates between matrix products, which compute binds, and normalisation,
 * activation and optimizer kernels, which memory bandwidth binds:
 *
 *     t = F (1 / (u peak) + k / 1000 · e / 2 / bandwidth) / (sigma c)
 *
 * Six numbers were fitted to 192 published measurements (DAWNBench, MLPerf v0.7 to v3.0, NVIDIA
 * DeepLearningExamples, Megatron-LM, MosaicML llm-foundry, model cards, Gavel); u is fixed. An
 * accelerator generation has no number of its own: its data sheet's dense peak and bandwidth do it.
 * Their errors stand in docs/models.md; `make validate` fits them again. */
#ifndef FLEETCAST_MODELS_ROOFLINE_H
#define FLEETCAST_MODELS_ROOFLINE_H

enum roofline_class { ROOFLINE_LLM, ROOFLINE_ENCODER, ROOFLINE_CNN, ROOFLINE_CLASSES };

/* What software reaches. TUNED: fused attention and optimizer, a fast input pipeline. PLAIN:
 * framework code as found, and language-model stacks of before fused attention. */
enum speed_stack { STACK_TUNED, STACK_PLAIN, STACK_UNSTATED };
extern const char *const speed_stack_names[]; /* as the enum, NULL */

struct roofline {
    double peak_share;                           /* u: of the dense peak that can be reached */
    double bytes_per_kiloflop[ROOFLINE_CLASSES]; /* k: traffic, at two bytes an element */
    double plain;                                /* sigma of STACK_PLAIN; tuned: 1 */
    double campaign;     /* c of whole published campaigns: restarts, evaluation, idle; else 1 */
    double step_delay_s; /* tau: launch, synchronisation and latency of one step, times log2 N */
};
extern const struct roofline roofline_fitted;

/* sigma: unstated is the middle of both in the logarithm. */
double roofline_stack(const struct roofline *r, enum speed_stack stack);

/* One unit on one accelerator without anything around it. */
struct roofline_unit {
    enum roofline_class class;
    double flops;                 /* of one unit, forward and backward */
    double peak_flops;            /* dense, per second, of the precision used */
    double bandwidth_bytes_per_s; /* of device memory */
    double bytes_per_element;     /* 2 for 16-bit formats */
};
/* Seconds of the two terms, on a tuned stack. */
double roofline_compute_s(const struct roofline *r, const struct roofline_unit *unit);
double roofline_traffic_s(const struct roofline *r, const struct roofline_unit *unit);

#endif
