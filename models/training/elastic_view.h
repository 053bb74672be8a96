/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a policy may see of an elastic job. "The whole gang" is, of what could be had, the fewest
 * nodes on which it runs; of what runs, whatever does, with the share of full speed it lacks. */
#ifndef FLEETCAST_MODELS_ELASTIC_VIEW_H
#define FLEETCAST_MODELS_ELASTIC_VIEW_H

#include "models/policies/policy.h"
#include "models/training/elastic_moves.h"

/* Notes included. Prices are those of lists: what commitments cover is not weighed. */
struct policy_view elastic_view(const struct elastic_job *j);

#endif
