/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/titles.h"

#include "plots/sentences/title_parts.h"
#include "plots/text/label.h"
#include "plots/text/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void title_cost(struct text *out, const struct study_facts *f)
{
    const struct strategy_facts *s;
    const struct fact_chance *over;

    if (f->subject < 0) {
        title_unfinished(out, f);
        return;
    }
    s = &f->strategy[f->subject];
    over = &s->over_budget;
    if (!isfinite(f->frame->budget) || !isfinite(over->at_least) || s->worlds < 1.5 ||
        (facts_certain(&s->cost) && !f->frame->budget_uncertain)) {
        title_level(out, f, f->subject);
        return;
    }
    text_format(
        out, "%s keeps within %s %s", title_name(f, f->subject).text, title_budget(f).text,
        title_in_futures(1.0 - over->at_most, over->n, over->at_least < over->at_most).text);
}

/* "the deadline of 4 days", "the deadline of 'b', 4 days", "every deadline" */
static struct title_words deadlines(const struct study_facts *f)
{
    const struct chart_frame *frame = f->frame;
    double hours = facts_single_deadline_h(frame);
    struct title_words w = {"every deadline"};
    struct text name;

    if (isfinite(hours)) {
        snprintf(w.text, sizeof w.text, "the deadline of %s",
                 figure_time_words(hours, f->unit, FIGURE_NEAREST).text);
    } else if (frame->deadline_count == 1 && frame->deadlines[0].workload != NULL) {
        text_init(&name, sizeof w.text / 2);
        label_clean(&name, frame->deadlines[0].workload);
        snprintf(w.text, sizeof w.text, "the deadline of '%s', %s,", name.data,
                 figure_time_words(frame->deadlines[0].hours, f->unit, FIGURE_NEAREST).text);
        text_release(&name);
    }
    return w;
}

/* Of those that stand and have work that ends, the one of lowest P50 of cost; -1 = none. */
static int time_subject(const struct study_facts *f)
{
    int x = -1;

    for (size_t i = 0; i < f->count; i++) {
        const struct strategy_facts *s = &f->strategy[i];
        if (s->stands && s->time.present &&
            (x < 0 || facts_near(&s->cost.p50) < facts_near(&f->strategy[x].cost.p50)))
            x = (int)i;
    }
    return x;
}

static void time_level(struct text *out, const struct study_facts *f, int x)
{
    const struct strategy_facts *s = &f->strategy[x];
    struct figure within = figure_time_words(s->time.p90.value, f->unit, FIGURE_UP);

    if (s->worlds < 1.5 && isfinite(s->time.p50.value))
        text_format(out, "%s takes %s in the one simulated future", title_name(f, x).text,
                    figure_time_words(s->time.p50.value, f->unit, FIGURE_NEAREST).text);
    else if (facts_certain(&s->time))
        text_format(out, "%s takes %s in every future", title_name(f, x).text,
                    figure_time_words(s->time.min, f->unit, FIGURE_NEAREST).text);
    else if (!isfinite(s->time.p90.value))
        text_format(out, "%s is not finished %s", title_name(f, x).text,
                    title_in_futures(s->unfinished_share, s->worlds, false).text);
    else if (strcmp(figure_time_words(s->time.max, f->unit, FIGURE_UP).text, within.text) == 0)
        text_format(out, "%s finishes within %s in all %s futures", title_name(f, x).text,
                    within.text, figure_count(s->time.n).text);
    else
        text_format(out, "%s finishes within %s in 9 of 10 futures", title_name(f, x).text,
                    within.text);
}

void title_time(struct text *out, const struct study_facts *f)
{
    int x = time_subject(f);
    const struct fact_chance *late;

    if (x < 0) {
        title_unfinished(out, f);
        return;
    }
    late = &f->strategy[x].late;
    if (isfinite(late->at_least) && f->strategy[x].worlds >= 1.5)
        text_format(
            out, "%s meets %s %s", title_name(f, x).text, deadlines(f).text,
            title_in_futures(1.0 - late->at_most, late->n, late->at_least < late->at_most).text);
    else
        time_level(out, f, x);
    if (f->strategy[x].cancelled_share > 0.0)
        text_add(out, ", if it is not cancelled");
}

/* When a bucket ends: a day, and the hour while hours matter. Midnight belongs to the day before.
 */
static struct figure day_of(const struct study_facts *f, double end_s)
{
    int64_t end = f->frame->start_unix_s + (int64_t)ceil(end_s);
    bool midnight = end % 86400 == 0;

    return ticks_date_words(midnight ? end - 1 : end, end_s < 3.0 * 86400.0 && !midnight);
}

/* First bucket from which a quantile stays where it ends. */
static size_t settled(const double *quantile, size_t count)
{
    size_t k = count - 1;

    while (k > 0 && !(quantile[k - 1] < quantile[count - 1]))
        k--;
    return k;
}

/* "1 in 10 futures of X pass the $6,000 budget by 14 Mar": the largest share whose quantile does,
 * where the futures that the timeline does not hold agree. */
