/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/study.h"

#include "engine/civil_time.h"
#include "models/inference/inference_work.h"
#include "scenarios/reader/workload_kinds.h"
#include "scenarios/study/hour_results.h"
#include "scenarios/study/left_out.h"
#include "scenarios/study/level_results.h"
#include "scenarios/study/project_plan.h"
#include "scenarios/study/quota_check.h"
#include "scenarios/study/results.h"
#include "scenarios/study/study_bought.h"
#include "scenarios/study/term_checks.h"
#include "scenarios/study/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Months after the one that holds the horizon in which finishing late is still shown by itself. */
#define MONTHS_AFTER_HORIZON 3

const struct work_kind *study_work_kind(const struct study *s, size_t workload)
{
    const struct schema_variant_item *items = s->scenario->workloads.items;
    return workload_kinds[items[workload].variant.index];
}

/* Of every workload, under every strategy. */
static bool memory_is_checked(const struct study *s)
{
    bool checked = true;
    for (size_t k = 0; k < s->strategy_count; k++) {
        for (size_t w = 0; w < s->workload_count; w++) {
            checked = checked && s->strategies[k].plans[w]->memory_checked;
        }
    }
    return checked;
}

const char *study_not_modelled(const struct study *s, size_t index)
{
    const char *const items[] = {
        s->failures_left_out,
        memory_is_checked(s)
            ? NULL
            : "whether a workload fits into memory, unless `model` gives the size of what it works "
              "on",
        market_planned_price_outlook(s->market)
            ? "changes of spot prices and of storage prices after the price date"
            : "price changes after the price date",
    };
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        if (items[i] != NULL && index-- == 0) {
            return items[i];
        }
    }
    return NULL;
}

const char *study_workload_name(const struct study *s, size_t workload)
{
    const struct schema_variant_item *items = s->scenario->workloads.items;
    return workload == s->workload_count ? STUDY_ALL : items[workload].item.name;
}

const char *study_strategy_name(const struct study *s, size_t strategy)
{
    return s->strategies[strategy].spec->item.name;
}

bool study_with_tax(const struct study *s)
{
    bool taxed = false;
    for (size_t i = 0; i < s->charges.count; i++) {
        taxed = taxed || s->charges.items[i].kind == CHARGE_TAX;
    }
    return taxed;
}

bool study_is_covered(const struct study *s, size_t strategy)
{
    const struct commitment_plan *plan = &s->strategies[strategy].commitments;
    return plan->count + plan->sunk > 0;
}

const struct shared_line *study_shared_line(const struct study *s, size_t index)
{
    for (const struct shared_line *line = metric_shared_lines; line->activity != NULL; line++) {
        if (line->beside && !account_matters(&s->account)) {
            continue;
        }
        if (index-- == 0) {
            return line;
        }
    }
    return NULL;
}

/* ---- frame ---- */

static bool make_frame(struct study *s)
{
    const struct scenario *sc = s->scenario;
    int64_t first = civil_month_start(sc->start.unix_s);
    size_t months = 1 + MONTHS_AFTER_HORIZON;
    while (civil_add_months(first, (int)(months - MONTHS_AFTER_HORIZON)) < sc->horizon_unix_s) {
        months++;
    }
    int64_t *starts = arena_array(sc->arena, months, sizeof *starts);
    if (starts == NULL) {
        return false;
    }
    for (size_t i = 0; i < months; i++) {
        starts[i] = (civil_add_months(first, (int)i) - sc->start.unix_s) * MICROSECONDS;
    }
    s->frame = (struct rating_frame){
        .start_unix_s = sc->start.unix_s,
        .horizon_us = microseconds(sc->horizon_s),
        .months = months,
        .month_start_us = starts,
    };
    return true;
}

/* ---- strategies ---- */

/* The strategy's commitments, against the on-demand pools that its workloads may use. */
static bool make_commitments(struct study *s, struct study_strategy *strategy,
                             const struct market_context *c)
{
    int *pools = arena_array(c->arena, s->workload_count * WORK_MAX_POOLS, sizeof *pools);
    size_t count = 0;
    for (size_t w = 0; pools != NULL && w < s->workload_count; w++) {
        const struct work_plan *plan = strategy->plans[w];
        for (size_t k = 0; k < plan->pool_count; k++) {
            bool new = plan->pools[k].purchase == PURCHASE_ON_DEMAND;
            for (size_t i = 0; new &&i < count; i++) {
                new = pools[i] != plan->pools[k].pool;
            }
            if (new) {
                pools[count++] = plan->pools[k].pool;
            }
        }
    }
    const struct scenario *sc = s->scenario;
    return pools != NULL &&
           commitment_plan_make(&strategy->commitments, &strategy->spec->commitments, pools, count,
                                &s->account, s->market, c) &&
           commitment_levels_make(&strategy->levels, &strategy->commitments,
                                  sc->levels_given ? &sc->levels : NULL, c);
}

