/* SPDX-License-Identifier: GPL-3.0-or-later
 * Floating-point operations of one unit of training work, forward and backward, by what the model
 * is. Model FLOPs: what recomputation adds is not counted. */
#ifndef FLEETCAST_MODELS_WORK_FLOPS_H
#define FLEETCAST_MODELS_WORK_FLOPS_H

/* Of matrix products with the weights, per token: 6 per active parameter (Kaplan et al., arXiv
 * 2001.08361, section 2.1); of those, 2 are the weights' gradients, which frozen weights do not
 * need (the others pass the gradient on). trained <= parameters. */
double flops_of_weights(double active_parameters, double parameters, double trained_parameters);
/* Of attention, per token: 12 L h s (PaLM, arXiv 2204.02311, appendix B; so counted by Megatron-LM
 * and llm-foundry too, causal or not). Has no weights: frozen ones change nothing. */
double flops_of_attention(double layers, double hidden, double sequence);
/* Of a convolution net, per sample: 6 per multiply-add of the forward pass. */
double flops_of_convolution(double gmac);

#endif
