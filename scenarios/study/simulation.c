/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/simulation.h"

#include "models/billing/other_charges.h"
#include "models/billing/owned_charges.h"
#include "models/billing/rating.h"
#include "models/billing/window_charges.h"
#include "models/fleet/fleet.h"
#include "models/fleet/price_journal.h"
#include "scenarios/study/cost_sharing.h"
#include "scenarios/study/level_rating.h"
#include "scenarios/study/precedence.h"
#include "scenarios/study/simulation_rating.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PENDING_EVENTS 4000000
/* A few milliseconds. */
#define EVENTS_A_LOOK 4096

bool simulation_refuse(struct simulation *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(s->error, sizeof s->error, format, args);
    va_end(args);
    return false;
}

/* ---- life ---- */

static bool make_cast(struct simulation *s, size_t strategy)
{
    const struct study *study = s->study;
    struct cast *cast = &s->casts[strategy];
    cast->fleet = fleet_new(s->market, &s->calendar, &s->usage);
    cast->works = calloc(study->workload_count, sizeof(void *));
    if (cast->fleet == NULL || cast->works == NULL) {
        return false;
    }
    for (size_t w = 0; w < study->workload_count; w++) {
        const struct work_plan *plan = study->strategies[strategy].plans[w];
        cast->works[w] = plan->kind->make(plan, cast->fleet);
        if (cast->works[w] == NULL) {
            return false;
        }
    }
    const struct commitment_plan *commitments = &study->strategies[strategy].commitments;
    if (commitment_plan_accounts(commitments) > 0) {
        cast->committed = committed_new(commitments, s->account);
        return cast->committed != NULL && fleet_sign(cast->fleet, commitments);
    }
    return true;
}

struct simulation *simulation_new(const struct study *study)
{
    struct simulation *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    size_t rows = study->workload_count + 2;
    s->study = study;
    usage_log_init(&s->usage, SIMULATION_MAX_RECORDS);
    s->market = market_new(study->market);
    s->casts = calloc(study->strategy_count, sizeof *s->casts);
    s->drawn = calloc(inputs_count(study->scenario->inputs) + 1, sizeof *s->drawn);
    s->bills = calloc(rows, sizeof *s->bills);
    s->months = calloc(rows * study->frame.months, sizeof *s->months);
    s->by_month = calloc(rows * BILL_ROWS * study->frame.months, sizeof *s->by_month);
    s->others = calloc(rows * study->frame.others + 1, sizeof *s->others);
    s->sharing = study->holders.count > 0 ? cost_sharing_new(study) : NULL;
    s->charges = other_charges_new(&study->charges, study->frame.months);
    s->windows = window_charges_new(study->frame.months, study->frame.others);
    s->works = calloc(rows, sizeof *s->works);
    s->submit_s = calloc(rows, sizeof *s->submit_s);
    bool hosts = host_split_init(&s->hosts, study->workload_count);
    s->precedence = precedence_new(study, &s->calendar);
    bool ok = s->precedence != NULL && s->others != NULL && s->by_month != NULL &&
              s->charges != NULL && s->windows != NULL &&
              (study->holders.count == 0 || s->sharing != NULL) && s->works != NULL &&
              s->submit_s != NULL && hosts;
    ok = ok && s->market != NULL && s->casts != NULL && s->drawn != NULL && s->bills != NULL &&
         s->months != NULL && calendar_init(&s->calendar, MAX_PENDING_EVENTS);
    if (ok && account_matters(&study->account)) {
        s->account = account_world_new(&study->alone);
        ok = s->account != NULL;
    }
    bool leveled = false;
    for (size_t k = 0; ok && k < study->strategy_count; k++) {
        ok = make_cast(s, k);
        leveled = leveled || study->strategies[k].levels.count > 0;
    }
    if (ok && leveled) {
        s->levels = level_rating_new(study, s->account);
        ok = s->levels != NULL;
    }
    if (!ok) {
        simulation_free(s);
        return NULL;
    }
    return s;
}

