/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/speed_estimate.h"

#include "models/speed/chip_speed.h"
#include "models/speed/work_flops.h"

#include <math.h>

static const enum roofline_class roofline_classes[MODEL_CLASS_COUNT] = {
    [MODEL_LLM] = ROOFLINE_LLM,
    [MODEL_ENCODER] = ROOFLINE_ENCODER,
    [MODEL_CNN] = ROOFLINE_CNN,
};

double speed_sequence(const struct model_shape *m)
{
    return m->sequence > 0             ? m->sequence
           : m->class == MODEL_ENCODER ? SPEED_ENCODER_SEQUENCE
                                       : SPEED_SEQUENCE;
}

bool speed_outside(const struct model_shape *m, double accelerators)
{
    switch (m->class) {
    case MODEL_LLM:
        return m->parameters < 70e6 || m->parameters > 1.1e12 || m->sequence > 8192 ||
               accelerators > 4608;
    case MODEL_ENCODER:
        return m->sequence > 512;
    case MODEL_CNN:
        return m->gmac < 1.8 || m->gmac > 16;
    case MODEL_OTHER:
    case MODEL_CLASS_COUNT:
        break;
    }
    return true;
}

double speed_largest_batch(const struct model_shape *m)
{
    return m->class == MODEL_LLM ? 16e6 / speed_sequence(m) : 65536;
}

static double tokens_per_sample(const struct speed_setting *s)
{
    if (s->unit == SPEED_UNIT_SAMPLE) {
        return 1;
    }
    return speed_sequence(&s->model) * (s->model.class == MODEL_ENCODER ? s->real_share : 1);
}

double speed_flops_per_unit(const struct model_shape *m, enum speed_unit unit, double real_share,
                            bool or_none, bool *assumed)
{
    *assumed = false;
    if (m->class == MODEL_CNN) {
        return flops_of_convolution(m->gmac);
    }
    if (!(m->parameters > 0)) {
        return 0;
    }
    *assumed = !(m->sequence > 0) && !or_none;
    const double sequence = or_none ? m->sequence : speed_sequence(m);
    const double token =
        flops_of_weights(m->active_parameters, m->parameters, m->trained_parameters) +
        flops_of_attention(m->layers, m->hidden, sequence);
    return unit == SPEED_UNIT_TOKEN ? token : token * sequence * real_share;
}

static enum speed_refusal check(const struct speed_setting *s, struct speed_estimate *e)
{
    const struct accelerator *a = s->accelerator;
    const bool stated = s->mfu > 0;
    if (!stated && s->model.class == MODEL_OTHER) {
        return SPEED_NO_CLASS;
    }
    if (!(e->flops_per_unit > 0)) {
        return SPEED_NO_FLOPS;
    }
    if (a == NULL || (!stated && e->evidence == CHIP_FOREIGN)) {
        return SPEED_NO_CHIP;
    }
    if (!(e->peak_flops > 0)) {
        return SPEED_NO_PRECISION;
    }
    if (!stated && precision_bytes(s->precision) <= 0) {
        return SPEED_UNMEASURED_PRECISION;
    }
    if (!stated && !(a->memory_bandwidth_bytes_per_s > 0)) {
        return SPEED_NO_BANDWIDTH;
    }
    if (fmod(s->accelerators, s->tensor * s->pipeline) > 0) {
        return SPEED_UNDIVIDED;
    }
    return s->batch > 0 && e->data_ways > s->batch ? SPEED_BATCH_TOO_SMALL : SPEED_POSSIBLE;
}

static struct exchange make_exchange(const struct speed_setting *s, const struct speed_estimate *e)
{
    const struct model_shape *m = &s->model;
    const double samples = s->batch / e->data_ways;
    const double sequence = speed_sequence(m);
    const bool transformer = m->class != MODEL_CNN;
    const double bytes = precision_gradient_bytes(s->precision);
    const double token = transformer ? m->hidden * bytes / s->tensor : 0;
    const double expert_share = m->expert_parameters / fmax(1, m->parameters);
    const double weight_bytes =
        m->parameters * (m->bytes_per_weight > 0 ? m->bytes_per_weight : bytes);
    return (struct exchange){
        .stage_bytes = samples * sequence * token,
        .expert = m->expert_parameters > 0 ? s->expert : 1,
        .expert_gradient_bytes = m->trained_parameters * bytes * expert_share,
        .expert_weight_bytes = weight_bytes * expert_share,
        .token_bytes = samples * sequence * token * m->experts_per_token,
        .expert_layers = m->layers / s->pipeline,
        .gradient_bytes = m->trained_parameters * bytes,
        .weight_bytes = weight_bytes,
        .tensor = s->tensor,
        .pipeline = s->pipeline,
        .data = e->data_ways,
        .zero = s->zero,
        .activation_bytes = transformer ? samples * m->layers * sequence * m->hidden * bytes : 0};
}

