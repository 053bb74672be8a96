/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/market_names.h"

#include <string.h>

/* "us-east-1a", "us-east-1-bos-1a": the region's code and something more. */
static bool zone_in_region(const char *zone, size_t length, const char *region)
{
    size_t code = strlen(region);
    if (length <= code || length > 48 || strncmp(zone, region, code) != 0) {
        return false;
    }
    for (size_t i = code; i < length; i++) {
        char k = zone[i];
        if (!((k >= 'a' && k <= 'z') || (k >= '0' && k <= '9') || k == '-')) {
            return false;
        }
    }
    return true;
}

bool market_names_type(const struct market_context *c, const char *type, struct place where)
{
    if (catalogue_type(c->catalogue, type) != NULL) {
        return true;
    }
    const char *near = catalogue_suggest_type(c->catalogue, type);
    diagnostics_add(c->diagnostics, DIAGNOSTIC_ERROR, where,
                    near != NULL
                        ? "unknown instance type '%s'; did you mean '%s'?"
                        : "unknown instance type '%s'; 'fleetcast show instances' lists them",
                    type, near);
    return false;
}

bool market_names_zone(const struct market_context *c, const char *zone, size_t length,
                       struct place where)
{
    const struct region *region = c->region;
    if (zone_in_region(zone, length, region->code)) {
        return true;
    }
    diagnostics_add(c->diagnostics, DIAGNOSTIC_ERROR, where,
                    "'%.*s' is not a zone of region '%s'; expected a name such as '%s'",
                    (int)(length < 64 ? length : 64), zone, region->code, region->first_zone);
    return false;
}

bool market_names_entry(const struct market_context *c, const struct schema_item *item)
{
    const char *slash = strchr(item->name, '/');
    if (slash == NULL) {
        return market_names_type(c, item->name, item->place);
    }
    bool zone = market_names_zone(c, item->name, (size_t)(slash - item->name), item->place);
    return market_names_type(c, slash + 1, item->place) && zone;
}

static bool entry_is(const struct schema_item *item, const char *zone, const char *type)
{
    const char *slash = strchr(item->name, '/');
    if (zone == NULL) {
        return strcmp(item->name, type) == 0;
    }
    size_t length = strlen(zone);
    return slash != NULL && (size_t)(slash - item->name) == length &&
           strncmp(item->name, zone, length) == 0 && strcmp(slash + 1, type) == 0;
}

const void *market_names_find(const struct schema_list *list, size_t size, const char *zone,
                              const char *type, size_t *index)
{
    const void *plain = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct schema_item *item =
            (const struct schema_item *)((const char *)list->items + i * size);
        if (entry_is(item, zone, type)) {
            *index = i;
            return item;
        }
        if (entry_is(item, NULL, type)) {
            *index = i;
            plain = item;
        }
    }
    return plain;
}
