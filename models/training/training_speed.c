/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_speed.h"

#include "engine/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Training FLOPs per parameter and token, forward and backward (Kaplan et al., arXiv 2001.08361,
 * section 2.1). */
#define FLOPS_PER_PARAMETER_AND_TOKEN 6.0

/* ---- the keys of throughputs ---- */

/* "p4d.24xlarge x 4", with or without the spaces around x. */
struct type_and_count {
    size_t type_length;
    long count; /* 0: the key is not of this form */
};

static struct type_and_count read_key(const char *key)
{
    struct type_and_count r = {.type_length = strcspn(key, " ")};
    const char *at = key + r.type_length;
    at += strspn(at, " ");
    if (*at != 'x' && *at != 'X') {
        return r;
    }
    at++;
    at += strspn(at, " ");
    char *end = NULL;
    long count = isdigit((unsigned char)*at) ? strtol(at, &end, 10) : 0;
    if (end != NULL && *end == '\0' && count > 0) {
        r.count = count;
    }
    return r;
}

static bool is_of_type(const char *key, const struct type_and_count *k, const char *type)
{
    return strlen(type) == k->type_length && strncmp(key, type, k->type_length) == 0;
}

static bool check_type(const struct making *m, const struct schema_item *item, size_t length,
                       const char *key)
{
    char type[64];
    snprintf(type, sizeof type, "%.*s", (int)(length < 60 ? length : 60), item->name);
    if (catalogue_type(m->context->catalogue, type) != NULL) {
        return true;
    }
    const char *near = catalogue_suggest_type(m->context->catalogue, type);
    return making_complain_once(m, DIAGNOSTIC_ERROR, item->place,
                                "unknown instance type '%s' in '%s' of '%s'%s%s%s", type, key,
                                m->plan->work.workload_name, near != NULL ? "; did you mean '" : "",
                                near != NULL ? near : "", near != NULL ? "'?" : "");
}

/* A misspelt type would be passed over in silence for a slower basis of speed. */
static bool check_keys(const struct making *m)
{
    const struct throughput_spec *node = m->spec->throughput.items;
    const struct throughput_spec *job = m->spec->job_throughput.items;
    bool ok = true;
    for (size_t i = 0; i < m->spec->throughput.count; i++) {
        ok &= check_type(m, &node[i].item, strlen(node[i].item.name), "throughput");
    }
    for (size_t i = 0; i < m->spec->job_throughput.count; i++) {
        struct type_and_count k = read_key(job[i].item.name);
        if (k.count == 0) {
            ok = making_complain_once(
                m, DIAGNOSTIC_ERROR, job[i].item.place,
                "'%s' in 'job_throughput' of '%s' is no type and count; expected 'TYPE x NODES', "
                "such as 'p4d.24xlarge x 4'",
                job[i].item.name, m->plan->work.workload_name);
        } else {
            ok &= check_type(m, &job[i].item, k.type_length, "job_throughput");
        }
    }
    return ok;
}

bool training_speed_check(const struct making *m)
{
    const struct training_spec *s = m->spec;
    int stated = s->tokens.given + s->samples.given + s->hours.given;
    bool ok = check_keys(m);
    if (stated != 1) {
        struct place second = s->hours.given ? s->hours_place : s->samples_place;
        ok = making_complain_once(m, DIAGNOSTIC_ERROR, stated == 0 ? s->item.place : second,
                                  "workload '%s' states its work %s; expected exactly one of "
                                  "'tokens', 'samples', 'hours'",
                                  m->plan->work.workload_name,
                                  stated == 0 ? "nowhere" : "more than once");
    }
    return ok;
}

/* ---- the basis ---- */

static const struct throughput_spec *find_node_throughput(const struct making *m)
{
    const struct throughput_spec *items = m->spec->throughput.items;
    for (size_t i = 0; i < m->spec->throughput.count; i++) {
        if (strcmp(items[i].item.name, m->type->name) == 0) {
            return &items[i];
        }
    }
    return NULL;
}

/* The throughput of the whole job at this count; *other: one stated for another count. */
static const struct throughput_spec *find_job_throughput(const struct making *m,
                                                         const struct throughput_spec **other)
{
    const struct throughput_spec *items = m->spec->job_throughput.items;
    *other = NULL;
    for (size_t i = 0; i < m->spec->job_throughput.count; i++) {
        struct type_and_count k = read_key(items[i].item.name);
        if (!is_of_type(items[i].item.name, &k, m->type->name)) {
            continue;
        }
        if (k.count == (long)m->plan->work.nodes) {
            return &items[i];
        }
        *other = &items[i];
    }
    return NULL;
}

