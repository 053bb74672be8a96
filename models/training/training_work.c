/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_work.h"

#include "engine/quantity.h"
#include "models/catalogue/storage_prices.h"
#include "models/fleet/work_making.h"
#include "models/training/elastic_job.h"
#include "models/training/job.h"
#include "models/training/training_estimate_assumed.h"
#include "models/training/training_reasons.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

const struct training_plan *training_plan_of(const struct work_plan *plan)
{
    assert(plan->kind == &work_training);
    return (const struct training_plan *)plan;
}

/* ---- planning ---- */

static struct work_plan *plan_work(const struct work_request *r)
{
    struct training_plan *plan = arena_array(r->context->arena, 1, sizeof *plan);
    if (plan == NULL || !training_plan_make(plan, r)) {
        return NULL;
    }
    plan->work.kind = &work_training;
    return &plan->work;
}

/* Of which a size that nobody states follows from the model; NULL: it is stated, or not known. */
static const struct checkpoint_size *derived_size(const struct training_spec *spec,
                                                  const struct market_context *context)
{
    struct checkpoint_size *of =
        spec->checkpoint.size.given ? NULL : arena_array(context->arena, 1, sizeof *of);
    if (of == NULL) {
        return NULL;
    }
    *of = (struct checkpoint_size){.spec = spec};
    if (spec->model.preset != NULL) {
        of->preset = catalogue_model(context->catalogue, spec->model.preset);
    }
    return checkpoint_bytes(of, NULL) > 0 ? of : NULL;
}

static double derived_bytes(const void *of, const double *drawn)
{
    return checkpoint_bytes(of, drawn);
}

static struct work_data data_of(const void *of, const struct market_context *context)
{
    const struct training_spec *spec = of;
    const struct checkpoint_spec *c = &spec->checkpoint;
    const struct checkpoint_size *size = derived_size(spec, context);
    static const enum storage_item items[] = {[STORED_IN_S3] = STORAGE_S3,
                                              [STORED_IN_FSX] = STORAGE_FSX_125,
                                              [STORED_IN_EBS] = STORAGE_GP3,
                                              [STORED_LOCALLY] = STORAGE_GP3};
    /* A file system is paid as a whole, and so is a disk that is stated. */
    const bool volume = c->storage == STORED_IN_EBS && !spec->storage.disk.given;
    const bool by_size = c->storage == STORED_IN_S3 || volume || c->per_gb_month.given;
    struct work_data data =
        work_keeps(spec->item.place, &spec->storage, &spec->labels, &spec->order);
    data.saves = (struct work_saves){.given = by_size && (c->size.given || size != NULL) &&
                                              c->keep > 0 && c->mode != CHECKPOINT_NONE,
                                     .continuous = c->mode == CHECKPOINT_CONTINUOUS,
                                     .item = (int)items[c->storage],
                                     .size = &c->size,
                                     .derived_bytes = size != NULL ? derived_bytes : NULL,
                                     .derived_from = size,
                                     .per_gb_month = &c->per_gb_month,
                                     .keep = c->keep,
                                     .part_size = &c->part_size,
                                     .per_1000_put = &c->per_1000_put,
                                     .per_1000_get = &c->per_1000_get};
    return data;
}

/* ---- in words ---- */

static void add_speed(struct text *t, const struct training_plan *p)
{
    const struct training_spec *spec = p->spec;
    char flops[48];
    switch (p->speed) {
    case SPEED_HOURS:
        text_add(t, "the work is stated as hours of the whole gang");
        return;
    case SPEED_JOB_THROUGHPUT:
        text_format(t, "%.6g/s, measured for the whole job at this number of nodes",
                    p->rate->median);
        return;
    case SPEED_THROUGHPUT:
        text_format(t, "%.6g/s a node, measured", p->rate->median);
        break;
    case SPEED_MFU:
        text_format(t, "estimated: %.4g GFLOP a %s at %s a node x mfu %.3g",
                    p->estimate.flops_per_unit / 1e9, spec->tokens.given ? "token" : "sample",
                    quantity_text(p->peak_flops_per_node, DIMENSION_FLOPS, NULL, flops),
                    spec->mfu.median);
        break;
    case SPEED_ROOFLINE:
        training_estimate_describe(p, t);
        return;
    case SPEED_GPU_HOURS:
        text_format(t, "the work is stated as %.6g hours of one %s", p->accelerator_hours->median,
                    p->type->accelerator_name);
        break;
    }
    if (p->work.nodes > 1) {
        text_format(t, " x %u nodes x scaling %.3g", p->work.nodes, spec->scaling.median);
    }
}

/* In how often a checkpoint is written. */
static bool zones_differ(const struct training_plan *p)
{
    bool differ = false;
    for (size_t i = 1; i < p->zones; i++) {
        double every_s = p->every_s[site_of_zone(i)], first_s = p->every_s[PURCHASE_SPOT];
        differ = differ || every_s < first_s || every_s > first_s;
    }
    return differ;
}

static void add_checkpoints(struct text *t, const struct market_plan *market,
                            const struct training_plan *p)
{
    char every[32];
    const char *joint = "";
    const bool apart = zones_differ(p);
    for (int i = 0; i < SITE_COUNT; i++) {
        if (p->pools[i] < 0 || (i >= (int)PURCHASE_COUNT && !apart)) {
            continue;
        }
        const char *where = purchase_names[site_purchase(i)];
        if (p->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS) {
            text_format(t, "%scontinuous on %s", joint, where);
        } else if (isinf(p->every_s[i])) {
            text_format(t, "%snone on %s", joint, where);
        } else {
            text_format(t, "%severy %s of useful work on %s", joint,
                        quantity_time_text(p->every_s[i], every), where);
        }
        if (apart && site_purchase(i) == PURCHASE_SPOT) {
            text_format(t, " in %s", market_pool_info(market, p->pools[i])->zone);
        }
        joint = ", ";
    }
}

