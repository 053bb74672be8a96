/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/fail_on.h"

#include "plots/text/figures.h"

#include <math.h>
#include <stdio.h>

static const struct place option = {"--fail-on", 0, 0};

bool fail_on_read(struct fail_on *f, struct command *c, const struct diff_side *a)
{
    const struct arguments *from = c->arguments;
    const struct objective_names names = {.currency = a->currency,
                                          .workloads = a->workloads,
                                          .workload_count = a->results->workloads};
    *f = (struct fail_on){
        .conditions = arena_array(c->arena, from->fail_on_count + 1, sizeof *f->conditions)};
    bool ok = f->conditions != NULL;
    if (!ok) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    }
    for (size_t i = 0; f->conditions != NULL && i < from->fail_on_count; i++) {
        char message[512];
        if (condition_parse(from->fail_on[i], &names, true, &f->conditions[f->count], message,
                            sizeof message)) {
            f->count++;
        } else {
            diagnostics_add(c->d, DIAGNOSTIC_ERROR, option, "'%s': %s", from->fail_on[i], message);
            ok = false;
        }
    }
    return ok;
}

/* Bounds of what the condition is about. Of a share of what work cut off leaves unknown in A, they
 * are those of the quotient of two amounts that lie between their own. */
static void bounds_of(const struct condition *k, const struct diff *d, double *at_least,
                      double *at_most)
{
    switch (k->kind) {
    case CONDITION_LEVEL:
        *at_least = d->b_at_least;
        *at_most = d->b_at_most;
        return;
    case CONDITION_CHANGE:
        *at_least = d->at_least;
        *at_most = d->at_most;
        return;
    case CONDITION_RELATIVE:
        break;
    }
    if (isnan(d->a) && d->a_at_least > 0 && d->verdict != DIFF_SAME) {
        *at_least = d->b_at_least >= 0 ? d->b_at_least / d->a_at_most - 1 : -HUGE_VAL;
        *at_most = d->b_at_most / d->a_at_least - 1;
        return;
    }
    /* From nothing to something is a rise without end. */
    *at_least = isnan(d->share) && d->at_least <= 0 ? -HUGE_VAL : d->at_least / fabs(d->a);
    *at_most = isnan(d->share) && d->at_most >= 0 ? HUGE_VAL : d->at_most / fabs(d->a);
    if (d->verdict == DIFF_SAME) {
        *at_least = *at_most = 0;
    } else if (!(fabs(d->a) > 0) && !isnan(d->change)) {
        *at_least = *at_most = copysign(HUGE_VAL, d->change);
    }
}

static const char *sentence_of(struct command *c, const struct condition *k, const struct diff *d,
                               const char *strategy, const char *currency)
{
    char of_a[48], of_b[48], share[48] = "";
    const char *from = objective_value_text(&k->objective, d->a, currency, of_a);
    const char *to = objective_value_text(&k->objective, d->b, currency, of_b);
    if (!isnan(d->share) && d->verdict != DIFF_SAME) {
        snprintf(share, sizeof share, ", %.40s", figure_change(d->share).text);
    }
    return arena_format(c->arena, "'%.*s' is broken by %s: %.*s was %s in A and is %s in B%s",
                        (int)k->length, k->text, strategy, (int)k->objective.length,
                        k->objective.text, from, to, share);
}

bool fail_on_judge(const struct fail_on *f, struct command *c, const struct diff_side *a,
                   const struct diff_side *b, const struct breach **breaches, size_t *count)
{
    struct breach *list =
        arena_array(c->arena, f->count * a->results->strategies + 1, sizeof *list);
    *count = 0;
    *breaches = list;
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < f->count; i++) {
        const struct condition *k = &f->conditions[i];
        bool known = false;
        for (size_t s = 0; ok && s < a->results->strategies; s++) {
            const size_t other = diff_side_strategy(b, a->strategies[s]);
            struct diff d = {.verdict = DIFF_ABSENT};
            double at_least = 0, at_most = 0;
            ok = other == SIZE_MAX || diff_measure(a, s, b, other, &k->objective, &d);
            if (!ok || d.verdict == DIFF_ABSENT) {
                continue;
            }
            known = true;
            bounds_of(k, &d, &at_least, &at_most);
            if (!condition_fails(k, at_least, at_most)) {
                list[*count].sentence = sentence_of(c, k, &d, a->strategies[s], a->currency);
                ok = list[(*count)++].sentence != NULL;
            }
        }
        if (ok && !known) {
            diagnostics_add(c->d, DIAGNOSTIC_ERROR, option,
                            "'%.*s': no strategy that both have knows this metric; expected one "
                            "that exists in their worlds",
                            (int)k->length, k->text);
            return false;
        }
    }
    if (!ok) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    }
    return ok;
}