/* The account by itself, which the plan's bills are compared with. */
static bool make_account(struct study *s, const struct market_context *c)
{
    static const struct schema_list nothing_signed = {0};
    const struct scenario *sc = s->scenario;
    return account_plan_make(&s->account, &sc->account, sc->folder, s->market, c) &&
           commitment_plan_make(&s->alone, &nothing_signed, NULL, 0, &s->account, s->market, c);
}

/* False when a file that a workload names could not be read. */
static bool read_files(struct study *s, const struct market_context *c)
{
    const struct schema_variant_item *workloads = s->scenario->workloads.items;
    bool ok = true;
    for (size_t w = 0; w < s->workload_count; w++) {
        const struct work_kind *kind = study_work_kind(s, w);
        ok &= kind->read_files == NULL ||
              kind->read_files(workloads[w].variant.params, s->scenario->folder, c);
    }
    return ok;
}

/* Plans hosts, or all others, which may stand on those. hosts_made: no host has failed. */
static bool plan_works(struct study *s, const struct strategy *spec, struct work_plan **plans,
                       bool hosts, bool hosts_made, const struct market_context *c)
{
    const struct schema_variant_item *workloads = s->scenario->workloads.items;
    const struct work_plan **made =
        arena_array(s->scenario->arena, s->workload_count, sizeof *made);
    bool planned = made != NULL;
    for (size_t w = 0; made != NULL && w < s->workload_count; w++) {
        made[w] = plans[w]; /* of the hosts */
    }
    for (size_t w = 0; made != NULL && w < s->workload_count; w++) {
        const struct work_kind *kind = study_work_kind(s, w);
        const bool last = !s->order.waits[w].followed;
        const struct work_request request = {
            .spec = workloads[w].variant.params,
            .workload = (uint32_t)w,
            .strategy = spec,
            .market = s->market,
            .context = c,
            .project = &s->project,
            .awaits = s->order.waits[w].count > 0,
            .deadline_s = last && isfinite(s->order.deadline_s) ? s->order.deadline_s : 0,
            .hosts = made,
            .hosts_count = s->workload_count,
            .hosts_failed = !hosts_made};
        if (kind->is_host == hosts) {
            plans[w] = kind->plan(&request);
            planned &= plans[w] != NULL;
        }
    }
    return planned;
}

static bool make_strategies(struct study *s, const struct market_context *c)
{
    struct scenario *sc = s->scenario;
    const struct strategy *specs = sc->strategies.items;
    s->strategies = arena_array(sc->arena, s->strategy_count, sizeof *s->strategies);
    if (s->strategies == NULL) {
        return false;
    }
    bool ok = true;
    for (size_t k = 0; k < s->strategy_count; k++) {
        struct study_strategy *strategy = &s->strategies[k];
        strategy->spec = &specs[k];
        strategy->plans = arena_array(sc->arena, s->workload_count, sizeof *strategy->plans);
        struct work_plan **plans = arena_array(sc->arena, s->workload_count, sizeof *plans);
        if (strategy->plans == NULL || plans == NULL) {
            return false;
        }
        bool hosts = plan_works(s, &specs[k], plans, true, true, c);
        bool planned = plan_works(s, &specs[k], plans, false, hosts, c) && hosts;
        for (size_t w = 0; w < s->workload_count; w++) {
            strategy->plans[w] = plans[w];
        }
        planned = planned && project_plan_times(s, plans, c);
        ok = planned && make_commitments(s, strategy, c) && study_find_bought(s, strategy, c) && ok;
        if (sc->baseline != NULL && strcmp(sc->baseline, specs[k].item.name) == 0) {
            s->baseline = k;
        }
    }
    return ok;
}

static void tell_later_purchases(struct study *s)
{
    for (size_t k = 0; s->project.cancels && k < s->strategy_count; k++) {
        const struct commitment_plan *plan = &s->strategies[k].commitments;
        for (size_t i = 0; i < plan->count; i++) {
            if (plan->items != NULL && plan->items[i].start_us > 0) {
                assumptions_add(&s->assumptions, false, "default",
                                "commitments dated after a cancellation", "not signed");
                return;
            }
        }
    }
}

