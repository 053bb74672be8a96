/* SPDX-License-Identifier: GPL-3.0-or-later
 * A scenario as read: every key checked on its own, units resolved, numbers possibly uncertain.
 * What needs the catalogue or two keys at once is checked by the study's plan. */
#ifndef FLEETCAST_SCENARIOS_SCENARIO_H
#define FLEETCAST_SCENARIOS_SCENARIO_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/commitments/account_keys.h"
#include "models/fleet/project.h"
#include "models/market/market.h"
#include "scenarios/reader/choose_keys.h"
#include "scenarios/reader/report_currency.h"
#include "scenarios/reader/scenario_keys.h"
#include "scenarios/reader/search_keys.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCENARIO_MAX_FILES = 64 };

struct search_plans;
struct yaml_node;

/* Ten years, of 365.25 days each. */
#define SCENARIO_MAX_HORIZON_S (10 * 365.25 * 86400)

struct correlation_spec {
    struct schema_item item;
    const char *a, *b;   /* paths of uncertain keys */
    struct quantity rho; /* in [-1, 1] */
};

/* First member of what the root schema fills; the rest is set by scenario_read. */
struct scenario {
    struct schema_item item;
    struct llm_table_store *tables; /* of the request */
    int64_t version;
    const char *name;
    struct schema_date start;
    struct quantity horizon; /* as written; see horizon_s */
    const char *region;
    struct schema_date prices_as_of; /* given = false: start */
    struct schema_list price_files;  /* const char *; relative to the scenario's folder */
    int64_t replications;
    bool replications_given;
    struct number precision;  /* share; not given = fixed number */
    const char *precision_of; /* "cost_usd.p90": metric and quantile */
    int64_t max_replications;
    int64_t seed;
    struct quantity deadline; /* of the whole project, from the start */
    bool deadline_given;
    struct place deadline_place;
    struct number budget;         /* currency units; not given = none */
    struct schema_list workloads; /* struct schema_variant_item, of workload_variants */
    struct market_spec market;
    struct account_spec account;
    struct project_spec project;
    struct schema_list charges;    /* struct charge_spec */
    struct schema_list strategies; /* struct strategy */
    struct report_currency report; /* what is shown; all is counted in `currency` */
    int fiscal_year;           /* month in which it begins, 1 to 12 (as read: index of a choice) */
    struct schema_list levels; /* struct level_spec, of commitments; not given: the usual ones */
    bool levels_given;
    int shared;           /* enum split_rule: how what workloads share is split by owner and tags */
    const char *baseline; /* a strategy's name; NULL: the first */
    struct schema_list correlate; /* struct correlation_spec */
    struct search_spec search;
    struct choose_spec choose;
    struct schema_list limits; /* struct condition_spec */

    struct arena *arena;   /* owns all of this */
    struct inputs *inputs; /* every uncertain number, not yet prepared */
    double horizon_s;
    int64_t horizon_unix_s; /* start + horizon */
    int64_t prices_as_of_unix_s;
    const char *currency;         /* of the region, "USD" when the region is unknown */
    const char *folder;           /* of the first file: relative paths start here */
    struct schema_list files;     /* struct scenario_file: all inputs, in order, for the manifest */
    uint64_t hash;                /* over files and overrides */
    const struct yaml_node *tree; /* what was read; for scenario_place */
};

struct scenario_file {
    const char *path;
    const char *text;
    size_t length;
};

struct scenario_request {
    const char *const *paths; /* one or more; later ones are laid over earlier ones; "-" = stdin */
    size_t path_count;
    const char *const *sets; /* "path.to.key=value", applied after the files, in order */
    size_t set_count;
    const char *const *strategies; /* keep only these (--strategy); none = all */
    size_t strategy_count;
    /* In place of the strategies in the files: copies of one of them with settings of their own
     * (search_plans.h). `search` and `baseline` are not read then. NULL: as written. */
    const struct search_plans *plans;
    /* Tables of services that other studies made and this one may; must outlive the study. NULL:
     * none. */
    struct llm_table_store *tables;
    /* The currency of a region, asked once `region` is known; NULL result = unknown region. */
    const char *(*currency_of)(void *context, const char *region);
    void *context;
};

/* Reads, lays over, sets, checks. All errors go to d. NULL when anything failed. scenario_free
 * gives everything back. */
struct scenario *scenario_read(const struct scenario_request *request, struct diagnostics *d);
void scenario_free(struct scenario *s);

/* Where the value of a key at the top of the scenario stands ("region", "correlate"), for errors
 * that are found later; the whole scenario's place when the key is absent. */
struct place scenario_place(const struct scenario *s, const char *key);

#endif
