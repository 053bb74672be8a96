/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/import/importer.h"

#define IMPORTERS(ROW)                                                                             \
    ROW(availability, "availability")                                                              \
    ROW(spot_history, "spot-history")                                                              \
    ROW(price_list, "price-list")                                                                  \
    ROW(instances_json, "instances-json")                                                          \
    ROW(catalog, "catalog")                                                                        \
    ROW(advisor, "advisor")                                                                        \
    ROW(jobs, "jobs")                                                                              \
    ROW(requests, "requests")

#define DECLARE(name, text) extern const struct importer importer_##name;
IMPORTERS(DECLARE)
#undef DECLARE

#define POINTER(name, text) &importer_##name,
#define NAME(name, text)    text,
const struct importer *const importer_table[] = {IMPORTERS(POINTER) NULL};
const char *const importer_names[] = {IMPORTERS(NAME) NULL};
