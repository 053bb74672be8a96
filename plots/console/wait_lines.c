/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/console/wait_lines.h"

#include "engine/text.h"
#include "plots/text/label.h"
#include "plots/text/terminal_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct waits {
    const struct table *t;
    int strategy, workload, metric, n, p50, at_least;
};

static bool is_row(const struct waits *w, size_t row, const char *strategy, const char *workload,
                   const char *metric)
{
    return strcmp(table_text(w->t, row, (size_t)w->strategy), strategy) == 0 &&
           strcmp(table_text(w->t, row, (size_t)w->workload), workload) == 0 &&
           strcmp(table_text(w->t, row, (size_t)w->metric), metric) == 0;
}

/* "0.7 h", ">= 3 h", "unknown" */
static struct figure wait_of(const struct waits *w, const char *strategy, const char *workload,
                             const char *metric)
{
    struct figure unknown = {"unknown"}, bound;

    for (size_t row = 0; row < table_rows(w->t); row++) {
        if (!is_row(w, row, strategy, workload, metric))
            continue;
        double hours = table_number(w->t, row, (size_t)w->p50);
        double least = table_number(w->t, row, (size_t)w->at_least);
        if (isfinite(hours))
            return hours > 0.0 ? figure_time(hours, figure_time_unit(hours), FIGURE_NEAREST)
                               : (struct figure){"0 h"};
        if (!isfinite(least))
            return unknown;
        snprintf(bound.text, sizeof bound.text, ">= %.40s",
                 figure_time(least, figure_time_unit(least), FIGURE_DOWN).text);
        return bound;
    }
    return unknown;
}

static double share_of(const struct waits *w, const char *strategy, const char *workload)
{
    for (size_t row = 0; row < table_rows(w->t); row++) {
        if (is_row(w, row, strategy, workload, "utilisation_frac"))
            return table_number(w->t, row, (size_t)w->p50);
    }
    return (double)NAN;
}

static bool add_strategy(struct text *line, const struct study_facts *f, size_t i,
                         const struct waits *w, const char *workload)
{
    const char *strategy = f->strategy[i].name;
    double share = share_of(w, strategy, workload);

    facts_name(line, f, i, 24.0, false);
    text_format(line, " %s (95 %%: %s)", wait_of(w, strategy, workload, "wait_mean_h").text,
                wait_of(w, strategy, workload, "wait_p95_h").text);
    if (isfinite(share))
        text_format(line, ", %.0f %% used", 100.0 * share);
    return !line->overflow;
}

static bool put_workload(const struct study_facts *f, const struct waits *w, const char *workload,
                         const struct terminal_style *style, FILE *out)
{
    struct text line;
    bool ok;

    text_init(&line, 65536);
    text_add(&line, "jobs of '");
    label_clean(&line, workload);
    text_add(&line,
             "' wait on average (95 % of them at most), and use of the nodes first bought, in "
             "the middle future: ");
    for (size_t i = 0; i < f->count; i++) {
        text_add(&line, i > 0 ? "; " : "");
        (void)add_strategy(&line, f, i, w, workload);
    }
    ok = terminal_paragraph(style, out, line.data);
    text_release(&line);
    return ok;
}

bool wait_lines(const struct study_facts *f, const struct table *summary,
                const struct terminal_style *style, FILE *out)
{
    const struct waits w = {.t = summary,
                            .strategy = table_find(summary, "strategy"),
                            .workload = table_find(summary, "workload"),
                            .metric = table_find(summary, "metric"),
                            .n = table_find(summary, "n"),
                            .p50 = table_find(summary, "p50"),
                            .at_least = table_find(summary, "p50_at_least")};
    bool ok = true;

    if (f->count == 0 || w.strategy < 0 || w.workload < 0 || w.metric < 0 || w.n < 0 || w.p50 < 0 ||
        w.at_least < 0)
        return true;
    for (size_t row = 0; ok && row < table_rows(summary); row++) {
        const char *workload = table_text(summary, row, (size_t)w.workload);
        if (strcmp(workload, "all") != 0 &&
            is_row(&w, row, f->strategy[0].name, workload, "jobs") &&
            table_number(summary, row, (size_t)w.n) > 0.0)
            ok = put_workload(f, &w, workload, style, out);
    }
    return ok;
}
