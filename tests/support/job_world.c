/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/job_world.h"

#include "models/fleet/fleet_pool.h"
#include "models/policies/policy.h"
#include "models/training/elastic_job.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RECORDS = 20000, MOST_EVENTS = 200000, MOST_PENDING = 100000 };
enum { PARAMS_SIZE = 512 };

static const char *const job_names[JOB_WORLD_JOBS] = {"a", "b", "c"};
static const char *const zone_names[] = {"spot-b", "spot-c"};

/* Pools have the numbers of their sites. */
static const char *pool_name(int pool)
{
    return pool < PURCHASE_COUNT ? purchase_names[pool] : zone_names[pool - PURCHASE_COUNT];
}

struct job_world {
    const struct job_world_script *script;
    size_t job_count;
    struct market *market;
    struct calendar calendar;
    struct usage_log log;
    struct fleet *fleet;
    struct training_spec specs[JOB_WORLD_JOBS];
    struct training_plan plans[JOB_WORLD_JOBS];
    _Alignas(max_align_t) char params[JOB_WORLD_JOBS][PARAMS_SIZE];
    struct job *jobs[JOB_WORLD_JOBS]; /* either of these two */
    struct elastic_job *elastic[JOB_WORLD_JOBS];
    bool at_horizon;
};

/* ---- policies ---- */

static struct policy_decision decide_as_scripted(const void *params, const struct policy_view *v)
{
    const struct job_script *s = params;
    assert_true(v->work_left_s >= 0 && v->nodes == s->nodes);
    assert_true(v->spot_wanted_since_s <= v->now_s);
    assert_true(!v->running || v->spot_wanted_since_s >= v->now_s);
    struct policy_decision d = {.want = s->wants[0].want, .ask_again_at_s = HUGE_VAL};
    for (size_t i = 1; i < sizeof s->wants / sizeof s->wants[0] && s->wants[i].from_s > 0; i++) {
        if (s->wants[i].from_s > v->now_s) {
            d.ask_again_at_s = s->wants[i].from_s;
            break;
        }
        d.want = s->wants[i].want;
    }
    return d;
}

static const struct policy scripted_policy = {.uses = {true, true}, .decide = decide_as_scripted};

static void *param(char *params, const struct schema *schema, const char *key)
{
    const struct schema_key *k = schema_find(schema, key);
    assert_non_null(k);
    return params + k->offset;
}

static void choose_policy(struct training_plan *plan, const struct job_script *s, char *params)
{
    if (strcmp(s->policy, "script") == 0) {
        plan->policy = &scripted_policy;
        plan->policy_params = s;
        return;
    }
    size_t i = 0;
    while (policy_table[i] != NULL && strcmp(policy_table[i]->schema->name, s->policy) != 0) {
        i++;
    }
    plan->policy = policy_table[i];
    plan->policy_params = params;
    assert_non_null(plan->policy);
    assert_true(plan->policy->schema->size <= PARAMS_SIZE);
    if (strcmp(s->policy, "fallback") == 0) {
        const struct schema *schema = plan->policy->schema;
        *(struct number *)param(params, schema, "after") = NUMBER_CERTAIN(s->after_s);
        *(bool *)param(params, schema, "return") = s->back;
    }
}

/* ---- a job ---- */

static struct variate spread(double from_s, double spread_s)
{
    struct variate v = variate_constant(from_s);
    if (spread_s > 0) {
        v.family = DISTRIBUTION_UNIFORM;
        v.p[1] = NUMBER_CERTAIN(from_s + spread_s);
    }
    return v;
}

