/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/reliability_plan.h"

#include "engine/quantity.h"
#include "engine/text.h"
#include "models/training/failure_rates.h"
#include "models/training/training_making.h"

#include <math.h>
#include <string.h>

#define DAY_S 86400.0

static const struct reliability_spec *spec_of(const struct training_plan *plan)
{
    return &plan->spec->reliability;
}

/* ---- rates ---- */

/* The published rate of the type's generation, drawn once a world, the same for all plans. */
static bool published(const struct making *m, struct number *mtbf)
{
    const struct failure_rate *rate = failure_rate_of(m->type);
    struct distribution d = {.family = DISTRIBUTION_LOGNORMAL,
                             .p = {1000 * DAY_S / rate->per_1000_days, rate->log_sd},
                             .low = 0,
                             .high = HUGE_VAL};
    const char *name = making_name(m, "failures.%s.mtbf", rate->generation);
    char message[160];
    int index = inputs_find(m->context->inputs, name);
    if (index < 0 && distribution_prepare(&d, NULL, message, sizeof message)) {
        index = inputs_add(m->context->inputs, name, "s", &d);
    }
    *mtbf = (struct number){.median = d.p[0], .input = index, .word = -1};
    return index >= 0;
}

static bool is_published(const struct failures_spec *f)
{
    return !f->mtbf.given || f->mtbf.word == MTBF_PUBLISHED;
}

static bool make_rate(struct making *m)
{
    const struct failures_spec *f = &m->spec->reliability.failures;
    struct reliability_plan *r = &m->plan->reliability;
    r->fails = f->given && f->mtbf.word != MTBF_NONE;
    if (!r->fails) {
        return true;
    }
    if (is_published(f)) {
        if (f->of == MTBF_OF_GPU) {
            return making_complain_once(m, DIAGNOSTIC_ERROR, f->place,
                                        "'of: gpu' in 'failures' of '%s' says what a stated 'mtbf' "
                                        "is of, and none is stated",
                                        m->plan->work.workload_name);
        }
        r->per_mtbf = failure_rate_scale(m->type);
        return published(m, &r->mtbf) ||
               making_complain(m, DIAGNOSTIC_ERROR, f->place, "too many uncertain numbers");
    }
    r->mtbf = f->mtbf;
    r->per_mtbf = f->of == MTBF_OF_GPU ? m->type->accelerator_count : 1;
    return true;
}

/* Of the medians, whether or not failures are modelled. */
static struct failure_law law_at(const struct training_plan *plan, double per_s,
                                 const double *drawn)
{
    const struct young_spec *y = &spec_of(plan)->failures.young;
    return (struct failure_law){.rate_per_s = per_s,
                                .young_factor = number_value(&y->factor, drawn),
                                .young_s = number_value(&y->lasts, drawn)};
}

struct failure_law training_failure_law(const struct training_plan *plan, const double *drawn)
{
    const struct reliability_plan *r = &plan->reliability;
    return r->fails ? law_at(plan, r->per_mtbf / number_value(&r->mtbf, drawn), drawn)
                    : (struct failure_law){0};
}

/* Failures of the whole gang in its planned work. */
static double expected(const struct training_plan *plan, const struct failure_law *law)
{
    return plan->work.nodes * failure_law_expected(law, training_work_time(plan, NULL).all_s);
}

double training_planned_failure_rate_per_s(const struct training_plan *plan)
{
    struct failure_law law = training_failure_law(plan, NULL);
    double work_s = training_work_time(plan, NULL).all_s;
    return isfinite(work_s) && work_s > 0 ? expected(plan, &law) / work_s
                                          : plan->work.nodes * law.rate_per_s;
}

/* ---- times ---- */

double training_staging_s(const struct training_plan *plan, const double *drawn)
{
    const struct staging_spec *s = &spec_of(plan)->staging;
    if (!s->given) {
        return 0;
    }
    double bytes = number_value(&plan->spec->storage.dataset.size, drawn);
    double read = s->share == STAGING_PART ? bytes / plan->work.nodes : bytes;
    return read / number_value(&s->bandwidth, drawn);
}

double training_start_s(const struct training_plan *plan, uint32_t nodes, const double *drawn)
{
    const struct restart_time_spec *s = &spec_of(plan)->restart_time;
    return number_value(&s->fixed, drawn) + number_value(&s->per_node, drawn) * nodes +
           number_value(&s->per_doubling, drawn) * log2(nodes > 0 ? nodes : 1);
}

struct work_time training_work_time(const struct training_plan *plan, const double *drawn)
{
    const struct reliability_spec *s = spec_of(plan);
    double useful_s = training_work_s(plan, drawn);
    double work_s = useful_s * fmax(1, number_value(&s->rework, drawn));
    double evaluations = 0;
    if (s->evaluation.given) {
        evaluations = floor(work_s / number_value(&s->evaluation.every, drawn));
    }
    double stands_s = evaluations * number_value(&s->evaluation.takes, drawn);
    struct work_time t = {.all_s = work_s + stands_s, .useful_share = 1};
    if (t.all_s > useful_s && isfinite(t.all_s)) {
        t.useful_share = useful_s / t.all_s;
        t.evaluation_share = stands_s / t.all_s;
    }
    return t;
}

void training_equip(const struct training_plan *plan, struct crew *c, const double *drawn)
{
    const struct failure_law law = training_failure_law(plan, drawn);
    const struct work_time work = training_work_time(plan, drawn);
    crew_equip(c, training_staging_s(plan, drawn), &law);
    crew_share(c, work.useful_share, work.evaluation_share);
}