void simulation_free(struct simulation *s)
{
    if (s == NULL) {
        return;
    }
    for (size_t k = 0; s->casts != NULL && k < s->study->strategy_count; k++) {
        for (size_t w = 0; s->casts[k].works != NULL && w < s->study->workload_count; w++) {
            if (s->casts[k].works[w] != NULL) {
                study_work_kind(s->study, w)->free(s->casts[k].works[w]);
            }
        }
        free(s->casts[k].works);
        fleet_free(s->casts[k].fleet);
        committed_free(s->casts[k].committed);
    }
    free(s->casts);
    free(s->drawn);
    free(s->bills);
    free(s->months);
    free(s->by_month);
    free(s->others);
    other_charges_free(s->charges);
    window_charges_free(s->windows);
    cost_sharing_free(s->sharing);
    level_rating_free(s->levels);
    account_world_free(s->account);
    free(s->works);
    free(s->submit_s);
    host_split_release(&s->hosts);
    precedence_free(s->precedence);
    usage_log_release(&s->usage);
    calendar_release(&s->calendar);
    market_free(s->market);
    free(s);
}

/* ---- a world ---- */

bool simulation_begin_world(struct simulation *s, uint32_t replication)
{
    const struct scenario *sc = s->study->scenario;
    s->world = (struct random_world){.seed = (uint64_t)sc->seed, .replication = replication};
    inputs_draw(sc->inputs, s->world, s->drawn);
    if (!market_begin(s->market, s->world, s->drawn)) {
        return simulation_refuse(s, "%s in replication %u", market_message(s->market), replication);
    }
    return s->account == NULL || account_world_begin(s->account, s->market, s->drawn) ||
           simulation_refuse(s, "out of memory for the account in replication %u", replication);
}

static void horizon_event(void *actor, uint64_t tag)
{
    struct simulation *s = actor;
    (void)tag;
    s->at_horizon = true;
}

/* Scheduled before the horizon, so that at the same instant it comes first. */
static void cancel_event(void *actor, uint64_t tag)
{
    const struct simulation *s = actor;
    const struct cast *cast = &s->casts[tag];
    for (size_t w = 0; w < s->study->workload_count; w++) {
        study_work_kind(s->study, w)->cancel(cast->works[w]);
    }
}

static bool schedule_ends(struct simulation *s, size_t strategy)
{
    double cancel_s = project_cancel_s(&s->study->project, s->drawn);
    return (isinf(cancel_s) || calendar_schedule(&s->calendar, cancel_s, EVENT_MEASURE,
                                                 cancel_event, s, strategy, NULL) == CALENDAR_OK) &&
           calendar_schedule(&s->calendar, s->study->scenario->horizon_s, EVENT_MEASURE,
                             horizon_event, s, 0, NULL) == CALENDAR_OK;
}

/* Some work that was not done when all were looked at last. */
struct undone {
    bool (*done)(const void *work); /* NULL: none is known */
    const void *work;
};

/* After every event: while that work is not done, no other needs a look. */
static bool all_done(const struct study *study, const struct cast *cast, struct undone *undone)
{
    if (undone->done != NULL && !undone->done(undone->work)) {
        return false;
    }
    for (size_t w = 0; w < study->workload_count; w++) {
        undone->done = study_work_kind(study, w)->done;
        undone->work = cast->works[w];
        if (!undone->done(undone->work)) {
            return false;
        }
    }
    return true;
}

static double most_events_of(const struct study *study, size_t strategy)
{
    double most = (double)SIMULATION_MAX_EVENTS;
    for (size_t w = 0; w < study->workload_count; w++) {
        most +=
            SIMULATION_EVENTS_A_REQUEST * study->strategies[strategy].plans[w]->planned_requests;
    }
    return most;
}

void simulation_give_up(struct simulation *s, const atomic_bool *interrupted)
{
    s->interrupted = interrupted;
}

/* Looked at now and then, since it costs something. */
static bool gives_up(const struct simulation *s, uint64_t step)
{
    return step % EVENTS_A_LOOK == 0 && s->interrupted != NULL &&
           atomic_load_explicit(s->interrupted, memory_order_relaxed);
}

