/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/optimize_output.h"

#include "plots/text/figures.h"
#include "plots/text/terminal_table.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/cli/wrap.h"
#include "scenarios/decide/search_confidence.h"
#include "scenarios/decide/search_judge.h"
#include "scenarios/decide/search_studies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 100
/* Kinds of reasons that are told; the rest is counted. */
#define MOST_REASONS 12

/* ---- what became of the plans ---- */

struct reason_count {
    const char *kind;
    size_t count;
    const struct candidate *first;
};

static size_t count_reasons(const struct search *s, struct reason_count *reasons, size_t *other)
{
    size_t n = 0;
    *other = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct candidate *c = &s->candidates[i];
        if (c->status != CANDIDATE_REFUSED) {
            continue;
        }
        const char *kind = search_studies_kind_of_reason(s->arena, c->reason);
        size_t k = 0;
        while (k < n && kind != NULL && strcmp(reasons[k].kind, kind) != 0) {
            k++;
        }
        if (k == n && n < MOST_REASONS && kind != NULL) {
            reasons[n++] = (struct reason_count){.kind = kind, .first = c};
        }
        if (k < n && kind != NULL) {
            reasons[k].count++;
        } else {
            (*other)++;
        }
    }
    return n;
}

static void say(const struct search *s, const char *text)
{
    (void)s;
    wrap_print(stdout, text == NULL ? "out of memory" : text, 0, 4, WIDTH);
}

static void print_refused(const struct search *s)
{
    struct reason_count reasons[MOST_REASONS];
    size_t other, n = count_reasons(s, reasons, &other);
    for (size_t k = 0; k < n; k++) {
        const struct candidate *c = reasons[k].first;
        say(s, arena_format(s->arena, "  %s refused, such as %s (%s): %.*s",
                            figure_count((double)reasons[k].count).text, c->plan.name,
                            search_plan_text(s, c), (int)search_studies_short_reason(c->reason),
                            c->reason));
    }
    if (other > 0) {
        printf("  %s refused for other reasons: see candidates.csv\n",
               figure_count((double)other).text);
    }
}

static void print_screened(const struct search *s)
{
    static const char *const by[CANDIDATE_SCREENS] = {
        [SCREENED_BY_TIME] = "a bound of their time",
        [SCREENED_BY_CONDITION] = "a condition that bounds of their time and cost break",
        [SCREENED_BY_COST] = "a bound of their cost"};
    for (size_t k = 0; k < CANDIDATE_SCREENS; k++) {
        const struct candidate *first = NULL;
        size_t count = 0;
        for (size_t i = 0; i < s->count; i++) {
            const struct candidate *c = &s->candidates[i];
            if (c->status == CANDIDATE_SCREENED && c->screen == (enum candidate_screen)k) {
                first = first == NULL ? c : first;
                count++;
            }
        }
        if (first != NULL) {
            say(s, arena_format(s->arena, "  %s screened out by %s, such as %s (%s): %s",
                                figure_count((double)count).text, by[k], first->plan.name,
                                search_plan_text(s, first), first->reason));
        }
    }
}

static size_t simulated(const struct search *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->count; i++) {
        n += s->candidates[i].searched.count > 0;
    }
    return n;
}

static void print_plans(const struct search *s)
{
    const struct objective *o = &s->goal.objective;
    struct text goal;
    text_init(&goal, 0);
    text_format(&goal, "%s: %s %.*s", s->base->scenario->name,
                s->goal.maximise ? "maximise" : "minimise", (int)o->length, o->text);
    for (size_t i = 0; i < s->goal.condition_count; i++) {
        const struct condition *c = &s->goal.conditions[i];
        text_format(&goal, "%s%.*s", i == 0 ? ", subject to " : ", ", (int)c->length, c->text);
    }
    say(s, goal.data);
    text_release(&goal);
    printf("\n%s plan%s\n", figure_count((double)s->count).text, text_plural((double)s->count));
    print_refused(s);
    print_screened(s);
    printf("  %s simulated, in %d round%s", figure_count((double)simulated(s)).text, s->rounds,
           text_plural(s->rounds));
    if (s->refine_spent > 0) {
        printf(", then between the values of ranges");
    }
    puts("");
}

/* ---- the choice ---- */

static const char *value_text(const struct search *s, const struct estimate *e)
{
    const struct objective *o = &s->goal.objective;
    const char *currency = s->base->scenario->currency;
    char value[48], low[48], high[48];
    objective_value_text(o, e->value, currency, value);
    if (!isfinite(e->low) || !isfinite(e->high)) {
        return arena_format(s->arena, "%s (95 %%: open)", value);
    }
    return arena_format(s->arena, "%s (95 %%: %s to %s)", value,
                        objective_value_text(o, e->low, currency, low),
                        objective_value_text(o, e->high, currency, high));
}