static bool spend_passes(struct text *out, const struct study_facts *f, size_t strategy,
                         const struct time_course *t)
{
    const struct {
        const double *quantile;
        double share;
        const char *words, *lower;
    } steps[] = {{t->p10, 0.9, "9 in 10", "9 of 10"},
                 {t->p25, 0.75, "3 in 4", "3 of 4"},
                 {t->p50, 0.5, "Half of the", "half"},
                 {t->p75, 0.25, "1 in 4", "1 of 4"},
                 {t->p90, 0.1, "1 in 10", "1 of 10"}};
    const struct fact_chance *over = &f->strategy[strategy].over_budget;
    double budget = f->frame->budget;
    size_t last = t->count - 1, k = 0;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && isfinite(budget); i++) {
        if (!(steps[i].quantile[last] > budget) || over->at_most < steps[i].share - 1e-9)
            continue;
        while (k < last && !(steps[i].quantile[k] > budget))
            k++;
        if (over->at_least >= 1.0)
            text_format(out, "%s passes %s in all %s futures: in %s by %s",
                        title_name(f, (int)strategy).text, title_budget(f).text,
                        figure_count(over->n).text, steps[i].lower, day_of(f, t->end_s[k]).text);
        else
            text_format(out, "%s futures of %s pass %s by %s", steps[i].words,
                        title_name(f, (int)strategy).text, title_budget(f).text,
                        day_of(f, t->end_s[k]).text);
        return true;
    }
    return false;
}

/* "X stays within the $6,000 budget in 97 of 100 futures" */
static void stays_within(struct text *out, const struct study_facts *f, const char *subject,
                         const char *verb, const struct fact_chance *over)
{
    text_format(
        out, "%s %s within %s %s", subject, verb, title_budget(f).text,
        title_in_futures(1.0 - over->at_most, over->n, over->at_least < over->at_most).text);
}

static void spend_level(struct text *out, const struct study_facts *f, size_t strategy,
                        const struct time_course *t)
{
    const struct strategy_facts *s = &f->strategy[strategy];
    const struct fact_chance *over = &s->over_budget;

    if (isfinite(f->frame->budget) && isfinite(over->at_least) && !(over->at_least > 0.0)) {
        text_format(out, "%s pays %s (P50)", title_name(f, (int)strategy).text,
                    title_quantile(f, &s->spend.p50).text);
        stays_within(out, f, "; its cost, less reuse,", "is", over);
        return;
    }
    text_format(out, "%s spends %s by %s (P50)", title_name(f, (int)strategy).text,
                title_quantile(f, &s->spend.p50).text,
                day_of(f, t->end_s[settled(t->p50, t->count)]).text);
    if (over->at_least > 0.0)
        text_format(out, "; with all it signs for, over %s %s", title_budget(f).text,
                    title_in_futures(over->at_least, over->n, over->at_least < over->at_most).text);
    else if (s->spend.p10.value < s->spend.p90.value &&
             strcmp(title_quantile(f, &s->spend.p10).text, title_quantile(f, &s->spend.p90).text) !=
                 0)
        text_format(out, "; 8 in 10 futures lie between %s and %s",
                    title_money(f, s->spend.p10.value, FIGURE_DOWN).text,
                    title_money(f, s->spend.p90.value, FIGURE_UP).text);
}

/* What is paid is not what it costs: it signs for more, or reuses some. */
static bool differs_from_cost(const struct strategy_facts *s, double budget)
{
    bool signs = isfinite(s->obligation) && s->obligation > 0.0;

    return signs && (s->over_budget.at_least > 0.0 || !(s->spend.p90.value <= budget));
}

void title_spend(struct text *out, const struct study_facts *f, size_t strategy,
                 const struct time_course *t)
{
    const struct strategy_facts *s = &f->strategy[strategy];
    const struct fact_chance *over = &s->over_budget;
    struct title_words name = title_name(f, (int)strategy);
    double budget = f->frame->budget;

    if (f->subject < 0)
        title_unfinished(out, f);
    else if (s->worlds < 1.5 && isfinite(s->cost.p50.value))
        title_no_spread(out, f, (int)strategy);
    else if (t->count == 0 || !isfinite(t->p50[t->count - 1]))
        text_format(out, "The spend of %s is unknown", name.text);
    else if (f->frame->budget_uncertain && isfinite(over->at_least))
        /* Nobody knows when: each world has its own budget. */
        stays_within(out, f, name.text, "stays", over);
    else if (spend_passes(out, f, strategy, t))
        ;
    else if (isfinite(budget) && isfinite(over->at_least) && !differs_from_cost(s, budget))
        stays_within(out, f, name.text, "stays", over);
    else
        spend_level(out, f, strategy, t);
}

/* Of those that stand and use spot, the one of lowest P50 of cost; -1 = none. */
static int spot_subject(const struct study_facts *f, const struct title_nodes *nodes)
{
    int x = -1;

    for (size_t i = 0; i < f->count; i++) {
        const struct strategy_facts *s = &f->strategy[i];
        if (s->stands && nodes[i].spot_h > 0.0 &&
            (x < 0 || facts_near(&s->cost.p50) < facts_near(&f->strategy[x].cost.p50)))
            x = (int)i;
    }
    return x;
}

void title_nodes(struct text *out, const struct study_facts *f, const struct title_nodes *nodes)
{
    int x = spot_subject(f, nodes);
    bool any = false, spot = false;

    for (size_t i = 0; i < f->count; i++) {
        any = any || nodes[i].on_demand_h + nodes[i].spot_h + nodes[i].held_h > 0.0;
        spot = spot || nodes[i].spot_h > 0.0;
    }
    if (f->subject < 0)
        title_unfinished(out, f);
    else if (!any)
        text_add(out, "No node runs in the plan world");
    else if (!spot)
        text_add(out, "No node runs on spot in the plan world");
    else if (x < 0)
        text_format(out, "%s runs no node on spot in the plan world",
                    title_name(f, f->subject).text);
    else if (!(nodes[x].on_demand_h + nodes[x].held_h > 0.0))
        text_format(out, "%s runs on spot nodes alone in the plan world", title_name(f, x).text);
    else
        text_format(
            out, "%s buys %s of its node hours on spot in the plan world", title_name(f, x).text,
            figure_share(
                nodes[x].spot_h / (nodes[x].spot_h + nodes[x].on_demand_h + nodes[x].held_h), 1e6)
                .text);
}
