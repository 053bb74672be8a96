/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/elastic_plan.h"

#include "engine/quantity.h"
#include "engine/text.h"
#include "models/fleet/fill.h"
#include "models/training/training_making.h"
#include "models/training/training_memory.h"
#include "models/training/training_speed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)ELASTIC_ENTRIES_MAX >= (int)FILL_ENTRIES_MAX, "every entry of `fill` has room");

/* ---- where from ---- */

static bool fill_may_use(const void *params, enum purchase purchase)
{
    const struct training_plan *p = params;
    for (size_t i = 0; i < p->elastic.entry_count; i++) {
        if (p->elastic.entries[i].purchase == purchase) {
            return true;
        }
    }
    return false;
}

/* It is never asked: the entries say it all. */
static struct policy_decision decide(const void *params, const struct policy_view *view)
{
    (void)params;
    (void)view;
    return (struct policy_decision){.want = PURCHASE_ON_DEMAND, .ask_again_at_s = HUGE_VAL};
}

static const struct schema fill_policy_schema_of_jobs = {.name = "fill"};

static const struct policy policy_of_fill = {
    .schema = &fill_policy_schema_of_jobs,
    .uses = {true, true, true, true},
    .may_use = fill_may_use,
    .decide = decide,
};

static bool add_entry(struct making *m, const struct fill_spec *f)
{
    struct elastic_plan *e = &m->plan->elastic;
    if (f->instance != NULL || f->zone != NULL) {
        return making_complain(
            m, DIAGNOSTIC_ERROR, f->instance != NULL ? f->instance_place : f->zone_place,
            "the nodes of '%s' work together, on one instance type in one zone; "
            "drop '%s' from 'fill'",
            m->plan->work.workload_name, f->instance != NULL ? "instance" : "zone");
    }
    e->entries[e->entry_count++] = (struct elastic_entry){
        .purchase = (enum purchase)f->buy,
        .most = f->nodes > 0 && f->nodes < UINT32_MAX ? (uint32_t)f->nodes : FILL_ALL_THE_REST};
    return true;
}

bool elastic_plan_fill(struct making *m)
{
    const struct fill_spec *fill = m->terms.fill.items;
    if (m->terms.buy >= 0 || m->terms.policy.index >= 0) {
        return making_complain(m, DIAGNOSTIC_ERROR, m->terms.fill_place,
                               "'fill' of strategy '%s' says how the nodes are bought; drop '%s'",
                               m->strategy->item.name, m->terms.buy >= 0 ? "buy" : "policy");
    }
    bool ok = true;
    for (size_t i = 0; i < m->terms.fill.count; i++) {
        ok = add_entry(m, &fill[i]) && ok;
    }
    m->plan->policy = &policy_of_fill;
    m->plan->policy_params = m->plan;
    return ok;
}

/* ---- how many ---- */

void elastic_plan_nodes(struct making *m)
{
    const struct elastic_spec *s = &m->spec->elastic;
    if (m->plan->elastic.is && m->terms.nodes == 0 && s->max > 0) {
        m->terms.nodes = s->max;
        m->terms.nodes_place = s->place;
    }
}

static bool check_range(const struct making *m)
{
    const struct elastic_spec *s = &m->spec->elastic;
    const uint32_t nodes = m->plan->work.nodes;
    if (s->max > 0 && s->max < s->min) {
        return making_complain_once(m, DIAGNOSTIC_ERROR, s->place,
                                    "'elastic' of '%s' has a 'min' above its 'max'",
                                    m->plan->work.workload_name);
    }
    if (nodes < s->min || (s->max > 0 && nodes > s->max)) {
        char most[48] = "";
        if (s->max > 0) {
            snprintf(most, sizeof most, " and at most %lld", (long long)s->max);
        }
        return making_complain(m, DIAGNOSTIC_ERROR, m->terms.nodes_place,
                               "strategy '%s' asks for %u node%s for '%s', which is elastic with "
                               "at least %lld%s",
                               m->strategy->item.name, nodes, text_plural(nodes),
                               m->plan->work.workload_name, (long long)s->min, most);
    }
    return true;
}

/* ---- how fast ---- */

static bool make_rates(const struct making *m)
{
    struct elastic_plan *e = &m->plan->elastic;
    if (m->plan->speed != SPEED_JOB_THROUGHPUT) {
        return true;
    }
    e->rate_count = training_speed_counts(m, e->rates, ELASTIC_RATES_MAX);
    if (e->rate_count > 0 && e->rates[0].nodes <= e->least) {
        return true;
    }
    return making_complain_once(
        m, DIAGNOSTIC_ERROR, m->spec->elastic.place,
        "'%s' may run on %u node%s, but its 'job_throughput' on '%s' is measured for %u and more; "
        "state it for %u, or a 'throughput' per node",
        m->plan->work.workload_name, e->least, text_plural(e->least), m->type->name,
        e->rate_count > 0 ? e->rates[0].nodes : m->plan->work.nodes, e->least);
}

