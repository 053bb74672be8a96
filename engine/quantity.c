/* SPDX-License-Identifier: GPL-3.0-or-later
 * An own scanner finds where the number ends; strtod then reads exactly that (the program stays in
 * the C locale). Strict on purpose: "5m", "16G", "1,500" or "8Gb" have two readings, and a
 * plausible wrong number is worse than a question. */
#include "engine/quantity.h"

#include "engine/quantity_units.h"
#include "engine/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 100, LONGEST_UNIT = 32, MOST_MONTHS = 12000 };

/* ---- reading -------------------------------------------------------------------------------- */

/* A quantity while it is read. */
struct reading {
    enum dimension dimension;
    struct quantity *out;
    double number;
    bool dollar;
    char unit[LONGEST_UNIT + 8];
    char *message;
    size_t message_size;
};

static bool __attribute__((format(printf, 2, 3))) fail(struct reading *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->message, r->message_size, format, args);
    va_end(args);
    return false;
}

/* A bounded copy of what the user wrote, cut between characters. */
static const char *quoted(const char *s, size_t length, char out[48])
{
    size_t used = 0;
    uint32_t c;

    for (size_t i = 0, n; i < length; i += n) {
        n = text_decode(s + i, length - i, &c);
        if (n == 0)
            n = 1;
        if (i + n > 40) {
            memcpy(out + used, "...", 4);
            return out;
        }
        memcpy(out + used, s + i, n);
        used += n;
    }
    out[used] = '\0';
    return out;
}

static bool is_digit(const char *s, size_t length, size_t i)
{
    return i < length && s[i] >= '0' && s[i] <= '9';
}

size_t quantity_number_length(const char *s, size_t length)
{
    size_t i = length > 0 && (s[0] == '-' || s[0] == '+'), digits = 0, e;

    for (; is_digit(s, length, i); i++)
        digits++;
    if (i < length && s[i] == '.') {
        size_t point = i++;
        for (; is_digit(s, length, i); i++)
            digits++;
        if (i == point + 1)
            i = point; /* "5." is no number: the point may be the first of "5..9" */
    }
    if (digits == 0)
        return 0;
    if (i < length && (s[i] == 'e' || s[i] == 'E')) {
        e = i + 1;
        if (e < length && (s[e] == '-' || s[e] == '+'))
            e++;
        if (is_digit(s, length, e)) {
            while (is_digit(s, length, e))
                e++;
            i = e;
        }
    }
    return i;
}

