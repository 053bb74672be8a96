/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/limit_checks.h"

#include "scenarios/study/choice_words.h"

#include <stdlib.h>

static bool check(struct limit_checks *l, const struct study *study, const struct results *r,
                  size_t strategy, const struct condition *c)
{
    struct limit_check *one = &l->items[l->count++];
    *one = (struct limit_check){.strategy = strategy, .limit = c, .answer = LIMIT_UNKNOWN};
    if (strategy == CHOICE_NONE) {
        l->broken++;
        return true;
    }
    if (!objective_estimate(&c->objective, r, strategy, study->choice.confidence, &one->value)) {
        return false;
    }
    const struct estimate *v = &one->value;
    if (v->n > 0 && condition_holds(c, v->at_least, v->at_most)) {
        one->answer = LIMIT_KEPT;
    } else if (v->n > 0 && condition_fails(c, v->at_least, v->at_most)) {
        one->answer = LIMIT_BROKEN;
    }
    l->broken += one->answer != LIMIT_KEPT;
    return true;
}

bool limit_checks_make(struct limit_checks *l, const struct study *study, const struct results *r,
                       const struct choice *choice)
{
    const struct choice_plan *p = &study->choice;
    *l = (struct limit_checks){0};
    if (p->limit_count == 0) {
        return true;
    }
    l->items = calloc(p->limit_count * r->strategies + 1, sizeof *l->items);
    bool ok = l->items != NULL;
    for (size_t k = 0; k < (choice != NULL ? 1 : r->strategies); k++) {
        for (size_t i = 0; ok && i < p->limit_count; i++) {
            ok = check(l, study, r, choice != NULL ? choice->chosen : k, &p->limits[i]);
        }
    }
    return ok;
}

void limit_checks_release(struct limit_checks *l)
{
    free(l->items);
    *l = (struct limit_checks){0};
}

void limit_check_words(struct text *out, const struct limit_check *l, const struct study *study)
{
    if (l->strategy == CHOICE_NONE) {
        text_add(out, "no strategy can be chosen, and so none keeps limit '");
        text_add_visible(out, l->limit->text, l->limit->length);
        text_add(out, "'");
        return;
    }
    text_add(out, "strategy '");
    text_add_visible(out, study_strategy_name(study, l->strategy), 80);
    text_add(out, "': limit ");
    condition_words(out, l->limit, &l->value, study->scenario->currency);
}
