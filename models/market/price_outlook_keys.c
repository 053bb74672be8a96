/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/price_outlook_keys.h"

#include <stddef.h>

#define YEAR_S (365.25 * 86400.0)

static const char *const purchase_words[] = {"on-demand", "spot", "all", NULL};
static const char *const rate_words[] = {"none", NULL};

/* Four cuts in 91.3 family-years, all on one day: the mean, with the spread of one event. */
const char price_cuts_default_rate[] = "gamma(0.0438/y; 0.816)";
/* -33 %, -33 %, -44 %, -25.4 %: 90 % of a next one, through Student's t on the logits. */
const char price_cuts_default_size[] = "17 %..55 %";

#define CHANGE(member) offsetof(struct price_change_spec, member)

static const struct schema_key change_keys[] = {
    {.name = "at",
     .kind = SCHEMA_DATE,
     .required = true,
     .offset = CHANGE(at),
     .help = "When the new price comes into force, after the start and after `prices_as_of`; to "
             "the second (`2026-09-01T08:30Z`)."},
    {.name = "announced",
     .kind = SCHEMA_DATE,
     .offset = CHANGE(announced),
     .help = "From when on it is known; no plan and no policy sees it before. Default: from the "
             "start."},
    {.name = "instances",
     .kind = SCHEMA_TEXTS,
     .list_or_one = true,
     .low = 0,
     .high = 64,
     .offset = CHANGE(instances),
     .help = "Instance types that it holds for; with neither this nor `families`: all."},
    {.name = "families",
     .kind = SCHEMA_TEXTS,
     .list_or_one = true,
     .low = 0,
     .high = 64,
     .offset = CHANGE(families),
     .help = "Instance families that it holds for, such as `p4d`."},
    {.name = "purchase",
     .kind = SCHEMA_CHOICE,
     .choices = purchase_words,
     .default_text = "on-demand",
     .offset = CHANGE(purchase),
     .help = "Whose price it is: `on-demand`, `spot`, or `all` of both."},
    {.name = "change",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = -0.95,
     .high = 3,
     .required = true,
     .offset = CHANGE(change),
     .help = "What is added to the price then in force: `-20 %`."},
};

const struct schema price_change_schema = {
    .name = "market.price_changes",
    SCHEMA_KEYS(change_keys),
    .size = sizeof(struct price_change_spec),
    .help = "A change of list prices whose date is known.",
};

#define CUTS(member) offsetof(struct price_cuts_spec, member)

static const struct schema_key cuts_keys[] = {
    {.name = "rate",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 0,
     .high = 12 / YEAR_S,
     .choices = rate_words,
     .offset = CUTS(rate),
     .help = "How often the on-demand prices of one instance family are cut (`0.3/y`), or `none`. "
             "Default: none up to a horizon of six months; beyond, or with `size`, what the "
             "price history suggests, listed under \"assumed\"."},
    {.name = "size",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 0.95,
     .offset = CUTS(size),
     .place_offset = CUTS(size_place),
     .help = "Share of the price that a cut takes off, drawn for each; default: `17 %..55 %`, "
             "listed under \"assumed\"."},
};

const struct schema price_cuts_schema = {
    .name = "market.price_cuts",
    .shorthand = "rate",
    SCHEMA_KEYS(cuts_keys),
    .size = sizeof(struct price_cuts_spec),
    .help = "Cuts of on-demand prices that nobody has announced; the rate alone may stand in its "
            "place, as may `none`.",
};