/* Others' nodes are known, and not what else they spend. */
static void tell_others_spend(struct study *s)
{
    for (size_t i = 0; account_matters(&s->account) && i < s->charges.count; i++) {
        const struct charge_item *item = &s->charges.items[i];
        const struct number *spend =
            item->kind == CHARGE_SUPPORT_PLAN    ? &item->spec->support_plan.other_spend
            : item->kind == CHARGE_EDP_SHORTFALL ? &item->spec->edp.other_spend
                                                 : NULL;
        if (spend != NULL && spend->input < 0 && spend->median <= 0) {
            assumptions_add(
                &s->assumptions, false, "default",
                arena_format(s->scenario->arena, "what others spend, for '%s'", item->name),
                "nothing: it looks at the strategy's bill alone; state 'other_spend'");
        }
    }
}

/* Under some strategy; those that could not be planned have no plans. */
static bool crosses_zones(const struct study *s, size_t workload)
{
    bool crosses = false;
    for (size_t k = 0; s->strategies != NULL && k < s->strategy_count; k++) {
        const struct work_plan **plans = s->strategies[k].plans;
        crosses =
            crosses || (plans != NULL && plans[workload] != NULL && plans[workload]->crosses_zones);
    }
    return crosses;
}

static bool make_charges(struct study *s, const struct market_context *c)
{
    const struct schema_variant_item *workloads = s->scenario->workloads.items;
    struct work_data *data = arena_array(c->arena, s->workload_count, sizeof *data);
    for (size_t w = 0; data != NULL && w < s->workload_count; w++) {
        data[w] = study_work_kind(s, w)->data(workloads[w].variant.params, c);
        data[w].name = study_workload_name(s, w);
        data[w].crosses_zones = crosses_zones(s, w);
    }
    bool ok = data != NULL &&
              charge_plan_make(&s->charges, &s->scenario->charges, data, s->workload_count, c);
    enum bill_category *categories =
        arena_array(c->arena, s->charges.count + 1, sizeof *categories);
    for (size_t i = 0; categories != NULL && i < s->charges.count; i++) {
        categories[i] = charge_category(s->charges.items[i].kind);
    }
    s->frame.others = s->charges.count;
    s->frame.other_category = categories;
    return ok && categories != NULL &&
           cost_holders_make(&s->holders, &s->charges, c->arena, c->diagnostics);
}

/* In every table `all` is the row of all workloads together, and `shared` what belongs to none. */
static void check_workload_names(const struct study *s, struct diagnostics *d)
{
    const struct schema_variant_item *items = s->scenario->workloads.items;
    for (size_t w = 0; w < s->workload_count; w++) {
        bool all = strcmp(items[w].item.name, STUDY_ALL) == 0;
        if (all || strcmp(items[w].item.name, METRIC_SHARED_WORKLOAD) == 0) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, items[w].item.place,
                            "a workload cannot be called '%s', which stands for %s in the results; "
                            "choose another name",
                            items[w].item.name,
                            all ? "all of them together" : "what commitments do to all of them");
        }
    }
}

static void check_replications(struct study *s, struct diagnostics *d)
{
    struct scenario *sc = s->scenario;
    bool precise = sc->precision.given;
    s->replications = precise ? 0 : (uint32_t)sc->replications;
    s->most_replications = (uint32_t)(precise ? sc->max_replications : sc->replications);
    size_t commitments = 0, levels = 0, services = 0;
    for (size_t k = 0; k < s->strategy_count; k++) {
        commitments += commitment_plan_accounts(&s->strategies[k].commitments);
        levels += s->strategies[k].levels.count;
        for (size_t w = 0; w < s->workload_count; w++) {
            const struct work_plan *plan = s->strategies[k].plans[w];
            services += plan != NULL && plan->kind == &work_inference;
        }
    }
    double bytes = (double)results_bytes(s->strategy_count, s->workload_count, s->frame.months,
                                         s->frame.others) +
                   (double)commitments * sizeof(struct committed_account) +
                   (double)(s->strategy_count * s->holders.count) * sizeof(money_t);
    bytes = bytes * s->most_replications + timeline_bytes(s->strategy_count, s->most_replications) +
            level_bytes(levels, s->most_replications) + hour_results_bytes(services, sc->horizon_s);
    if (bytes > RESULTS_MAX_BYTES) {
        diagnostics_add(
            d, DIAGNOSTIC_INFEASIBLE,
            scenario_place(sc, precise ? "max_replications" : "replications"),
            "%u replications of %zu strategies and %zu workloads need %.1f GB of memory; "
            "at most %.0f GB are used: lower %s",
            s->most_replications, s->strategy_count, s->workload_count, bytes / 1e9,
            RESULTS_MAX_BYTES / 1e9, precise ? "max_replications" : "replications");
    }
}

