/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_estimate_assumed.h"

#include "engine/quantity.h"
#include "models/speed/chip_speed.h"
#include "models/training/training_estimate.h"

#include <math.h>
#include <stdio.h>

#define Z_95 1.6448536269514722

static const char fitted[] =
    "additive roofline, six numbers fitted to 192 published measurements (docs/models.md)";

static const char *work_unit(const struct training_plan *p)
{
    return p->spec->tokens.given ? "tokens" : "samples";
}

/* As planning sees it. */
static double work_per_s(const struct training_plan *p)
{
    return training_estimate_units_per_s(p, p->work.nodes, NULL);
}

/* ---- assumptions ---- */

static void assume_stated_mfu(const struct making *m)
{
    const struct training_spec *s = m->spec;
    const struct training_plan *p = m->plan;
    const struct model_shape shape = model_shape_resolve(&s->model, p->preset, NULL);
    const bool attention = shape.class != MODEL_CNN && shape.sequence > 0;
    assumptions_add(m->context->assumptions, false,
                    shape.class == MODEL_CNN ? "estimate: 6 FLOPs per multiply-add"
                    : attention ? "estimate: 6 FLOPs per parameter and token, and attention"
                                : "estimate: 6 FLOPs per parameter and token, attention left out",
                    making_name(m, "speed of %s on %u x %s", p->work.workload_name, p->work.nodes,
                                m->type->name),
                    "%.3g %s/s at mfu %.3g of the %s peak", work_per_s(p), work_unit(p),
                    s->mfu.median, precision_names[s->model.precision]);
}

/* Why it is less sure, and what holds it up, where that is not the accelerator itself. */
static void add_doubts(const struct training_plan *p, struct text *out)
{
    const struct speed_estimate *e = &p->estimate;
    if (e->evidence == CHIP_EXTRAPOLATED) {
        text_add(out, "; no measurement of this accelerator");
    }
    if (e->outside) {
        text_add(out, "; outside the range of models and jobs that were measured");
    }
    if (e->step.bound != STEP_COMPUTE && e->step.bound != STEP_TRAFFIC) {
        text_format(out, "; the bottleneck is the %s", step_bound_names[e->step.bound]);
    }
    if (e->step.bound == STEP_LOADER) {
        text_format(out, ", without which %.4g would be reached",
                    e->step.own_units_per_s / training_estimate_units_per_work(p));
    }
}

static void assume_speed(const struct making *m)
{
    const struct training_plan *p = m->plan;
    const struct speed_estimate *e = &p->estimate;
    struct text doubts;
    text_init(&doubts, 0);
    add_doubts(p, &doubts);
    assumptions_add(
        m->context->assumptions, e->evidence == CHIP_EXTRAPOLATED || e->outside, fitted,
        making_name(m, "speed of %s on %u x %s", p->work.workload_name, p->work.nodes,
                    m->type->name),
        "%.4g %s/s, mfu %.3g of the %s peak, in 9 of 10 futures within a factor of %.3g%s",
        work_per_s(p), work_unit(p), e->mfu, precision_names[m->spec->model.precision],
        exp(Z_95 * e->sigma), doubts.data);
    text_release(&doubts);
    assumptions_add(m->context->assumptions, false, NULL,
                    making_name(m, "error of the estimated speed of %s", p->work.workload_name),
                    "one draw a replication and kind of accelerator, with correlation %.2g between "
                    "kinds, the same in all strategies",
                    SPEED_ERROR_CORRELATION);
}

static void assume_software(const struct making *m)
{
    const struct training_plan *p = m->plan;
    const struct speed_estimate *e = &p->estimate;
    struct assumptions *a = m->context->assumptions;
    const char *name = p->work.workload_name;
    if (m->spec->speed.stack == STACK_UNSTATED) {
        assumptions_add(a, false, fitted, making_name(m, "software stack of %s", name),
                        "not stated: %.2g of the speed of a tuned one, and less sure",
                        roofline_stack(&roofline_fitted, STACK_UNSTATED));
    }
    if (e->bias < 1) {
        assumptions_add(a, false, fitted,
                        making_name(m, "short steps of %s on %s", name, m->type->name),
                        "less than %.0f ms of computing between two steps: %.2g of the speed, and "
                        "less sure",
                        1000 * SPEED_SHORT_STEP_S, e->bias);
    }
}

static void assume_model(const struct making *m)
{
    const struct training_plan *p = m->plan;
    struct assumptions *a = m->context->assumptions;
    const struct model_shape shape = model_shape_resolve(&m->spec->model, p->preset, NULL);
    const char *name = p->work.workload_name;
    struct text derived;
    text_init(&derived, 0);
    model_shape_tell_derived(&shape, &derived);
    if (derived.data[0] != '\0') {
        assumptions_add(a, false, "parameters = 12 layers x hidden^2, layers = hidden / 128",
                        making_name(m, "shape of the model of %s", name), "%s", derived.data);
    }
    text_release(&derived);
    if (p->estimate.sequence_assumed) {
        assumptions_add(a, false, "default", making_name(m, "sequence of the model of %s", name),
                        "%.0f tokens", speed_sequence(&shape));
    }
    if (shape.class == MODEL_ENCODER && !m->spec->speed.real_share.given &&
        m->spec->samples.given) {
        assumptions_add(a, false, "default", making_name(m, "padding in the sequences of %s", name),
                        "none, or computed like real tokens; state 'fill' where it is left out");
    }
    if (shape.active_parameters < shape.parameters) {
        const bool spread = m->spec->parallel.expert > 1 && m->spec->parallel.batch > 0;
        char sent[80] = "the exchange between experts costs nothing ('parallel: {expert, batch}')";
        if (spread) {
            snprintf(sent, sizeof sent,
                     "each token goes to %.3g experts, by four all-to-alls a layer",
                     shape.experts_per_token);
        }
        assumptions_add(a, false, spread ? "GShard, arXiv 2006.16668" : NULL,
                        making_name(m, "mixture of experts of %s", name),
                        "counts with its active parameters; experts are evenly used; %s", sent);
    }
}

