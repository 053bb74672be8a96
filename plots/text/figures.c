/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/text/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From here on every digit would be of no use, and there may be more of them than room. */
#define MOST_WRITTEN_OUT 1e15

double figure_round(double value, int digits, enum figure_rounding rounding)
{
    double scale, steps;
    int exponent;

    if (value == 0.0 || !isfinite(value))
        return value;
    exponent = (int)floor(log10(fabs(value))) - digits + 1;
    scale = pow(10.0, abs(exponent));
    steps = exponent < 0 ? value * scale : value / scale;
    if (rounding == FIGURE_DOWN)
        steps = floor(steps + 1e-9 * fabs(steps));
    else if (rounding == FIGURE_UP)
        steps = ceil(steps - 1e-9 * fabs(steps));
    else
        steps = round(steps);
    return exponent < 0 ? steps / scale : steps * scale;
}

struct figure figure_decimal(double value, int decimals)
{
    char plain[48];
    struct figure f = {""};
    size_t whole, used = 0, length;

    if (fabs(value) >= MOST_WRITTEN_OUT) {
        snprintf(f.text, sizeof f.text, "%.3g", value);
        return f;
    }
    snprintf(plain, sizeof plain, "%.*f", decimals, fabs(value));
    length = strlen(plain);
    whole = strcspn(plain, ".");
    if (value < 0.0 && strspn(plain, "0.") < length)
        f.text[used++] = '-';
    for (size_t i = 0; i < length && used < sizeof f.text - 2; i++) {
        f.text[used++] = plain[i];
        if (i + 1 < whole && (whole - i - 1) % 3 == 0)
            f.text[used++] = ',';
    }
    f.text[used] = '\0';
    return f;
}

void figure_drop_zeros(char *text)
{
    size_t length = strlen(text);

    if (strchr(text, '.') == NULL)
        return;
    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.')
        text[length - 1] = '\0';
}

/* Decimals that show `digits` significant digits of value. */
static int decimals_for(double value, int digits)
{
    int decimals = value == 0.0 ? 0 : digits - 1 - (int)floor(log10(fabs(value)));

    return decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
}

struct figure figure_currency(const char *currency)
{
    struct figure f;

    if (currency == NULL || strcmp(currency, "USD") == 0)
        snprintf(f.text, sizeof f.text, "$");
    else
        snprintf(f.text, sizeof f.text, "%.7s ", currency);
    return f;
}

struct figure figure_money(double value, const char *currency, enum figure_rounding rounding)
{
    static const struct {
        double from, unit;
        const char *suffix;
    } scales[] = {{1e9, 1e9, "B"}, {1e6, 1e6, "M"}, {1e5, 1e3, "k"}};
    struct figure f, digits;
    const char *suffix = "";
    double size;

    if (!isfinite(value)) {
        snprintf(f.text, sizeof f.text, "unknown");
        return f;
    }
    /* Below $100 cents count; 3 digits elsewhere. */
    size = fabs(value);
    value = figure_round(value, size >= 10.0 && size < 100.0 ? 4 : 3, rounding);
    size = fabs(value);
    for (size_t i = 0; i < sizeof scales / sizeof scales[0] && *suffix == '\0'; i++) {
        if (size >= scales[i].from) {
            size /= scales[i].unit;
            suffix = scales[i].suffix;
        }
    }
    if (*suffix != '\0') {
        digits = figure_decimal(size, decimals_for(size, 3));
        figure_drop_zeros(digits.text);
    } else {
        digits = figure_decimal(size, size == 0.0 || size >= 100.0 || size == floor(size) ? 0
                                      : size >= 1.0                                       ? 2
                                                    : decimals_for(size, 3));
        if (size < 1.0)
            figure_drop_zeros(digits.text);
    }
    snprintf(f.text, sizeof f.text, "%s%.8s%.24s%s", value < 0.0 ? "-" : "",
             figure_currency(currency).text, digits.text, suffix);
    return f;
}

struct figure figure_money_exact(double value, const char *currency)
{
    struct figure f = figure_money(value, currency, FIGURE_NEAREST);
    double size = fabs(value);

    if (!isfinite(value) || fabs(figure_round(value, 3, FIGURE_NEAREST) - value) <= 1e-9 * size)
        return f;
    snprintf(f.text, sizeof f.text, "%s%.8s%.36s", value < 0.0 ? "-" : "",
             figure_currency(currency).text,
             figure_decimal(size, size == floor(size) ? 0 : 2).text);
    return f;
}

int figure_amount_decimals(double largest)
{
    largest = fabs(largest);
    return largest >= 1000.0 || largest == 0.0 ? 0 : largest >= 1.0 ? 2 : decimals_for(largest, 4);
}

struct figure figure_amount(double value, int decimals, enum figure_rounding rounding)
{
    struct figure f, digits;
    double unit = pow(10.0, -decimals);

    if (!isfinite(value)) {
        snprintf(f.text, sizeof f.text, "unknown");
        return f;
    }
    if (value != 0.0 && fabs(value) < unit / 2.0) {
        snprintf(f.text, sizeof f.text, "%s%.*f", value < 0.0 ? "> -" : "< ", decimals, unit);
        return f;
    }
    if (decimals == 0 && fabs(value) >= 1000.0)
        value = figure_round(value, 4, rounding);
    else if (rounding == FIGURE_DOWN)
        value = floor(value / unit + 1e-9) * unit;
    else if (rounding == FIGURE_UP)
        value = ceil(value / unit - 1e-9) * unit;
    digits = figure_decimal(value, decimals);
    return digits;
}

struct figure figure_count(double n)
{
    return figure_decimal(n, 0);
}

