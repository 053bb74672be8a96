/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_estimate.h"

#include "models/speed/chip_speed.h"

#include <math.h>
#include <stdio.h>

/* A network that the catalogue does not know: 10 Gbit/s. */
#define LEAST_NETWORK_BYTES_PER_S (10e9 / 8)

/* ---- from scenario to setting ---- */

static struct model_shape shape_of(const struct training_plan *p, const double *drawn)
{
    return model_shape_resolve(&p->spec->model, p->preset, drawn);
}

/* Language models work in tokens, however the work is counted. */
static enum speed_unit unit_of(const struct training_plan *p, const struct model_shape *shape)
{
    return shape->class == MODEL_LLM || (shape->class != MODEL_CNN && p->spec->tokens.given)
               ? SPEED_UNIT_TOKEN
               : SPEED_UNIT_SAMPLE;
}

/* Of the estimate's units in one of the workload's. */
static double units_per_work(const struct training_plan *p, const struct model_shape *shape)
{
    const bool sequences = shape->class == MODEL_LLM && p->spec->samples.given;
    return sequences ? speed_sequence(shape) : 1;
}

/* Samples per second that the input pipeline can deliver to so many nodes. */
static double loader_samples_per_s(const struct training_plan *p, double nodes, const double *drawn)
{
    const struct loader_spec *l = &p->spec->speed.loader;
    double least = HUGE_VAL;
    if (l->rate.given) {
        least = fmin(least, nodes * number_value(&l->rate, drawn));
    }
    if (l->per_vcpu.given || l->decode == DECODE_CPU) {
        const double each =
            l->per_vcpu.given ? number_value(&l->per_vcpu, drawn) : LOADER_IMAGES_PER_VCPU;
        least = fmin(least, nodes * p->type->vcpus * each);
    }
    if (l->storage.given && l->sample_size.given) {
        least =
            fmin(least, number_value(&l->storage, drawn) / number_value(&l->sample_size, drawn));
    }
    return least;
}

static struct interconnect links_of(const struct training_plan *p, double nodes)
{
    const bool stated = p->spec->scaling.given && nodes > 1;
    const double network = fmax(p->type->network_bytes_per_s, LEAST_NETWORK_BYTES_PER_S);
    bool assumed;
    return (struct interconnect){
        .per_node = p->chips_per_node,
        .inside_bytes_per_s = chip_link_bytes_per_s(p->type, &assumed),
        /* What is lost between nodes is stated as `scaling`. */
        .between_bytes_per_s = stated
                                   ? HUGE_VAL
                                   : interconnect_between(network, p->chips_per_node,
                                                          p->type->efa && p->spec->parallel.efa &&
                                                              p->span_zones == 0)};
}

static struct speed_setting setting_of(const struct training_plan *p, double nodes,
                                       const double *drawn, struct roofline *roofline)
{
    const struct training_spec *s = p->spec;
    const struct parallel_spec *a = &s->parallel;
    /* Where nobody says how the model is spread, as it was for the memory. */
    const bool chosen = p->memory.checked && p->memory.layout_chosen;
    struct speed_setting out = {
        .roofline = roofline,
        .model = shape_of(p, drawn),
        .accelerator = &p->chip,
        .precision = (enum precision)s->model.precision,
        .stack = (enum speed_stack)s->speed.stack,
        .real_share = number_value(&s->speed.real_share, drawn),
        .accelerators = nodes * p->chips_per_node,
        .tensor = chosen ? p->memory.layout.tensor : (double)a->tensor,
        .pipeline = chosen ? p->memory.layout.pipeline : (double)a->pipeline,
        .expert = (double)a->expert,
        .zero = chosen ? p->memory.layout.zero : (int)a->zero,
        .batch = (double)a->batch,
        .micro_batch = (double)a->micro_batch,
        .compute_factor = a->recompute_time.given ? number_value(&a->recompute_time, drawn) : 1,
        .speed_factor = number_value(&s->speed.factor, drawn),
        .mfu = s->mfu.given ? number_value(&s->mfu, drawn) : 0,
        .links = links_of(p, nodes)};
    *roofline = roofline_fitted;
    if (a->step_delay.given) {
        roofline->step_delay_s = number_value(&a->step_delay, drawn);
    }
    out.unit = unit_of(p, &out.model);
    out.loader_units_per_s = loader_samples_per_s(p, nodes, drawn);
    if (out.model.class == MODEL_LLM || out.unit == SPEED_UNIT_TOKEN) {
        out.loader_units_per_s *= speed_sequence(&out.model);
    }
    return out;
}

