/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_confirm.h"

#include "plots/text/figures.h"
#include "scenarios/decide/search_studies.h"
#include "scenarios/study/choice.h"
#include "scenarios/study/choice_words.h"

#include <string.h>

/* Of a run whose number of worlds is not known before. */
#define USUAL_WORLDS 1000

static bool out_of_memory(const struct search *s)
{
    diagnostics_add(s->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

static uint32_t worlds_of_run(const struct search *s)
{
    const uint32_t stated = s->base->replications == 0 ? USUAL_WORLDS : s->base->replications;
    return stated < SEARCH_MOST_WORLDS ? stated : SEARCH_MOST_WORLDS;
}

static size_t strategy_called(const struct study *study, const char *name)
{
    size_t k = 0;
    while (k + 1 < study->strategy_count && strcmp(study_strategy_name(study, k), name) != 0) {
        k++;
    }
    return k;
}

/* "in the 1,000 worlds of `run` …" */
static const char *words_of(const struct search *s, const struct choice *made,
                            const struct study *study, size_t strategy)
{
    struct text t;
    text_init(&t, 0);
    text_format(&t, "in the %s worlds of `run`: ", figure_count(made->worlds).text);
    choice_reason(&t, made, study, strategy);
    const char *copy = t.overflow ? NULL : arena_copy(s->arena, t.data, t.length);
    text_release(&t);
    return copy;
}

static bool take(struct search *s, struct candidate *c, const struct study *study,
                 const struct results *r, size_t strategy, bool *stands)
{
    struct choice made = {0};
    bool ok = choice_make(&made, study, r) || out_of_memory(s);
    if (ok) {
        const enum choice_status status = made.one[strategy].status;
        *stands = made.one[strategy].rank > 0;
        s->confirmed.worlds = r->replications;
        s->confirmed.spent += (uint64_t)r->replications * r->strategies;
        s->confirmed.status = status;
        s->confirmed.why = status == CHOICE_CHOSEN ? NULL : words_of(s, &made, study, strategy);
        ok = status == CHOICE_CHOSEN || s->confirmed.why != NULL || out_of_memory(s);
        if (!*stands) {
            c->reason = s->confirmed.why;
            c->passed_over = true;
        }
    }
    choice_release(&made);
    return ok;
}

static bool run_it(struct search *s, struct candidate *c, const struct study *study,
                   const char *name, bool *stands)
{
    struct results r = {0};
    uint32_t complete = 0;
    struct run_options options = *s->options;
    options.progress = NULL;
    const struct world_request request = {.count = worlds_of_run(s)};
    bool ok = world_results_init(&r, study, request.count) || out_of_memory(s);
    ok = ok && world_runs(&r, study, &request, &options, &complete, s->diagnostics) &&
         complete == request.count && take(s, c, study, &r, strategy_called(study, name), stands);
    results_release(&r);
    return ok;
}

/* Why `run` would refuse the plan beside the scenario's strategies; it may stand all the same. */
static bool note_refused(struct search *s, const struct diagnostics *d)
{
    enum diagnostic_kind kind;
    const char *text;
    for (size_t i = 0; (text = diagnostics_text(d, i, &kind, NULL)) != NULL; i++) {
        if (kind == DIAGNOSTIC_ERROR || kind == DIAGNOSTIC_INFEASIBLE) {
            s->confirmed.why = arena_format(
                s->arena, "`run` refuses it beside the scenario's own strategies: %s", text);
            return s->confirmed.why != NULL || out_of_memory(s);
        }
    }
    return out_of_memory(s);
}

bool search_confirm(struct search *s, struct candidate *c, bool *stands)
{
    *stands = true;
    if (!s->base->choice.given) {
        return true;
    }
    struct diagnostics *d = diagnostics_new();
    const char *name = search_strategy_name(s, c);
    if (d == NULL || name == NULL) {
        diagnostics_free(d);
        return out_of_memory(s);
    }
    struct study *study = search_studies_beside(s, c, name, d);
    const bool ok = study == NULL ? note_refused(s, d) : run_it(s, c, study, name, stands);
    study_free(study);
    diagnostics_free(d);
    return ok;
}
