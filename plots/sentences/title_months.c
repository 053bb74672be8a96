/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_months.h"

#include "plots/sentences/title_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

/* What is within one in a hundred of the largest does not fall behind it. */
#define CLEARLY 0.01
#define AHEAD   0.005

static const char *of_what(bool means)
{
    return means ? "mean" : "plan world";
}

/* "93 %", "all" */
static struct figure share_of(double part, double whole)
{
    if (!(part < whole))
        return (struct figure){"all"};
    return figure_share(part / whole, 1e6);
}

static void one_month(struct text *out, const struct study_facts *f,
                      const struct title_categories *of)
{
    char name[64];

    snprintf(name, sizeof name, "%.60s", of->category[0]);
    name[0] = (char)toupper((unsigned char)name[0]);
    text_format(out, "%s are %s of what %s costs in %s (%s)", name,
                share_of(of->largest[0], of->charges[0]).text, title_name(f, f->subject).text,
                month_words(of->axis.first).text, of_what(of->means));
}

void title_months(struct text *out, const struct study_facts *f, const struct title_categories *of)
{
    struct title_words x;
    double second = -INFINITY;
    size_t most = 0;

    if (f->subject < 0) {
        title_unfinished(out, f);
        return;
    }
    x = title_name(f, f->subject);
    for (size_t i = 1; i < of->axis.count; i++)
        most = of->total[i] > of->total[most] ? i : most;
    for (size_t i = 0; i < of->axis.count; i++)
        second = i != most ? fmax(second, of->total[i]) : second;
    if (of->axis.count == 0 || !(of->total[most] > 0.0))
        text_format(out, "%s costs nothing in any month", x.text);
    else if (of->axis.count == 1)
        one_month(out, f, of);
    else if (of->total[most] * (1.0 - CLEARLY) > second)
        text_format(out, "%s costs most in %s: %s (%s), %s of it %s", x.text,
                    month_words(of->axis.first + (int)most).text,
                    title_money(f, of->total[most], FIGURE_NEAREST).text, of_what(of->means),
                    share_of(of->largest[most], of->charges[most]).text, of->category[most]);
    else
        text_format(out, "No month of %s stands out: it costs at most %s a month (%s)", x.text,
                    title_money(f, of->total[most], FIGURE_UP).text, of_what(of->means));
    if (of->later > 0.0)
        text_format(out, "; %s more falls after the plan",
                    title_money(f, of->later, FIGURE_NEAREST).text);
}

/* The month by whose end it is ahead the most. */
static size_t most_ahead(const struct title_cash *c)
{
    size_t most = 0;

    for (size_t i = 1; i < c->axis.count; i++) {
        if (c->cash[i] - c->amortised[i] > c->cash[most] - c->amortised[most])
            most = i;
    }
    return most;
}

double title_cash_lead(const struct title_cash *c)
{
    size_t most = most_ahead(c), last = c->axis.count - 1;

    if (c->axis.count == 0 || !(c->cash[last] > 0.0))
        return 0.0;
    return (c->cash[most] - c->amortised[most]) / c->cash[last];
}

void title_cash(struct text *out, const struct study_facts *f, const struct title_cash *const *of)
{
    size_t most, last;
    double lead, left;
    int x = -1;

    for (size_t i = 0; i < f->count; i++) {
        if (of[i] != NULL && f->strategy[i].stands && title_cash_lead(of[i]) > AHEAD &&
            (x < 0 || facts_near(&f->strategy[i].cost.p50) < facts_near(&f->strategy[x].cost.p50)))
            x = (int)i;
    }
    if (f->subject < 0) {
        title_unfinished(out, f);
        return;
    }
    if (x < 0) {
        text_add(out, "No strategy that finishes pays ahead of its use");
        return;
    }
    most = most_ahead(of[x]);
    last = of[x]->axis.count - 1;
    lead = of[x]->cash[most] - of[x]->amortised[most];
    left = of[x]->cash[last] - of[x]->amortised[last];
    text_format(out, "%s has paid %s ahead of its use by the end of %s (%s)", title_name(f, x).text,
                title_money(f, lead, FIGURE_NEAREST).text,
                month_words(of[x]->axis.first + (int)most).text, of_what(of[x]->means));
    if (most == last)
        return;
    if (left > AHEAD * of[x]->cash[last])
        text_format(out, ", and still %s at the end of the plan",
                    title_money(f, left, FIGURE_NEAREST).text);
    else
        text_add(out, ", and nothing at the end of the plan");
}