static void print_plan(const struct search *s, const char *what, const struct candidate *c)
{
    const struct objective *o = &s->goal.objective;
    say(s, arena_format(s->arena, "%s: %s (%s)", what, c->plan.name, search_plan_text(s, c)));
    say(s, arena_format(s->arena, "    %.*s %s on %s fresh worlds; %s on %s of the search",
                        (int)o->length, o->text, value_text(s, &c->verdict.objective),
                        figure_count(c->judged.count).text, value_text(s, &c->standing.objective),
                        figure_count(c->searched.count).text));
    for (size_t i = 0; i < s->goal.condition_count; i++) {
        const struct condition *condition = &s->goal.conditions[i];
        struct estimate e;
        const char *currency = s->base->scenario->currency;
        char value[48], most[48];
        if (!search_judge_estimate(s, c, 1 + i, &e)) {
            continue;
        }
        /* A condition may hold at both bounds of what unfinished work leaves unknown. */
        if (isnan(e.value) && isfinite(e.at_least) && isfinite(e.at_most)) {
            printf("    %.*s: %s to %s\n", (int)condition->length, condition->text,
                   objective_value_text(&condition->objective, e.at_least, currency, value),
                   objective_value_text(&condition->objective, e.at_most, currency, most));
        } else {
            printf("    %.*s: %s\n", (int)condition->length, condition->text,
                   objective_value_text(&condition->objective, e.value, currency, value));
        }
    }
}

/* On fresh worlds, pairwise. */
static void print_difference(const struct search *s)
{
    const struct candidate *a = &s->candidates[s->runner_up], *b = &s->candidates[s->chosen];
    const struct objective *o = &s->goal.objective;
    const char *currency = s->base->scenario->currency;
    double difference, error;
    char mean[48], low[48], high[48];
    if (!search_confidence_difference(s, &a->judged, &b->judged, b->judged.count, &difference,
                                      &error) ||
        isnan(difference)) {
        return;
    }
    const double from = difference - 1.96 * error, to = difference + 1.96 * error;
    const char *interval = arena_format(
        s->arena, "%s (95 %%: %s to %s)", objective_value_text(o, difference, currency, mean),
        objective_value_text(o, from, currency, low), objective_value_text(o, to, currency, high));
    say(s, arena_format(s->arena, "    worse than the chosen plan by %s on the same fresh worlds%s",
                        interval, from <= 0 ? ": no clear difference" : ""));
}

/* A probability is never said to be 100 %: it comes from random worlds. */
static const char *at_least(const struct search *s, double probability)
{
    return probability > 0.999
               ? "more than 99.9 %"
               : arena_format(s->arena, "at least %.3g %%", floor(1000 * probability) / 10);
}

/* "212 USD (1.3 %)" */
static const char *amount(const struct search *s, double value)
{
    const struct objective *o = &s->goal.objective;
    const double of = fabs(s->candidates[s->chosen].standing.loss);
    char text[48];
    objective_value_text(o, value, s->base->scenario->currency, text);
    return of > 0 ? arena_format(s->arena, "%s (%.2g %%)", text, 100 * value / of)
                  : arena_format(s->arena, "%s", text);
}

/* Of near ties the probability says little: what is known is how much better one may be. */
static void print_level(const struct search *s)
{
    const char *others =
        arena_format(s->arena, "How sure: it cannot be told from %s other plan%s",
                     figure_count((double)s->level).text, text_plural((double)s->level));
    say(s, isnan(s->margin)
               ? others
               : arena_format(s->arena,
                              "%s; that none simulated is better by more than %s has a probability "
                              "of %g %%",
                              others, amount(s, s->margin), 100 * SEARCH_CONFIDENCE));
}

static void print_sure(const struct search *s)
{
    if (isnan(s->correct)) {
        return;
    }
    if (s->level > 0) {
        print_level(s);
        return;
    }
    say(s, arena_format(s->arena,
                        "How sure: no other plan simulated is better with a probability of %s; "
                        "none is better by more than %.3g %% with %s",
                        at_least(s, s->correct), 100 * SEARCH_INDIFFERENCE,
                        at_least(s, s->nearly_correct)));
}

