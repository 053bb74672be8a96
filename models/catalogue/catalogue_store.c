/* SPDX-License-Identifier: GPL-3.0-or-later
 * See catalogue_store.h. */
#include "models/catalogue/catalogue_store.h"

#include <assert.h>
#include <string.h>

/* Every row begins with its name, so one search serves all three tables. */
static size_t find_name(const void *rows, size_t count, size_t row_size, const char *name)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *const *at = (const void *)((const char *)rows + middle * row_size);
        int order = strcmp(*at, name);
        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NOT_FOUND;
}

static_assert(offsetof(struct instance_type, name) == 0, "the search reads the first member");
static_assert(offsetof(struct region, code) == 0, "the search reads the first member");
static_assert(offsetof(struct accelerator, name) == 0, "the search reads the first member");

size_t store_type(const struct catalogue *c, const char *name)
{
    return find_name(c->types, c->type_count, sizeof *c->types, name);
}

size_t store_region(const struct catalogue *c, const char *code)
{
    return find_name(c->regions, c->region_count, sizeof *c->regions, code);
}

size_t store_accelerator(const struct catalogue *c, const char *name)
{
    return find_name(c->accelerators, c->accelerator_count, sizeof *c->accelerators, name);
}
