/* SPDX-License-Identifier: GPL-3.0-or-later
 * How often a running gang is to lose nodes, whatever takes them, as planning sees it. For
 * models/training only. */
#ifndef FLEETCAST_MODELS_PLANNED_LOSSES_H
#define FLEETCAST_MODELS_PLANNED_LOSSES_H

#include "models/training/training_plan.h"

/* Losses per second of running, of the plan's nodes at this site. 0 = never. */
double training_planned_loss_rate(const struct market_plan *market, const struct training_plan *p,
                                  int site);

#endif
