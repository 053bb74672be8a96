/* SPDX-License-Identifier: GPL-3.0-or-later
 * Usage of instances in a FOCUS file: nodes, and capacity that is reserved for them. */
#ifndef FLEETCAST_SCENARIOS_FOCUS_USAGE_CELLS_H
#define FLEETCAST_SCENARIOS_FOCUS_USAGE_CELLS_H

#include "scenarios/output/focus_writing.h"

/* The On-Demand Capacity Reservation that a node runs in, or that is idle. */
void writing_reservation_id(struct focus_writing *w, const struct focus_row *row);
void writing_node(struct focus_writing *w, const struct focus_row *row);
void writing_idle(struct focus_writing *w, const struct focus_row *row);
/* What others in the account run. */
void writing_others(struct focus_writing *w, const struct focus_row *row);

#endif
