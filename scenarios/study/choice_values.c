/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/choice_values.h"

#include "engine/text.h"
#include "scenarios/study/choice.h"
#include "scenarios/study/choice_words.h"

#include <math.h>

static const char *reason_of(const struct choice *made, const struct study *study, size_t strategy,
                             struct arena *a)
{
    struct text t;
    text_init(&t, 0);
    choice_reason(&t, made, study, strategy);
    const char *copy = t.overflow ? NULL : arena_copy(a, t.data, t.length);
    text_release(&t);
    return copy;
}

static bool take_choice(struct choice_values *v, const struct study *study, const struct results *r,
                        struct arena *a)
{
    struct choice made = {0};
    bool ok = choice_make(&made, study, r);
    for (size_t k = 0; ok && k < r->strategies; k++) {
        const struct choice_one *one = &made.one[k];
        v->one[k].eligible = one->rank > 0;
        if (one->limit != NULL && one->status == CHOICE_BREAKS_LIMIT && !one->service.short_of) {
            v->one[k].limit = (size_t)(one->limit - study->choice.conditions);
        }
        if (one->rank == 0) {
            v->one[k].reason = reason_of(&made, study, k, a);
            ok = v->one[k].reason != NULL;
        }
    }
    v->chosen = made.chosen;
    choice_release(&made);
    return ok;
}

static bool take_excess(struct choice_values *v, const struct study *study, const struct results *r)
{
    const struct choice_plan *p = &study->choice;
    for (size_t i = 0; i < r->strategies * v->conditions; i++) {
        const struct condition *c = &p->conditions[i % v->conditions];
        const bool upper = c->op == CONDITION_AT_MOST || c->op == CONDITION_BELOW;
        struct estimate e;
        if (!objective_estimate(&c->objective, r, i / v->conditions, p->confidence, &e)) {
            return false;
        }
        v->excess[i] =
            (struct strategy_gap){.known = e.known && isfinite(e.low) && isfinite(e.high),
                                  .difference = upper ? e.value - c->bound : c->bound - e.value,
                                  .half = 0.5 * (e.high - e.low)};
    }
    return true;
}

bool choice_values_make(struct choice_values *v, const struct gap_goal *goal,
                        const struct study *study, const struct results *r, size_t one,
                        struct arena *a)
{
    const bool given = study->choice.given;
    *v = (struct choice_values){.chosen = SIZE_MAX,
                                .one = arena_array(a, r->strategies, sizeof *v->one),
                                .conditions = given ? study->choice.condition_count : 0};
    v->excess = arena_array(a, r->strategies * v->conditions + 1, sizeof *v->excess);
    struct strategy_gap *gaps = arena_array(a, r->strategies, sizeof *gaps);
    if (v->one == NULL || v->excess == NULL || gaps == NULL || !strategy_gaps(goal, r, one, gaps)) {
        return false;
    }
    for (size_t k = 0; k < r->strategies; k++) {
        v->one[k] = (struct choice_value){
            .eligible = true, .limit = CHOICE_VALUES_NO_LIMIT, .gap = gaps[k]};
    }
    return !given || (take_choice(v, study, r, a) && take_excess(v, study, r));
}
