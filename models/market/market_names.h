/* SPDX-License-Identifier: GPL-3.0-or-later
 * Names of types and zones, and of the entries that describe a pool by them: TYPE or ZONE/TYPE. */
#ifndef FLEETCAST_MODELS_MARKET_NAMES_H
#define FLEETCAST_MODELS_MARKET_NAMES_H

#include "engine/schema.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the catalogue knows the type; whether a zone is one of the region, as its name says (the
 * region's code and something more); whether both hold of an entry's name. What is not is told at
 * the place. */
bool market_names_type(const struct market_context *c, const char *type, struct place where);
bool market_names_zone(const struct market_context *c, const char *zone, size_t length,
                       struct place where);
bool market_names_entry(const struct market_context *c, const struct schema_item *item);

/* The entry of a list for this type: the one for the zone, else the plain one, else NULL; its
 * *index. size: of one entry, whose first member is a struct schema_item. */
const void *market_names_find(const struct schema_list *list, size_t size, const char *zone,
                              const char *type, size_t *index);

#endif
