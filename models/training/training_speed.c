/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_speed.h"

#include "engine/text.h"
#include "models/catalogue/model_speeds.h"
#include "models/training/training_estimate.h"
#include "models/training/training_estimate_assumed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A name that no instance type and no accelerator has would never be used. */
static bool check_accelerators(const struct making *m)
{
    const struct accelerator_hours_spec *items = m->spec->speed.gpu_hours.items;
    const struct catalogue *c = m->context->catalogue;
    bool ok = true;
    for (size_t i = 0; i < m->spec->speed.gpu_hours.count; i++) {
        const char *name = items[i].item.name;
        bool known = catalogue_type(c, name) != NULL;
        for (size_t k = 0; k < catalogue_types(c) && !known; k++) {
            known = strcmp(catalogue_type_at(c, k)->accelerator_name, name) == 0;
        }
        ok &= known || making_complain_once(m, DIAGNOSTIC_ERROR, items[i].item.place,
                                            "unknown accelerator '%s' in 'gpu_hours' of '%s'; "
                                            "expected one such as 'A100-40GB', or an instance type",
                                            name, m->plan->work.workload_name);
    }
    return ok;
}

static bool check_loader(const struct making *m)
{
    const struct loader_spec *l = &m->spec->speed.loader;
    return l->storage.given == l->sample_size.given ||
           making_complain_once(m, DIAGNOSTIC_ERROR, l->place,
                                "'loader' of '%s' needs both 'storage' and 'sample_size', or "
                                "neither",
                                m->plan->work.workload_name);
}

bool training_speed_check(const struct making *m)
{
    const struct training_spec *s = m->spec;
    const bool accelerators = s->speed.gpu_hours.count > 0;
    int stated = s->tokens.given + s->samples.given + s->hours.given + accelerators;
    bool ok = check_keys(m) && check_accelerators(m) && check_loader(m);
    if (stated != 1) {
        struct place second = accelerators     ? s->speed.gpu_hours_place
                              : s->hours.given ? s->hours_place
                                               : s->samples_place;
        ok = making_complain_once(m, DIAGNOSTIC_ERROR, stated == 0 ? s->item.place : second,
                                  "workload '%s' states its work %s; expected exactly one of "
                                  "'tokens', 'samples', 'hours', 'gpu_hours'",
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

static double scaling_of(const struct training_plan *p, double nodes, const double *drawn)
{
    return nodes > 1 ? number_value(&p->spec->scaling, drawn) : 1;
}

/* Of the whole job, before `speed_factor`. What was measured for the whole job at its number of
 * nodes is taken in proportion at another. */
static double measured_per_s(const struct training_plan *p, double nodes, const double *drawn)
{
    const double rate = number_value(p->rate, drawn);
    return p->speed == SPEED_JOB_THROUGHPUT ? rate * (nodes / p->work.nodes)
                                            : rate * nodes * scaling_of(p, nodes, drawn);
}

/* Hours on this instance type, or on its accelerator. */
static bool make_accelerator_hours(const struct making *m)
{
    const struct accelerator_hours_spec *items = m->spec->speed.gpu_hours.items;
    const char *const names[] = {m->type->name, m->type->accelerator_name};
    m->plan->speed = SPEED_GPU_HOURS;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        for (size_t i = 0; i < m->spec->speed.gpu_hours.count; i++) {
            if (strcmp(items[i].item.name, names[k]) == 0) {
                m->plan->accelerator_hours = &items[i].hours;
                return true;
            }
        }
    }
    return making_complain(m, DIAGNOSTIC_ERROR, making_place(m),
                           "the work of '%s' is stated in hours of other accelerators than the %s "
                           "of '%s'; expected 'gpu_hours: {%s: …}'",
                           m->plan->work.workload_name, m->type->accelerator_name, m->type->name,
                           m->type->accelerator_name);
}

static bool make_measured(const struct making *m, const struct throughput_spec *job,
                          const struct throughput_spec *node)
{
    struct training_plan *p = m->plan;
    p->speed = job != NULL ? SPEED_JOB_THROUGHPUT : SPEED_THROUGHPUT;
    p->rate = job != NULL ? &job->rate : &node->rate;
    return training_estimate_check_measured(m, measured_per_s(p, p->work.nodes, NULL));
}

size_t training_speed_counts(const struct making *m, struct counted_rate *out, size_t most)
{
    const struct throughput_spec *items = m->spec->job_throughput.items;
    size_t n = 0;
    for (size_t i = 0; i < m->spec->job_throughput.count && n < most; i++) {
        struct type_and_count k = read_key(items[i].item.name);
        if (!is_of_type(items[i].item.name, &k, m->type->name) || k.count > UINT32_MAX) {
            continue;
        }
        size_t at = n++;
        for (; at > 0 && out[at - 1].nodes > (uint32_t)k.count; at--) {
            out[at] = out[at - 1];
        }
        out[at] = (struct counted_rate){.nodes = (uint32_t)k.count, .rate = &items[i].rate};
    }
    return n;
}

/* The catalogue has a measured speed of exactly this: the published model as it is, in this format,
 * on one node's accelerators. */
static bool take_published(const struct making *m)
{
    const struct model_spec *s = &m->spec->model;
    const bool own = s->gmac.given || s->pixels.given || s->parameters.given || s->sequence.given ||
                     s->trained_parameters.given || m->spec->mfu.given || !m->spec->samples.given;
    const struct model_speed *row =
        own || s->precision < 0 ? NULL
                                : catalogue_model_speed(m->context->catalogue, s->preset, m->type,
                                                        (enum precision)s->precision);
    struct number *rate =
        row == NULL ? NULL : arena_array(m->context->arena, 1, sizeof(struct number));
    if (rate == NULL) {
        return false;
    }
    *rate = NUMBER_CERTAIN(row->samples_per_s);
    m->plan->speed = SPEED_THROUGHPUT;
    m->plan->rate = rate;
    assumptions_add(
        m->context->assumptions, false, row->source,
        making_name(m, "speed of %s on one %s", m->plan->work.workload_name, m->type->name),
        "%.6g samples/s, as measured for %s in %s at %.0f samples an accelerator, %s",
        row->samples_per_s, s->preset, precision_names[row->precision], row->batch_per_accelerator,
        row->date);
    return true;
}

bool training_speed_make(const struct making *m)
{
    const struct training_spec *s = m->spec;
    struct training_plan *p = m->plan;
    p->type = m->type;
    p->preset = catalogue_model(m->context->catalogue, s->model.preset);
    if (s->hours.given) {
        p->speed = SPEED_HOURS;
        return true;
    }
    if (s->speed.gpu_hours.count > 0) {
        return make_accelerator_hours(m);
    }
    const struct throughput_spec *other;
    const struct throughput_spec *job = find_job_throughput(m, &other);
    const struct throughput_spec *node = find_node_throughput(m);
    if (job != NULL || node != NULL) {
        return make_measured(m, job, node);
    }
    if (other != NULL) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, making_place(m),
            "strategy '%s' runs '%s' on '%s x %u', but 'job_throughput' is stated for '%s' only; "
            "state it for this count, or a 'throughput' per node",
            m->strategy->item.name, p->work.workload_name, m->type->name, p->work.nodes,
            other->item.name);
    }
    if (take_published(m)) {
        return true;
    }
    if (training_estimate_possible(m)) {
        return training_estimate_make(m);
    }
    return making_complain(m, DIAGNOSTIC_ERROR, making_place(m),
                           "nothing says how fast '%s' runs on '%s'; expected 'throughput: {%s: "
                           "…/s}' in the workload, "
                           "or 'model: {parameters, precision}' for an estimate",
                           p->work.workload_name, m->type->name, m->type->name);
}

