/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a loaded catalogue holds, for the modules that fill it and look things up in it; everybody
 * else goes through catalogue.h. Types, regions and accelerators are sorted by name and found by
 * binary search; their positions make the cells of the price books. */
#ifndef FLEETCAST_MODELS_CATALOGUE_STORE_H
#define FLEETCAST_MODELS_CATALOGUE_STORE_H

#include "engine/arena.h"
#include "models/catalogue/advisor_book.h"
#include "models/catalogue/block_prices.h"
#include "models/catalogue/catalogue.h"
#include "models/catalogue/model_presets.h"
#include "models/catalogue/model_speeds.h"
#include "models/catalogue/price_book.h"
#include "models/catalogue/reserved_offers.h"
#include "models/catalogue/storage_prices.h"

#include <stddef.h>
#include <stdint.h>

/* Hostile tables end here; cells stay below 2^20. */
enum { TYPES_MAX = 4096, REGIONS_MAX = 256, ACCELERATORS_MAX = 4096 };

struct catalogue {
    struct arena *arena; /* all text and frozen tables */
    const char *folder;
    uint64_t hash;
    const char *const *layers; /* names by rank: "shipped", then the price files */
    size_t layer_count;
    struct accelerator *accelerators;
    size_t accelerator_count;
    struct instance_type *types;
    size_t type_count;
    const char **type_names; /* as candidates for a suggestion */
    struct region *regions;
    size_t region_count;
    const char **region_codes;
    struct price_book on_demand;
    struct price_book spot[SPOT_STATISTIC_COUNT];
    struct advisor_book advisor;
    struct reserved_offers reserved;
    struct block_prices blocks;
    struct storage_prices storage;
    struct model_presets models;
    struct model_speeds speeds;
};

#define NOT_FOUND SIZE_MAX

/* Position, or NOT_FOUND. */
size_t store_type(const struct catalogue *c, const char *name);
size_t store_region(const struct catalogue *c, const char *code);
size_t store_accelerator(const struct catalogue *c, const char *name);

static inline size_t store_cells(const struct catalogue *c)
{
    return c->type_count * c->region_count;
}

static inline size_t store_cell(const struct catalogue *c, size_t type, size_t region)
{
    return type * c->region_count + region;
}

#endif
