/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_survival.h"

#include "plots/text/figures.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>

/* Shares of up times, most of which are estimates: in percent at the ends too. */
static struct figure percent(double share)
{
    struct figure f;

    if (share >= 1.0 || share <= 0.0)
        snprintf(f.text, sizeof f.text, "%.0f %%", share >= 1.0 ? 100.0 : 0.0);
    else
        f = figure_share(share, 1e6);
    return f;
}

void title_survival(struct text *out, const struct survival_pairs *p)
{
    const struct survival_pair *worst = NULL;
    double most = 0.0;

    for (size_t i = 0; i < p->count; i++) {
        const struct survival_pair *pair = &p->pair[i];
        most = fmax(most, pair->seen.runs);
        if (!(pair->seen.runs < TITLE_SURVIVAL_FEW) &&
            (worst == NULL || pair->apart > worst->apart))
            worst = pair;
    }
    if (worst == NULL) {
        text_format(out, "At most %s up time%s seen in a pool: too few to judge the model by",
                    figure_count(most).text, text_plural(most));
        return;
    }
    if (worst->apart <= TITLE_SURVIVAL_NEAR) {
        double points = fmax(1.0, ceil(100.0 * worst->apart - 1e-9));
        text_format(out, "%s: at most %.0f point%s apart",
                    worst->fitted ? "The fitted model follows the trace"
                                  : "Losses come about as evenly as planned with",
                    points, text_plural(points));
        return;
    }
    text_format(out, "%s of up times", percent(worst->seen_share).text);
    if (worst->zone[0] != '\0') {
        text_add(out, " in ");
        label_shorten(out, worst->zone, 14.0, true);
    }
    text_format(
        out, " last longer than %s; %s %s",
        figure_time_words(worst->at_hours, figure_time_unit(worst->at_hours), FIGURE_NEAREST).text,
        worst->fitted ? "the fitted model says" : "planning counts with",
        percent(worst->model_share).text);
}