static void fill_spec(struct training_spec *spec, const struct job_script *s)
{
    spec->hours = NUMBER_CERTAIN(s->work_s);
    spec->hours.given = true;
    spec->checkpoint.mode = s->mode;
    spec->checkpoint.every = NUMBER_CERTAIN(s->every_s);
    spec->checkpoint.every.given = s->every_s > 0;
    spec->checkpoint.write = NUMBER_CERTAIN(s->write_s);
    spec->checkpoint.restore = spread(s->restore_s, s->restore_spread_s);
    spec->checkpoint.asynchronous = s->copy_s > 0;
    spec->checkpoint.copy = NUMBER_CERTAIN(s->copy_s);
    spec->checkpoint.copy.given = s->copy_s > 0;
    spec->checkpoint.final = !s->no_final;
    spec->checkpoint.restore_from_scratch = s->restore_from_scratch;
    spec->scaling = NUMBER_CERTAIN(1);
    spec->elastic.resize = NUMBER_CERTAIN(s->elastic.resize_s);
    spec->elastic.settle = NUMBER_CERTAIN(s->elastic.settle_s);
    spec->elastic.on_loss = s->elastic.on_loss;
    spec->boot = spread(s->boot_s, s->boot_spread_s);
    spec->on_notice = s->on_notice;
    spec->on_rebalance = s->on_rebalance;
    spec->restart = s->restart;
    spec->at_horizon = s->at_horizon;
    spec->handover = s->handover;
    spec->look_every = NUMBER_CERTAIN(s->look_every_s);
    spec->patience = NUMBER_CERTAIN(s->patience_s < 0 ? 1e9 : s->patience_s);
}

static void fill_reliability(struct training_spec *spec, struct training_plan *p,
                             const struct job_script *s)
{
    struct reliability_spec *r = &spec->reliability;
    r->failures.young = (struct young_spec){NUMBER_CERTAIN(s->young_factor), NUMBER_CERTAIN(1000)};
    r->failures.detect = variate_constant(s->detect_s);
    r->failures.restart = s->failure_restart;
    r->response.automatic = variate_constant(s->respond_s);
    r->response.human = variate_constant(0);
    r->staging.given = s->staging_s > 0;
    r->staging.bandwidth = NUMBER_CERTAIN(1);
    spec->storage.dataset.size = NUMBER_CERTAIN(s->staging_s);
    bool scripted = s->fails[0].at_s > 0;
    p->reliability =
        (struct reliability_plan){.fails = s->mtbf_s > 0 || scripted,
                                  .mtbf = NUMBER_CERTAIN(scripted ? HUGE_VAL : s->mtbf_s),
                                  .per_mtbf = 1,
                                  .spares = s->spares};
}

static double limit(double stated)
{
    return stated > 0 ? stated : HUGE_VAL;
}

static void fill_elastic(struct elastic_plan *e, const struct job_script *s)
{
    e->is = s->elastic.min > 0;
    e->least = s->elastic.min;
    while (e->entry_count < 3 && s->elastic.fill[e->entry_count].most > 0) {
        e->entries[e->entry_count] = s->elastic.fill[e->entry_count];
        e->entry_count++;
    }
}

static void fill_plan(struct job_world *w, size_t index)
{
    const struct job_script *s = &w->script->jobs[index];
    struct training_plan *p = &w->plans[index];
    fill_spec(&w->specs[index], s);
    *p = (struct training_plan){.work = {.workload = (uint32_t)index,
                                         .workload_name = job_names[index],
                                         .nodes = s->nodes,
                                         .submit_s = s->submit_s,
                                         .planned_work_s = s->work_s,
                                         .deadline_s = HUGE_VAL},
                                .spec = &w->specs[index],
                                .zones = 1 + w->script->zone_count,
                                .zone_rule = w->script->rule,
                                .max_price = limit(w->script->max_price),
                                .max_hourly = limit(w->script->max_hourly),
                                .stop_at_budget = limit(w->script->stop_at_budget),
                                .speed = SPEED_HOURS};
    fill_reliability(&w->specs[index], p, s);
    p->adaptive = s->adaptive_per_s > 0;
    choose_policy(p, s, w->params[index]);
    fill_elastic(&p->elastic, s);
    if (w->script->span) {
        p->span_zones = (uint32_t)p->zones;
        p->elastic.whole = !p->elastic.is;
        p->elastic.is = true;
        p->elastic.least = p->elastic.whole ? s->nodes : p->elastic.least;
        w->specs[index].zone_traffic = NUMBER_CERTAIN(1);
        w->specs[index].zone_traffic.given = true;
    }
    bool periodic = s->mode == CHECKPOINT_PERIODIC && s->every_s > 0;
    for (int k = 0; k < SITE_COUNT; k++) {
        bool finishes = k == PURCHASE_ON_DEMAND && s->at_horizon == AT_HORIZON_FINISH_ON_DEMAND;
        bool there = (k == PURCHASE_ON_DEMAND || site_purchase(k) == PURCHASE_SPOT) &&
                     k < PURCHASE_COUNT + (int)w->script->zone_count;
        p->pools[k] = there && (p->policy->uses[site_purchase(k)] || finishes) ? k : -1;
        p->every_s[k] = periodic ? s->every_s : HUGE_VAL;
        p->loss_per_s[k] = s->adaptive_per_s;
    }
}