static bool make_estimate(const struct making *m)
{
    const struct training_spec *s = m->spec;
    if (s->model.precision < 0) {
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, s->item.place,
            "the speed of '%s' is to be estimated, but its model has no precision; expected "
            "'model: {parameters: …, precision: bf16}'",
            m->plan->work.workload_name);
    }
    const struct accelerator *a = m->type->accelerator;
    double peak = a == NULL ? 0 : a->peak_flops[s->model.precision];
    if (!(peak > 0)) {
        return making_complain(
            m, DIAGNOSTIC_INFEASIBLE, m->terms.instance_place,
            "'%s' (%s) has no peak for %s, so no speed can be estimated for '%s'; choose another "
            "precision or state a throughput",
            m->type->name, m->type->accelerator_name, precision_names[s->model.precision],
            m->plan->work.workload_name);
    }
    m->plan->speed = SPEED_ESTIMATE;
    m->plan->peak_flops_per_node = peak * m->type->accelerator_count;
    return true;
}

bool training_speed_make(const struct making *m)
{
    const struct training_spec *s = m->spec;
    struct training_plan *p = m->plan;
    if (s->hours.given) {
        p->speed = SPEED_HOURS;
        return true;
    }
    const struct throughput_spec *other;
    const struct throughput_spec *job = find_job_throughput(m, &other);
    const struct throughput_spec *node = find_node_throughput(m);
    if (job != NULL || node != NULL) {
        p->speed = job != NULL ? SPEED_JOB_THROUGHPUT : SPEED_THROUGHPUT;
        p->rate = job != NULL ? &job->rate : &node->rate;
        return true;
    }
    if (other != NULL) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, making_place(m),
            "strategy '%s' runs '%s' on '%s x %u', but 'job_throughput' is stated for '%s' only; "
            "state it for this count, or a 'throughput' per node",
            m->strategy->item.name, p->work.workload_name, m->type->name, p->work.nodes,
            other->item.name);
    }
    if (s->mfu.given && s->model.parameters.given && s->tokens.given) {
        return make_estimate(m);
    }
    return making_complain(
        m, DIAGNOSTIC_ERROR, making_place(m),
        "nothing says how fast '%s' runs on '%s'; expected 'throughput: {%s: …/s}' in the workload"
        "%s",
        p->work.workload_name, m->type->name, m->type->name,
        s->tokens.given ? ", or 'model: {parameters, precision}' with 'mfu'" : "");
}

void training_speed_assume(const struct making *m)
{
    const struct training_spec *s = m->spec;
    const struct training_plan *p = m->plan;
    struct assumptions *a = m->context->assumptions;
    bool scaled = p->speed == SPEED_THROUGHPUT || p->speed == SPEED_ESTIMATE;
    if (scaled && p->work.nodes > 1 && !s->scaling.given) {
        assumptions_add(a, false, "default",
                        making_name(m, "scaling of %s above one node", p->work.workload_name),
                        "%.3g of linear", s->scaling.median);
    }
    if (p->speed == SPEED_ESTIMATE) {
        double work_s = training_work_s(p, NULL);
        double tokens = s->tokens.median * s->epochs.median;
        assumptions_add(a, false, "estimate: 6 FLOPs per parameter and token, attention left out",
                        making_name(m, "speed of %s on %u x %s", p->work.workload_name,
                                    p->work.nodes, m->type->name),
                        "%.3g tokens/s at mfu %.3g of the %s peak",
                        work_s > 0 ? tokens / work_s : 0, s->mfu.median,
                        precision_names[s->model.precision]);
    }
}

/* ---- the work ---- */

/* As the scenario states it. */
static double stated_work_s(const struct training_plan *plan, const double *drawn)
{
    const struct training_spec *s = plan->spec;
    if (plan->speed == SPEED_HOURS) {
        return number_value(&s->hours, drawn);
    }
    double units =
        s->tokens.given ? number_value(&s->tokens, drawn) : number_value(&s->samples, drawn);
    units *= number_value(&s->epochs, drawn);
    if (units <= 0) {
        return 0;
    }
    double scaling = plan->work.nodes > 1 ? number_value(&s->scaling, drawn) : 1;
    double per_s = 0;
    switch (plan->speed) {
    case SPEED_JOB_THROUGHPUT:
        per_s = number_value(plan->rate, drawn);
        break;
    case SPEED_THROUGHPUT:
        per_s = number_value(plan->rate, drawn) * plan->work.nodes * scaling;
        break;
    case SPEED_ESTIMATE:
        per_s = plan->peak_flops_per_node * plan->work.nodes * scaling *
                number_value(&s->mfu, drawn) /
                (FLOPS_PER_PARAMETER_AND_TOKEN * number_value(&s->model.parameters, drawn));
        break;
    case SPEED_HOURS:
        break;
    }
    return units / per_s;
}

double training_work_s(const struct training_plan *plan, const double *drawn)
{
    const struct project *project = plan->work.project;
    return stated_work_s(plan, drawn) *
           (project == NULL ? 1.0 : project_work_factor(project, drawn));
}