/* ---- what cannot be estimated ---- */

static bool refuse_chip(const struct making *m)
{
    return making_complain(
        m, DIAGNOSTIC_ERROR, m->terms.instance_place,
        "no speed can be estimated for '%s' on '%s' (%s): no published measurement supports an "
        "estimate for such accelerators; state 'throughput: {%s: …/s}', or 'mfu'",
        m->plan->work.workload_name, m->type->name, m->type->accelerator_name, m->type->name);
}

static bool refuse_precision(const struct making *m)
{
    const int precision = m->spec->model.precision;
    struct text has;
    text_init(&has, 0);
    chip_add_precisions(&m->plan->chip, &has);
    making_complain(m, DIAGNOSTIC_INFEASIBLE, m->terms.instance_place,
                    "'%s' (%s) has no peak for %s, so no speed can be estimated for '%s'; choose "
                    "another precision (it has %s) or state a throughput",
                    m->type->name, m->type->accelerator_name, precision_names[precision],
                    m->plan->work.workload_name, has.data);
    text_release(&has);
    return false;
}

static bool refuse_ways(const struct making *m, const struct speed_estimate *e,
                        enum speed_refusal refusal)
{
    const struct parallel_spec *a = &m->spec->parallel;
    const struct place where = a->tensor_place.line > 0 ? a->tensor_place : a->pipeline_place;
    const double accelerators = m->plan->work.nodes * m->plan->chips_per_node;
    if (refusal == SPEED_UNDIVIDED) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, where,
            "%.0f accelerators of '%s' under strategy '%s' cannot be divided into %lld tensor-"
            "parallel times %lld pipeline ways; choose other 'parallel' ways or 'nodes'",
            accelerators, m->plan->work.workload_name, m->strategy->item.name, (long long)a->tensor,
            (long long)a->pipeline);
    }
    return making_complain(
        m, DIAGNOSTIC_INFEASIBLE, a->batch_place,
        "%.0f data-parallel ways of '%s' under strategy '%s' are more than the %lld samples of its "
        "batch; take at most %lld accelerators, a larger batch, or 'tensor' and 'pipeline' ways",
        e->data_ways, m->plan->work.workload_name, m->strategy->item.name, (long long)a->batch,
        (long long)(a->batch * a->tensor * a->pipeline));
}

static bool refuse(const struct making *m, const struct speed_estimate *e,
                   enum speed_refusal refusal)
{
    const char *name = m->plan->work.workload_name;
    switch (refusal) {
    case SPEED_NO_CLASS:
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, m->spec->item.place,
            "no speed can be estimated for the model of '%s': no published measurements of its "
            "class; state a 'throughput', or 'mfu'",
            name);
    case SPEED_NO_FLOPS:
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, m->spec->item.place,
            "the model of '%s' does not say how much one sample takes; expected 'parameters' (and "
            "'sequence' of an encoder), or 'gmac' of a convolution net",
            name);
    case SPEED_NO_CHIP:
    case SPEED_NO_BANDWIDTH:
        return refuse_chip(m);
    case SPEED_NO_PRECISION:
        return refuse_precision(m);
    case SPEED_UNMEASURED_PRECISION:
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, m->spec->item.place,
            "no speed can be estimated for '%s' in %s: no published measurements of training in "
            "it; state a 'throughput', or 'mfu'",
            name, precision_names[m->spec->model.precision]);
    case SPEED_UNDIVIDED:
    case SPEED_BATCH_TOO_SMALL:
        return refuse_ways(m, e, refusal);
    case SPEED_POSSIBLE:
        break;
    }
    return true;
}

/* ---- planning ---- */

bool training_estimate_possible(const struct making *m)
{
    const struct model_shape shape = shape_of(m->plan, NULL);
    const bool work = m->spec->tokens.given || m->spec->samples.given;
    return work && (shape.class == MODEL_CNN ? shape.gmac > 0 : shape.parameters > 0);
}