static void add_market(struct text *t, const struct market_plan *market,
                       const struct training_plan *p, int pool)
{
    char between[32];
    const uint32_t nodes = training_nodes_a_zone(p);
    double losses = market_planned_loss_rate(market, pool, nodes);
    double obtainable = market_planned_availability(market, pool, nodes);
    if (p->zones > 1) {
        text_format(t, "%s: ", market_pool_info(market, pool)->zone);
    }
    struct planned_replay replay;
    bool replayed = market_planned_replay(market, pool, &replay) && replay.nodes;
    const bool share = nodes < p->work.nodes;
    text_add(t, replayed ? "in its trace " : "");
    if (share) {
        text_format(t, "%u of all nodes", nodes);
    } else {
        text_add(t, "all nodes");
    }
    text_format(t, " obtainable %.3g %% of the time; ", 100 * obtainable);
    if (losses > 0) {
        text_format(t, "%s nodes every %s on average",
                    share ? "while they run they lose" : "a running gang loses",
                    quantity_time_text(1 / losses, between));
    } else {
        text_add(t, share ? "they never lose nodes" : "a running gang never loses nodes");
    }
}

static void add_windows(struct text *t, const struct market_plan *market, int pool)
{
    const struct market_window *windows;
    size_t count = market_plan_windows(market, pool, &windows);
    for (size_t i = 0; i < count; i++) {
        money_t total, per_hour;
        char money[32];
        text_format(t, "%s%s", i == 0 ? "" : "; ", windows[i].name);
        if (market_window_price(&windows[i], NULL, &total, &per_hour)) {
            text_format(t, ", %s in all, paid %.4g d after the start", money_text(total, money),
                        windows[i].bought_s / 86400);
        }
    }
}

static void add_failures(struct text *t, const struct training_plan *p)
{
    char between[32], all[32];
    double rate = training_planned_failure_rate_per_s(p);
    if (rate > 0) {
        text_format(t, "of hardware: a node of the gang fails every %s, %.3g times in %s of work",
                    quantity_time_text(1 / rate, between), rate * p->work.planned_work_s,
                    quantity_time_text(p->work.planned_work_s, all));
    } else {
        text_add(t, "of hardware: none");
    }
    if (p->reliability.spares > 0) {
        text_format(t, "; %u spare%s", p->reliability.spares, text_plural(p->reliability.spares));
    }
}

static void describe(const struct work_plan *plan, const struct market_plan *market,
                     work_line *line, void *context)
{
    const struct training_plan *p = training_plan_of(plan);
    char time[32];
    struct text t;
    text_init(&t, 0);
    text_format(&t, "%s without any loss or overhead",
                quantity_time_text(p->work.planned_work_s, time));
    line(context, "work", &t);
    text_clear(&t);
    add_speed(&t, p);
    line(context, "speed", &t);
    text_clear(&t);
    add_checkpoints(&t, market, p);
    line(context, "checkpoint", &t);
    if (p->reliability.fails) {
        text_clear(&t);
        add_failures(&t, p);
        line(context, "failures", &t);
    }
    for (size_t i = 0; i < p->zones && p->pools[PURCHASE_SPOT] >= 0; i++) {
        text_clear(&t);
        add_market(&t, market, p, p->pools[site_of_zone(i)]);
        line(context, "spot market", &t);
    }
    if (p->pools[PURCHASE_BLOCK] >= 0) {
        text_clear(&t);
        add_windows(&t, market, p->pools[PURCHASE_BLOCK]);
        line(context, "blocks", &t);
    }
    text_release(&t);
}

/* ---- running ---- */

/* Either of them. */
struct training_run {
    struct job *job;
    struct elastic_job *elastic;
};

static void free_work(void *work)
{
    struct training_run *r = work;
    job_free(r->job);
    elastic_job_free(r->elastic);
    free(r);
}

static void *make(const struct work_plan *plan, struct fleet *fleet)
{
    const struct training_plan *p = training_plan_of(plan);
    struct training_run *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    if (p->elastic.is) {
        r->elastic = elastic_job_new(p, fleet);
    } else {
        r->job = job_new(p, fleet);
    }
    if (r->job == NULL && r->elastic == NULL) {
        free_work(r);
        return NULL;
    }
    return r;
}

static bool begin(void *work, const double *drawn)
{
    struct training_run *r = work;
    return r->job != NULL ? job_begin(r->job, drawn) : elastic_job_begin(r->elastic, drawn);
}

static bool done(const void *work)
{
    const struct training_run *r = work;
    return r->job != NULL ? job_done(r->job) : elastic_job_done(r->elastic);
}

static struct work_result result(const void *work)
{
    const struct training_run *r = work;
    return r->job != NULL ? job_result(r->job) : elastic_job_result(r->elastic);
}

#define EITHER(name)                                                                               \
    static void name(void *work)                                                                   \
    {                                                                                              \
        struct training_run *r = work;                                                             \
        if (r->job != NULL) {                                                                      \
            job_##name(r->job);                                                                    \
        } else {                                                                                   \
            elastic_job_##name(r->elastic);                                                        \
        }                                                                                          \
    }
EITHER(start)
EITHER(forgo)
EITHER(horizon)
EITHER(cancel)

const struct work_kind work_training = {
    .schema = &training_schema,
    .sized_by_strategy = true,
    .is_gang = true,
    .data = data_of,
    .plan = plan_work,
    .describe = describe,
    .reasons = training_reasons,
    .make = make,
    .free = free_work,
    .begin = begin,
    .start = start,
    .forgo = forgo,
    .done = done,
    .horizon = horizon,
    .cancel = cancel,
    .result = result,
};
