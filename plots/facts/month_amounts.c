/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/month_amounts.h"

#include "engine/civil_time.h"
#include "plots/facts/table_columns.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

int month_number(const char *text)
{
    int year = 0, month;

    for (size_t i = 0; i < 7; i++) {
        if (i == 4 ? text[i] != '-' : !isdigit((unsigned char)text[i]))
            return -1;
    }
    if (text[7] != '\0')
        return -1;
    for (size_t i = 0; i < 4; i++)
        year = 10 * year + text[i] - '0';
    month = 10 * (text[5] - '0') + text[6] - '0';
    return month >= 1 && month <= 12 ? 12 * year + month - 1 : -1;
}

const char *month_name(int month)
{
    return names[month % 12];
}

struct figure month_words(int month)
{
    struct figure f;

    snprintf(f.text, sizeof f.text, "%s %d", month_name(month), month / 12);
    return f;
}

int month_of_plan_end(const struct chart_frame *frame)
{
    struct civil c = civil_from_unix(frame->start_unix_s + (int64_t)ceil(frame->horizon_s) - 1);

    return 12 * c.year + c.month - 1;
}

bool month_source_open(struct month_source *s, const struct table *t, const char *measure,
                       const char *cost_metric, struct diagnostics *d)
{
    const char *suffix = strrchr(cost_metric, '_');
    char mean[64], plan[64];

    snprintf(mean, sizeof mean, "%.24s_mean%.24s", measure, suffix == NULL ? "" : suffix);
    snprintf(plan, sizeof plan, "%.24s_plan%.24s", measure, suffix == NULL ? "" : suffix);
    *s = (struct month_source){.table = t,
                               .measure = measure,
                               .cost_metric = cost_metric,
                               .category = table_find(t, "category")};
    s->strategy = table_column_needed(t, "strategy", d);
    s->month = s->strategy < 0 ? -1 : table_column_needed(t, "month", d);
    s->mean = s->month < 0 ? -1 : table_column_needed(t, mean, d);
    s->plan = s->mean < 0 ? -1 : table_column_needed(t, plan, d);
    return s->plan >= 0;
}

static bool is_of(const struct month_source *s, size_t row, const char *strategy)
{
    return strcmp(table_text(s->table, row, (size_t)s->strategy), strategy) == 0;
}

static const char *category_of(const struct month_source *s, size_t row)
{
    return s->category < 0 ? "" : table_text(s->table, row, (size_t)s->category);
}

static double amount(const struct month_source *s, size_t row, bool means)
{
    double x = table_number(s->table, row, (size_t)(means ? s->mean : s->plan));

    return isfinite(x) ? x : 0.0;
}

bool month_source_has_means(const struct month_source *s, const char *strategy)
{
    for (size_t row = 0; row < table_rows(s->table); row++) {
        if (is_of(s, row, strategy) && table_missing(s->table, row, (size_t)s->mean))
            return false;
    }
    return true;
}

void month_source_axis(const struct month_source *s, const char *strategy, const char *but,
                       bool means, int last_of_plan, struct month_axis *axis)
{
    for (size_t row = 0; row < table_rows(s->table); row++) {
        int month = month_number(table_text(s->table, row, (size_t)s->month));
        double x = is_of(s, row, strategy) ? amount(s, row, means) : 0.0;
        int last = axis->first + (int)axis->count - 1;
        if (month < 0 || month > last_of_plan || !(fabs(x) > 0.0) ||
            (but != NULL && strcmp(category_of(s, row), but) == 0))
            continue;
        if (axis->count == 0)
            *axis = (struct month_axis){month, 1};
        else if (month < axis->first && last - month < MONTH_BARS_MAX)
            *axis = (struct month_axis){month, (size_t)(last - month + 1)};
        else if (month > last && month - axis->first < MONTH_BARS_MAX)
            axis->count = (size_t)(month - axis->first + 1);
    }
}

void month_source_add(const struct month_source *s, const char *strategy, const char *category,
                      bool means, const struct month_axis *axis, struct month_values *v)
{
    for (size_t row = 0; row < table_rows(s->table); row++) {
        int at = month_number(table_text(s->table, row, (size_t)s->month)) - axis->first;
        if (is_of(s, row, strategy) && at >= 0 && (size_t)at < axis->count &&
            (category == NULL || strcmp(category_of(s, row), category) == 0))
            v->value[at] += amount(s, row, means);
    }
}

double month_source_behind(const struct month_source *s, const char *strategy, const char *later,
                           bool means, int last)
{
    double sum = 0.0;

    for (size_t row = 0; row < table_rows(s->table); row++) {
        int month = month_number(table_text(s->table, row, (size_t)s->month));
        if (is_of(s, row, strategy) && (month > last || strcmp(category_of(s, row), later) == 0))
            sum += amount(s, row, means);
    }
    return sum;
}
