/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_parts.h"

#include "plots/facts/quantile_text.h"
#include "plots/text/label.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A title of two lines has room for two names of this width; one may have what another leaves. */
#define TITLE_NAME_EM      20.0
#define TITLE_NAME_MOST_EM 28.0

/* Room for this name, beside the longest of the others. */
static double name_room(const struct study_facts *f, int index)
{
    double longest = 0.0;
    struct text clean;

    text_init(&clean, 4096);
    for (size_t i = 0; i < f->count; i++) {
        text_clear(&clean);
        label_clean(&clean, f->strategy[i].name);
        if ((int)i != index)
            longest = fmax(longest, label_width(clean.data, true));
    }
    text_release(&clean);
    return fmin(TITLE_NAME_MOST_EM, fmax(TITLE_NAME_EM, 2.0 * TITLE_NAME_EM - longest));
}

struct title_words title_name(const struct study_facts *f, int index)
{
    struct title_words w;
    struct text t;

    text_init(&t, sizeof w.text - 1);
    facts_name(&t, f, (size_t)index, name_room(f, index), true);
    snprintf(w.text, sizeof w.text, "%s", t.data);
    text_release(&t);
    return w;
}

struct figure title_money(const struct study_facts *f, double value, enum figure_rounding r)
{
    return figure_money(value, f->frame->currency, r);
}

struct figure title_quantile(const struct study_facts *f, const struct fact_quantile *q)
{
    return quantile_money(q, f->frame->currency, QUANTILE_FULL);
}

struct title_words title_budget(const struct study_facts *f)
{
    struct figure amount = figure_money_exact(f->frame->budget, f->frame->currency);
    struct title_words w;

    if (f->frame->budget_uncertain)
        snprintf(w.text, sizeof w.text, "its budget (P50 %s, uncertain)", amount.text);
    else
        snprintf(w.text, sizeof w.text, "the %s budget", amount.text);
    return w;
}

struct title_words title_in_futures(double share, double n, bool at_least)
{
    struct figure futures = figure_futures(share, n, at_least ? FIGURE_DOWN : FIGURE_NEAREST);
    struct title_words w;

    snprintf(w.text, sizeof w.text, "in %s%s",
             at_least && isdigit((unsigned char)futures.text[0]) ? "at least " : "", futures.text);
    return w;
}

static struct title_words does_not_finish(const struct study_facts *f, int x)
{
    struct title_words w;

    snprintf(w.text, sizeof w.text, "%.480s does not finish", title_name(f, x).text);
    return w;
}

void title_unfinished(struct text *out, const struct study_facts *f)
{
    const struct strategy_facts *s;
    size_t with_results = 0;
    int surest = -1;

    for (size_t i = 0; i < f->count; i++) {
        if (!isfinite(f->strategy[i].unfinished_share))
            continue;
        with_results++;
        if (surest < 0 || f->strategy[i].unfinished_share < f->strategy[surest].unfinished_share)
            surest = (int)i;
    }
    if (surest < 0) {
        text_add(out, "No results");
        return;
    }
    s = &f->strategy[surest];
    if (s->unfinished <= 0.0)
        text_format(out, "The cost of %s is unknown", title_name(f, surest).text);
    else if (s->unfinished_share >= 1.0)
        text_format(out, "%s by the horizon in any of %s futures",
                    with_results > 1 ? "No strategy finishes" : does_not_finish(f, surest).text,
                    figure_count(s->worlds).text);
    else
        text_format(out, "%s%s%s is not finished %s",
                    with_results > 1 ? "No strategy is sure to finish: the surest, " : "",
                    title_name(f, surest).text, with_results > 1 ? "," : "",
                    title_in_futures(s->unfinished_share, s->worlds, false).text);
}

bool title_no_spread(struct text *out, const struct study_facts *f, int x)
{
    const struct strategy_facts *s = &f->strategy[x];

    if (s->worlds < 1.5)
        text_format(out, "%s costs %s in the one simulated future", title_name(f, x).text,
                    title_money(f, s->cost.p50.value, FIGURE_NEAREST).text);
    else if (facts_certain(&s->cost))
        text_format(out, "%s costs %s in every future", title_name(f, x).text,
                    title_money(f, s->cost.min, FIGURE_NEAREST).text);
    else
        return false;
    return true;
}

void title_level(struct text *out, const struct study_facts *f, int x)
{
    const struct fact_metric *cost = &f->strategy[x].cost;
    double p90;

    if (title_no_spread(out, f, x))
        return;
    p90 = isfinite(cost->p90.value) ? cost->p90.value : cost->p90.at_most;
    if (isfinite(p90)) {
        struct figure most = title_money(f, p90, FIGURE_UP);
        bool all = strcmp(title_money(f, cost->max, FIGURE_UP).text, most.text) == 0;
        if (all)
            text_format(out, "%s costs at most %s in all %s futures", title_name(f, x).text,
                        most.text, figure_count(f->strategy[x].worlds).text);
        else
            text_format(out, "%s: 9 in 10 futures cost at most %s", title_name(f, x).text,
                        most.text);
    } else {
        text_format(out, "%s: half of the futures cost at most %s", title_name(f, x).text,
                    title_money(f, facts_near(&cost->p50), FIGURE_UP).text);
    }
}