/* Runs the events of one strategy until all its work is done or cut. */
static bool run_events(struct simulation *s, const struct cast *cast, size_t strategy)
{
    const struct study *study = s->study;
    const double most_events = most_events_of(study, strategy);
    const uint64_t most = (uint64_t)fmin(most_events, 0x1p57);
    struct undone undone = {.done = NULL};
    s->at_horizon = false;
    if (!schedule_ends(s, strategy)) {
        return simulation_refuse(s, "the horizon could not be scheduled");
    }
    precedence_begin(s->precedence, strategy, cast->works, s->drawn);
    for (uint64_t step = 1; !all_done(study, cast, &undone); step++) {
        if (gives_up(s, step)) {
            return simulation_refuse(s, "interrupted");
        }
        if (!calendar_step(&s->calendar, HUGE_VAL)) {
            return simulation_refuse(
                s,
                "strategy '%s' came to a standstill in replication %u: nothing is left "
                "that could let its work go on",
                study_strategy_name(study, strategy), s->world.replication);
        }
        if (s->at_horizon) {
            s->at_horizon = false;
            for (size_t w = 0; w < study->workload_count; w++) {
                study_work_kind(study, w)->horizon(cast->works[w]);
            }
        }
        if (study->order.any && !precedence_follow(s->precedence)) {
            return simulation_refuse(s, "work that follows other work could not be scheduled");
        }
        if (!fleet_goes_on(cast->fleet, most)) {
            return simulation_refuse(
                s,
                "strategy '%s' needs more than %.0f events and launches, or %d usage "
                "records, in one world "
                "(replication %u); shorten the horizon, lower its nodes or check its rates",
                study_strategy_name(study, strategy), most_events, SIMULATION_MAX_RECORDS,
                s->world.replication);
        }
    }
    return true;
}

/* Whether work went on after a trace of its pools had ended; NaN: no such trace ends. */
static double beyond_trace(struct simulation *s, const struct work_plan *plan, double end_s)
{
    double beyond = (double)NAN;
    for (size_t k = 0; k < plan->pool_count; k++) {
        struct planned_replay replay;
        const int pool = plan->pools[k].pool;
        if (market_planned_replay(s->study->market, pool, &replay) && replay.nodes &&
            !replay.wraps) {
            bool later = end_s > market_trace_end_s(s->market, pool);
            beyond = later || beyond > 0;
        }
    }
    return beyond;
}

/* What the nodes of a host cost, to those who stood on them. */
static void share_host(struct simulation *s, size_t host)
{
    if (host_split_amount(&s->hosts, s->works, host, s->bills[host].cost)) {
        for (size_t w = 0; w < s->study->workload_count; w++) {
            s->works[w].hosted_cost += s->hosts.parts[w];
        }
    }
}

static void fill_cells(struct simulation *s, size_t strategy, struct metric_cells *cells)
{
    const struct study *study = s->study;
    size_t count = study->workload_count;
    for (size_t w = 0; w < count; w++) {
        if (study_work_kind(study, w)->is_host) {
            share_host(s, w);
        }
    }
    for (size_t w = 0; w < count; w++) {
        metric_fill(&cells[w], &s->works[w], &s->bills[w],
                    study->strategies[strategy].plans[w]->deadline_s);
        cells[w].value[METRIC_BEYOND_TRACE].number =
            beyond_trace(s, study->strategies[strategy].plans[w], s->works[w].end_s);
        if (!study->project.cancels) {
            cells[w].value[METRIC_CANCELLED].number = (double)NAN;
        }
    }
    for (size_t w = 0; w < count; w++) {
        if (study_work_kind(study, w)->is_host) {
            host_split_vain(&s->hosts, s->works, w, cells);
        }
    }
    const struct number *budget = &study->scenario->budget;
    metric_fill_all(&cells[count], cells, count, simulation_bill_of_all(s),
                    budget->given ? number_value(budget, s->drawn) : (double)NAN);
}

/* What became of the work of the strategy that has just run. */
static void collect_works(struct simulation *s, size_t strategy)
{
    for (size_t w = 0; w < s->study->workload_count; w++) {
        s->works[w] = study_work_kind(s->study, w)->result(s->casts[strategy].works[w]);
        /* What is cancelled before it comes keeps nothing. */
        s->submit_s[w] = precedence_submit_s(s->precedence, w, s->works[w].end_s);
        s->works[w].handed_in_s = s->submit_s[w];
    }
}

