/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an elastic job asks for: by its policy or its `fill`, in which zones, and what no longer
 * since it would come too late. For models/training only. */
#ifndef FLEETCAST_MODELS_ELASTIC_WANTS_H
#define FLEETCAST_MODELS_ELASTIC_WANTS_H

#include "models/training/elastic_moves.h"

/* Fills the entries, and what is to be left. */
void elastic_want(struct elastic_job *j);
/* Work ends sooner, or on other nodes that are wanted, when the gang becomes one of so many. */
bool elastic_pays(const struct elastic_job *j, uint32_t nodes);

#endif