static void print_confirmed(const struct search *s)
{
    const struct search_confirmed *c = &s->confirmed;
    if (c->why != NULL) {
        say(s, arena_format(s->arena, "    %s", c->why));
    } else if (c->worlds > 0) {
        say(s, arena_format(s->arena,
                            "    `run` chooses it too, in its %s worlds, beside the "
                            "scenario's own strategies",
                            figure_count(c->worlds).text));
    }
}

/* Finalists that `run` would pass over. */
static void print_passed_over(const struct search *s)
{
    for (size_t i = 0; i < s->finalist_count; i++) {
        const struct candidate *c = &s->candidates[s->finalists[i]];
        if (c->passed_over && s->chosen != SIZE_MAX) {
            say(s, arena_format(s->arena, "Passed over: %s (%s): %s", c->plan.name,
                                search_plan_text(s, c), c->reason));
        }
    }
}

static void print_choice(const struct search *s)
{
    puts("");
    if (s->chosen == SIZE_MAX) {
        puts("No plan may be chosen.");
        if (s->hopeless) {
            say(s,
                arena_format(s->arena,
                             "The search ended after round %d: each of the plans that were left "
                             "breaks a condition, or is unfinished too often, beyond its 99.9 %% "
                             "interval. The nearest:",
                             s->rounds));
        }
        for (size_t i = 0; i < s->finalist_count && i < 3; i++) {
            const struct candidate *c = &s->candidates[s->finalists[i]];
            say(s, arena_format(s->arena, "  %s (%s): %s", c->plan.name, search_plan_text(s, c),
                                c->reason == NULL ? "" : c->reason));
        }
        return;
    }
    print_plan(s, "Chosen", &s->candidates[s->chosen]);
    print_confirmed(s);
    if (s->runner_up != SIZE_MAX) {
        print_plan(s, "Runner-up", &s->candidates[s->runner_up]);
        print_difference(s);
    }
    print_passed_over(s);
    print_sure(s);
}

/* ---- the front ---- */

static void print_front(struct command *c, const struct search *s)
{
    static const struct terminal_column columns[] = {
        {"PLAN", false},         {"", false},          {"COST", true}, {"TIME", true},
        {"KEEPS LIMITS", false}, {"PARAMETERS", false}};
    const struct objective *cost = search_measure(s, search_extra(s, SEARCH_COST)),
                           *time = search_measure(s, search_extra(s, SEARCH_TIME));
    const struct terminal_style style = table_print_style(c, WIDTH);
    struct terminal_table *t = terminal_table_new(columns, sizeof columns / sizeof columns[0]);
    if (t != NULL) {
        terminal_table_fold(t, sizeof columns / sizeof columns[0] - 1);
    }
    for (size_t i = 0; t != NULL && i < s->front_count; i++) {
        const struct candidate *p = &s->candidates[s->front[i]];
        struct estimate e;
        char text[48];
        size_t row = terminal_table_add_row(t);
        if (row == SIZE_MAX) {
            break;
        }
        terminal_table_set(t, row, 0, p->plan.name);
        terminal_table_set(t, row, 1, s->front[i] == s->chosen ? "chosen" : "");
        if (search_judge_estimate(s, p, search_extra(s, SEARCH_COST), &e)) {
            terminal_table_set(
                t, row, 2, objective_value_text(cost, e.value, s->base->scenario->currency, text));
        }
        if (search_judge_estimate(s, p, search_extra(s, SEARCH_TIME), &e)) {
            terminal_table_set(
                t, row, 3, objective_value_text(time, e.value, s->base->scenario->currency, text));
        }
        terminal_table_set(t, row, 4, search_keeps_all(p) ? "yes" : "no");
        terminal_table_set(t, row, 5, search_plan_text(s, p));
    }
    printf("\nFront of cost and time (%.*s, %.*s), on %s worlds\n", (int)cost->length, cost->text,
           (int)time->length, time->text, s->hopeless ? "the search's" : "fresh");
    if (t == NULL || !terminal_table_write(t, &style, stdout)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "cannot print the table");
    }
    terminal_table_free(t);
}

void optimize_output_print(struct command *c, const struct search *s, const struct table *front)
{
    print_plans(s);
    print_choice(s);
    if (table_rows(front) > 1) {
        print_front(c, s);
    }
    printf("\nSpent: %s of %s strategy-worlds, %s of them on fresh worlds",
           figure_count((double)s->spent).text, figure_count((double)s->spec->budget).text,
           figure_count((double)s->judge_spent).text);
    if (s->confirmed.spent > 0) {
        printf("; and %s for what `run` will say", figure_count((double)s->confirmed.spent).text);
    }
    puts(s->stopped_early ? "; stopped early by time_limit, so it cannot be repeated exactly."
                          : ".");
}
