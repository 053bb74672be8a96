/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_sentences_plan.h"

#include "plots/sentences/report_figures.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A month, an hour stands out from here on; being ahead of use is worth a word from here on. */
#define MONTH_STANDS_OUT 1.01
#define HOUR_STANDS_OUT  1.05
#define AHEAD_SHARE      0.005

static bool is_of(const struct report_source *s, const struct table *t, size_t row, int x)
{
    return strcmp(report_cell_text(t, row, "strategy"), s->facts->strategy[x].name) == 0;
}

static double money(const struct report_source *s, const struct table *t, size_t row,
                    const char *name)
{
    char column[64];

    return report_cell_number(t, row, report_money_column(s->facts->frame, name, column));
}

static struct report_figure shown(struct report_document *r, const struct report_source *s,
                                  double value)
{
    return report_money(r->language, value, s->facts->frame->currency, FIGURE_NEAREST);
}

static struct report_figure percent(enum report_language l, double share)
{
    struct report_figure f;

    snprintf(f.text, sizeof f.text, l == REPORT_EN ? "%.0f %%" : "%.0f%%", round(100.0 * share));
    return f;
}

const char *report_sentence_nodes(struct report_document *r, const struct report_source *s, int x)
{
    double spot = 0.0, all = 0.0;

    for (size_t row = 0; s->lines != NULL && row < table_rows(s->lines); row++) {
        double hours = report_cell_number(s->lines, row, "node_h_plan");
        if (!is_of(s, s->lines, row, x) || !isfinite(hours))
            continue;
        all += hours;
        if (strcmp(report_cell_text(s->lines, row, "purchase"), "spot") == 0)
            spot += hours;
    }
    if (!(all > 0.0))
        return NULL;
    return spot > 0.0 ? REPORT_WORDS_OF(r, WORD_SAY_NODES, report_strategy_name(r, s, x),
                                        percent(r->language, spot / all).text)
                      : REPORT_WORDS_OF(r, WORD_SAY_NODES_NO_SPOT, report_strategy_name(r, s, x));
}

/* Of this month of monthly.csv what commitments cost behind the plan, and no month of it. */
static double behind_plan(const struct report_source *s, size_t month_row, int x)
{
    const struct table *t = s->charts.categories;
    const char *month = report_cell_text(s->charts.monthly, month_row, "month");
    double sum = 0.0;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        double cost = money(s, t, row, "cost_mean");
        if (is_of(s, t, row, x) && isfinite(cost) &&
            strcmp(report_cell_text(t, row, "category"), "commitments-later") == 0 &&
            strcmp(report_cell_text(t, row, "month"), month) == 0)
            sum += cost;
    }
    return sum;
}

const char *report_sentence_months(struct report_document *r, const struct report_source *s, int x)
{
    const struct table *t = s->charts.monthly;
    double most = -INFINITY, next = -INFINITY;
    size_t at = SIZE_MAX, months = 0;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        double cost;
        if (!is_of(s, t, row, x))
            continue;
        cost = money(s, t, row, "cost_mean") - behind_plan(s, row, x);
        if (!isfinite(cost))
            return NULL;
        months++;
        next = fmax(next, fmin(cost, most));
        if (cost > most) {
            most = cost;
            at = row;
        }
    }
    if (at == SIZE_MAX || !(most > 0.0))
        return NULL;
    if (months > 1 && most < MONTH_STANDS_OUT * next)
        return REPORT_WORDS_OF(
            r, WORD_SAY_MONTHS_LEVEL, report_strategy_name(r, s, x),
            report_money(r->language, most, s->facts->frame->currency, FIGURE_UP).text);
    return REPORT_WORDS_OF(r, WORD_SAY_MONTHS, report_strategy_name(r, s, x),
                           report_clean(r, report_cell_text(t, at, "month")),
                           shown(r, s, most).text);
}

const char *report_sentence_cash(struct report_document *r, const struct report_source *s, int x)
{
    const struct table *t = s->charts.monthly;
    double ahead = 0.0, most = 0.0, cash = 0.0;
    size_t at = SIZE_MAX;
    bool any = false;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        if (!is_of(s, t, row, x))
            continue;
        any = true;
        cash += money(s, t, row, "cash_mean");
        ahead += money(s, t, row, "cash_mean") - money(s, t, row, "amortised_mean");
        if (ahead > most) {
            most = ahead;
            at = row;
        }
    }
    if (!any || !isfinite(ahead) || !isfinite(cash))
        return NULL;
    if (at == SIZE_MAX || most < AHEAD_SHARE * cash)
        return REPORT_WORDS_OF(r, WORD_SAY_CASH_NEVER, report_strategy_name(r, s, x));
    return REPORT_WORDS_OF(r, WORD_SAY_CASH, report_strategy_name(r, s, x), shown(r, s, most).text,
                           report_clean(r, report_cell_text(t, at, "month")));
}

