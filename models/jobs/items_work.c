/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/items_work.h"

#include "models/fleet/work_making.h"
#include "models/jobs/items_run.h"

#include <assert.h>

const struct items_plan *items_plan_of(const struct work_plan *plan)
{
    assert(plan->kind == &work_batch);
    return (const struct items_plan *)plan;
}

static struct work_plan *plan_work(const struct work_request *r)
{
    struct items_plan *plan = arena_array(r->context->arena, 1, sizeof *plan);
    if (plan == NULL || !items_plan_make(plan, r)) {
        return NULL;
    }
    plan->work.kind = &work_batch;
    return &plan->work;
}

static struct work_data data_of(const void *of, const struct market_context *c)
{
    (void)c;
    const struct items_spec *spec = of;
    return work_keeps(spec->item.place, &spec->storage, &spec->labels, &spec->order);
}

/* ---- in words ---- */

static void add_rates(struct text *t, const struct items_plan *p, const struct market_plan *market)
{
    for (size_t k = 0; k < p->work.pool_count; k++) {
        const struct pool_info *info = market_pool_info(market, p->work.pools[k].pool);
        bool told = false;
        for (size_t i = 0; i < k; i++) {
            told = told || market_pool_info(market, p->work.pools[i].pool)->type == info->type;
        }
        if (!told) {
            text_format(t, "%s%.4g items/s on %s", k > 0 ? ", " : "", p->rate[k]->median,
                        info->type->name);
        }
    }
}

static void describe(const struct work_plan *plan, const struct market_plan *market,
                     work_line *line, void *context)
{
    const struct items_plan *p = items_plan_of(plan);
    char work[32], chunk[32];
    struct text t;
    text_init(&t, 0);
    text_format(&t, "%.6g items, ", p->planned_items);
    add_rates(&t, p, market);
    text_format(&t, ": %s on %u node%s, nothing being lost",
                quantity_time_text(plan->planned_work_s, work), plan->nodes,
                text_plural(plan->nodes));
    line(context, "work", &t);
    text_clear(&t);
    text_format(
        &t, "written when they are done: with a node that vanishes at most %s of its work is lost",
        quantity_time_text(p->spec->chunk.median, chunk));
    line(context, "chunks", &t);
    text_release(&t);
}

/* ---- running ---- */

static void *make(const struct work_plan *plan, struct fleet *fleet)
{
    return items_run_new(items_plan_of(plan), fleet);
}

static void free_work(void *work)
{
    items_run_free(work);
}

static bool begin(void *work, const double *drawn)
{
    return items_run_begin(work, drawn);
}

static void start(void *work)
{
    items_run_start(work);
}

static void forgo(void *work)
{
    items_run_forgo(work);
}

static bool done(const void *work)
{
    return items_run_done(work);
}

static void horizon(void *work)
{
    items_run_horizon(work);
}

static void cancel(void *work)
{
    items_run_cancel(work);
}

static struct work_result result(const void *work)
{
    return items_run_result(work);
}

const struct work_kind work_batch = {
    .schema = &batch_schema,
    .sized_by_strategy = true,
    .data = data_of,
    .plan = plan_work,
    .describe = describe,
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
