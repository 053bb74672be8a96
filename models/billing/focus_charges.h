/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charges beside nodes as rows of an export: a row for each priced part of what was told of them;
 * support and tax by payer and month. */
#ifndef FLEETCAST_MODELS_FOCUS_CHARGES_H
#define FLEETCAST_MODELS_FOCUS_CHARGES_H

#include "models/billing/focus_making.h"

/* Last: support and tax are shares of all other rows. */
void focus_put_charges(struct focus_making *m);

#endif
