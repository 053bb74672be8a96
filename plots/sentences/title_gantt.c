/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_gantt.h"

#include "plots/sentences/title_parts.h"
#include "plots/text/label.h"

void title_gantt(struct text *out, const struct study_facts *f, int strategy,
                 const struct title_gantt *of)
{
    if (of->done < of->jobs) {
        text_format(out, "In its plan world %s does %s of %s jobs in the end",
                    title_name(f, strategy).text, figure_count((double)of->done).text,
                    figure_count((double)of->jobs).text);
    } else {
        text_format(out, "In its plan world %s does all %s jobs in %s",
                    title_name(f, strategy).text, figure_count((double)of->jobs).text,
                    figure_time_words(of->end_h, figure_time_unit(of->end_h), FIGURE_UP).text);
        if (of->last != NULL) {
            text_add(out, ", '");
            label_shorten(out, of->last, 12.0, false);
            text_add(out, "' last");
        }
    }
    if (of->lost == 1) {
        text_add(out, "; one attempt lost nodes");
    } else if (of->lost > 1) {
        text_format(out, "; %s attempts lost nodes", figure_count((double)of->lost).text);
    }
}
