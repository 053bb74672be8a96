/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/drivers.h"

#include "engine/column_unit.h"
#include "engine/quantity.h"
#include "engine/rank_correlation.h"
#include "plots/facts/table_columns.h"
#include "plots/sentences/title_parts.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ALPHA 0.05

enum { STRATEGY, METRIC, INPUT, INPUT_UNIT, TEXTS };
enum { WORLDS, CORRELATION, P10, P90, LOW, HIGH, MIDDLE, NUMBERS };

struct columns {
    const struct table *t;
    int text[TEXTS], number[NUMBERS];
};

static bool find_columns(struct columns *c, struct diagnostics *d)
{
    static const char *const texts[TEXTS] = {"strategy", "metric", "input", "input_unit"};
    static const char *const numbers[NUMBERS] = {
        "n",         "rank_correlation", "input_p10",
        "input_p90", "metric_when_low",  "metric_when_high",
        "metric_p50"};

    return table_columns_needed(c->text, c->t, texts, TEXTS, d) &&
           table_columns_needed(c->number, c->t, numbers, NUMBERS, d);
}

static const char *word(const struct columns *c, size_t row, int column)
{
    return table_text(c->t, row, (size_t)c->text[column]);
}

static double number(const struct columns *c, size_t row, int column)
{
    return table_number(c->t, row, (size_t)c->number[column]);
}

static bool is_of(const struct columns *c, size_t row, const char *strategy, const char *metric)
{
    return strcmp(word(c, row, STRATEGY), strategy) == 0 &&
           strcmp(word(c, row, METRIC), metric) == 0;
}

/* How many rows a strategy has; *middle: its median, NaN when unknown. */
static size_t rows_of(const struct columns *c, const struct study_facts *f, size_t strategy,
                      double *middle)
{
    size_t rows = 0;

    *middle = (double)NAN;
    for (size_t row = 0; row < table_rows(c->t); row++) {
        if (is_of(c, row, f->strategy[strategy].name, f->frame->cost_metric)) {
            *middle = number(c, row, MIDDLE);
            rows++;
        }
    }
    return rows;
}

static int pick(const struct columns *c, const struct study_facts *f)
{
    const char *chosen = f->frame->chosen;
    double middle;

    for (size_t i = 0; i < f->count; i++) {
        if (chosen != NULL && strcmp(f->strategy[i].name, chosen) == 0)
            return (int)i;
    }
    if (f->subject >= 0)
        return f->subject;
    for (size_t i = 0; i < f->count; i++) {
        if (rows_of(c, f, i, &middle) > 0 && isfinite(middle))
            return (int)i;
    }
    return -1;
}

static double moved(const struct driver *d)
{
    return fabs(d->high - d->low);
}

/* Into its place; the least is left out when there is no room. */
static void keep(struct drivers *r, struct driver one)
{
    size_t at = r->count;

    r->all++;
    while (at > 0 && moved(&r->driver[at - 1]) < moved(&one))
        at--;
    if (at == DRIVERS_MAX)
        return;
    r->count += r->count < DRIVERS_MAX;
    for (size_t i = r->count - 1; i > at; i--)
        r->driver[i] = r->driver[i - 1];
    r->driver[at] = one;
}

bool drivers_read(struct drivers *r, const struct study_facts *f, const struct table *t,
                  struct diagnostics *d)
{
    struct columns c = {.t = t};

    *r = (struct drivers){.strategy = -1, .middle = (double)NAN};
    if (t == NULL || table_rows(t) == 0 || !find_columns(&c, d))
        return false;
    r->strategy = pick(&c, f);
    r->inputs = r->strategy < 0 ? 0 : rows_of(&c, f, (size_t)r->strategy, &r->middle);
    if (r->inputs == 0 || !isfinite(r->middle))
        return false;
    for (size_t row = 0; row < table_rows(t); row++) {
        struct driver one = {.input = word(&c, row, INPUT),
                             .unit = word(&c, row, INPUT_UNIT),
                             .p10 = number(&c, row, P10),
                             .p90 = number(&c, row, P90),
                             .low = number(&c, row, LOW),
                             .high = number(&c, row, HIGH),
                             .correlation = number(&c, row, CORRELATION)};
        if (!is_of(&c, row, f->strategy[r->strategy].name, f->frame->cost_metric) ||
            !rank_correlation_is_clear(one.correlation, number(&c, row, WORLDS),
                                       ALPHA / (double)r->inputs))
            continue;
        if (isfinite(one.low) && isfinite(one.high))
            keep(r, one);
        else
            r->unknown++;
    }
    return true;
}