static void assume_exchange(const struct making *m)
{
    const struct training_plan *p = m->plan;
    const struct step_question *q = &p->estimate.question;
    struct assumptions *a = m->context->assumptions;
    const char *what = making_name(m, "communication of %s on %u x %s", p->work.workload_name,
                                   p->work.nodes, m->type->name);
    bool pcie;
    const double link = chip_link_bytes_per_s(m->type, &pcie);
    if (!(q->accelerators > 1)) {
        return;
    }
    if (q->units_per_step > 0) {
        assumptions_add(a, false, NULL, what,
                        "up to %.0f %% of the computing hides it; %.3g GB/s inside a node%s, %.3g "
                        "GB/s of network for each accelerator",
                        100 * STEP_OVERLAP, link / 1e9, pcie ? " (PCIe, a rule of thumb)" : "",
                        q->links.between_bytes_per_s / 1e9);
    } else {
        const double least = step_units_that_hide(q) / p->estimate.units_per_sample;
        assumptions_add(a, false, NULL, what,
                        "hidden by computing, which takes a batch of at least %.3g samples a step, "
                        "as 'parallel: {batch}' is not stated",
                        fmax(1, ceil(least)));
    }
    if (p->spec->parallel.pipeline > 1 && !(q->micro_batches > 0)) {
        assumptions_add(a, false, NULL,
                        making_name(m, "pipeline bubble of %s", p->work.workload_name),
                        "left out, as 'parallel: {batch}' is not stated");
    }
}

/* Images that the host's processors would have to decode. */
static void assume_loader(const struct making *m)
{
    const struct training_plan *p = m->plan;
    const struct loader_spec *l = &m->spec->speed.loader;
    const struct model_shape shape = model_shape_resolve(&m->spec->model, p->preset, NULL);
    const double most = LOADER_IMAGES_PER_VCPU * m->type->vcpus;
    const double each = p->estimate.step.own_units_per_s / p->work.nodes;
    struct assumptions *a = m->context->assumptions;
    if (l->decode == DECODE_CPU && !l->per_vcpu.given) {
        assumptions_add(a, false, "rule of thumb",
                        making_name(m, "decoding on the vCPUs of %s", m->type->name),
                        "%.0f images/s each, %.0f in all", LOADER_IMAGES_PER_VCPU, most);
    } else if (shape.class == MODEL_CNN && !l->given && each > most) {
        assumptions_add(
            a, false, "rule of thumb",
            making_name(m, "input pipeline of %s on %s", p->work.workload_name, m->type->name),
            "keeps up with %.4g images/s a node, which its %.0f vCPUs would not if they "
            "decoded them (about %.0f); state 'loader'",
            each, m->type->vcpus, most);
    }
}

void training_estimate_assume(const struct making *m)
{
    if (m->plan->speed == SPEED_MFU) {
        assume_stated_mfu(m);
        return;
    }
    assume_speed(m);
    assume_software(m);
    assume_model(m);
    assume_exchange(m);
    assume_loader(m);
}

/* ---- in words ---- */

static void add_part(struct text *out, const char *name, double part_s, double step_s)
{
    if (part_s > 0.0005 * step_s) {
        text_format(out, ", %.3g %% %s", 100 * part_s / step_s, name);
    }
}

void training_estimate_describe(const struct training_plan *p, struct text *out)
{
    const struct speed_estimate *e = &p->estimate;
    const struct step_time *t = &e->step;
    char flops[48];
    text_format(out,
                "estimated: %.6g %s/s on %.0f accelerator%s, %.4g GFLOP a %s at mfu %.3g of %s "
                "each",
                work_per_s(p), work_unit(p), p->work.nodes * p->chips_per_node,
                text_plural(p->work.nodes * p->chips_per_node), e->flops_per_unit / 1e9,
                p->spec->tokens.given || e->units_per_sample > 1 ? "token" : "sample", e->mfu,
                quantity_text(e->peak_flops, DIMENSION_FLOPS, NULL, flops));
    text_format(out, "; in 9 of 10 futures within a factor of %.3g; of a step's time ",
                exp(Z_95 * e->sigma));
    text_format(out, "%.3g %% compute", 100 * t->compute_s / t->step_s);
    add_part(out, "memory traffic", t->traffic_s, t->step_s);
    add_part(out, "communication", t->exchange_s - t->hidden_s, t->step_s);
    add_part(out, "latency", t->delay_s, t->step_s);
    add_part(out, "pipeline bubble", t->bubble_s, t->step_s);
    text_format(out, "; bound by %s", step_bound_names[t->bound]);
}