/* ---- checks ---- */

static bool check_staging(const struct making *m)
{
    const struct staging_spec *s = &m->spec->reliability.staging;
    if (!s->given || m->spec->storage.dataset.given) {
        return true;
    }
    return making_complain_once(m, DIAGNOSTIC_ERROR, s->place,
                                "'staging' of '%s' reads its data set, and none is stated; give it "
                                "'dataset: {size: …}'",
                                m->plan->work.workload_name);
}

bool reliability_plan_check(struct making *m)
{
    bool staging = check_staging(m);
    m->plan->reliability.spares = (uint32_t)m->terms.spares;
    return (m->type == NULL || make_rate(m)) && staging;
}

/* ---- what is assumed ---- */

static const char *spread_text(const struct making *m, const struct number *mtbf, double per_mtbf)
{
    const struct distribution *d =
        &inputs_at(m->context->inputs, (size_t)mtbf->input)->distribution;
    char low[32], high[32];
    return making_name(m, "in 9 of 10 futures %s to %s",
                       quantity_time_text(distribution_quantile(d, 0.05) / per_mtbf, low),
                       quantity_time_text(distribution_quantile(d, 0.95) / per_mtbf, high));
}

static void assume_rate(const struct making *m)
{
    const struct reliability_plan *r = &m->plan->reliability;
    const struct failures_spec *f = &m->spec->reliability.failures;
    struct assumptions *a = m->context->assumptions;
    char text[32];
    if (is_published(f)) {
        const struct failure_rate *rate = failure_rate_of(m->type);
        assumptions_add(a, rate->extrapolated, rate->source,
                        making_name(m, "failures of hardware of %s", m->type->name),
                        "one in %s for each node (%s), drawn once per replication",
                        quantity_time_text(r->mtbf.median / r->per_mtbf, text),
                        spread_text(m, &r->mtbf, r->per_mtbf));
    }
    if (!f->young_given) {
        assumptions_add(a, true,
                        "times between failures of clusters are Weibull with shape 0.7 to 0.8 "
                        "(Schroeder and Gibson, DSN 2006): the first day against 54",
                        "failures of young nodes",
                        "%.3g times as many in the first %s after launch", f->young.factor.median,
                        quantity_time_text(f->young.lasts.median, text));
    }
}

static double planned_response_s(const struct reliability_spec *s)
{
    double p = s->response.p_human.median;
    return variate_planned_mean(&s->failures.detect) +
           (1 - p) * variate_planned_mean(&s->response.automatic) +
           p * variate_planned_mean(&s->response.human);
}

static void assume_response(const struct making *m)
{
    const struct reliability_spec *s = &m->spec->reliability;
    char detect[32], by_itself[32], human[32];
    if (s->response.given && s->failures.detect.given) {
        return;
    }
    assumptions_add(m->context->assumptions, false,
                    "default; somebody had to come in 0.7 % of the cases of Llama 3 405B, in a "
                    "third of those of OPT-175B",
                    making_name(m, "response to a failure of %s", m->plan->work.workload_name),
                    "noticed in %s; then %s by itself, or, of %.3g %%, %s with somebody's help",
                    quantity_time_text(variate_planned_mean(&s->failures.detect), detect),
                    quantity_time_text(variate_planned_mean(&s->response.automatic), by_itself),
                    100 * s->response.p_human.median,
                    quantity_time_text(variate_planned_mean(&s->response.human), human));
}

/* Useful work that a failure throws away, on average. */
static double planned_loss_s(const struct training_plan *plan, int site)
{
    double work_s = training_work_time(plan, NULL).all_s;
    if (plan->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS) {
        return 0;
    }
    return fmin(plan->every_s[site], work_s) / 2;
}

/* How many failures the plan leaves out, at the published rate, and what one would cost. */
static void tell_left_out(struct making *m)
{
    struct training_plan *p = m->plan;
    int site = 0;
    while (p->pools[site] < 0) {
        site++;
    }
    const struct failure_rate *rate = failure_rate_of(m->type);
    double per_s = rate->per_1000_days / (1000 * DAY_S) * failure_rate_scale(m->type);
    struct failure_law law = law_at(p, per_s, NULL);
    double stands_s =
        planned_response_s(spec_of(p)) + p->work.planned_overhead_s + planned_loss_s(p, site);
    double count = expected(p, &law);
    p->work.left_out_failures = isfinite(count) ? count : 0;
    p->work.left_out_failure_cost =
        stands_s / 3600 * p->work.nodes * market_planned_price_per_hour(m->market, p->pools[site]);
}

void reliability_plan_assume(struct making *m)
{
    const struct reliability_spec *s = &m->spec->reliability;
    struct training_plan *p = m->plan;
    if (!s->rework.given) {
        assumptions_add(m->context->assumptions, false, "default",
                        making_name(m, "rework of %s", p->work.workload_name),
                        "1.0: no run fails or is rolled back by its owners and done again");
    }
    p->work.failures_stated = s->failures.given;
    if (!p->reliability.fails) {
        if (!s->failures.given) {
            tell_left_out(m);
        }
        return;
    }
    assume_rate(m);
    assume_response(m);
    double count = training_planned_failure_rate_per_s(p) * training_work_time(p, NULL).all_s;
    if (m->spec->checkpoint.mode == CHECKPOINT_NONE && count > 0.1) {
        making_complain_once(m, DIAGNOSTIC_WARNING, m->spec->item.place,
                             "workload '%s' writes no checkpoints: each failure of hardware, of "
                             "which %.2g are to be expected, throws all its work away",
                             p->work.workload_name, count);
    }
}
