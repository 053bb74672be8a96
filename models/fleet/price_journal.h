/* SPDX-License-Identifier: GPL-3.0-or-later
 * What nodes cost in a world, written into its journal: of each pool whose price moves, the price
 * at the start and each later one. */
#ifndef FLEETCAST_MODELS_PRICE_JOURNAL_H
#define FLEETCAST_MODELS_PRICE_JOURNAL_H

#include "models/fleet/fleet.h"

/* Up to this time; does nothing without a journal. */
void price_journal_write(struct fleet *f, double until_s);

#endif
