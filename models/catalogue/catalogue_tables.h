/* SPDX-License-Identifier: GPL-3.0-or-later
 * The catalogue as tables, for `fleetcast show instances|prices|spot|regions`. */
#ifndef FLEETCAST_MODELS_CATALOGUE_TABLES_H
#define FLEETCAST_MODELS_CATALOGUE_TABLES_H

#include "engine/table.h"
#include "models/catalogue/catalogue.h"

struct catalogue_filter {
    /* On the type's name, the accelerator's short and full name (in the table of regions: code and
     * name); case is ignored. With * ? [ a glob on the whole name, else any part of it. NULL = all.
     */
    const char *pattern;
    const char *region;     /* exact code; NULL = all */
    int64_t date_unix_s;    /* prices as known on this day; INT64_MAX = newest */
    const char *gpu_memory; /* ">= 24GiB": >= > <= < = and a size per GPU, to 0.1 %; NULL = any */
    const char *gpus;       /* "8", ">= 4": likewise; NULL = any */
    const char *dtype;      /* "bf16": types whose accelerator has a known peak; NULL = any */
    bool history;           /* prices and spot: every dated row, not only the one in force */
};

/* f NULL: no filter. An unusable filter is an error in d and NULL returns; a pattern that no type
 * matches is a warning and an empty table. The table is the caller's (table_free), sorting too
 * (table_sort). A missing price stays missing (never 0). Instances have price columns only when a
 * region is given; a spot row never mixes statistics of different days. */
struct table *catalogue_table_instances(const struct catalogue *c, const struct catalogue_filter *f,
                                        struct diagnostics *d);
struct table *catalogue_table_prices(const struct catalogue *c, const struct catalogue_filter *f,
                                     struct diagnostics *d);
struct table *catalogue_table_spot(const struct catalogue *c, const struct catalogue_filter *f,
                                   struct diagnostics *d);
struct table *catalogue_table_regions(const struct catalogue *c, const struct catalogue_filter *f,
                                      struct diagnostics *d);

#endif
