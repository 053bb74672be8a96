/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/titles.h"

#include "plots/ticks.h"
#include "plots/title_parts.h"

#include <math.h>
#include <stdio.h>

void title_cost(struct text *out, const struct study_facts *f)
{
    const struct strategy_facts *s;
    double over;

    if (f->subject < 0) {
        title_unfinished(out, f);
        return;
    }
    s = &f->strategy[f->subject];
    if (!isfinite(f->frame->budget) || !isfinite(s->over_budget.share) || facts_certain(&s->cost) ||
        s->worlds < 1.5) {
        title_level(out, f, f->subject);
        return;
    }
    over = s->over_budget.share;
    if (s->over_budget.at_least)
        over = fmin(1.0, over + s->unfinished_share);
    text_format(out, "%s keeps within the %s budget %s", title_name(f, f->subject).text,
                title_budget(f).text,
                title_in_futures(1.0 - over, s->over_budget.n, s->over_budget.at_least).text);
}

void title_time(struct text *out, const struct study_facts *f)
{
    const struct strategy_facts *s;
    double deadline_h = facts_single_deadline_h(f->frame), late;
    int x = f->subject;

    /* A strategy with finite work, of those that stand. */
    for (size_t i = 0; i < f->count; i++) {
        s = &f->strategy[i];
        if (s->stands && s->time.present &&
            (x < 0 || !f->strategy[x].time.present ||
             s->cost.p50.value < f->strategy[x].cost.p50.value))
            x = (int)i;
    }
    if (x < 0 || !f->strategy[x].time.present) {
        title_unfinished(out, f);
        return;
    }
    s = &f->strategy[x];
    late = s->late.share;
    if (isfinite(late) && s->worlds >= 1.5) {
        char what[96] = "every deadline";
        if (isfinite(deadline_h))
            snprintf(what, sizeof what, "the deadline of %s",
                     figure_time_words(deadline_h, FIGURE_NEAREST).text);
        if (s->late.at_least)
            late = fmin(1.0, late + s->unfinished_share);
        text_format(out, "%s meets %s %s", title_name(f, x).text, what,
                    title_in_futures(1.0 - late, s->late.n, s->late.at_least).text);
    } else if (s->worlds < 1.5 && isfinite(s->time.p50.value)) {
        text_format(out, "%s takes %s in the one simulated future", title_name(f, x).text,
                    figure_time_words(s->time.p50.value, FIGURE_NEAREST).text);
    } else if (facts_certain(&s->time)) {
        text_format(out, "%s takes %s in every future", title_name(f, x).text,
                    figure_time_words(s->time.min, FIGURE_NEAREST).text);
    } else if (isfinite(s->time.p90.value)) {
        text_format(out, "%s finishes within %s in 9 of 10 futures", title_name(f, x).text,
                    figure_time_words(s->time.p90.value, FIGURE_UP).text);
    } else {
        text_format(out, "%s is not finished %s", title_name(f, x).text,
                    title_in_futures(s->unfinished_share, s->worlds, false).text);
    }
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

void title_spend(struct text *out, const struct study_facts *f, size_t strategy,
                 const struct time_course *t)
{
    const struct {
        const double *quantile;
        const char *share;
    } steps[] = {{t->p10, "9 in 10"},
                 {t->p25, "3 in 4"},
                 {t->p50, "Half of the"},
                 {t->p75, "1 in 4"},
                 {t->p90, "1 in 10"}};
    const struct strategy_facts *s = &f->strategy[strategy];
    double budget = f->frame->budget, over = s->over_budget.share;
    struct title_words name = title_name(f, (int)strategy);
    size_t last = t->count - 1, k;
    bool said = false;

    if (s->worlds < 1.5 && isfinite(s->cost.p50.value)) {
        title_no_spread(out, f, (int)strategy);
        return;
    }
    if (t->count == 0 || !isfinite(t->p50[last])) {
        text_format(out, "The spend of %s is unknown", name.text);
        return;
    }
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && isfinite(budget) && !said; i++) {
        if (!(steps[i].quantile[last] > budget))
            continue;
        for (k = 0; k < last && !(steps[i].quantile[k] > budget); k++)
            ;
        text_format(out, "%s futures of %s pass the %s budget by %s", steps[i].share, name.text,
                    title_budget(f).text, day_of(f, t->end_s[k]).text);
        said = true;
    }
    if (!said && isfinite(budget) && t->p90[last] <= budget && !(over > 0.1)) {
        text_format(out, "9 in 10 futures of %s stay within the %s budget", name.text,
                    title_budget(f).text);
        said = true;
    }
    if (!said) {
        k = settled(t->p50, t->count);
        text_format(out, "%s spends %s by %s (P50)", name.text,
                    title_money(f, t->p50[last], FIGURE_NEAREST).text, day_of(f, t->end_s[k]).text);
        if (over > 0.1)
            text_format(out, "; with all it signs for, over the %s budget %s", title_budget(f).text,
                        title_in_futures(over, s->over_budget.n, s->over_budget.at_least).text);
        else if (t->p10[last] < t->p90[last])
            text_format(out, "; 8 in 10 futures lie between %s and %s",
                        title_money(f, t->p10[last], FIGURE_DOWN).text,
                        title_money(f, t->p90[last], FIGURE_UP).text);
    }
    if (s->unfinished_share > 0.01)
        text_format(out, "; not finished %s",
                    title_in_futures(s->unfinished_share, s->worlds, false).text);
}

void title_nodes(struct text *out, const struct study_facts *f, const struct title_nodes *nodes)
{
    double peak = 0.0, share;
    int x = -1;

    for (size_t i = 0; i < f->count; i++) {
        const struct strategy_facts *s = &f->strategy[i], *best = x < 0 ? NULL : &f->strategy[x];
        peak = fmax(peak, nodes[i].peak);
        if (!(nodes[i].spot_h > 0.0))
            continue;
        /* Those that stand first, then by P50, then in the file's order. */
        if (best == NULL || (s->stands && !best->stands) ||
            (s->stands == best->stands && s->cost.p50.value < best->cost.p50.value))
            x = (int)i;
    }
    if (peak <= 0.0) {
        text_add(out, "No node runs in the plan world");
    } else if (x < 0) {
        text_format(out, "At most %s node%s at once, all on-demand",
                    figure_count(ceil(peak - 1e-9)).text, ceil(peak - 1e-9) == 1.0 ? "" : "s");
    } else if (!(nodes[x].on_demand_h > 0.0)) {
        text_format(out, "%s runs on spot nodes alone in the plan world", title_name(f, x).text);
    } else {
        share = nodes[x].spot_h / (nodes[x].spot_h + nodes[x].on_demand_h);
        text_format(out, "%s buys %s of its node hours on spot in the plan world",
                    title_name(f, x).text, figure_share(share, 1e6, false).text);
    }
}
