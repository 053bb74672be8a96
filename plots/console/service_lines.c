/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/console/service_lines.h"

#include "plots/facts/service_course.h"
#include "plots/facts/table_columns.h"
#include "plots/text/figures.h"
#include "plots/text/label.h"
#include "plots/text/terminal_line.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES_MAX = 6 };

struct overload {
    const char *strategy, *workload;
    struct service_hours hours;
};

/* Rows of one service under one strategy follow each other. */
static bool same(const struct table *t, size_t row, const int *c, const struct overload *o)
{
    return o->strategy != NULL && strcmp(table_text(t, row, (size_t)c[0]), o->strategy) == 0 &&
           strcmp(table_text(t, row, (size_t)c[1]), o->workload) == 0;
}

static bool write_one(const struct overload *o, const struct terminal_style *style, FILE *out,
                      size_t *named)
{
    struct text line;
    char all[32];
    bool ok = true;

    if (!(o->hours.overloaded > 0.0) || ++*named > LINES_MAX)
        return true;
    text_init(&line, 4096);
    label_clean(&line, o->strategy);
    text_add(&line, ": '");
    label_clean(&line, o->workload);
    snprintf(all, sizeof all, "%.5g", o->hours.all);
    text_add(&line, "' is overloaded in ");
    if (o->hours.overloaded < 1.0)
        text_add(&line, figure_time_words(o->hours.overloaded, TIME_MINUTES, FIGURE_NEAREST).text);
    else
        text_format(&line, "%.3g", figure_round(o->hours.overloaded, 2, FIGURE_NEAREST));
    text_format(&line, " of %s %s of the plan world", all,
                strcmp(all, "1") == 0 ? "hour" : "hours");
    ok = terminal_line(style, out, line.data);
    text_release(&line);
    return ok;
}

bool service_lines(const struct table *t, const struct terminal_style *style, FILE *out,
                   struct diagnostics *d)
{
    static const char *const names[] = {"strategy", "workload", "start_s", "end_s", "overloaded"};
    struct overload now = {NULL, NULL, {0.0, 0.0}};
    size_t named = 0;
    bool ok = true;
    int c[5];

    if (t == NULL || table_rows(t) == 0)
        return true;
    if (!table_columns_needed(c, t, names, 5, d))
        return false;
    for (size_t row = 0; row < table_rows(t) && ok; row++) {
        if (!same(t, row, c, &now)) {
            ok = now.strategy == NULL || write_one(&now, style, out, &named);
            now = (struct overload){
                table_text(t, row, (size_t)c[0]), table_text(t, row, (size_t)c[1]), {0.0, 0.0}};
        }
        double hours =
            (table_number(t, row, (size_t)c[3]) - table_number(t, row, (size_t)c[2])) / 3600.0;
        double overloaded = table_number(t, row, (size_t)c[4]); /* missing: not measured yet */
        now.hours.all += isnan(overloaded) ? 0.0 : hours;
        now.hours.overloaded += overloaded > 0.0 ? hours : 0.0;
    }
    ok = ok && write_one(&now, style, out, &named);
    if (ok && named > LINES_MAX) {
        struct text line;
        text_init(&line, 256);
        text_format(&line, "and %zu more that are overloaded at times", named - LINES_MAX);
        ok = terminal_line(style, out, line.data);
        text_release(&line);
    }
    return ok && (named == 0 ||
                  terminal_line(style, out,
                                "overloaded: more comes than can be served; the latency of such "
                                "hours is of no steady state (services.csv)"));
}