/* ---- life ---- */

struct job_world *job_world_new(const struct job_world_script *script)
{
    struct job_world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->script = script;
    w->job_count = script->job_count == 0 ? 1 : script->job_count;
    struct scripted_pool pools[SCRIPTED_POOLS] = {0};
    int pool_count = PURCHASE_COUNT + (int)script->zone_count;
    pools[PURCHASE_ON_DEMAND] = script->on_demand;
    pools[PURCHASE_SPOT] = script->spot;
    for (int k = 0; k < pool_count; k++) {
        if (k >= PURCHASE_COUNT) {
            pools[k] = script->zones[k - PURCHASE_COUNT];
        }
        pools[k].name = pool_name(k);
        pools[k].purchase = site_purchase(k);
    }
    w->market = scripted_market_new(pools, (size_t)pool_count);
    assert_non_null(w->market);
    assert_true(calendar_init(&w->calendar, MOST_PENDING));
    usage_log_init(&w->log, MOST_RECORDS);
    w->fleet = fleet_new(w->market, &w->calendar, &w->log);
    assert_non_null(w->fleet);
    for (size_t i = 0; i < w->job_count; i++) {
        fill_plan(w, i);
        if (w->plans[i].elastic.is) {
            w->elastic[i] = elastic_job_new(&w->plans[i], w->fleet);
        } else {
            w->jobs[i] = job_new(&w->plans[i], w->fleet);
        }
        assert_true(w->jobs[i] != NULL || w->elastic[i] != NULL);
    }
    return w;
}

void job_world_free(struct job_world *w)
{
    for (size_t i = 0; i < w->job_count; i++) {
        job_free(w->jobs[i]);
        elastic_job_free(w->elastic[i]);
    }
    fleet_free(w->fleet);
    usage_log_release(&w->log);
    calendar_release(&w->calendar);
    market_free(w->market);
    free(w);
}

static void horizon_event(void *actor, uint64_t tag)
{
    struct job_world *w = actor;
    (void)tag;
    w->at_horizon = true;
}

static void end_at_horizon(struct job_world *w, size_t index)
{
    if (w->jobs[index] != NULL) {
        job_horizon(w->jobs[index]);
    } else {
        elastic_job_horizon(w->elastic[index]);
    }
}

/* Launched nodes learn when they will fail, if the script has it. */
static void plan_failures(struct job_world *w)
{
    for (size_t k = 0; k < w->fleet->crew_count; k++) {
        struct crew *c = w->fleet->crews[k];
        const struct job_script *s = &w->script->jobs[c->workload];
        for (size_t i = 0; i < 3 && s->fails[i].at_s > 0; i++) {
            struct node *n = &c->nodes[s->fails[i].slot];
            if (c->purchase == PURCHASE_SPOT && n->state == NODE_HELD && n->launches == 1 &&
                !n->failed && n->failure.generation == EVENT_NONE.generation) {
                n->dies_s = HUGE_VAL;
                n->fails_s = s->fails[i].at_s;
                crew_schedule_ends(c, s->fails[i].slot);
            }
        }
    }
}

static bool all_done(const struct job_world *w)
{
    for (size_t i = 0; i < w->job_count; i++) {
        if (w->jobs[i] != NULL ? !job_done(w->jobs[i]) : !elastic_job_done(w->elastic[i])) {
            return false;
        }
    }
    return true;
}