const char *report_sentence_levels(struct report_document *r, const struct report_source *s, int x)
{
    const struct table *t = s->charts.levels;
    double least = INFINITY;
    size_t at = SIZE_MAX;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        double cost = money(s, t, row, "cost_mean");
        if (is_of(s, t, row, x) && cost < least) {
            least = cost;
            at = row;
        }
    }
    if (at == SIZE_MAX)
        return NULL;
    return REPORT_WORDS_OF(r, WORD_SAY_LEVELS, report_strategy_name(r, s, x),
                           percent(r->language, report_cell_number(t, at, "level_frac")).text,
                           shown(r, s, least).text);
}

const char *report_sentence_plan_world(struct report_document *r, const struct report_source *s,
                                       int x)
{
    const struct table *t = s->charts.plan_world;
    size_t interrupted = 0, rows = 0;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        if (!is_of(s, t, row, x))
            continue;
        if (report_cell_number(t, row, "left_out") > 0.0)
            return NULL; /* not all of it is in the table */
        rows++;
        interrupted += strcmp(report_cell_text(t, row, "what"), "interrupted") == 0;
    }
    if (rows == 0)
        return NULL;
    return interrupted == 0
               ? REPORT_WORDS_OF(r, WORD_SAY_NEVER_INTERRUPTED, report_strategy_name(r, s, x))
               : REPORT_WORDS_OF(r, WORD_SAY_INTERRUPTED, report_strategy_name(r, s, x),
                                 report_count(r->language, (double)interrupted).text);
}

const char *report_sentence_gantt(struct report_document *r, const struct report_source *s, int x)
{
    const struct table *t = s->charts.jobs;
    size_t jobs = 0, done = 0;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        const char *outcome = report_cell_text(t, row, "outcome");
        if (!is_of(s, t, row, x) || strcmp(report_cell_text(t, row, "row"), "job") != 0)
            continue;
        jobs++;
        done += strcmp(outcome, "finished") == 0 || strcmp(outcome, "stopped") == 0;
    }
    if (jobs == 0)
        return NULL;
    return REPORT_WORDS_OF(r, WORD_SAY_JOBS, report_strategy_name(r, s, x),
                           report_count(r->language, (double)done).text,
                           report_count(r->language, (double)jobs).text);
}

/* Services are overloaded at the same time: their hours do not add up. */
const char *report_sentence_demand(struct report_document *r, const struct report_source *s, int x)
{
    const struct table *t = s->charts.services;
    const char *service = "", *longest = "";
    double overloaded = 0.0, most = 0.0, all = 0.0;
    size_t services = 0;
    struct report_figure time;

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        double seconds =
            report_cell_number(t, row, "end_s") - report_cell_number(t, row, "start_s");
        const char *workload = report_cell_text(t, row, "workload");
        if (!is_of(s, t, row, x) || !isfinite(seconds))
            continue;
        if (services == 0 || strcmp(workload, service) != 0) {
            services++;
            service = workload;
            overloaded = 0.0;
        }
        if (!isnan(report_cell_number(t, row, "overloaded"))) /* else not measured yet */
            all += seconds;
        if (report_cell_number(t, row, "overloaded") == 1.0)
            overloaded += seconds;
        if (overloaded > most) {
            most = overloaded;
            longest = service;
        }
    }
    if (!(all > 0.0))
        return NULL;
    if (!(most > 0.0))
        return REPORT_WORDS_OF(r, WORD_SAY_NEVER_OVERLOADED, report_strategy_name(r, s, x));
    time = report_time(r->language, most / 3600.0, figure_time_unit(most / 3600.0), FIGURE_UP);
    return services == 1
               ? REPORT_WORDS_OF(r, WORD_SAY_OVERLOADED, report_strategy_name(r, s, x), time.text)
               : REPORT_WORDS_OF(r, WORD_SAY_OVERLOADED_MOST, report_strategy_name(r, s, x),
                                 time.text, report_clean(r, longest),
                                 report_count(r->language, (double)services).text);
}

const char *report_sentence_week(struct report_document *r, const struct report_source *s, int x)
{
    const struct table *t = s->charts.hour_of_week;
    double most = -INFINITY, sum = 0.0, hours = 0.0;
    size_t at = SIZE_MAX;
    int hour;
    char clock[16];

    for (size_t row = 0; t != NULL && row < table_rows(t); row++) {
        double spend = money(s, t, row, "spend_mean");
        if (!is_of(s, t, row, x) || !isfinite(spend))
            continue;
        sum += spend;
        hours += 1.0;
        if (spend > most) {
            most = spend;
            at = row;
        }
    }
    if (at == SIZE_MAX || !(sum > 0.0))
        return NULL;
    if (most < HOUR_STANDS_OUT * sum / hours)
        return REPORT_WORDS_OF(r, WORD_SAY_WEEK_LEVEL, report_strategy_name(r, s, x));
    hour = (int)fmod(fmax(0.0, report_cell_number(t, at, "hour_of_week")), 168.0);
    snprintf(clock, sizeof clock, "%02d:00", hour % 24);
    return REPORT_WORDS_OF(r, WORD_SAY_WEEK, report_strategy_name(r, s, x),
                           report_word(r->language, (enum report_word)(WORD_MONDAY + hour / 24)),
                           clock, shown(r, s, most).text,
                           report_count(r->language, report_cell_number(t, at, "hours")).text);
}
