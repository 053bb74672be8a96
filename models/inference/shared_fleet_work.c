/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/shared_fleet_work.h"

#include "engine/text.h"
#include "models/fleet/work_making.h"
#include "models/inference/shared_fleet_run.h"

#include <assert.h>

static const struct shared_fleet_plan *plan_of(const struct work_plan *plan)
{
    assert(plan->kind == &work_shared_fleet);
    return (const struct shared_fleet_plan *)plan;
}

static struct work_plan *plan_work(const struct work_request *r)
{
    struct shared_fleet_plan *plan = arena_array(r->context->arena, 1, sizeof *plan);
    if (plan == NULL || !shared_fleet_plan_make(plan, r)) {
        return NULL;
    }
    plan->work.kind = &work_shared_fleet;
    return &plan->work;
}

static struct work_data data_of(const void *of, const struct market_context *c)
{
    (void)c;
    const struct shared_fleet_spec *spec = of;
    return work_keeps(spec->item.place, &spec->storage, &spec->labels, NULL);
}

static void describe(const struct work_plan *plan, const struct market_plan *market,
                     work_line *line, void *context)
{
    const struct shared_fleet_plan *p = plan_of(plan);
    struct text t;
    (void)market;
    text_init(&t, 0);
    text_format(&t, "%u to %u, as many as the replicas on them need", p->least_nodes,
                p->most_nodes);
    line(context, "nodes", &t);
    text_release(&t);
}

/* ---- running ---- */

static void *make(const struct work_plan *plan, struct fleet *fleet)
{
    return shared_fleet_run_new(plan_of(plan), fleet);
}

static void free_work(void *work)
{
    shared_fleet_run_free(work);
}

static bool begin(void *work, const double *drawn)
{
    (void)drawn;
    shared_fleet_run_begin(work);
    return true;
}

static bool done(const void *work)
{
    return shared_fleet_run_over(work);
}

static void horizon(void *work)
{
    shared_fleet_run_end(work, END_HORIZON);
}

static void cancel(void *work)
{
    shared_fleet_run_end(work, END_CANCELLED);
}

static struct work_result result(const void *work)
{
    return shared_fleet_run_result(work);
}

const struct work_kind work_shared_fleet = {
    .schema = &shared_fleet_schema,
    .is_host = true,
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
