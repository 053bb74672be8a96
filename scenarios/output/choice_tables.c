/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/choice_tables.h"

#include "scenarios/output/result_rows.h"
#include "scenarios/study/choice_words.h"

#include <math.h>

/* "minimise cost_usd.p80" */
static void put_objective(struct result_rows *rows, const struct choice_plan *p,
                          const char *currency)
{
    struct text t;
    char unit[16];
    text_init(&t, 0);
    text_format(&t, "%s %.*s", p->maximise ? "maximise" : "minimise", (int)p->objective.length,
                p->objective.text);
    rows_text(rows, t.data);
    rows_text(rows, metric_unit(p->objective.metric, currency, unit));
    text_release(&t);
}

static void put_fresh(struct result_rows *rows, const struct choice *c,
                      const struct choice_one *one)
{
    const struct choice_fresh *f = &one->fresh;
    const bool given = f->given && c->fresh_worlds > 0;
    rows_integer(rows, given ? (int64_t)c->fresh_worlds : COLUMN_MISSING_INTEGER);
    rows_number(rows, given ? f->value.value : (double)NAN);
    rows_number(rows, given ? f->value.low : (double)NAN);
    rows_number(rows, given ? f->value.high : (double)NAN);
    rows_number(rows, given ? f->difference : (double)NAN);
    rows_number(rows, given ? f->low : (double)NAN);
    rows_number(rows, given ? f->high : (double)NAN);
}

static void put_limit(struct result_rows *rows, const struct choice_one *one)
{
    const bool breaks = one->status == CHOICE_BREAKS_LIMIT;
    if (breaks && one->service.short_of) {
        rows_text(rows, "serve_at_least");
        rows_number(rows, one->service.share);
        rows_number(rows, one->service.at_least);
        return;
    }
    struct text t;
    text_init(&t, 0);
    if (breaks) {
        text_add_bytes(&t, one->limit->text, one->limit->length);
    }
    rows_text(rows, t.data);
    rows_number(rows, breaks ? one->limit_value.value : (double)NAN);
    rows_number(rows, breaks ? one->limit->bound : (double)NAN);
    text_release(&t);
}

struct table *choice_table(const struct run *run)
{
    const struct study *study = run->study;
    const struct choice *c = &run->choice;
    struct result_rows rows;
    rows_begin(&rows, "choice", study->scenario->currency);
    for (size_t k = 0; c->one != NULL && k < c->count; k++) {
        const struct choice_one *one = &c->one[k];
        struct text reason;
        rows_next(&rows);
        rows_text(&rows, study_strategy_name(study, k));
        rows_text(&rows, choice_status_name(one->status));
        rows_integer(&rows, one->rank > 0 ? (int64_t)one->rank : COLUMN_MISSING_INTEGER);
        put_objective(&rows, &study->choice, study->scenario->currency);
        rows_number(&rows, one->value.value);
        rows_number(&rows, one->value.low);
        rows_number(&rows, one->value.high);
        rows_number(&rows, one->difference);
        rows_number(&rows, one->low);
        rows_number(&rows, one->high);
        put_fresh(&rows, c, one);
        put_limit(&rows, one);
        text_init(&reason, 0);
        choice_reason(&reason, c, study, k);
        rows_text(&rows, reason.data);
        text_release(&reason);
    }
    return rows_end(&rows);
}

struct table *limits_table(const struct run *run)
{
    static const char *const answers[] = {
        [LIMIT_KEPT] = "kept", [LIMIT_BROKEN] = "broken", [LIMIT_UNKNOWN] = "unknown"};
    const struct study *study = run->study;
    const char *currency = study->scenario->currency;
    struct result_rows rows;
    rows_begin(&rows, "limits", currency);
    for (size_t i = 0; i < run->limits.count; i++) {
        const struct limit_check *l = &run->limits.items[i];
        const bool checked = l->strategy != CHOICE_NONE && l->value.n > 0;
        struct text t;
        char unit[16];
        text_init(&t, 0);
        rows_next(&rows);
        rows_text(&rows,
                  l->strategy == CHOICE_NONE ? NULL : study_strategy_name(study, l->strategy));
        text_add_bytes(&t, l->limit->text, l->limit->length);
        rows_text(&rows, t.data);
        rows_text(&rows, answers[l->answer]);
        rows_text(&rows, metric_unit(l->limit->objective.metric, currency, unit));
        rows_number(&rows, checked ? l->value.value : (double)NAN);
        rows_number(&rows, checked ? l->value.low : (double)NAN);
        rows_number(&rows, checked ? l->value.high : (double)NAN);
        rows_number(&rows, l->limit->bound);
        text_clear(&t);
        limit_check_words(&t, l, study);
        rows_text(&rows, t.data);
        text_release(&t);
    }
    return rows_end(&rows);
}
