/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/bare_value.h"

#include "engine/csv_writer.h"
#include "engine/text.h"
#include "scenarios/study/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Columns of summary.csv before the first value. */
#define FIRST_VALUE "mean"

static const struct place option = {"--print", 0, 0};

/* "cost_usd" and "p90" of "cost_usd.p90"; false without a point. */
static bool split(struct command *c, const char *text, const char **metric, const char **column)
{
    const char *dot = strrchr(text, '.');
    *metric = dot == NULL ? NULL : arena_copy(c->arena, text, (size_t)(dot - text));
    *column = dot == NULL ? NULL : dot + 1;
    return *metric != NULL;
}

/* "cost_usd" for "cost"; else the nearest word, or NULL. */
static const char *suggest(const char *word, const char *const *known, size_t count)
{
    size_t length = strlen(word);
    for (size_t i = 0; i < count; i++) {
        if (length > 2 && strncmp(known[i], word, length) == 0 && known[i][length] == '_') {
            return known[i];
        }
    }
    return text_suggest(word, known, count);
}

static void refuse(struct command *c, const char *what, const char *word, const char *const *known,
                   size_t count)
{
    const char *near = suggest(word, known, count);
    struct text all;
    text_init(&all, 1000);
    for (size_t i = 0; i < count; i++) {
        text_format(&all, "%s%s", i == 0 ? "" : ", ", known[i]);
    }
    if (near != NULL) {
        diagnostics_add(c->d, DIAGNOSTIC_ERROR, option, "unknown %s '%s'; did you mean '%s'?", what,
                        word, near);
    } else {
        diagnostics_add(c->d, DIAGNOSTIC_ERROR, option, "unknown %s '%s'; expected one of %s", what,
                        word, all.data);
    }
    text_release(&all);
}

static bool is_among(const char *word, const char *const *known, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(known[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static void check_metric(struct command *c, const struct study *s, const char *metric)
{
    const char *names[2 * METRIC_COUNT];
    const struct report_currency *report = &s->scenario->report;
    size_t count = METRIC_COUNT;
    for (int m = 0; m < METRIC_COUNT; m++) {
        char name[64];
        names[m] =
            arena_string(c->arena, metric_column((enum metric)m, s->scenario->currency, name));
        const char *converted = names[m];
        if (metric_table[m].kind == METRIC_MONEY && report->given) {
            converted = arena_string(c->arena, metric_column((enum metric)m, report->code, name));
            names[count++] = converted;
        }
        if (names[m] == NULL || converted == NULL) {
            command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
            return;
        }
    }
    if (!is_among(metric, names, count)) {
        refuse(c, "metric", metric, names, count);
    }
}

static void check_column(struct command *c, const struct study *s, const char *column)
{
    struct result_table_layout layout;
    const char **names = NULL;
    if (result_table_layout("summary", s->scenario->currency, c->arena, &layout)) {
        names = arena_array(c->arena, layout.count, sizeof *names);
    }
    if (names == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < layout.count; i++) {
        if (count > 0 || strcmp(layout.columns[i].name, FIRST_VALUE) == 0) {
            names[count++] = layout.columns[i].name;
        }
    }
    if (!is_among(column, names, count)) {
        refuse(c, "quantile", column, names, count);
    }
}

bool bare_value_check(struct command *c, const struct study *s)
{
    const char *text = c->arguments->value[OPTION_PRINT];
    const char *metric, *column;
    if (text == NULL) {
        return true;
    }
    if (c->arguments->value[OPTION_FORMAT] != NULL) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "options '--print' and '--format' exclude each other; drop one");
    }
    if (!split(c, text, &metric, &column)) {
        diagnostics_add(c->d, DIAGNOSTIC_ERROR, option,
                        "'%s' will not do; expected METRIC.QUANTILE such as cost_usd.p90", text);
        return false;
    }
    check_metric(c, s, metric);
    check_column(c, s, column);
    if (s->strategy_count != 1) {
        diagnostics_add(c->d, DIAGNOSTIC_ERROR, option,
                        "%zu strategies have %zu values; name one with --strategy",
                        s->strategy_count, s->strategy_count);
    }
    return !diagnostics_failed(c->d);
}

static size_t find_row(const struct table *t, const char *metric)
{
    int workload = table_find(t, "workload"), name = table_find(t, "metric");
    for (size_t row = 0; row < table_rows(t); row++) {
        if (strcmp(table_text(t, row, (size_t)workload), "all") == 0 &&
            strcmp(table_text(t, row, (size_t)name), metric) == 0) {
            return row;
        }
    }
    return SIZE_MAX;
}

/* The bound of an unknown quantile in column p90_SUFFIX, as " WORDS 12.5"; "" when there is none.
 */
static const char *bound(struct command *c, const struct table *t, size_t row, const char *column,
                         const char *suffix, const char *words)
{
    const char *name = arena_format(c->arena, "%s_%s", column, suffix);
    int index = name == NULL ? -1 : table_find(t, name);
    const char *text = "";
    if (index >= 0 && !table_missing(t, row, (size_t)index)) {
        text = arena_format(c->arena, ", %s %.9g", words, table_number(t, row, (size_t)index));
    }
    return text == NULL ? "" : text;
}

static void tell_unknown(struct command *c, const struct table *t, size_t row, const char *column)
{
    int64_t censored = table_integer(t, row, (size_t)table_find(t, "censored"));
    if (censored == 0) {
        command_complain(c, DIAGNOSTIC_FAILURE, "'%s' is unknown: there are too few worlds",
                         c->arguments->value[OPTION_PRINT]);
        return;
    }
    command_complain(c, DIAGNOSTIC_FAILURE,
                     "'%s' is unknown%s%s: the work was cut off at the horizon in %lld world%s",
                     c->arguments->value[OPTION_PRINT],
                     bound(c, t, row, column, "at_least", "at least"),
                     bound(c, t, row, column, "at_most", "at most"), (long long)censored,
                     text_plural((double)censored));
}

void bare_value_print(struct command *c, const struct table *summary)
{
    const char *metric, *column;
    if (!split(c, c->arguments->value[OPTION_PRINT], &metric, &column)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return;
    }
    size_t row = find_row(summary, metric);
    size_t cell = (size_t)table_find(summary, column);
    if (row == SIZE_MAX) {
        command_complain(c, DIAGNOSTIC_FAILURE,
                         "there is no '%s' in this scenario: it exists in none of the worlds",
                         metric);
    } else if (table_missing(summary, row, cell)) {
        tell_unknown(c, summary, row, column);
    } else {
        struct csv_writer w;
        if (!csv_writer_init(&w, stdout)) {
            command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
            return;
        }
        csv_put_number(&w, table_number(summary, row, cell));
        csv_end_row(&w);
        if (!csv_writer_finish(&w)) {
            command_complain(c, DIAGNOSTIC_FAILURE, "cannot write to standard output: %s",
                             strerror(errno));
        }
    }
}