/* Seconds of one unit on one accelerator by the roofline. */
static void make_unit(const struct speed_setting *s, struct speed_estimate *e, double bias)
{
    const struct roofline *r = s->roofline;
    const struct roofline_unit unit = {.class = roofline_classes[s->model.class],
                                       .flops = e->flops_per_unit,
                                       .peak_flops = chip_peak_flops(s->accelerator, s->precision),
                                       .bandwidth_bytes_per_s =
                                           s->accelerator->memory_bandwidth_bytes_per_s,
                                       .bytes_per_element = precision_bytes(s->precision)};
    const double slower =
        s->compute_factor / (roofline_stack(r, s->stack) * (s->campaign ? r->campaign : 1) * bias);
    e->question.compute_s = slower * roofline_compute_s(r, &unit);
    e->question.traffic_s = slower * roofline_traffic_s(r, &unit);
}

static void make_error(const struct speed_setting *s, struct speed_estimate *e)
{
    struct speed_situation now = {.class = roofline_classes[s->model.class],
                                  .precision = s->precision,
                                  .stack = s->stack,
                                  .evidence = e->evidence,
                                  .short_step = s->small_batch,
                                  .campaign = s->campaign};
    e->outside = speed_outside(&s->model, s->accelerators);
    now.outside = e->outside;
    make_unit(s, e, 1);
    double portion_s = HUGE_VAL; /* of computing between two steps */
    if (s->batch > 0) {
        const double b = s->batch * e->units_per_sample / s->accelerators;
        portion_s = b * (e->question.compute_s + e->question.traffic_s);
        now.short_step = now.short_step || portion_s < SPEED_SHORT_STEP_S;
    }
    e->sigma = speed_error_sigma(&now, &e->bias);
    if (!s->small_batch && now.short_step) {
        /* Never longer than the shortest that is not short: no accelerator is slower for being
         * fast. */
        e->bias = fmax(e->bias, portion_s / SPEED_SHORT_STEP_S);
    }
    make_unit(s, e, e->bias);
}

enum speed_refusal speed_estimate_make(struct speed_estimate *e, const struct speed_setting *s)
{
    const bool stated = s->mfu > 0;
    *e = (struct speed_estimate){
        .units_per_sample = tokens_per_sample(s),
        .data_ways = s->accelerators / (s->tensor * s->pipeline),
        .bias = 1,
        .evidence = s->accelerator == NULL ? CHIP_FOREIGN : chip_evidence_of(s->accelerator),
        .peak_flops = s->accelerator == NULL ? 0 : s->accelerator->peak_flops[s->precision],
        .loader_units_per_s = s->loader_units_per_s};
    e->flops_per_unit =
        speed_flops_per_unit(&s->model, s->unit, s->real_share, stated, &e->sequence_assumed);
    const enum speed_refusal refusal = check(s, e);
    if (refusal != SPEED_POSSIBLE) {
        return refusal;
    }
    e->question = (struct step_question){.accelerators = s->accelerators,
                                         .speed_factor = s->speed_factor,
                                         .loader_units_per_s = s->loader_units_per_s,
                                         .exchange = {.tensor = 1, .pipeline = 1, .data = 1}};
    if (stated) {
        e->question.compute_s = e->flops_per_unit / (s->mfu * e->peak_flops);
    } else {
        make_error(s, e);
        e->question.units_per_step = s->batch * e->units_per_sample;
        e->question.micro_batches =
            s->batch > 0 ? fmax(1, floor(s->batch / e->data_ways / fmax(1, s->micro_batch))) : 0;
        e->question.step_delay_s = s->roofline->step_delay_s;
        e->question.links = s->links;
        e->question.exchange = make_exchange(s, e);
    }
    e->step = step_time_of(&e->question);
    e->mfu = e->flops_per_unit * e->step.units_per_s /
             (s->speed_factor * s->accelerators * e->peak_flops);
    return SPEED_POSSIBLE;
}

double speed_units_per_s(const struct speed_estimate *e, double factor)
{
    return fmin(e->step.own_units_per_s * factor, e->loader_units_per_s);
}
