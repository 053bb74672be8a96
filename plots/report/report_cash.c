/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_cash.h"

#include "plots/sentences/report_figures.h"

#include <math.h>
#include <string.h>

#define QUARTERS_SHOWN   16
#define STRATEGIES_SHOWN 10
#define ROUNDING         1e-6
#define NO_MONEY         1e-6 /* what rounding leaves of a sum */

static double cash(const struct report_source *s, size_t row, const char *which)
{
    char column[64];

    double value =
        report_cell_number(s->quarters, row, report_money_column(s->facts->frame, which, column));

    return fabs(value) < NO_MONEY ? 0.0 : value;
}

static void set_money(struct report_document *r, const struct report_source *s,
                      struct report_block *grid, size_t column, double value)
{
    report_set(r, grid, column,
               report_money(r->language, value, s->facts->frame->currency, FIGURE_NEAREST).text,
               value);
}

static const char *quarter_name(struct report_document *r, const struct report_source *s,
                                size_t row)
{
    const char *first = report_cell_text(s->quarters, row, "first_month");
    const char *last = report_cell_text(s->quarters, row, "last_month");

    return REPORT_WORDS_OF(r, strcmp(first, last) == 0 ? WORD_QUARTER_ONE_MONTH : WORD_QUARTER,
                           report_clean(r, report_cell_text(s->quarters, row, "quarter")),
                           report_clean(r, first), report_clean(r, last));
}

/* What is paid above the budget: what is left of it, below zero. */
static struct report_figure beyond(enum report_language l, double total,
                                   const struct chart_frame *frame)
{
    const double least = -frame->budget;

    return report_money_rest(l, least, true, -total, frame->currency);
}

/* The whole against the budget. Cash is what is paid inside the plan; the budget counts all cost.
 */
static void add_total(struct report_document *r, const struct report_source *s, double total,
                      bool known)
{
    const struct chart_frame *frame = s->facts->frame;
    enum report_language l = r->language;
    struct report_figure paid = report_money(l, total, frame->currency, FIGURE_NEAREST);
    struct report_figure budget = report_money_exact(l, frame->budget, frame->currency);

    if (!known)
        REPORT_ADD(r, REPORT_TEXT, WORD_CASH_UNKNOWN, NULL);
    else if (!isfinite(frame->budget))
        REPORT_ADD(r, REPORT_TEXT, WORD_CASH_NO_BUDGET, paid.text);
    else if (total <= frame->budget)
        REPORT_ADD(r, REPORT_TEXT, WORD_CASH_WITHIN, paid.text, budget.text,
                   report_money_rest(l, frame->budget, true, total, frame->currency).text);
    else
        REPORT_ADD(r, REPORT_TEXT, WORD_CASH_BEYOND, paid.text, budget.text,
                   beyond(l, total, frame).text);
}

static void of_one(struct report_document *r, const struct report_source *s, int strategy)
{
    const struct chart_frame *frame = s->facts->frame;
    const enum report_word head[] = {WORD_QUARTER_HEAD, WORD_CASH_MEAN, WORD_CASH_P10,
                                     WORD_CASH_P90,     WORD_CASH_SUM,  WORD_CASH_LEFT};
    bool budget = isfinite(frame->budget);
    struct report_block *grid = report_add_grid(r, head, budget ? 6 : 5);
    double sum = 0.0;
    size_t rows = 0, more = 0;

    for (size_t i = 1; grid != NULL && i < grid->columns; i++)
        grid->right[i] = true;
    for (size_t row = 0; row < table_rows(s->quarters); row++) {
        if (strcmp(report_cell_text(s->quarters, row, "strategy"),
                   s->facts->strategy[strategy].name) != 0)
            continue;
        sum += cash(s, row, "cash_mean");
        if (rows++ >= QUARTERS_SHOWN) {
            more++;
            continue;
        }
        if (!report_add_row(r, grid))
            return;
        report_set(r, grid, 0, quarter_name(r, s, row), NAN);
        set_money(r, s, grid, 1, cash(s, row, "cash_mean"));
        set_money(r, s, grid, 2, cash(s, row, "cash_p10"));
        set_money(r, s, grid, 3, cash(s, row, "cash_p90"));
        set_money(r, s, grid, 4, sum);
        if (budget)
            report_set(
                r, grid, 5,
                report_money_rest(r->language, frame->budget, true, sum, frame->currency).text,
                frame->budget - sum);
    }
    if (more > 0)
        REPORT_ADD(r, REPORT_NOTE, WORD_MORE_QUARTERS,
                   report_count(r->language, (double)more).text);
    add_total(r, s, sum, rows > 0 && isfinite(sum));
    if (budget && frame->budget_uncertain)
        REPORT_ADD(r, REPORT_NOTE, WORD_BUDGET_MEDIAN, NULL);
    REPORT_ADD(r, REPORT_NOTE, WORD_CASH_NOTE, NULL);
}

/* One row a strategy and quarter would be long: the total cash of each. */
static void of_all(struct report_document *r, const struct report_source *s)
{
    const enum report_word head[] = {WORD_STRATEGY, WORD_CASH_FIRST, WORD_CASH_TOTAL};
    struct report_block *grid = report_add_grid(r, head, 3);

    for (size_t i = 1; grid != NULL && i < grid->columns; i++)
        grid->right[i] = true;
    for (size_t i = 0; i < s->facts->count && i < STRATEGIES_SHOWN; i++) {
        double first = NAN, sum = 0.0;
        size_t rows = 0;
        for (size_t row = 0; row < table_rows(s->quarters); row++) {
            if (strcmp(report_cell_text(s->quarters, row, "strategy"),
                       s->facts->strategy[i].name) != 0)
                continue;
            if (rows++ == 0)
                first = cash(s, row, "cash_mean");
            sum += cash(s, row, "cash_mean");
        }
        if (rows == 0 || !report_add_row(r, grid))
            continue;
        report_set(r, grid, 0, report_strategy_name(r, s, (int)i), NAN);
        set_money(r, s, grid, 1, first);
        set_money(r, s, grid, 2, sum);
    }
    REPORT_ADD(r, REPORT_NOTE, WORD_CASH_NOTE, NULL);
}

void report_cash_above_cost(struct report_document *r, const struct report_source *s, int strategy)
{
    const struct chart_frame *frame = s->facts->frame;
    struct fact_quantile p80 = report_quantile_of(s, strategy, frame->cost_metric, "p80");
    double sum = 0.0;

    for (size_t row = 0; s->quarters != NULL && row < table_rows(s->quarters); row++) {
        if (strcmp(report_cell_text(s->quarters, row, "strategy"),
                   s->facts->strategy[strategy].name) == 0)
            sum += cash(s, row, "cash_mean");
    }
    if (isfinite(sum) && isfinite(p80.value) && sum > p80.value * (1.0 + ROUNDING) + NO_MONEY)
        REPORT_ADD(r, REPORT_TEXT, WORD_CASH_ABOVE_COST,
                   report_money(r->language, sum, frame->currency, FIGURE_UP).text,
                   report_quantile(r->language, &p80, frame->currency).text);
}

void report_cash(struct report_document *r, const struct report_source *s, int strategy)
{
    REPORT_ADD(r, REPORT_HEADING, WORD_CASH_HEADING, NULL);
    if (s->quarters == NULL || table_rows(s->quarters) == 0)
        REPORT_ADD(r, REPORT_TEXT, WORD_CASH_NONE, NULL);
    else if (strategy >= 0)
        of_one(r, s, strategy);
    else
        of_all(r, s);
}