enum time_unit figure_time_unit(double hours)
{
    return hours >= 72.0 ? TIME_DAYS : hours >= 1.5 || hours <= 0.0 ? TIME_HOURS : TIME_MINUTES;
}

double figure_time_in(double hours, enum time_unit unit)
{
    return unit == TIME_DAYS ? hours / 24.0 : unit == TIME_HOURS ? hours : hours * 60.0;
}

const char *figure_time_suffix(enum time_unit unit)
{
    return unit == TIME_DAYS ? "d" : unit == TIME_HOURS ? "h" : "min";
}

struct figure figure_time(double hours, enum time_unit unit, enum figure_rounding rounding)
{
    double value = figure_round(figure_time_in(hours, unit), 3, rounding);
    struct figure f, digits;

    if (!isfinite(value)) {
        snprintf(f.text, sizeof f.text, "unknown");
        return f;
    }
    if (value > 0.0 && value < 0.01) {
        snprintf(f.text, sizeof f.text, "< 0.01 %s", figure_time_suffix(unit));
        return f;
    }
    digits = figure_decimal(value, decimals_for(value, 3) > 2 ? 2 : decimals_for(value, 3));
    snprintf(f.text, sizeof f.text, "%.24s %s", digits.text, figure_time_suffix(unit));
    return f;
}

struct figure figure_time_words(double hours, enum time_unit unit, enum figure_rounding rounding)
{
    static const char *const words[] = {"minute", "hour", "day"};
    double value = figure_round(figure_time_in(hours, unit), 3, rounding);
    struct figure f, digits;

    if (!isfinite(value)) {
        snprintf(f.text, sizeof f.text, "unknown");
        return f;
    }
    digits = figure_decimal(value, decimals_for(value, 3));
    figure_drop_zeros(digits.text);
    snprintf(f.text, sizeof f.text, "%.24s %s%s", digits.text, words[unit],
             strcmp(digits.text, "1") == 0 ? "" : "s");
    return f;
}

struct figure figure_share(double share, double n)
{
    struct figure f;

    if (!isfinite(share))
        snprintf(f.text, sizeof f.text, "unknown");
    else if (n < 100.0)
        snprintf(f.text, sizeof f.text, "%.0f of %.0f", round(share * n), n);
    else if (share >= 1.0)
        snprintf(f.text, sizeof f.text, "all %.20s", figure_count(n).text);
    else if (share <= 0.0)
        snprintf(f.text, sizeof f.text, "0 of %.20s", figure_count(n).text);
    else if (share < 0.01 - 1e-12)
        snprintf(f.text, sizeof f.text, "< 1 %%");
    else if (share > 0.99 + 1e-12)
        snprintf(f.text, sizeof f.text, "> 99 %%");
    else
        snprintf(f.text, sizeof f.text, "%.0f %%", round(100.0 * share));
    return f;
}

struct figure figure_chance(double at_least, double at_most, double n)
{
    struct figure low = figure_share(at_least, n), high = figure_share(at_most, n), f;
    double from = floor(100.0 * at_least + 1e-9), to = ceil(100.0 * at_most - 1e-9);

    if (!isfinite(at_least) || !isfinite(at_most) || (at_least <= 0.0 && at_most >= 1.0)) {
        snprintf(f.text, sizeof f.text, "unknown");
        return f;
    }
    if (strcmp(low.text, high.text) == 0)
        return low;
    if (n < 100.0)
        snprintf(f.text, sizeof f.text, "%.0f to %.12s", round(at_least * n), high.text);
    else if (at_most < 0.01 - 1e-12)
        snprintf(f.text, sizeof f.text, "< 1 %%");
    else if (at_most >= 1.0)
        snprintf(f.text, sizeof f.text, ">= %.0f %%", from);
    else
        snprintf(f.text, sizeof f.text, "%.0f to %.0f %%", from, to);
    return f;
}

struct figure figure_futures(double share, double n, enum figure_rounding rounding)
{
    struct figure f;
    double worlds = round(share * n), percent = 100.0 * share;

    percent = rounding == FIGURE_DOWN ? floor(percent + 1e-9)
              : rounding == FIGURE_UP ? ceil(percent - 1e-9)
                                      : round(percent);
    if (n < 1.5)
        snprintf(f.text, sizeof f.text, worlds >= 1.0 ? "the one future" : "no future");
    else if (worlds >= n)
        snprintf(f.text, sizeof f.text, "all %.20s futures", figure_count(n).text);
    else if (worlds <= 0.0)
        snprintf(f.text, sizeof f.text, "none of %.20s futures", figure_count(n).text);
    else if (n < 100.0)
        snprintf(f.text, sizeof f.text, "%.0f of %.0f futures", worlds, n);
    else if (share < 0.01 - 1e-12)
        snprintf(f.text, sizeof f.text, "fewer than 1 of 100 futures");
    else if (share > 0.99 + 1e-12)
        snprintf(f.text, sizeof f.text, "more than 99 of 100 futures");
    else if (fmod(percent, 10.0) == 0.0)
        snprintf(f.text, sizeof f.text, "%.0f of 10 futures", percent / 10.0);
    else
        snprintf(f.text, sizeof f.text, "%.0f of 100 futures", percent);
    return f;
}

struct figure figure_change(double share)
{
    struct figure f = {"unknown"};
    if (isfinite(share)) {
        const double percent = 100 * share;
        if (fabs(percent) >= MOST_WRITTEN_OUT) {
            snprintf(f.text, sizeof f.text, "%+.3g %%", percent);
        } else if (fabs(percent) >= 10) {
            snprintf(f.text, sizeof f.text, "%+.0f %%", percent);
        } else {
            snprintf(f.text, sizeof f.text, "%+.2g %%", percent);
        }
    }
    return f;
}
