/* SPDX-License-Identifier: GPL-3.0-or-later
 * Nodes as rows of an export: the time of each, cut at months, the horizon and the hours of
 * commitments, with the share of what those covered. */
#ifndef FLEETCAST_MODELS_FOCUS_NODES_H
#define FLEETCAST_MODELS_FOCUS_NODES_H

#include "models/billing/focus_making.h"

void focus_put_nodes(struct focus_making *m);
/* After all nodes: fails when they ran otherwise than commitments saw them run. */
void focus_check_nodes(struct focus_making *m);
/* … and the nano-units between what was covered of nodes and what was taken off the bill. */
void focus_put_rounding(struct focus_making *m);

#endif
