/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_service.h"

#include "plots/sentences/title_parts.h"

#include <math.h>
#include <stdio.h>

#define EVEN 0.05 /* the dearest hour above the mean: less is no difference to speak of */

struct figure title_latency_figure(double s, enum figure_rounding rounding)
{
    struct figure f = {"unknown"};
    double r = figure_round(s, 3, rounding);

    if (isfinite(s) && r < 1.0)
        snprintf(f.text, sizeof f.text, "%.3g ms", figure_round(1000.0 * s, 3, rounding));
    else if (isfinite(s) && r < 100.0)
        snprintf(f.text, sizeof f.text, r < 10.0 ? "%.2f s" : "%.1f s", r);
    else if (isfinite(s))
        snprintf(f.text, sizeof f.text, "%.40s s", figure_count(r).text);
    return f;
}

struct figure title_attained(double share)
{
    struct figure f = {"unknown"};

    if (isfinite(share) && share >= 1.0)
        snprintf(f.text, sizeof f.text, "all");
    else if (isfinite(share))
        snprintf(f.text, sizeof f.text, "%.1f %%", floor(1000.0 * share + 1e-9) / 10.0);
    return f;
}

void title_demand(struct text *out, const struct study_facts *f, size_t strategy,
                  const struct service_hours *hours)
{
    text_format(out, "In its plan world %s is ", title_name(f, (int)strategy).text);
    if (!(hours->overloaded > 0.0))
        text_format(out, "never overloaded in the %.3g hours shown", hours->all);
    else if (hours->overloaded >= hours->all)
        text_format(out, "overloaded in all %.3g hours shown", hours->all);
    else if (hours->overloaded < 1.0)
        text_format(out, "overloaded in %s of the %.3g hours shown",
                    figure_time_words(hours->overloaded, TIME_MINUTES, FIGURE_NEAREST).text,
                    hours->all);
    else
        text_format(out, "overloaded in %.3g of the %.3g hours shown",
                    figure_round(hours->overloaded, 2, FIGURE_NEAREST), hours->all);
}

void title_latency(struct text *out, const struct study_facts *f, size_t strategy)
{
    const struct strategy_facts *s = &f->strategy[strategy];
    const struct title_words name = title_name(f, (int)strategy);
    const struct fact_metric *p95 = &s->latency_p95;

    if (isfinite(s->slo.mean)) {
        text_format(out, "%s answers %s %s within its objective%s", name.text,
                    title_attained(s->slo.mean).text,
                    s->slo.mean >= 1.0 ? "requests" : "of requests",
                    s->worlds < 1.5 ? " in the one simulated future" : " (mean)");
    } else if (!isfinite(p95->p90.value)) {
        text_format(out, "Latency of what %s answers in its plan world", name.text);
    } else if (s->worlds < 1.5 || facts_certain(p95)) {
        text_format(out, "%s: P95 of latency is %s in %s", name.text,
                    title_latency_figure(p95->p50.value, FIGURE_NEAREST).text,
                    s->worlds < 1.5 ? "the one simulated future" : "every future");
    } else {
        text_format(out, "%s: P95 of latency is at most %s in 9 of 10 futures", name.text,
                    title_latency_figure(p95->p90.value, FIGURE_UP).text);
    }
    if (!isfinite(s->slo.mean) && isfinite(p95->p90.value) && s->overloaded_h > 0.0)
        text_add(out, ", hours of overload included");
}

/* Of those that stand, the one that answers most within the objective; -1: none. */
static int best_of(const struct study_facts *f)
{
    int best = -1;

    for (size_t i = 0; i < f->count; i++) {
        const struct strategy_facts *s = &f->strategy[i];
        if (s->stands && isfinite(s->slo.mean) &&
            (best < 0 || s->slo.mean > f->strategy[best].slo.mean))
            best = (int)i;
    }
    return best;
}

static size_t with_objective(const struct study_facts *f)
{
    size_t count = 0;

    for (size_t i = 0; i < f->count; i++)
        count += f->strategy[i].stands && isfinite(f->strategy[i].slo.mean);
    return count;
}