void training_speed_assume(const struct making *m)
{
    const struct training_spec *s = m->spec;
    const struct training_plan *p = m->plan;
    bool scaled =
        p->speed == SPEED_THROUGHPUT || p->speed == SPEED_MFU || p->speed == SPEED_GPU_HOURS;
    if (scaled && p->work.nodes > 1 && !s->scaling.given) {
        assumptions_add(m->context->assumptions, false, "default",
                        making_name(m, "scaling of %s above one node", p->work.workload_name),
                        "%.3g of linear", s->scaling.median);
    }
    if (p->speed == SPEED_MFU || p->speed == SPEED_ROOFLINE) {
        training_estimate_assume(m);
    }
}

/* ---- the work ---- */

/* As the scenario states it. */
static double stated_work_s(const struct training_plan *plan, double nodes, const double *drawn)
{
    const struct training_spec *s = plan->spec;
    if (plan->speed == SPEED_HOURS) {
        return number_value(&s->hours, drawn) * (plan->work.nodes / nodes);
    }
    if (plan->speed == SPEED_GPU_HOURS) {
        return number_value(plan->accelerator_hours, drawn) * 3600 /
               (plan->type->accelerator_count * nodes * scaling_of(plan, nodes, drawn));
    }
    double units =
        s->tokens.given ? number_value(&s->tokens, drawn) : number_value(&s->samples, drawn);
    units *= number_value(&s->epochs, drawn);
    if (units <= 0) {
        return 0;
    }
    const bool measured = plan->speed == SPEED_THROUGHPUT || plan->speed == SPEED_JOB_THROUGHPUT;
    const double per_s =
        measured ? measured_per_s(plan, nodes, drawn) * number_value(&s->speed.factor, drawn)
                 : training_estimate_units_per_s(plan, nodes, drawn);
    return units / per_s;
}

double training_work_on_s(const struct training_plan *plan, double nodes, const double *drawn)
{
    const struct project *project = plan->work.project;
    return stated_work_s(plan, nodes, drawn) *
           (project == NULL ? 1.0 : project_work_factor(project, drawn));
}

double training_work_s(const struct training_plan *plan, const double *drawn)
{
    return training_work_on_s(plan, plan->work.nodes, drawn);
}
