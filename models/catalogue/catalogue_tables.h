/* SPDX-License-Identifier: GPL-3.0-or-later
 * The catalogue as tables, for `fleetcast show instances|prices|spot|regions`. */
#ifndef FLEETCAST_MODELS_CATALOGUE_TABLES_H
#define FLEETCAST_MODELS_CATALOGUE_TABLES_H

#include "engine/table.h"
#include "models/catalogue/catalogue.h"

struct catalogue_filter {
    const char *pattern;    /* glob on the type's name or the accelerator's; NULL = all */
    const char *region;     /* exact code; NULL = all */
    int64_t date_unix_s;    /* prices as known on this day; INT64_MAX = newest */
    const char *gpu_memory; /* ">= 24GiB": operator and size per GPU; NULL = any */
    const char *gpus;       /* "8", ">= 4"; NULL = any */
    const char *dtype;      /* "bf16": types whose accelerator has tensor peak for it; NULL = any */
    bool history;           /* prices: every dated row, not only the one in force */
};

/* Parses nothing twice: an unusable filter is an error in d and NULL returns. Sorting is the
 * caller's (table_sort). A missing price stays missing (never 0). */
struct table *catalogue_table_instances(const struct catalogue *c, const struct catalogue_filter *f,
                                        struct diagnostics *d);
struct table *catalogue_table_prices(const struct catalogue *c, const struct catalogue_filter *f,
                                     struct diagnostics *d);
struct table *catalogue_table_spot(const struct catalogue *c, const struct catalogue_filter *f,
                                   struct diagnostics *d);
struct table *catalogue_table_regions(const struct catalogue *c, const struct catalogue_filter *f,
                                      struct diagnostics *d);

#endif