void title_slo(struct text *out, const struct study_facts *f)
{
    const int x = f->subject, y = best_of(f);

    if (x < 0 || y < 0 || !isfinite(f->strategy[x].slo.mean)) {
        title_unfinished(out, f);
        return;
    }
    const struct strategy_facts *s = &f->strategy[x], *t = &f->strategy[y];
    const struct title_words name = title_name(f, x);
    const struct figure attained = title_attained(s->slo.mean);
    if (with_objective(f) == 1)
        text_format(out, "%s answers %s within its objective (mean) for %s (P50)", name.text,
                    attained.text, title_quantile(f, &s->cost.p50).text);
    else if (x == y)
        text_format(out, "%s has the lowest P50 cost and answers most within the objective: %s",
                    name.text, attained.text);
    else if (t->slo.mean - s->slo.mean < 0.001)
        text_format(out, "No strategy answers clearly more within the objective than %s: %s",
                    name.text, attained.text);
    else
        text_format(out, "%s costs least, %s with %s within the objective; %s reaches %s for %s",
                    name.text, title_quantile(f, &s->cost.p50).text, attained.text,
                    title_name(f, y).text, title_attained(t->slo.mean).text,
                    title_quantile(f, &t->cost.p50).text);
}

void title_slo_hours(struct text *out, const struct study_facts *f, size_t strategy, double worst,
                     double bucket_h)
{
    const struct title_words name = title_name(f, (int)strategy);
    const bool one = f->strategy[strategy].worlds < 1.5;

    if (!isfinite(worst)) {
        text_format(out, "Requests that %s answers within its objective", name.text);
        return;
    }
    text_add(out, "In its worst ");
    text_add(out,
             bucket_h == 1.0
                 ? "hour"
                 : figure_time_words(bucket_h, figure_time_unit(bucket_h), FIGURE_NEAREST).text);
    if (worst < 0.001) {
        text_format(out, " %s answers nothing within its objective in %s", name.text,
                    one ? "the one simulated future" : "1 of 10 futures or more");
        return;
    }
    text_format(out, " %s answers %s%s within its objective in %s", name.text,
                one || worst >= 1.0 ? "" : "at least ",
                worst >= 1.0 ? "all requests" : title_attained(worst).text,
                one ? "the one simulated future" : "9 of 10 futures");
}

void title_unit_cost(struct text *out, const struct study_facts *f, size_t strategy,
                     const struct load_curve *curve)
{
    const struct load_point *a = &curve->point[0], *b = &curve->point[curve->count - 1];
    const double quiet = figure_round(a->per_s, 2, FIGURE_NEAREST),
                 busy = figure_round(b->per_s, 2, FIGURE_NEAREST);
    const char *what = curve->tokens ? "a million tokens" : "1,000 requests";
    const struct title_words name = title_name(f, (int)strategy);
    double least = a->cost, most = a->cost;

    for (size_t k = 1; k < curve->count; k++) {
        least = fmin(least, curve->point[k].cost);
        most = fmax(most, curve->point[k].cost);
    }
    if (most <= (1.0 + EVEN) * least)
        text_format(out, "In its plan world %s pays about %s for %s from %.3g to %.3g requests/s",
                    name.text, title_money(f, 0.5 * (least + most), FIGURE_NEAREST).text, what,
                    quiet, busy);
    else
        text_format(out, "In its plan world %s pays %s for %s at %.3g requests/s, %s at %.3g",
                    name.text, title_money(f, a->cost, FIGURE_NEAREST).text, what, quiet,
                    title_money(f, b->cost, FIGURE_NEAREST).text, busy);
}

void title_week(struct text *out, const struct study_facts *f, size_t strategy,
                const double spend[TITLE_WEEK_HOURS])
{
    static const char *const days[] = {"Mondays", "Tuesdays",  "Wednesdays", "Thursdays",
                                       "Fridays", "Saturdays", "Sundays"};
    const struct title_words name = title_name(f, (int)strategy);
    double sum = 0.0, n = 0.0;
    size_t most = TITLE_WEEK_HOURS;

    for (size_t k = 0; k < TITLE_WEEK_HOURS; k++) {
        if (!isfinite(spend[k]))
            continue;
        sum += spend[k];
        n += 1.0;
        if (most == TITLE_WEEK_HOURS || spend[k] > spend[most])
            most = k;
    }
    if (!(sum > 0.0)) {
        text_format(out, "%s pays for no node in its plan world", name.text);
        return;
    }
    double above = spend[most] * n / sum;
    if (above < 1.0 + EVEN)
        text_format(out, "No hour of the week costs %s clearly more than another: at most %s",
                    name.text, title_money(f, spend[most], FIGURE_UP).text);
    else
        text_format(out, "%s pays most on %s from %zu:00 UTC: %s an hour, %.2g times its mean",
                    name.text, days[most / 24], most % 24,
                    title_money(f, spend[most], FIGURE_NEAREST).text, above);
}
