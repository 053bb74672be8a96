/* SPDX-License-Identifier: GPL-3.0-or-later
 * A gang whose nodes stand in several zones (`span_zones`): it has no EFA, and each byte that its
 * accelerators synchronise across a zone's border is paid, out of the one zone and into the other.
 * On demand it is a gang like others; on spot its nodes come from each zone as that has room, one
 * by one, as those of an elastic job that runs on all of its nodes only.
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
/* What crosses a border while so many nodes work, in what crosses it for the same work on all. */
double zone_span_ring(const struct training_plan *plan, uint32_t nodes);
/* Bytes that have crossed borders, after so many seconds of work of all nodes times borders; 0: it
 * spans no zones. */
double zone_span_crossed_bytes(const struct training_plan *plan, const double *drawn,
                               double border_s);

#endif
