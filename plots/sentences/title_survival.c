/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_survival.h"

#include "plots/text/figures.h"
#include "plots/text/label.h"

#include <math.h>

void title_survival(struct text *out, const struct survival_pairs *p)
{
    const struct survival_pair *worst = &p->pair[0];

    for (size_t i = 1; i < p->count; i++)
        worst = p->pair[i].apart > worst->apart ? &p->pair[i] : worst;
    if (worst->apart <= TITLE_SURVIVAL_NEAR) {
        double points = fmax(1.0, ceil(100.0 * worst->apart - 1e-9));
        text_format(out, "%s: at most %.0f point%s apart",
                    worst->fitted ? "The fitted model follows the trace"
                                  : "Losses come about as evenly as planned with",
                    points, text_plural(points));
        return;
    }
    text_format(out, "%s of up times", figure_share(worst->seen_share, 1e6).text);
    if (worst->zone[0] != '\0') {
        text_add(out, " in ");
        label_shorten(out, worst->zone, 14.0, true);
    }
    text_format(
        out, " last longer than %s; %s %s",
        figure_time_words(worst->at_hours, figure_time_unit(worst->at_hours), FIGURE_NEAREST).text,
        worst->fitted ? "the fitted model says" : "planning counts with",
        figure_share(worst->model_share, 1e6).text);
}