/* As one node has it: some instances see a share of one accelerator only. */
static void take_chip(const struct making *m)
{
    struct training_plan *p = m->plan;
    const double count = m->type->accelerator_count;
    p->chip = *m->type->accelerator;
    p->chips_per_node = fmax(1, count);
    if (count < 1) {
        for (int i = 0; i < PRECISION_COUNT; i++) {
            p->chip.peak_flops[i] *= count;
        }
        p->chip.memory_bandwidth_bytes_per_s *= count;
    }
}

static int add_score(const struct making *m, const char *of)
{
    struct inputs *inputs = m->context->inputs;
    char name[256];
    snprintf(name, sizeof name, "workloads.%s.speed%s%s.score", m->plan->work.workload_name,
             of[0] != '\0' ? "." : "", of);
    int index = inputs_find(inputs, name);
    struct distribution normal = {
        .family = DISTRIBUTION_NORMAL, .p = {0.0, 1.0}, .low = -HUGE_VAL, .high = HUGE_VAL};
    char message[160];
    if (index < 0 && distribution_prepare(&normal, NULL, message, sizeof message)) {
        index = inputs_add(inputs, name, "", &normal);
    }
    return index;
}

/* One draw a world for the workload and one for the workload on this accelerator: two strategies on
 * one kind share both, and two kinds are tied by the first. */
static bool add_scores(const struct making *m)
{
    struct training_plan *p = m->plan;
    p->workload_score = add_score(m, "");
    p->accelerator_score = add_score(m, p->chip.name);
    return (p->workload_score >= 0 && p->accelerator_score >= 0) ||
           making_complain(m, DIAGNOSTIC_FAILURE, m->spec->item.place,
                           "out of memory, or too many uncertain inputs");
}

static bool check_mfu(const struct making *m, double mfu, const char *says)
{
    const char *name = m->plan->work.workload_name;
    if (mfu > 1) {
        return making_complain(m, DIAGNOSTIC_ERROR, making_place(m),
                               "the %s of '%s' on '%s' means %.3g times the peak of its "
                               "accelerators; check the model, its precision and the speed",
                               says, name, m->type->name, mfu);
    }
    if (mfu > SPEED_MFU_DOUBTED) {
        making_complain(m, DIAGNOSTIC_WARNING, making_place(m),
                        "the %s of '%s' on '%s' means %.3g of the peak of its accelerators; no "
                        "published training run is known above %.3g",
                        says, name, m->type->name, mfu, SPEED_MFU_DOUBTED);
    }
    return true;
}

/* How long a sample of text is decides how much work it is; images have no tokens. */
static bool check_units(const struct making *m)
{
    const struct training_spec *s = m->spec;
    const struct model_shape shape = shape_of(m->plan, NULL);
    const bool text = shape.class == MODEL_LLM || shape.class == MODEL_ENCODER;
    if (shape.class == MODEL_CNN && s->tokens.given) {
        return making_complain_once(m, DIAGNOSTIC_ERROR, s->item.place,
                                    "the work of '%s' is stated in tokens, but its model is a "
                                    "convolution net; expected 'samples'",
                                    m->plan->work.workload_name);
    }
    return !s->samples.given || !text || shape.sequence > 0 ||
           making_complain_once(m, DIAGNOSTIC_ERROR, s->samples_place,
                                "the work of '%s' is stated in samples, but not how long they are; "
                                "expected 'sequence' in its 'model', or 'tokens'",
                                m->plan->work.workload_name);
}

/* Without a batch communication is taken for hidden, which on a slow network none may do. */
static void warn_of_exchange(const struct making *m)
{
    const struct speed_estimate *e = &m->plan->estimate;
    const struct model_shape shape = shape_of(m->plan, NULL);
    const double least = step_units_that_hide(&e->question) / e->units_per_sample;
    if (!(e->question.units_per_step > 0) && least > speed_largest_batch(&shape)) {
        making_complain(m, DIAGNOSTIC_WARNING, making_place(m),
                        "the estimated speed of '%s' on %u x '%s' leaves communication out, which "
                        "only a batch of %.3g samples would hide, more than published runs take; "
                        "state 'parallel: {batch}'",
                        m->plan->work.workload_name, m->plan->work.nodes, m->type->name, least);
    }
}

