/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/notebook_work.h"

#include "models/fleet/work_making.h"
#include "models/usage/notebook_run.h"

#include <assert.h>

const struct notebook_plan *notebook_plan_of(const struct work_plan *plan)
{
    assert(plan->kind == &work_notebooks);
    return (const struct notebook_plan *)plan;
}

static struct work_plan *plan_work(const struct work_request *r)
{
    struct notebook_plan *plan = arena_array(r->context->arena, 1, sizeof *plan);
    if (plan == NULL || !notebook_plan_make(plan, r)) {
        return NULL;
    }
    plan->work.kind = &work_notebooks;
    return &plan->work;
}

static struct work_data data_of(const void *of, const struct market_context *c)
{
    (void)c;
    const struct notebook_spec *spec = of;
    return work_keeps(spec->item.place, &spec->storage, &spec->labels, NULL);
}

/* ---- in words ---- */

static void add_sessions(struct text *t, const struct notebook_plan *p)
{
    const struct notebook_spec *s = p->spec;
    char session[32];
    text_format(t,
                "%lld people on %.3g %% of %s, %lld session%s of %s on average: %.6g sessions, "
                "%.6g node-hours",
                (long long)s->people, 100 * s->use.median, s->weekend ? "all days" : "working days",
                (long long)s->sessions, text_plural((double)s->sessions),
                quantity_time_text(variate_planned_mean(&s->session), session), p->planned_sessions,
                p->planned_node_s / 3600);
}

static void add_forgotten(struct text *t, const struct notebook_plan *p)
{
    char limit[32];
    text_format(t, "after %.3g %% of them the machine is left on, until %s",
                100 * p->spec->forgotten.median,
                p->spec->found == FOUND_NEXT_USE ? "it is used again"
                                                 : "its person begins the next working day");
    if (p->stop_when_idle.given) {
        text_format(t, ", or has been idle for %s",
                    quantity_time_text(p->stop_when_idle.median, limit));
    }
}

static void describe(const struct work_plan *plan, const struct market_plan *market,
                     work_line *line, void *context)
{
    const struct notebook_plan *p = notebook_plan_of(plan);
    struct text t;
    (void)market;
    text_init(&t, 0);
    add_sessions(&t, p);
    line(context, "use", &t);
    text_clear(&t);
    add_forgotten(&t, p);
    line(context, "forgotten", &t);
    text_release(&t);
}

/* ---- running ---- */

static void *make(const struct work_plan *plan, struct fleet *fleet)
{
    return notebook_run_new(notebook_plan_of(plan), fleet);
}

static void free_work(void *work)
{
    notebook_run_free(work);
}

static bool begin(void *work, const double *drawn)
{
    return notebook_run_begin(work, drawn);
}

static bool done(const void *work)
{
    return notebook_run_over(work);
}

static void horizon(void *work)
{
    notebook_run_horizon(work);
}

static void cancel(void *work)
{
    notebook_run_cancel(work);
}

static struct work_result result(const void *work)
{
    return notebook_run_result(work);
}

const struct work_kind work_notebooks = {
    .schema = &notebooks_schema,
    .stops_when_idle = true,
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
