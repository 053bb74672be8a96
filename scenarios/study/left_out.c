/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/left_out.h"

#include "engine/text.h"
#include "scenarios/study/study.h"

#include <math.h>

/* Fewer are not worth a number. */
#define FEW 0.05

struct left_out {
    bool any;
    double count, cost; /* expected; of all of them */
};

static struct left_out of_strategy(const struct study *s, size_t strategy)
{
    struct left_out sum = {0};
    for (size_t w = 0; w < s->workload_count; w++) {
        const struct work_plan *p = s->strategies[strategy].plans[w];
        sum.any = sum.any || !p->failures_stated;
        sum.count += p->left_out_failures;
        sum.cost += p->left_out_failures * p->left_out_failure_cost;
    }
    return sum;
}

/* Two significant digits are all that such a rate is worth. */
static void add_number(struct text *t, double v)
{
    double unit = pow(10, floor(log10(v)) - 1);
    double rounded = round(v / unit) * unit;
    text_format(t, "%.*f", rounded < 1 ? 2 : rounded < 10 ? 1 : 0, rounded);
}

static void add_numbers(struct text *t, const struct study *s, double least,
                        const struct left_out *most)
{
    const bool one = most->count - least < 0.01 * most->count;
    text_add(t, one ? " (at published rates about " : " (at published rates ");
    if (!one) {
        text_add(t, least < FEW ? "up to " : "");
    }
    if (!one && least >= FEW) {
        add_number(t, least);
        text_add(t, " to ");
    }
    add_number(t, most->count);
    text_add(t, " of them in a strategy's work, some ");
    add_number(t, most->cost / most->count);
    text_format(t, " %s each: `failures: published` models them)", s->scenario->currency);
}

const char *left_out_failures(const struct study *s)
{
    struct left_out most = {0};
    double least = HUGE_VAL;
    bool any = false;
    for (size_t k = 0; k < s->strategy_count; k++) {
        struct left_out one = of_strategy(s, k);
        any = any || one.any;
        least = fmin(least, one.count);
        most = one.count > most.count ? one : most;
    }
    if (!any) {
        return NULL;
    }
    struct text t;
    text_init(&t, 0);
    text_add(&t, "hardware failures");
    if (most.count >= FEW) {
        add_numbers(&t, s, least, &most);
    }
    const char *kept = t.data == NULL ? NULL : arena_string(s->scenario->arena, t.data);
    text_release(&t);
    return kept != NULL ? kept : "hardware failures";
}