bool training_estimate_make(const struct making *m)
{
    const struct training_spec *s = m->spec;
    struct training_plan *p = m->plan;
    struct roofline roofline;
    if (s->model.precision < 0) {
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, s->item.place,
            "the speed of '%s' is to be estimated, but its model has no precision; expected "
            "'model: {parameters: …, precision: bf16}'",
            p->work.workload_name);
    }
    if (m->type->accelerator == NULL) {
        return refuse_chip(m);
    }
    if (!check_units(m)) {
        return false;
    }
    take_chip(m);
    p->speed = s->mfu.given ? SPEED_MFU : SPEED_ROOFLINE;
    p->peak_flops_per_node =
        m->type->accelerator->peak_flops[s->model.precision] * m->type->accelerator_count;
    const struct speed_setting setting = setting_of(p, p->work.nodes, NULL, &roofline);
    const enum speed_refusal refusal = speed_estimate_make(&p->estimate, &setting);
    if (refusal != SPEED_POSSIBLE) {
        return refuse(m, &p->estimate, refusal);
    }
    if (!s->mfu.given) {
        warn_of_exchange(m);
    }
    /* Before 'speed_factor', which may stand for another precision or a smaller model. */
    const double mfu = s->mfu.given ? s->mfu.median : p->estimate.mfu;
    return check_mfu(m, mfu, s->mfu.given ? "stated 'mfu'" : "estimated speed") &&
           (s->mfu.given || add_scores(m));
}

double training_estimate_units_per_work(const struct training_plan *plan)
{
    const struct model_shape shape = shape_of(plan, NULL);
    return units_per_work(plan, &shape);
}

bool training_estimate_check_measured(const struct making *m, double units_per_s)
{
    const struct training_spec *s = m->spec;
    const struct accelerator *a = m->type->accelerator;
    if (!training_estimate_possible(m) || a == NULL || s->model.precision < 0 ||
        !(a->peak_flops[s->model.precision] > 0)) {
        return true;
    }
    const struct model_shape shape = shape_of(m->plan, NULL);
    bool assumed;
    if (shape.class == MODEL_OTHER ||
        (s->samples.given && shape.class == MODEL_LLM && !(shape.sequence > 0))) {
        return true;
    }
    const double flops = speed_flops_per_unit(&shape, unit_of(m->plan, &shape),
                                              s->speed.real_share.median, true, &assumed) *
                         units_per_work(m->plan, &shape);
    const double peak =
        a->peak_flops[s->model.precision] * m->type->accelerator_count * m->plan->work.nodes;
    return check_mfu(m, units_per_s * flops / peak, "measured speed");
}

/* ---- in a world ---- */

static double mfu_units_per_s(const struct training_plan *p, double nodes, double scaling,
                              const struct speed_setting *s)
{
    bool assumed;
    return p->peak_flops_per_node * nodes * scaling * s->mfu /
           speed_flops_per_unit(&s->model, s->unit, s->real_share, true, &assumed);
}

double training_estimate_units_per_s(const struct training_plan *p, double nodes,
                                     const double *drawn)
{
    struct roofline roofline;
    struct speed_estimate e;
    const struct speed_setting s = setting_of(p, nodes, drawn, &roofline);
    const double scaling =
        p->spec->scaling.given && nodes > 1 ? number_value(&p->spec->scaling, drawn) : 1;
    const double per_work = units_per_work(p, &s.model);
    if (p->speed == SPEED_MFU) {
        return fmin(mfu_units_per_s(p, nodes, scaling, &s) * s.speed_factor, s.loader_units_per_s) /
               per_work;
    }
    /* A world's figures change none of what was checked; a number of nodes that the ways do not
     * divide, as an elastic job may have, is taken for its share. */
    struct speed_setting whole = s;
    const double ways = s.tensor * s.pipeline;
    whole.accelerators = fmax(ways, ways * floor(s.accelerators / ways));
    whole.batch = whole.accelerators / ways > whole.batch ? 0 : whole.batch;
    if (speed_estimate_make(&e, &whole) != SPEED_POSSIBLE) {
        e = p->estimate;
    }
    const double error = drawn == NULL ? 1
                                       : speed_error_factor(e.sigma, drawn[p->workload_score],
                                                            drawn[p->accelerator_score]);
    return speed_units_per_s(&e, error * scaling) / per_work;
}
