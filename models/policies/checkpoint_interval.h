/* SPDX-License-Identifier: GPL-3.0-or-later
 * How much useful work to do between two checkpoints so that least time is wasted, for a constant
 * rate of losing work: tau = M (1 + W0(-exp(-1 - C/M))), M = 1/rate, C = time to write; exact for
 * Poisson losses and independent of restore and down time (Lambert W form of Daly, FGCS 22 (2006)
 * 303-312). */
#ifndef FLEETCAST_MODELS_CHECKPOINT_INTERVAL_H
#define FLEETCAST_MODELS_CHECKPOINT_INTERVAL_H

/* Seconds of useful work; +infinity when loss_rate_per_s is 0 (nothing to save: no periodic
 * checkpoint), 0 when write_s is 0 (continuous). Arguments >= 0 and finite. */
double checkpoint_interval_s(double loss_rate_per_s, double write_s);

#endif