/* Between two counts as on the straight line between their speeds. */
static double measured_per_s(const struct elastic_plan *e, uint32_t nodes, const double *drawn)
{
    size_t i = 0;
    while (i + 1 < e->rate_count && e->rates[i + 1].nodes <= nodes) {
        i++;
    }
    const struct counted_rate *low = &e->rates[i];
    double low_per_s = number_value(low->rate, drawn);
    if (i + 1 == e->rate_count || low->nodes == nodes) {
        return low_per_s;
    }
    const struct counted_rate *high = &e->rates[i + 1];
    double share = (double)(nodes - low->nodes) / (double)(high->nodes - low->nodes);
    return low_per_s + share * (number_value(high->rate, drawn) - low_per_s);
}

static double linear(const struct training_plan *p, uint32_t nodes, const double *drawn)
{
    return nodes * (nodes > 1 ? number_value(&p->spec->scaling, drawn) : 1);
}

double elastic_pace(const struct training_plan *p, uint32_t nodes, const double *drawn)
{
    const uint32_t all = p->work.nodes;
    if (nodes == all) {
        return 1;
    }
    switch (p->speed) {
    case SPEED_HOURS:
        return linear(p, nodes, drawn) / linear(p, all, drawn);
    case SPEED_JOB_THROUGHPUT:
        return measured_per_s(&p->elastic, nodes, drawn) / measured_per_s(&p->elastic, all, drawn);
    default: {
        double work_s = training_work_on_s(p, nodes, drawn);
        return work_s > 0 ? training_work_on_s(p, all, drawn) / work_s : 1;
    }
    }
}

/* ---- what it cannot ---- */

static bool check_ways(const struct making *m)
{
    const char *name = m->plan->work.workload_name;
    if (m->terms.spares > 0 && m->plan->elastic.whole) {
        return making_complain(m, DIAGNOSTIC_ERROR, m->terms.span_zones_place,
                               "'spares' of '%s' stand by in the zone of their gang, and "
                               "'span_zones' on spot has none; drop one of the two",
                               name);
    }
    if (m->terms.spares > 0) {
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, m->spec->elastic.place,
            "'%s' is elastic, so that nodes which only wait for others to fail are of no use to "
            "it; ask for more 'nodes' in place of 'spares'",
            name);
    }
    if (m->spec->reliability.failures.restart == FAILURE_RESTART_GANG && !m->plan->elastic.whole) {
        return making_complain_once(
            m, DIAGNOSTIC_ERROR, m->spec->reliability.failures.place,
            "'%s' is elastic: after a failure the others go on; expected 'restart: node' in its "
            "'failures', or no 'elastic'",
            name);
    }
    return true;
}

/* Before nodes join, those that work write a checkpoint. */
static bool check_checkpoints(const struct making *m)
{
    const struct training_spec *s = m->spec;
    if (s->checkpoint.mode != CHECKPOINT_NONE || s->elastic.on_loss == ELASTIC_CONTINUE ||
        m->plan->elastic.whole) {
        return true;
    }
    return making_complain_once(
        m, DIAGNOSTIC_ERROR, s->elastic.place,
        "'%s' is elastic, but writes no checkpoints, so every node that joins or leaves would "
        "throw its work away; give it a 'checkpoint', or 'on_loss: continue' where its framework "
        "keeps the state",
        m->plan->work.workload_name);
}

/* State that is shared among fewer nodes takes more of each. */
static bool check_memory(const struct making *m)
{
    struct training_plan on_least = *m->plan;
    struct making fewest = *m;
    on_least.work.nodes = m->plan->elastic.least;
    fewest.plan = &on_least;
    m->plan->least_memory = m->plan->memory;
    return m->plan->elastic.least == m->plan->work.nodes ||
           training_memory_make(&fewest, &m->plan->least_memory);
}

bool elastic_plan_make(struct making *m)
{
    if (!m->plan->elastic.is) {
        return true;
    }
    if (m->plan->elastic.whole) {
        m->plan->elastic.least = m->plan->work.nodes;
        m->plan->least_memory = m->plan->memory;
        return check_ways(m);
    }
    m->plan->elastic.least = (uint32_t)m->spec->elastic.min;
    return check_range(m) && check_ways(m) && check_checkpoints(m) && make_rates(m) &&
           check_memory(m);
}

/* ---- in words ---- */

void elastic_plan_assume(const struct making *m)
{
    const struct training_plan *p = m->plan;
    const struct elastic_spec *s = &m->spec->elastic;
    struct assumptions *a = m->context->assumptions;
    const char *name = p->work.workload_name;
    char text[32];
    if (!p->elastic.is || p->elastic.whole) {
        return;
    }
    if (!s->resize.given) {
        assumptions_add(a, false, "default",
                        making_name(m, "stand-still of %s when nodes join or leave", name), "%s",
                        quantity_time_text(s->resize.median, text));
    }
    if (!s->settle.given) {
        assumptions_add(a, false, "default",
                        making_name(m, "wait of a node of %s for others that boot", name),
                        "at most %s", quantity_time_text(s->settle.median, text));
    }
    if (p->speed == SPEED_HOURS) {
        assumptions_add(a, false, "default", making_name(m, "speed of %s on fewer nodes", name),
                        "in proportion to the nodes, of %u for which its hours are stated",
                        p->work.nodes);
    }
}
