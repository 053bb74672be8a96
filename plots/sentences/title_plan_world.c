/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_plan_world.h"

#include "plots/sentences/title_parts.h"

#include <math.h>

#define MINUTE_H (1.0 / 60.0)

static void add_end(struct text *out, const struct study_facts *f, const struct title_plan_world *w)
{
    double deadline_h = facts_single_deadline_h(f->frame), margin_h = deadline_h - w->end_h;

    if (!w->done)
        text_add(out, " and is not finished");
    else if (!isfinite(deadline_h))
        text_format(out, " and finishes after %s",
                    figure_time_words(w->end_h, figure_time_unit(w->end_h), FIGURE_NEAREST).text);
    else if (margin_h >= 0.0 && margin_h < MINUTE_H)
        text_add(out, " and finishes just before the deadline");
    else if (margin_h >= 0.0)
        text_format(out, " and finishes %s before the deadline",
                    figure_time_words(margin_h, figure_time_unit(margin_h), FIGURE_DOWN).text);
    else
        text_format(out, " and finishes %s after the deadline",
                    figure_time_words(-margin_h, figure_time_unit(-margin_h), FIGURE_UP).text);
}

/* Failures are no interruptions. */
static void add_stops(struct text *out, const struct title_plan_world *w)
{
    if (w->losses == 1)
        text_add(out, "stopped once");
    else
        text_format(out, "stopped %s times", figure_count((double)w->losses).text);
    if (w->failures == w->losses)
        text_add(out, " by failed hardware");
    else
        text_format(out, ", %s of them by failed hardware,",
                    figure_count((double)w->failures).text);
}

void title_plan_world(struct text *out, const struct study_facts *f,
                      const struct title_plan_world *of)
{
    const struct title_plan_world *w;
    int told = facts_told(f);

    if (told < 0) {
        title_unfinished(out, f);
        return;
    }
    w = &of[told];
    text_format(out, "In its plan world %s is ", title_name(f, told).text);
    if (w->failures > 0)
        add_stops(out, w);
    else if (w->losses == 0)
        text_add(out, "never interrupted");
    else if (w->losses == 1)
        text_add(out, "interrupted once");
    else
        text_format(out, "interrupted %s times", figure_count((double)w->losses).text);
    add_end(out, f, w);
}