bool job_world_run(struct job_world *w, uint32_t replication, void (*watch)(struct job_world *w))
{
    usage_log_clear(&w->log);
    w->at_horizon = false;
    struct random_world world = {.seed = 1, .replication = replication};
    bool ok = fleet_begin(w->fleet, world, NULL, NULL);
    for (size_t i = 0; i < w->job_count; i++) {
        ok = ok && (w->jobs[i] != NULL ? job_begin(w->jobs[i], NULL)
                                       : elastic_job_begin(w->elastic[i], NULL));
    }
    ok = ok && calendar_schedule(&w->calendar, w->script->horizon_s, EVENT_MEASURE, horizon_event,
                                 w, 0, NULL) == CALENDAR_OK;
    while (ok && !all_done(w)) {
        ok = calendar_step(&w->calendar, HUGE_VAL) && w->calendar.fired < MOST_EVENTS &&
             !fleet_failed(w->fleet);
        if (w->at_horizon) {
            w->at_horizon = false;
            for (size_t i = 0; i < w->job_count; i++) {
                end_at_horizon(w, i);
            }
        }
        plan_failures(w);
        if (ok && watch != NULL) {
            watch(w);
        }
    }
    return ok;
}

const struct usage_log *job_world_usage(const struct job_world *w)
{
    return &w->log;
}

const struct job *job_world_job(const struct job_world *w, size_t index)
{
    return w->jobs[index];
}

struct work_result job_world_work(const struct job_world *w, size_t index)
{
    return w->jobs[index] != NULL ? job_result(w->jobs[index])
                                  : elastic_job_result(w->elastic[index]);
}

struct fleet *job_world_fleet(const struct job_world *w)
{
    return w->fleet;
}

const struct job_world_script *job_world_script_of(const struct job_world *w)
{
    return w->script;
}

/* ---- words ---- */

static void tell_record(const struct job_world *w, const struct usage *u, FILE *out)
{
    if (w->job_count > 1) {
        fprintf(out, "%s ", job_names[u->workload]);
    }
    fprintf(out, "%s %u", pool_name(u->pool), u->slot);
    if (u->twins > 0) {
        fprintf(out, "-%u", u->slot + u->twins);
    }
    fprintf(out, " %.12g..%.12g %s", (double)u->start_us / 1e6, (double)u->end_us / 1e6,
            end_reason_names[u->reason]);
    const char *between = ": ";
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        if (u->activity_us[a] > 0) {
            fprintf(out, "%s%s %.12g", between, activity_names[a], (double)u->activity_us[a] / 1e6);
            between = ", ";
        }
    }
    fputc('\n', out);
}

char *job_world_story(const struct job_world *w)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < w->log.count; i++) {
        tell_record(w, &w->log.records[i], out);
    }
    fclose(out);
    return text;
}

static const char *counter(FILE *out, const char *between, const char *name, double count)
{
    if (count <= 0) {
        return between;
    }
    fprintf(out, "%s%s %.12g", between, name, count);
    return ", ";
}

char *job_world_result(const struct job_world *w, size_t index)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    struct work_result r = job_world_work(w, index);
    if (r.finished) {
        assert_true(r.kept_s >= r.work_s && r.kept_s <= r.work_s);
        fprintf(out, "done %.12g", r.end_s);
    } else {
        fprintf(out, "cut %.12g, kept %.12g", r.end_s, r.kept_s);
    }
    fprintf(out, " of %.12g", r.work_s);
    const char *between = "; ";
    between = counter(out, between, "checkpoints", (double)r.checkpoints);
    between = counter(out, between, "restarts", r.restarts);
    between = counter(out, between, "losses", r.losses);
    between = counter(out, between, "switches", r.switches);
    between = counter(out, between, "resizes", r.resizes);
    between = counter(out, between, "idle", r.idle_s);
    between = counter(out, between, "launches", r.launches);
    between = counter(out, between, "interruptions", r.interruptions);
    between = counter(out, between, "failures", r.failures);
    (void)counter(out, between, "crossed", r.crossed_bytes);
    int64_t held_us[PURCHASE_COUNT] = {0};
    for (size_t i = 0; i < w->log.count; i++) {
        const struct usage *u = &w->log.records[i];
        if (u->workload == index) {
            held_us[site_purchase(u->pool)] += usage_nodes(u) * (u->end_us - u->start_us);
        }
    }
    fprintf(out, "; spot %.12g, on-demand %.12g", (double)held_us[PURCHASE_SPOT] / 1e6,
            (double)held_us[PURCHASE_ON_DEMAND] / 1e6);
    fclose(out);
    return text;
}
