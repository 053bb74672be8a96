/* SPDX-License-Identifier: GPL-3.0-or-later
 * Commitments and Capacity Blocks in a FOCUS file. */
#ifndef FLEETCAST_SCENARIOS_FOCUS_COMMITMENT_CELLS_H
#define FLEETCAST_SCENARIOS_FOCUS_COMMITMENT_CELLS_H

#include "scenarios/output/focus_writing.h"

/* Which commitment a row is of, or covered by. */
void writing_commitment(struct focus_writing *w, const struct focus_row *row);
/* A charge for a commitment itself, not for usage that it covers. */
void writing_commitment_charge(struct focus_writing *w, const struct focus_row *row);
/* The capacity reservation that a Capacity Block is. */
void writing_window_id(struct focus_writing *w, const struct focus_row *row);
/* One thing at its price: the block, or what of it is left. */
void writing_window(struct focus_writing *w, const struct focus_row *row);

#endif
