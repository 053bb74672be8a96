/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/jobs_work.h"

#include "models/fleet/work_making.h"
#include "models/jobs/jobs_run.h"

#include <assert.h>
#include <math.h>

const struct jobs_plan *jobs_plan_of(const struct work_plan *plan)
{
    assert(plan->kind == &work_jobs || plan->kind == &work_trials);
    return (const struct jobs_plan *)plan;
}

/* ---- planning ---- */

static bool read_files(void *of, const char *folder, const struct market_context *c)
{
    struct jobs_spec *spec = of;
    if (spec->file == NULL || spec->list.count > 0) {
        return true; /* what is wrong is told when the plan is made */
    }
    const char *path = work_file(c, folder, spec->file, spec->file_place);
    return path != NULL && job_file_read(&spec->rows, path, path, c->start_unix_s, JOBS_MAX,
                                         c->arena, c->diagnostics);
}

static struct work_plan *plan_of_kind(const struct work_request *r, const struct work_kind *kind)
{
    struct jobs_plan *plan = arena_array(r->context->arena, 1, sizeof *plan);
    if (plan == NULL || !jobs_plan_make(plan, r)) {
        return NULL;
    }
    plan->work.kind = kind;
    return &plan->work;
}

static struct work_plan *plan_jobs(const struct work_request *r)
{
    return plan_of_kind(r, &work_jobs);
}

static struct work_plan *plan_trials(const struct work_request *r)
{
    return plan_of_kind(r, &work_trials);
}

static struct work_data data_of(const void *of, const struct market_context *c)
{
    (void)c;
    const struct jobs_spec *spec = of;
    return work_keeps(spec->item.place, &spec->storage, &spec->labels, &spec->order);
}

/* ---- in words ---- */

static void add_jobs(struct text *t, const struct jobs_plan *p)
{
    static const char *const orders[] = {"first come, first served", "the shortest first",
                                         "by priority"};
    static const char *const backfills[] = {"", ", with backfill", ", with EASY backfill"};
    const struct jobs_spec *s = p->spec;
    char until[32];
    if (s->trials > 0) {
        text_format(t, "%lld trials, ", (long long)s->trials);
        if (s->at_a_time > 0) {
            text_format(t, "%lld at a time", (long long)s->at_a_time);
        } else {
            text_add(t, "as many at a time as there is room for");
        }
        if (s->stop_early.share.median > 0) {
            text_format(t, "; %.3g %% are given up after %.3g %% of their work",
                        100 * s->stop_early.share.median, 100 * s->stop_early.after.median);
        }
        return;
    }
    text_format(t, "%s%.6g jobs", s->list.count + s->rows.count > 0 ? "" : "some ",
                p->planned_jobs);
    if (isfinite(p->until_s)) {
        text_format(t, " up to %s after %s", quantity_time_text(p->until_s, until),
                    p->work.awaits && s->file == NULL ? "it begins" : "the start");
    }
    text_format(t, "; %s%s", orders[s->discipline], backfills[s->backfill]);
    text_add(t, s->preempt ? ", which preempts" : "");
}

static void add_load(struct text *t, const struct jobs_plan *p)
{
    const double span_s = p->work.planned_work_s, all_s = span_s * p->entries[0].nodes;
    char span[32];
    text_format(t, "%.6g node-hours of the first way to buy, %.3g %% of its %u node%s for %s",
                p->planned_node_s / 3600, all_s > 0 ? 100 * p->planned_node_s / all_s : 0,
                p->entries[0].nodes, text_plural(p->entries[0].nodes),
                quantity_time_text(span_s, span));
}

static void add_market(struct text *t, const struct market_plan *market,
                       const struct work_pool *pool)
{
    char between[32];
    double losses = market_planned_loss_rate(market, pool->pool, 1);
    text_format(t, "%u node%s obtainable %.3g %% of the time; ", pool->nodes,
                text_plural(pool->nodes),
                100 * market_planned_availability(market, pool->pool, pool->nodes));
    if (losses > 0) {
        text_format(t, "a single one is lost every %s on average",
                    quantity_time_text(1 / losses, between));
    } else {
        text_add(t, "a single one is never lost");
    }
}

static void describe(const struct work_plan *plan, const struct market_plan *market,
                     work_line *line, void *context)
{
    const struct jobs_plan *p = jobs_plan_of(plan);
    struct text t;
    text_init(&t, 0);
    add_jobs(&t, p);
    line(context, "jobs", &t);
    text_clear(&t);
    add_load(&t, p);
    line(context, "work", &t);
    for (size_t k = 0; k < plan->pool_count; k++) {
        if (plan->pools[k].purchase == PURCHASE_SPOT) {
            text_clear(&t);
            add_market(&t, market, &plan->pools[k]);
            line(context, "spot market", &t);
        }
    }
    text_release(&t);
}

/* ---- running ---- */

static void *make(const struct work_plan *plan, struct fleet *fleet)
{
    return jobs_run_new(jobs_plan_of(plan), fleet);
}

static void free_work(void *work)
{
    jobs_run_free(work);
}

static bool begin(void *work, const double *drawn)
{
    return jobs_run_begin(work, drawn);
}

static void start(void *work)
{
    jobs_run_start(work);
}

static void forgo(void *work)
{
    jobs_run_forgo(work);
}

static bool done(const void *work)
{
    return jobs_run_done(work);
}

static void horizon(void *work)
{
    jobs_run_horizon(work);
}

static void cancel(void *work)
{
    jobs_run_cancel(work);
}

static struct work_result result(const void *work)
{
    return jobs_run_result(work);
}

#define WHAT_BOTH_DO                                                                               \
    .sized_by_strategy = true, .read_files = read_files, .data = data_of, .describe = describe,    \
    .make = make, .free = free_work, .begin = begin, .start = start, .forgo = forgo, .done = done, \
    .horizon = horizon, .cancel = cancel, .result = result

const struct work_kind work_jobs = {.schema = &jobs_schema, .plan = plan_jobs, WHAT_BOTH_DO};
const struct work_kind work_trials = {.schema = &trials_schema, .plan = plan_trials, WHAT_BOTH_DO};
