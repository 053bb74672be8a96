/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/console/driver_lines.h"

#include "plots/facts/table_columns.h"
#include "plots/sentences/drivers.h"
#include "plots/text/terminal_line.h"

#include <math.h>
#include <string.h>

/* What people remember. */
#define NAMED_MAX 3
/* Share of the cost below which a worth is not worth a word. */
#define LITTLE 0.01

static void add_drivers(struct text *line, const struct study_facts *f, const struct drivers *r,
                        int decimals)
{
    text_add(line, "what the cost of ");
    facts_name(line, f, (size_t)r->strategy, 40.0, false);
    text_format(line, " hangs on (its P50 where the input is low, and high; over all %s): ",
                figure_amount(r->middle, decimals, FIGURE_NEAREST).text);
    for (size_t i = 0; i < r->count && i < NAMED_MAX; i++) {
        text_add(line, i > 0 ? "; " : "");
        driver_name(line, r->driver[i].input, 60.0, false);
        text_format(line, " (%s, %s)",
                    figure_amount(r->driver[i].low, decimals, FIGURE_NEAREST).text,
                    figure_amount(r->driver[i].high, decimals, FIGURE_NEAREST).text);
    }
    if (r->all > NAMED_MAX)
        text_format(line, "; and %zu more with a clear effect", r->all - NAMED_MAX);
}

static bool put_drivers(const struct study_facts *f, const struct table *t, int decimals,
                        const struct terminal_style *style, FILE *out, struct diagnostics *d)
{
    struct drivers r;
    struct text line;
    bool ok;

    if (!drivers_read(&r, f, t, d))
        return !diagnostics_failed(d);
    if (r.count == 0)
        return true;
    text_init(&line, 65536);
    add_drivers(&line, f, &r, decimals);
    ok = terminal_paragraph(style, out, line.data);
    text_release(&line);
    return ok;
}

enum { INPUT, METRIC, VALUE, LOW, HIGH, COLUMNS };

/* P50 of the cost of the subject, against which a worth is little or not; NaN: nobody stands. */
static double scale_of(const struct study_facts *f)
{
    return f->subject < 0 ? (double)NAN : facts_near(&f->strategy[f->subject].cost.p50);
}

/* "all" is worth little, and so then is every input. */
static bool hardly_worth(const struct study_facts *f, const struct table *t, const int *c)
{
    return strcmp(table_text(t, 0, (size_t)c[INPUT]), "all") == 0 &&
           table_number(t, 0, (size_t)c[HIGH]) < LITTLE * scale_of(f);
}

static void add_worth(struct text *line, const struct table *t, size_t row, const int *c,
                      int decimals)
{
    text_format(
        line, " %s (%s to %s)",
        figure_amount(table_number(t, row, (size_t)c[VALUE]), decimals, FIGURE_NEAREST).text,
        figure_amount(table_number(t, row, (size_t)c[LOW]), decimals, FIGURE_DOWN).text,
        figure_amount(table_number(t, row, (size_t)c[HIGH]), decimals, FIGURE_UP).text);
}

static bool put_worth(const struct study_facts *f, const struct table *t, int decimals,
                      const struct terminal_style *style, FILE *out, struct diagnostics *d)
{
    static const char *const names[COLUMNS] = {"input", "metric", "value", "value_low",
                                               "value_high"};
    struct text line;
    size_t named = 0;
    int c[COLUMNS];
    bool ok;

    if (t == NULL || table_rows(t) == 0)
        return true;
    if (!table_columns_needed(c, t, names, COLUMNS, d))
        return false;
    text_init(&line, 65536);
    if (hardly_worth(f, t, c)) {
        text_format(&line,
                    "knowing everything before choosing among the strategies that finish in every "
                    "future would save less than %.0f %% of the cost: what is uncertain hardly "
                    "changes which is best on average",
                    100.0 * LITTLE);
        named = 1;
    }
    for (size_t row = 0; row < table_rows(t) && !hardly_worth(f, t, c); row++) {
        const char *input = table_text(t, row, (size_t)c[INPUT]);
        if (strcmp(table_text(t, row, (size_t)c[METRIC]), f->frame->cost_metric) != 0 ||
            !(table_number(t, row, (size_t)c[LOW]) > 0.0) || named == NAMED_MAX)
            continue;
        text_add(&line, named++ > 0 ? "; "
                                    : "worth knowing before the choice, in mean cost (95 %):"
                                      " ");
        if (strcmp(input, "all") == 0)
            text_add(&line, "everything");
        else
            driver_name(&line, input, 60.0, false);
        add_worth(&line, t, row, c, decimals);
    }
    ok = named == 0 || terminal_paragraph(style, out, line.data);
    text_release(&line);
    return ok;
}

bool driver_lines(const struct study_facts *f, const struct table *sensitivity,
                  const struct table *information, int decimals, const struct terminal_style *style,
                  FILE *out, struct diagnostics *d)
{
    return put_drivers(f, sensitivity, decimals, style, out, d) &&
           put_worth(f, information, decimals, style, out, d);
}
