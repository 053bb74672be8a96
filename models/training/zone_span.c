/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/zone_span.h"

#include "engine/quantity.h"
#include "models/training/training_estimate.h"
#include "models/training/training_speed.h"

#include <math.h>

static bool uses(const struct training_plan *p, enum purchase purchase)
{
    return policy_uses(p->policy, p->policy_params, purchase);
}

bool zone_span_make(struct making *m)
{
    const struct strategy_terms *t = &m->terms;
    struct training_plan *p = m->plan;
    if (!t->span_zones) {
        return true;
    }
    if (t->zones.count < 2) {
        return making_complain(m, DIAGNOSTIC_ERROR, t->span_zones_place,
                               "'span_zones' spreads the gang of '%s' over several zones, but it "
                               "has one; expected such as 'zones: [us-east-1a, us-east-1b]'",
                               p->work.workload_name);
    }
    if (uses(p, PURCHASE_BLOCK) || uses(p, PURCHASE_OWNED)) {
        return making_complain(m, DIAGNOSTIC_ERROR, t->span_zones_place,
                               "'span_zones' spreads '%s' over nodes of spot or on-demand; policy "
                               "'%s' also buys %s, which stand in one place",
                               p->work.workload_name, p->policy->schema->name,
                               uses(p, PURCHASE_BLOCK) ? "capacity blocks" : "owned nodes");
    }
    if (t->failover >= 0) {
        return making_complain(m, DIAGNOSTIC_ERROR, t->failover_place,
                               "'failover' chooses one zone at a time, and 'span_zones' asks all "
                               "of them, in the order of 'zones'; drop one of the two");
    }
    if (t->zones.count > (size_t)t->nodes) {
        return making_complain(m, DIAGNOSTIC_ERROR, t->span_zones_place,
                               "%lld nodes of '%s' cannot be spread over %zu zones",
                               (long long)t->nodes, p->work.workload_name, t->zones.count);
    }
    p->span_zones = (uint32_t)t->zones.count;
    p->work.crosses_zones = true;
    if (uses(p, PURCHASE_SPOT) && !p->elastic.is) {
        p->elastic.is = p->elastic.whole = true;
    }
    return true;
}

/* ---- what crosses ---- */

static double gradient_bytes(const struct training_plan *p, const struct model_shape *shape)
{
    const int precision = shape->precision;
    bool four = precision == PRECISION_FP32 || precision == PRECISION_TF32;
    return shape->trained_parameters * (four ? 4 : 2) * (p->spec->parallel.zero == 3 ? 1.5 : 1);
}

/* Units of the work that one step takes; 0: not stated. */
static double units_per_step(const struct training_plan *p, const struct model_shape *shape)
{
    bool tokens = p->spec->tokens.given;
    return (double)p->spec->parallel.batch * (tokens ? shape->sequence : 1);
}

static double units_of_work(const struct training_plan *p, const double *drawn)
{
    const struct training_spec *s = p->spec;
    const struct number *units = s->tokens.given ? &s->tokens : &s->samples;
    return number_value(units, drawn) * number_value(&s->epochs, drawn);
}

static bool is_known(const struct training_plan *p, const struct model_shape *shape)
{
    bool counted = p->spec->tokens.given || p->spec->samples.given;
    return counted && shape->trained_parameters > 0 && units_per_step(p, shape) > 0;
}

static double ways_of(const struct training_plan *p, double nodes)
{
    const struct parallel_spec *a = &p->spec->parallel;
    return nodes * p->chips_per_node / (fmax(1, (double)a->tensor) * fmax(1, (double)a->pipeline));
}

/* Of the gradients, that a ring over so many ways carries over each border. */
static double ring(double ways)
{
    return 2 * fmax(0, ways - 1) / fmax(1, ways);
}

double zone_span_ring(const struct training_plan *p, uint32_t nodes)
{
    double all = ring(ways_of(p, p->work.nodes));
    return p->spec->zone_traffic.given || !(all > 0) ? 1 : ring(ways_of(p, nodes)) / all;
}

/* Bytes a second of work on all nodes, over each border. */
static double crossing_rate(const struct training_plan *p, const double *drawn)
{
    const struct number *stated = &p->spec->zone_traffic;
    if (stated->given) {
        return number_value(stated, drawn);
    }
    const struct model_shape shape = model_shape_resolve(&p->spec->model, p->preset, drawn);
    double steps = units_of_work(p, drawn) / units_per_step(p, &shape);
    double work_s = training_work_s(p, drawn);
    double border = ring(ways_of(p, p->work.nodes)) * gradient_bytes(p, &shape);
    return work_s > 0 && isfinite(work_s) ? border * steps / work_s : 0;
}

bool zone_span_check(const struct making *m)
{
    const struct training_plan *p = m->plan;
    if (p->span_zones == 0) {
        return true;
    }
    const struct model_shape shape = model_shape_resolve(&p->spec->model, p->preset, NULL);
    if (!p->spec->zone_traffic.given && !is_known(p, &shape)) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, m->terms.span_zones_place,
            "how much '%s' synchronises between zones follows from 'model', "
            "'tokens' or 'samples' and 'parallel: {batch: …}', which are not all "
            "stated; expected them, or 'zone_traffic: 2 GB/s'",
            p->work.workload_name);
    }
    char rate[48];
    struct assumptions *a = m->context->assumptions;
    const char *name = p->work.workload_name;
    quantity_text(crossing_rate(p, NULL), DIMENSION_DATA_RATE, NULL, rate);
    if (!p->spec->zone_traffic.given) {
        assumptions_add(a, false, "rings over all accelerators, zone after zone",
                        making_name(m, "data of %s that crosses each zone's border", name),
                        "%s while it works: the gradients of each step, twice", rate);
    }
    if (p->speed != SPEED_ROOFLINE) {
        assumptions_add(a, true, "default", making_name(m, "speed of %s across zones", name),
                        "as stated: what was measured inside one zone, with EFA, is slower across "
                        "several");
    }
    return true;
}

double zone_span_crossed_bytes(const struct training_plan *plan, const double *drawn,
                               double border_s)
{
    return plan->span_zones == 0 ? 0 : crossing_rate(plan, drawn) * border_s;
}
