/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_break_even.h"

#include <math.h>

/* A whole percentage that is surely enough. */
static double percent_up(double share)
{
    return ceil(100.0 * share - 1e-9);
}

void title_break_even(struct text *out, const struct buy_ways *w)
{
    const struct buy_way *way = buy_ways_signed(w);

    if (!(way->above < 1.0)) {
        text_format(out, "%s never beats on-demand %s", way->name, w->type);
        return;
    }
    text_format(out, "%s beats on-demand %s when used more than %.0f %% of its term", way->name,
                w->type, percent_up(way->above));
    if (way->above_spot < 1.0)
        text_format(out, ", and spot above %.0f %%", percent_up(way->above_spot));
    else if (isfinite(way->above_spot))
        text_add(out, ", and never beats spot");
}
