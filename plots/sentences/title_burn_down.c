/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_burn_down.h"

#include "plots/sentences/title_parts.h"
#include "plots/text/ticks.h"

#include <stdio.h>

/* The first bucket in which a quantile is above the budget; count: none. */
static size_t first_above(const double *quantile, size_t count, double budget)
{
    size_t k = 0;

    while (k < count && !(quantile[k] > budget))
        k++;
    return k;
}

void title_burn_down(struct text *out, const struct study_facts *f, size_t strategy,
                     const struct time_course *spend)
{
    const double budget = f->frame->budget;
    const struct title_words name = title_name(f, (int)strategy);
    size_t half = first_above(spend->p50, spend->count, budget);
    size_t tenth = first_above(spend->p90, spend->count, budget);
    size_t k = half < spend->count ? half : tenth;

    if (!f->strategy[strategy].stands) {
        title_unfinished(out, f);
        return;
    }
    const bool one = f->strategy[strategy].worlds < 1.5;
    char share[40];
    if (one)
        snprintf(share, sizeof share, "the one simulated future");
    else
        snprintf(share, sizeof share, "%s of 10 futures",
                 k == spend->count     ? "9"
                 : half < spend->count ? "5"
                                       : "1");
    if (k < spend->count) {
        int64_t end = f->frame->start_unix_s + (int64_t)spend->end_s[k];
        text_format(out, "In %s %s has used up %s by %s", share, name.text, title_budget(f).text,
                    ticks_date_words(end, true).text);
        return;
    }
    text_format(out, "%s leaves%s %s of %s in %s", name.text, one ? "" : " at least",
                title_money(f, budget - spend->p90[spend->count - 1], FIGURE_DOWN).text,
                title_budget(f).text, share);
}
