/* SPDX-License-Identifier: GPL-3.0-or-later
 * A gang whose nodes stand in several zones (`span_zones`), on demand only: it has no EFA, and each
 * byte that its accelerators synchronise across a zone's border is paid, out of the one zone and
 * into the other.
 *
 * What crosses: gradients are added up along rings over all D data-parallel ways (NCCL), zone after
 * zone, so that each of the z borders carries 2 (D - 1)/D times the gradients of a step (Patarasuk
 * and Yuan, J. Parallel Distrib. Comput. 69(2), 2009), half as much again where weights are
 * gathered too (ZeRO stage 3, arXiv 1910.02054). For models/training only. */
#ifndef FLEETCAST_MODELS_ZONE_SPAN_H
#define FLEETCAST_MODELS_ZONE_SPAN_H

#include "models/training/training_making.h"

/* Fills the plan's span_zones; its policy is known. False, told, where a gang cannot span. */
bool zone_span_make(struct making *m);
/* Once the speed is known: how much crosses. False, told, when that follows from nothing stated. */
bool zone_span_check(const struct making *m);
/* Bytes that have crossed a border once the gang has worked so long; 0: it spans none. */
double zone_span_crossed_bytes(const struct training_plan *plan, const double *drawn,
                               double worked_s);

#endif