/* The bytes of a space (also the no-break ones that come with copied text) at s, or 0. */
static size_t space(const char *s, size_t length)
{
    if (length >= 1 && (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r'))
        return 1;
    if (length >= 2 && memcmp(s, "\xc2\xa0", 2) == 0)
        return 2;
    return length >= 3 && memcmp(s, "\xe2\x80\xaf", 3) == 0 ? 3 : 0;
}

static void trim(const char **s, size_t *length)
{
    size_t n;

    while ((n = space(*s, *length)) > 0) {
        *s += n;
        *length -= n;
    }
    for (n = 1; n <= 3 && n <= *length;) {
        if (space(*s + *length - n, n) == n) {
            *length -= n;
            n = 1;
        } else {
            n++;
        }
    }
}

/* The unit text with its spaces normalised: none beside '/', one elsewhere. */
static bool take_unit(struct reading *r, const char *s, size_t length)
{
    size_t used = 0;
    char q[48];

    for (size_t i = 0, n; i < length;) {
        n = space(s + i, length - i);
        if (n > 0) {
            bool beside = (used > 0 && r->unit[used - 1] == '/') || used == 0 ||
                          (i + n < length && s[i + n] == '/') || r->unit[used - 1] == ' ';
            i += n;
            if (!beside)
                r->unit[used++] = ' ';
        } else {
            if (s[i] == '/' && used > 0 && r->unit[used - 1] == ' ')
                used--;
            r->unit[used++] = s[i++];
        }
        if (used > LONGEST_UNIT || (used > 0 && r->unit[used - 1] == '\0'))
            return fail(r, "unknown unit '%s'; %s is wanted", quoted(s, length, q),
                        unit_words[r->dimension].wanted);
    }
    r->unit[used] = '\0';
    return true;
}

/* Sign, `$` and digits; the rest becomes the unit. */
static bool take_number(struct reading *r, const char *s, size_t length)
{
    const struct dimension_words *w = &unit_words[r->dimension];
    const char *whole = s;
    size_t whole_length = length, n;
    char digits[LONGEST_NUMBER + 1], q[48];
    bool minus = false;

    if (length == 0)
        return fail(r, "nothing where %s is wanted", w->wanted);
    if (length > 1 && s[0] == '-' && s[1] == '$') {
        minus = true;
        s++;
        length--;
    }
    if (s[0] == '$') {
        r->dollar = true;
        s++;
        length--;
    }
    n = quantity_number_length(s, length);
    if ((n == 0 && memchr(s, '(', length) != NULL) ||
        (n + 1 < length && s[n] == '.' && s[n + 1] == '.'))
        return fail(r, "'%s' is uncertain where one certain value is wanted: %s",
                    quoted(whole, whole_length, q), w->wanted);
    if (n == 0 || (minus && s[0] == '-'))
        return fail(r, "'%s' where %s is wanted", quoted(whole, whole_length, q), w->wanted);
    if (n > LONGEST_NUMBER)
        return fail(r, "a number of more than %d characters", LONGEST_NUMBER);
    if (n + 1 < length && memchr("_,'.", s[n], 4) != NULL && is_digit(s, length, n + 1))
        return fail(r,
                    "'%s' is not a number: '%c' does not belong into it; write 1500 or 1.5k, and "
                    "1.5 with a point",
                    quoted(whole, whole_length, q), s[n]);
    if (n == 1 && s[0] == '0' && length > 1 && (s[1] == 'x' || s[1] == 'X'))
        return fail(r, "'%s' is not a number: only decimal digits are read",
                    quoted(whole, whole_length, q));
    memcpy(digits, s, n);
    digits[n] = '\0';
    errno = 0;
    r->number = strtod(digits, NULL);
    if (errno == ERANGE || !isfinite(r->number))
        return fail(r, "'%s' is a number too %s to be held", quoted(whole, whole_length, q),
                    fabs(r->number) > 1 ? "large" : "small");
    if (minus)
        r->number = -r->number;
    return take_unit(r, s + n, length - n);
}

/* "us, ms, s or min" */
static const char *list_units(const struct unit *units, bool span, char *out, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; units[i].name != NULL && used < size; i++) {
        bool last = units[i + 1].name == NULL && !span;
        used += (size_t)snprintf(out + used, size - used, "%s%s",
                                 i == 0 ? ""
                                 : last ? " or "
                                        : ", ",
                                 units[i].name);
    }
    if (span && used < size)
        snprintf(out + used, size - used, ", mo or y");
    return out;
}

static bool unknown_unit(struct reading *r, const char *unit)
{
    const struct dimension_words *w = &unit_words[r->dimension];
    const char *hint = unit_hint(r->dimension, unit);
    char list[256], q[48];

    if (hint != NULL)
        return fail(r, "unknown unit '%s'; %s", unit, hint);
    if (strpbrk(unit, "0123456789") != NULL)
        return fail(r, "'%s' follows the number; one number and one unit are wanted, %s",
                    quoted(unit, strlen(unit), q), w->wanted + strlen(w->noun) + 1);
    return fail(r, "unknown unit '%s'; %s takes %s%s", quoted(unit, strlen(unit), q), w->noun,
                list_units(w->units, r->dimension == DIMENSION_SPAN, list, sizeof(list)),
                r->dimension == DIMENSION_HAZARD ? ", or a time in s, min, h, d or w" : "");
}

static bool bare_number(struct reading *r)
{
    const struct dimension_words *w = &unit_words[r->dimension];

    return fail(r, "a bare number where %s is wanted; write %s", w->noun, w->examples);
}

/* Sets the value to number × unit, or 1 / (number × unit), if a double can hold it. */
static bool scale(struct reading *r, const struct unit *u, bool reciprocal)
{
    double v = r->number * u->factor / u->divisor;

    if (!unit_words[r->dimension].negative && v < 0)
        return fail(r, "%s cannot be negative", unit_words[r->dimension].noun);
    if (reciprocal && !(v > 0))
        return fail(r, "a mean time between events must be above zero");
    if (reciprocal)
        v = 1 / v;
    if (!isfinite(v))
        return fail(r, "a number too large to be held");
    if (v == 0 && r->number != 0)
        return fail(r, "a number too small to be held");
    r->out->value = v == 0 ? 0 : v; /* no minus zero */
    return true;
}

static bool read_plain(struct reading *r)
{
    const struct unit *u = unit_find(unit_words[r->dimension].units, r->unit);

    return u != NULL ? scale(r, u, false) : unknown_unit(r, r->unit);
}

static bool read_span(struct reading *r)
{
    int months_each = strcmp(r->unit, "mo") == 0 ? 1 : strcmp(r->unit, "y") == 0 ? 12 : 0;

    if (months_each == 0)
        return read_plain(r);
    if (r->number < 0)
        return fail(r, "%s cannot be negative", unit_words[r->dimension].noun);
    if (r->number != floor(r->number))
        return fail(r, "%s are counted whole; write days for a part of one",
                    months_each == 1 ? "months" : "years");
    if (r->number > MOST_MONTHS / months_each)
        return fail(r, "more than %d years", MOST_MONTHS / 12);
    r->out->months = (int)r->number * months_each;
    return true;
}

/* "[magnitude]/unit of time", or for a hazard a plain time. */
static bool read_rate(struct reading *r)
{
    const char *slash = strchr(r->unit, '/');
    char magnitude[2] = {r->unit[0], '\0'};
    const struct unit *m = NULL, *u;

    if (slash == NULL && r->dimension == DIMENSION_HAZARD) {
        u = unit_find(unit_times, r->unit);
        return u != NULL ? scale(r, u, true) : unknown_unit(r, r->unit);
    }
    if (slash == NULL)
        return unknown_unit(r, r->unit);
    if (slash == r->unit + 1)
        m = unit_find(unit_magnitudes, magnitude);
    u = unit_find(unit_rates, slash);
    if (u == NULL)
        return unknown_unit(r, slash);
    if (m == NULL && slash != r->unit)
        return unknown_unit(r, r->unit);
    if (m != NULL)
        r->number *= m->factor;
    return scale(r, u, false);
}

static bool is_code(const char *s)
{
    return strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3 && s[3] == '\0';
}

/* What currency was meant, where it was written in another way. */
static bool wrong_currency(struct reading *r, const char *written)
{
    char q[48], upper[4] = {0};

    if (written[0] == '\0')
        return fail(r, "a bare number where %s is wanted; write %s", unit_words[r->dimension].noun,
                    unit_words[r->dimension].examples);
    if (strcmp(written, "€") == 0)
        return fail(r, "unknown currency '€'; write EUR");
    if (strcmp(written, "¥") == 0)
        return fail(r, "'¥' has two readings: write CNY or JPY");
    if (strlen(written) == 3) {
        for (int i = 0; i < 3; i++)
            upper[i] = (char)toupper((unsigned char)written[i]);
        if (is_code(upper))
            return fail(r, "unknown currency '%s'; write %s", written, upper);
    }
    return fail(r, "unknown currency '%s'; %s is wanted", quoted(written, strlen(written), q),
                unit_words[r->dimension].wanted);
}

/* "[magnitude][ ]CODE", or after a dollar sign "[magnitude]"; for a price "/unit" behind it. */
static bool read_money(struct reading *r)
{
    char *slash = strchr(r->unit, '/');
    const struct unit *per = NULL, *m;
    const char *code = r->unit;
    char magnitude[2] = {r->unit[0], '\0'};

    if (r->dimension == DIMENSION_PRICE) {
        if (slash == NULL)
            return fail(r, "an amount without a time where a price per hour is wanted; write %s",
                        unit_words[r->dimension].examples);
        per = unit_find(unit_prices, slash);
        if (per == NULL)
            return unknown_unit(r, slash);
        *slash = '\0';
    } else if (slash != NULL) {
        return fail(r, "a price where an amount of money is wanted; write %s",
                    unit_words[r->dimension].examples);
    }
    m = unit_find(unit_magnitudes, magnitude);
    if (m != NULL && !is_code(code)) {
        r->number *= m->factor;
        code += code[1] == ' ' ? 2 : 1;
    }
    if (r->dollar && strcmp(code, "USD") != 0 && code[0] != '\0')
        return fail(r, "'$' and '%s' do not go together; write one currency", code);
    if (!r->dollar && !is_code(code))
        return wrong_currency(r, code);
    memcpy(r->out->currency, r->dollar ? "USD" : code, 4);
    return scale(r, per == NULL ? &unit_one : per, false);
}

bool quantity_parse(const char *text, size_t length, enum dimension dimension, struct quantity *out,
                    char *message, size_t message_size)
{
    struct reading r = {
        .dimension = dimension, .out = out, .message = message, .message_size = message_size};
    char q[48];

    *out = (struct quantity){0};
    trim(&text, &length);
    if (!take_number(&r, text, length))
        return false;
    if (dimension == DIMENSION_MONEY || dimension == DIMENSION_PRICE) {
        if (r.unit[0] != '\0' || r.dollar)
            return read_money(&r);
    } else if (r.dollar) {
        return fail(&r, "'%s' where %s is wanted", quoted(text, length, q),
                    unit_words[dimension].wanted);
    }
    if (r.unit[0] == '\0') {
        if (dimension == DIMENSION_COUNT || dimension == DIMENSION_SHARE ||
            (r.number == 0 && unit_words[dimension].bare_zero))
            return scale(&r, &unit_one, false);
        return bare_number(&r);
    }
    if (dimension == DIMENSION_SPAN)
        return read_span(&r);
    if (dimension == DIMENSION_RATE || dimension == DIMENSION_HAZARD)
        return read_rate(&r);
    return read_plain(&r);
}

/* ---- writing -------------------------------------------------------------------------------- */

/* True when `digits` significant digits say v to the last bit but four. */
static bool says(double v, int digits)
{
    char text[40];

    snprintf(text, sizeof(text), "%.*g", digits, v);
    return fabs(strtod(text, NULL) - v) <= 1e-15 * fabs(v);
}

/* The unit in which v is said with the fewest digits, the largest of equals; NULL for zero. */
static const struct unit *shortest(double v, const struct unit *units)
{
    const struct unit *best = NULL;
    int fewest = 99;

    for (const struct unit *u = units; u->name != NULL && v != 0; u++) {
        double in_unit = v / u->factor * u->divisor;
        int digits = 1;
        if (fabs(in_unit) < 0.1 || fabs(in_unit) >= 1e4)
            continue;
        while (digits < 7 && !says(in_unit, digits))
            digits++;
        digits += fabs(in_unit) < 1; /* its leading zero */
        if (digits < fewest ||
            (digits == fewest && u->factor / u->divisor > best->factor / best->divisor)) {
            fewest = digits;
            best = u;
        }
    }
    return best;
}

char *quantity_text(double value, enum dimension dimension, const char *currency, char out[48])
{
    const struct unit *units = unit_words[dimension].units, *u;
    const char *money = currency == NULL ? "" : currency, *gap = " ";

    switch (dimension) {
    case DIMENSION_MONEY:
        snprintf(out, 48, "%.6g%s%.3s", value, money[0] == '\0' ? "" : " ", money);
        return out;
    case DIMENSION_PRICE:
        snprintf(out, 48, "%.6g%s%.3s/h", value, money[0] == '\0' ? "" : " ", money);
        return out;
    case DIMENSION_SHARE:
        snprintf(out, 48, "%.6g %%", value * 100);
        return out;
    case DIMENSION_HAZARD:
    case DIMENSION_RATE:
    case DIMENSION_COUNT:
        gap = "";
        break;
    default:
        break;
    }
    u = fabs(value) < 1e4 && dimension == DIMENSION_COUNT ? &unit_one : shortest(value, units);
    if (u == NULL) /* zero, or far outside of the units */
        snprintf(out, 48, "%.6g%s%s", value, gap,
                 gap[0] == '\0' && dimension != DIMENSION_COUNT ? "/s"
                                                                : unit_words[dimension].unit);
    else
        snprintf(out, 48, "%.6g%s%s", value / u->factor * u->divisor, gap, u->name);
    return out;
}

char *quantity_time_text(double s, char out[32])
{
    static const struct {
        const char *name;
        double seconds, below; /* used for times below this many seconds */
    } steps[] = {{"us", 1e-6, 1e-3}, {"ms", 1e-3, 1},        {"s", 1, 100},
                 {"min", 60, 6000},  {"h", 3600, 48 * 3600}, {"d", 86400, HUGE_VAL}};
    size_t i = 0;
    double v;

    if (!isfinite(s)) {
        snprintf(out, 32, "unknown");
        return out;
    }
    if (s == 0) {
        snprintf(out, 32, "0 s");
        return out;
    }
    while (fabs(s) * (1 + 5e-4) >= steps[i].below)
        i++;
    v = s / steps[i].seconds;
    /* %g would turn to exponents at four digits */
    snprintf(out, 32, fabs(v) < 999.5 || fabs(v) > 1e15 ? "%.3g %s" : "%.0f %s", v, steps[i].name);
    return out;
}
