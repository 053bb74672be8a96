/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/usage_work.h"

#include "models/fleet/work_making.h"
#include "models/usage/usage_run.h"

#include <assert.h>
#include <math.h>

const struct usage_plan *usage_plan_of(const struct work_plan *plan)
{
    assert(plan->kind == &work_usage);
    return (const struct usage_plan *)plan;
}

/* ---- planning ---- */

/* A file that does not stand alone is told when the plan is made. */
static bool read_files(void *of, const char *folder, const struct market_context *c)
{
    struct usage_spec *spec = of;
    const struct need_item *only = spec->nodes.items;
    if (spec->nodes.count != 1 || only->file == NULL || only->nodes.given || only->from != NULL ||
        only->length_given) {
        return true;
    }
    const char *path = work_file(c, folder, only->file, only->file_place);
    return path != NULL && need_file_read(&spec->steps, path, path, c->start_unix_s, CREW_MAX_NODES,
                                          c->arena, c->diagnostics);
}

static struct work_plan *plan_work(const struct work_request *r)
{
    struct usage_plan *plan = arena_array(r->context->arena, 1, sizeof *plan);
    if (plan == NULL || !usage_plan_make(plan, r)) {
        return NULL;
    }
    plan->work.kind = &work_usage;
    return &plan->work;
}

static struct work_data data_of(const void *of, const struct market_context *c)
{
    (void)c;
    const struct usage_spec *spec = of;
    return work_keeps(spec->item.place, &spec->storage, &spec->labels, NULL);
}

/* ---- in words ---- */

static void add_need(struct text *t, const struct usage_plan *p)
{
    static const char *const shapes[] = {[NEED_ITEMS] = "as listed",
                                         [NEED_DAY] = "by the hour of the day (UTC)",
                                         [NEED_WEEK] = "by the hour of the week (UTC)",
                                         [NEED_FILE] = "as the file says"};
    char from[32], to[32];
    if (p->least_nodes == p->most_nodes) {
        text_format(t, "%u node%s", p->most_nodes, text_plural(p->most_nodes));
    } else {
        text_format(t, "%u to %u nodes %s", p->least_nodes, p->most_nodes, shapes[p->need.shape]);
    }
    text_format(t, ", from %s to %s%s after the start: %.6g node-hours",
                quantity_time_text(p->need.from_s, from), p->need.ends ? "" : "the horizon, ",
                quantity_time_text(p->need.end_s, to), p->planned_node_s / 3600);
}

static void add_spot(struct text *t, const struct market_plan *market, const struct work_pool *pool,
                     uint32_t nodes)
{
    char between[32];
    double losses = market_planned_loss_rate(market, pool->pool, 1);
    text_format(t, "%u node%s obtainable %.3g %% of the time; ", nodes, text_plural(nodes),
                100 * market_planned_availability(market, pool->pool, nodes));
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
    const struct usage_plan *p = usage_plan_of(plan);
    struct text t;
    text_init(&t, 0);
    add_need(&t, p);
    line(context, "needs", &t);
    for (size_t k = 0; k < plan->pool_count; k++) {
        uint32_t nodes =
            plan->pools[k].nodes < p->most_nodes ? plan->pools[k].nodes : p->most_nodes;
        if (plan->pools[k].purchase == PURCHASE_SPOT && nodes > 0) {
            text_clear(&t);
            add_spot(&t, market, &plan->pools[k], nodes);
            line(context, "spot market", &t);
        }
    }
    text_release(&t);
}

/* ---- running ---- */

static void *make(const struct work_plan *plan, struct fleet *fleet)
{
    return usage_run_new(usage_plan_of(plan), fleet);
}

static void free_work(void *work)
{
    usage_run_free(work);
}

static bool begin(void *work, const double *drawn)
{
    return usage_run_begin(work, drawn);
}

static bool done(const void *work)
{
    return usage_run_over(work);
}

static void horizon(void *work)
{
    usage_run_horizon(work);
}

static void cancel(void *work)
{
    usage_run_cancel(work);
}

static struct work_result result(const void *work)
{
    return usage_run_result(work);
}

const struct work_kind work_usage = {
    .schema = &usage_schema,
    .read_files = read_files,
    .data = data_of,
    .plan = plan_work,
    .describe = describe,
    .make = make,
    .free = free_work,
    .begin = begin,
    .done = done,
    .horizon = horizon,
    .cancel = cancel,
    .result = result,
};