/* Every thread keeps the state of all nodes of all strategies. */
static void check_nodes(const struct study *s, struct diagnostics *d)
{
    uint64_t nodes = 0;
    for (size_t k = 0; k < s->strategy_count; k++) {
        for (size_t w = 0; w < s->workload_count; w++) {
            const struct work_plan *plan = s->strategies[k].plans[w];
            for (size_t p = 0; p < plan->pool_count; p++) {
                nodes += plan->pools[p].nodes;
            }
        }
    }
    if (nodes > STUDY_MAX_NODES) {
        diagnostics_add(d, DIAGNOSTIC_INFEASIBLE, (struct place){0},
                        "%zu strategies and %zu workloads have %llu nodes in all, those that a "
                        "policy may fall back on included; at most %d can be simulated together: "
                        "lower 'nodes', or choose strategies with --strategy",
                        s->strategy_count, s->workload_count, (unsigned long long)nodes,
                        STUDY_MAX_NODES);
    }
}

static bool make(struct study *s, struct diagnostics *d)
{
    struct scenario *sc = s->scenario;
    s->region = catalogue_region(s->catalogue, sc->region);
    if (s->region == NULL) {
        const char *near = catalogue_suggest_region(s->catalogue, sc->region);
        diagnostics_add(d, DIAGNOSTIC_ERROR, scenario_place(sc, "region"),
                        "unknown region '%s'%s%s%s", sc->region,
                        near != NULL ? "; did you mean '" : "; `fleetcast show regions` lists them",
                        near != NULL ? near : "", near != NULL ? "'?" : "");
        return false;
    }
    s->assumptions.arena = sc->arena;
    s->workload_count = sc->workloads.count;
    s->strategy_count = sc->strategies.count;
    struct market_context context = {
        .catalogue = s->catalogue,
        .region = s->region,
        .folder = sc->folder,
        .start_unix_s = sc->start.unix_s,
        .prices_as_of_unix_s = sc->prices_as_of_unix_s,
        .horizon_s = sc->horizon_s,
        .inputs = sc->inputs,
        .assumptions = &s->assumptions,
        .arena = sc->arena,
        .diagnostics = d,
        .tables = sc->tables,
    };
    check_workload_names(s, d);
    s->market = market_plan_new(&sc->market, context);
    if (s->market == NULL || !make_frame(s) || !project_make(&s->project, &sc->project, &context) ||
        !read_files(s, &context)) {
        return false;
    }
    if (!make_account(s, &context)) {
        return false;
    }
    if (!project_plan_order(s, &context)) {
        return false;
    }
    term_checks(s, d);
    bool made = make_strategies(s, &context);
    if (made) {
        tell_later_purchases(s);
    }
    if (!make_charges(s, &context) || !made) {
        return false;
    }
    tell_others_spend(s);
    s->failures_left_out = left_out_failures(s);
    check_nodes(s, d);
    quota_check(s, d);
    check_replications(s, d);
    if (!oracle_plan_make(&s->oracle, s, sc->arena) ||
        !choice_plan_make(&s->choice, s, sc->arena, d)) {
        return false;
    }
    char message[256];
    if (!inputs_prepare(sc->inputs, message, sizeof message)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, scenario_place(sc, "correlate"), "correlate: %s",
                        message);
    }
    return input_copies_init(&s->copies, sc, d) && !diagnostics_failed(d);
}

struct study *study_new_sharing(struct scenario *scenario, struct catalogue *catalogue,
                                struct diagnostics *d)
{
    struct study *s = calloc(1, sizeof *s);
    if (s == NULL) {
        scenario_free(scenario);
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return NULL;
    }
    s->scenario = scenario;
    s->catalogue = catalogue;
    s->shares_catalogue = true;
    if (!make(s, d)) {
        if (!diagnostics_failed(d)) {
            diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        }
        study_free(s);
        return NULL;
    }
    return s;
}

struct study *study_new(struct scenario *scenario, struct catalogue *catalogue,
                        struct diagnostics *d)
{
    struct study *s = study_new_sharing(scenario, catalogue, d);
    if (s == NULL) {
        catalogue_free(catalogue);
    } else {
        s->shares_catalogue = false;
    }
    return s;
}

void study_free(struct study *s)
{
    if (s == NULL) {
        return;
    }
    input_copies_release(&s->copies);
    commitment_plan_release(&s->alone);
    for (size_t k = 0; s->strategies != NULL && k < s->strategy_count; k++) {
        commitment_levels_release(&s->strategies[k].levels);
        commitment_plan_release(&s->strategies[k].commitments);
    }
    scenario_free(s->scenario);
    if (!s->shares_catalogue) {
        catalogue_free(s->catalogue);
    }
    free(s);
}