/* ---- words ---- */

const char *driver_market(const char *input, size_t *length)
{
    static const char head[] = "market.spot.", tail[] = ".score";
    const size_t all = strlen(input), ends = sizeof head + sizeof tail - 2;

    if (all <= ends || strncmp(input, head, sizeof head - 1) != 0 ||
        strcmp(input + all - (sizeof tail - 1), tail) != 0)
        return NULL;
    *length = all - ends;
    return input + sizeof head - 1;
}

void driver_name(struct text *out, const char *input, double max_em, bool bold)
{
    static const char *const heads[] = {"workloads.", "strategies.", "market."};
    size_t place = 0;
    const char *market = driver_market(input, &place);
    struct text clean;

    if (market != NULL) {
        text_init(&clean, 4096);
        text_format(out, "room on spot ");
        text_format(&clean, "%.*s", (int)place, market);
        label_shorten(out, clean.data, max_em - 6.0, bold);
        text_release(&clean);
        return;
    }
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        size_t length = strlen(heads[i]);
        if (strncmp(input, heads[i], length) == 0) {
            input += length;
            break;
        }
    }
    text_init(&clean, 4096);
    label_clean(&clean, input);
    label_shorten(out, clean.data, max_em, bold);
    text_release(&clean);
}

/* "usd_per_hour": an amount of that currency. */
static bool is_price(const char *unit, char currency[4])
{
    if (strlen(unit) != 3 + strlen("_per_hour") || strcmp(unit + 3, "_per_hour") != 0)
        return false;
    for (size_t i = 0; i < 3; i++)
        currency[i] = (char)(unit[i] >= 'a' && unit[i] <= 'z' ? unit[i] - ('a' - 'A') : unit[i]);
    currency[3] = '\0';
    return true;
}

struct figure driver_value(double value, const char *unit)
{
    static const struct {
        const char *unit;
        enum dimension dimension;
    } known[] = {{"frac", DIMENSION_SHARE},
                 {"bytes", DIMENSION_DATA},
                 {"bytes_per_s", DIMENSION_DATA_RATE},
                 {"flop_per_s", DIMENSION_FLOPS}};
    const double rounded = figure_round(value, 3, FIGURE_NEAREST);
    struct figure f;
    char text[48], currency[4];

    if (is_price(unit, currency)) {
        snprintf(f.text, sizeof f.text, "%.40s/h",
                 figure_money(value, currency, FIGURE_NEAREST).text);
        return f;
    }
    if (strcmp(unit, "s") == 0) {
        snprintf(f.text, sizeof f.text, "%.40s", quantity_time_text(value, text));
        return f;
    }
    if (strcmp(unit, "per_s") == 0) {
        snprintf(f.text, sizeof f.text, "%.46s", column_unit_text(value, unit, 3, text));
        return f;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(unit, known[i].unit) == 0) {
            snprintf(f.text, sizeof f.text, "%.46s",
                     quantity_text(rounded, known[i].dimension, NULL, text));
            return f;
        }
    }
    snprintf(f.text, sizeof f.text, "%.6g%s%.20s", rounded, unit[0] == '\0' ? "" : " ", unit);
    return f;
}

void driver_range(struct text *out, const struct driver *d)
{
    size_t length;

    if (driver_market(d->input, &length) != NULL)
        text_add(out, "low: scarce, high: much room");
    else
        text_format(out, "%s to %s", driver_value(d->p10, d->unit).text,
                    driver_value(d->p90, d->unit).text);
}

void title_drivers(struct text *out, const struct study_facts *f, const struct drivers *r)
{
    const struct title_words x = title_name(f, r->strategy);
    const struct driver *first = &r->driver[0], *second = &r->driver[1];

    if (r->count == 0) {
        text_format(out, "No uncertain input has a clear effect on the cost of %s", x.text);
        return;
    }
    driver_name(out, first->input, 20.0, true);
    if (r->count > 1 && !(moved(first) >= 2.0 * moved(second))) {
        text_add(out, " and ");
        driver_name(out, second->input, 20.0, true);
        text_format(out, " move the cost of %s%s", x.text, r->all > 2 ? " most" : "");
        return;
    }
    text_format(out, " moves the cost of %s%s: P50 %s where it is low, %s where it is high", x.text,
                r->all > 1 ? " most" : "", title_money(f, first->low, FIGURE_NEAREST).text,
                title_money(f, first->high, FIGURE_NEAREST).text);
}
