/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_signing.h"

#include "plots/report/report_choice.h"
#include "plots/sentences/report_figures.h"

#include <math.h>
#include <string.h>

#define ROUNDING     1e-6
#define WORTH_SAYING 1.0 /* in the currency of the report */

/* Rows of one commitment of the strategy that obliges to pay. */
static bool is_signed(const struct report_source *s, size_t row, int strategy)
{
    const struct table *t = s->commitments;

    return strcmp(report_cell_text(t, row, "strategy"), s->facts->strategy[strategy].name) == 0 &&
           isfinite(report_cell_number(t, row, "commitment"));
}

static int64_t instant(const struct table *t, size_t row, const char *column)
{
    int k = table_find(t, column);

    return k < 0 ? COLUMN_MISSING_INTEGER : table_integer(t, row, (size_t)k);
}

static double amount(const struct report_source *s, size_t row)
{
    char column[64];

    return report_cell_number(s->commitments, row,
                              report_money_column(s->facts->frame, "signed", column));
}

void report_signing_read(struct report_signing *g, const struct report_source *s, int strategy)
{
    *g = (struct report_signing){.by_unix_s = INT64_MAX, .until_unix_s = INT64_MIN};
    for (size_t row = 0; s->commitments != NULL && row < table_rows(s->commitments); row++) {
        int64_t start, end;
        if (!is_signed(s, row, strategy))
            continue;
        if (g->count++ == 0)
            g->first_row = row;
        g->signed_amount += amount(s, row);
        start = instant(s->commitments, row, "start");
        end = instant(s->commitments, row, "end");
        if (start != COLUMN_MISSING_INTEGER && start < g->by_unix_s)
            g->by_unix_s = start;
        if (end != COLUMN_MISSING_INTEGER && end > g->until_unix_s)
            g->until_unix_s = end;
    }
}

void report_signing_lead(struct report_document *r, const struct report_source *s, int strategy,
                         const struct report_signing *g)
{
    enum report_language l = r->language;
    const struct chart_frame *frame = s->facts->frame;
    const char *name = report_strategy_name(r, s, strategy);
    const char *what;

    if (g->count == 0) {
        bool obliged = s->facts->strategy[strategy].obligation > 0.0;
        if (obliged)
            REPORT_ADD(r, REPORT_LEAD, WORD_LEAD_OBLIGED, name,
                       report_money(l, s->facts->strategy[strategy].obligation, frame->currency,
                                    FIGURE_NEAREST)
                           .text,
                       report_date(l, frame->start_unix_s).text);
        else
            REPORT_ADD(r, REPORT_LEAD, WORD_LEAD_APPROVE, name,
                       report_date(l, frame->start_unix_s).text);
        return;
    }
    what = g->count == 1
               ? report_clean(r, report_cell_text(s->commitments, g->first_row, "name"))
               : REPORT_WORDS_OF(r, WORD_COMMITMENTS, report_count(l, (double)g->count).text);
    if (g->by_unix_s == INT64_MAX || g->until_unix_s == INT64_MIN)
        REPORT_ADD(r, REPORT_LEAD, WORD_LEAD_SIGN_UNDATED, what,
                   report_money(l, g->signed_amount, frame->currency, FIGURE_NEAREST).text, name);
    else
        REPORT_ADD(r, REPORT_LEAD, WORD_LEAD_SIGN, what, report_date(l, g->by_unix_s).text,
                   report_money(l, g->signed_amount, frame->currency, FIGURE_NEAREST).text,
                   report_date(l, g->until_unix_s).text, name);
}

/* Signed, less what use, idleness and the time after the plan make of it; NaN: not known. What is
 * signed is the mean obligation: a purchase that a cancelled project never makes obliges to nothing
 * in that world. */
static double reused(const struct report_source *s, int strategy)
{
    const struct chart_frame *frame = s->facts->frame;
    static const char *const parts[] = {"used_mean", "unused_mean", "later_mean"};
    struct report_signing all;
    double rest;

    report_signing_read(&all, s, strategy);
    if (all.count == 0 || frame->obligation_metric == NULL)
        return NAN;
    rest = report_quantile_of(s, strategy, frame->obligation_metric, "mean").value;
    if (!(rest <= all.signed_amount * (1.0 + ROUNDING)))
        return NAN;
    for (size_t row = 0; row < table_rows(s->commitments); row++) {
        for (size_t k = 0; is_signed(s, row, strategy) && k < 3; k++) {
            char column[64];
            rest -= report_cell_number(s->commitments, row,
                                       report_money_column(frame, parts[k], column));
        }
    }
    return rest;
}

void report_signing_reuse(struct report_document *r, const struct report_source *s, int strategy)
{
    const struct fact_difference *d = &s->facts->strategy[strategy].cost_difference;
    const char *currency = s->facts->frame->currency;
    double amount_reused = reused(s, strategy);
    struct report_figure figure;

    if (!(amount_reused >= WORTH_SAYING))
        return;
    figure = report_money(r->language, amount_reused, currency, FIGURE_NEAREST);
    if (strategy != s->facts->baseline && d->relation == FACT_LESS && amount_reused > -d->mean)
        REPORT_ADD(r, REPORT_TEXT, WORD_REUSE_DECIDES, figure.text,
                   report_money(r->language, -d->mean, currency, FIGURE_NEAREST).text,
                   report_strategy_name(r, s, s->facts->baseline));
    else
        REPORT_ADD(r, REPORT_TEXT, WORD_REUSE, figure.text);
}

static void set_date(struct report_document *r, struct report_block *grid, size_t column,
                     int64_t unix_s)
{
    report_set(r, grid, column,
               unix_s == COLUMN_MISSING_INTEGER ? "" : report_date(r->language, unix_s).text, NAN);
}

void report_signing_grid(struct report_document *r, const struct report_source *s, int strategy,
                         const struct report_signing *g)
{
    const enum report_word head[] = {WORD_SIGN_WHAT, WORD_SIGN_BY, WORD_SIGN_UNTIL,
                                     WORD_SIGN_AMOUNT};
    struct report_block *grid;

    if (g->count < 2)
        return;
    grid = report_add_grid(r, head, 4);
    if (grid != NULL)
        grid->right[3] = true;
    for (size_t row = g->first_row; row < table_rows(s->commitments); row++) {
        double pays;
        if (!is_signed(s, row, strategy) || !report_add_row(r, grid))
            continue;
        pays = amount(s, row);
        report_set(r, grid, 0, report_clean(r, report_cell_text(s->commitments, row, "name")), NAN);
        set_date(r, grid, 1, instant(s->commitments, row, "start"));
        set_date(r, grid, 2, instant(s->commitments, row, "end"));
        report_set(r, grid, 3,
                   report_money(r->language, pays, s->facts->frame->currency, FIGURE_NEAREST).text,
                   pays);
    }
}
