/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/text/ticks.h"

#include "engine/civil_time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const month_names[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

double ticks_step(double span, size_t wanted)
{
    static const double nice[] = {1.0, 2.0, 2.5, 5.0, 10.0};
    double raw = span / (double)(wanted > 0 ? wanted : 1);
    double base = pow(10.0, floor(log10(raw)));

    for (size_t i = 0; i < sizeof nice / sizeof nice[0]; i++) {
        if (nice[i] * base >= raw * (1.0 - 1e-9))
            return nice[i] * base;
    }
    return 10.0 * base;
}

static struct tick *add(struct ticks *t, double at)
{
    if (t->count >= TICKS_MAX)
        return NULL;
    t->tick[t->count].at = at;
    t->tick[t->count].label[0] = '\0';
    return &t->tick[t->count++];
}

/* Multiples of step within low..high; labels are left to the caller. */
static void add_multiples(struct ticks *t, double low, double high, double step)
{
    double first = ceil(low / step - 1e-9);

    t->count = 0;
    for (double k = first; k * step <= high + 1e-9 * step; k += 1.0) {
        if (add(t, k == 0.0 ? 0.0 : k * step) == NULL)
            break;
    }
}

/* Decimals that tell multiples of step apart: 0 for 5, 1 for 2.5, 2 for 0.25. */
static int step_decimals(double step)
{
    for (int decimals = 0; decimals < 9; decimals++) {
        double scaled = step * pow(10.0, decimals);
        if (fabs(scaled - round(scaled)) < 1e-6 * scaled)
            return decimals;
    }
    return 9;
}

/* value with `decimals`, a comma every three digits. */
static void write_number(char *out, size_t size, double value, int decimals)
{
    struct figure whole = figure_count(trunc(fabs(value)));
    char plain[40];
    const char *point;

    snprintf(plain, sizeof plain, "%.*f", decimals, fabs(value));
    point = strchr(plain, '.');
    /* Rounding may have carried into the whole part. */
    if (decimals == 0 || point == NULL)
        whole = figure_count(round(fabs(value)));
    snprintf(out, size, "%s%.12s%.10s", value < 0.0 ? "-" : "", whole.text,
             point == NULL ? "" : point);
}

void ticks_money(struct ticks *t, double low, double high, size_t wanted, const char *currency)
{
    double step = ticks_step(high - low, wanted);
    double largest = fmax(fabs(low), fabs(high)), unit = 1.0;
    const char *suffix = "";
    char number[24];

    if (largest >= 2e9 && step >= 1e7) {
        unit = 1e9;
        suffix = "B";
    } else if (largest >= 2e6 && step >= 1e4) {
        unit = 1e6;
        suffix = "M";
    } else if (largest >= 1e5 && step >= 100.0) {
        unit = 1e3;
        suffix = "k";
    }
    add_multiples(t, low, high, step);
    for (size_t i = 0; i < t->count; i++) {
        double at = t->tick[i].at;
        write_number(number, sizeof number, at / unit, step_decimals(step / unit));
        snprintf(t->tick[i].label, sizeof t->tick[i].label, "%.7s%s%s",
                 figure_currency(currency).text, at == 0.0 ? "0" : number, at == 0.0 ? "" : suffix);
    }
}

void ticks_plain(struct ticks *t, double low, double high, size_t wanted)
{
    double step = ticks_step(high - low, wanted);

    add_multiples(t, low, high, step);
    for (size_t i = 0; i < t->count; i++)
        write_number(t->tick[i].label, sizeof t->tick[i].label, t->tick[i].at, step_decimals(step));
}

void ticks_whole(struct ticks *t, double low, double high, size_t wanted)
{
    double step = fmax(1.0, ticks_step(high - low, wanted));

    if (step == 2.5)
        step = 5.0;
    add_multiples(t, low, high, step);
    for (size_t i = 0; i < t->count; i++)
        write_number(t->tick[i].label, sizeof t->tick[i].label, t->tick[i].at, 0);
}

/* The label of an instant that is the start of its hour, day or month; with_year: for months. */
static void date_label(struct tick *tick, int64_t unix_s, bool months, bool with_year)
{
    struct civil c = civil_from_unix(unix_s);

    if (months && with_year)
        snprintf(tick->label, sizeof tick->label, "%s %d", month_names[c.month - 1], c.year);
    else if (months)
        snprintf(tick->label, sizeof tick->label, "%s", month_names[c.month - 1]);
    else if (c.hour != 0 || c.minute != 0)
        snprintf(tick->label, sizeof tick->label, "%02d:%02d", c.hour, c.minute);
    else
        snprintf(tick->label, sizeof tick->label, "%d %s", c.day, month_names[c.month - 1]);
}

static void add_months(struct ticks *t, int64_t start, double low_s, double high_s, int months)
{
    int64_t first = civil_month_start(start + (int64_t)ceil(low_s));
    struct civil c = civil_from_unix(first);

    /* Quarters and years begin in January. */
    first = civil_to_unix((struct civil){.year = c.year, .month = 1, .day = 1});
    for (int k = 0; t->count < TICKS_MAX; k += months) {
        int64_t at = civil_add_months(first, k);
        double s = (double)(at - start);
        if (s > high_s)
            break;
        if (s >= low_s) {
            bool with_year = t->count == 0 || civil_from_unix(at).month == 1 || months >= 12;
            date_label(add(t, s), at, true, with_year);
        }
    }
}

void ticks_dates(struct ticks *t, int64_t start_unix_s, double low_s, double high_s, size_t wanted)
{
    static const double steps_s[] = {900,   1800,   3600,   7200,   10800,   21600, 43200,
                                     86400, 172800, 345600, 604800, 1209600, 0};
    static const int months[] = {1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200};
    double span = high_s - low_s;
    size_t i = 0;

    t->count = 0;
    while (steps_s[i] > 0.0 && span / steps_s[i] > (double)wanted + 0.5)
        i++;
    if (steps_s[i] > 0.0) {
        /* 1970-01-05 was a Monday: weeks are counted from there, days from any midnight. */
        int64_t step = (int64_t)steps_s[i], origin = step > 86400 ? 4 * 86400 : 0;
        int64_t from = start_unix_s + (int64_t)ceil(low_s) - origin;
        int64_t at = from / step * step;
        if (at < from)
            at += step;
        for (at += origin; (double)(at - start_unix_s) <= high_s; at += step) {
            struct tick *tick = add(t, (double)(at - start_unix_s));
            if (tick == NULL)
                break;
            date_label(tick, at, false, false);
        }
        return;
    }
    i = 0;
    while (i + 1 < sizeof months / sizeof months[0] &&
           span / (30.44 * 86400.0 * months[i]) > (double)wanted + 0.5)
        i++;
    add_months(t, start_unix_s, low_s, high_s, months[i]);
}

struct figure ticks_date_words(int64_t unix_s, bool with_hours)
{
    struct civil c = civil_from_unix(unix_s);
    struct figure f;

    if (with_hours && (c.hour != 0 || c.minute != 0))
        snprintf(f.text, sizeof f.text, "%02d:%02d on %d %s", c.hour, c.minute, c.day,
                 month_names[c.month - 1]);
    else
        snprintf(f.text, sizeof f.text, "%d %s %d", c.day, month_names[c.month - 1], c.year);
    return f;
}