void simulation_keep(const struct simulation *s, struct kept_worlds *kept, size_t slot)
{
    kept_worlds_take(kept, slot, &s->usage, s->works, s->submit_s, s->study->workload_count);
}

bool simulation_rate_kept(struct simulation *s, size_t strategy, const struct kept_usage *kept,
                          struct level_cell *levels)
{
    const struct simulation_outputs out = {.levels = levels};
    if (!usage_log_set(&s->usage, kept->records, kept->count)) {
        return simulation_refuse(s, "out of memory for the usage of strategy '%s'",
                                 study_strategy_name(s->study, strategy));
    }
    memcpy(s->works, kept->works, kept->workloads * sizeof *s->works);
    memcpy(s->submit_s, kept->submit_s, kept->workloads * sizeof *s->submit_s);
    return simulation_rate(s, strategy, &out);
}

bool simulation_run_strategy(struct simulation *s, size_t strategy,
                             const struct simulation_outputs *out)
{
    const struct study *study = s->study;
    const struct cast *cast = &s->casts[strategy];
    usage_log_clear(&s->usage);
    fleet_follow(cast->fleet, out->trail);
    fleet_log_attempts(cast->fleet, out->attempts);
    fleet_log_services(cast->fleet, out->services);
    hour_log_clear(out->hours);
    fleet_log_hours(cast->fleet, out->hours);
    if (!fleet_begin(cast->fleet, s->world, s->drawn, out->journal)) {
        return simulation_refuse(s, "a drawn boot time is impossible in replication %u",
                                 s->world.replication);
    }
    for (size_t w = 0; w < study->workload_count; w++) {
        if (!study_work_kind(study, w)->begin(cast->works[w], s->drawn)) {
            return simulation_refuse(
                s,
                "workload '%s' of strategy '%s' never ends in replication %u: its drawn "
                "speed is zero",
                study_workload_name(study, w), study_strategy_name(study, strategy),
                s->world.replication);
        }
    }
    if (!run_events(s, cast, strategy)) {
        return false;
    }
    collect_works(s, strategy);
    if (!simulation_rate(s, strategy, out)) {
        return false;
    }
    price_journal_write(cast->fleet, s->calendar.now_s);
    trail_close(out->trail, s->calendar.now_s);
    service_log_close(out->services);
    if (out->cells != NULL) {
        fill_cells(s, strategy, out->cells);
    }
    if (out->months != NULL) {
        memcpy(out->months, simulation_bill_of_all(s)->month,
               study->frame.months * sizeof(money_t));
    }
    if (out->by_month != NULL) {
        memcpy(out->by_month, simulation_bill_of_all(s)->by_month,
               BILL_ROWS * study->frame.months * sizeof(money_t));
    }
    if (out->accounts != NULL && cast->committed != NULL) {
        const struct commitment_plan *plan = &study->strategies[strategy].commitments;
        memcpy(out->accounts, committed_accounts(cast->committed),
               commitment_plan_accounts(plan) * sizeof *out->accounts);
    }
    if (out->others != NULL) {
        memcpy(out->others, s->others,
               (study->workload_count + 1) * study->frame.others * sizeof(money_t));
    }
    return true;
}

const struct usage_log *simulation_usage(const struct simulation *s)
{
    return &s->usage;
}

struct market *simulation_market(struct simulation *s)
{
    return s->market;
}

const struct committed_account *simulation_commitments(const struct simulation *s, size_t strategy)
{
    const struct committed *committed = s->casts[strategy].committed;
    return committed == NULL ? NULL : committed_accounts(committed);
}

int64_t simulation_signed_until_us(const struct simulation *s)
{
    return s->signed_until_us;
}

struct account_world *simulation_account(struct simulation *s)
{
    return s->account;
}

const int64_t *simulation_discounts(const struct simulation *s)
{
    return other_charges_discounts(s->charges);
}

const double *simulation_drawn(const struct simulation *s)
{
    return s->drawn;
}

const char *simulation_error(const struct simulation *s)
{
    return s->error;
}
