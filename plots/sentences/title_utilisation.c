/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_utilisation.h"

#include "plots/sentences/title_parts.h"

/* Shares of time and nodes are no counts of worlds: they are as fine as they come. */
#define FINE 1e6

void title_utilisation(struct text *out, const struct study_facts *f, int strategy,
                       const struct title_utilisation *of)
{
    text_format(out, "In its plan world %s uses %s of its %s node%s", title_name(f, strategy).text,
                of->used > 0.0 ? figure_share(of->used, FINE).text : "nothing",
                figure_count(of->nodes).text, of->nodes > 1.0 ? "s" : "");
    if (of->waiting > 0.0)
        text_format(out, ", and jobs wait in %s of the time", figure_share(of->waiting, FINE).text);
}
