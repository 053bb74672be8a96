/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values, ranges and messages below the grammar. */
#include "engine/expression_value.h"

#include "engine/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct span span_trim(const char *text, size_t length)
{
    while (length > 0 && memchr(" \t\r\n", *text, 4) != NULL) {
        text++;
        length--;
    }
    while (length > 0 && memchr(" \t\r\n", text[length - 1], 4) != NULL)
        length--;
    return (struct span){text, length};
}

const char *span_quote(struct span s, char out[56])
{
    size_t used = 0;
    uint32_t c;

    for (size_t n; used < s.length; used += n) {
        n = text_decode(s.text + used, s.length - used, &c);
        if (n == 0)
            n = 1;
        if (used + n > 48)
            break;
        memcpy(out + used, s.text + used, n);
    }
    memcpy(out + used, used < s.length ? "..." : "", used < s.length ? 4 : 1);
    return out;
}

bool expression_fail(struct expression_context *c, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(c->message, c->message_size, format, args);
    va_end(args);
    return false;
}

bool expression_blame(struct expression_context *c, const char *argument, const char *family)
{
    char what[400];

    snprintf(what, sizeof(what), "%s", c->message);
    return expression_fail(c, "argument '%s' of %s: %s", argument, family, what);
}

bool expression_value(struct span s, struct expression_context *c, enum dimension dimension,
                      double *out)
{
    struct quantity q;

    if (!quantity_parse(s.text, s.length, dimension, &q, c->message, c->message_size))
        return false;
    if (q.months != 0 && dimension != DIMENSION_SPAN)
        return expression_fail(c, "months and years have no fixed length; write days here");
    if (c->other_currency != NULL && strcmp(q.currency, c->other_currency) == 0) {
        *out = q.value / c->other_rate;
        return true;
    }
    if (q.currency[0] != '\0' && c->currency != NULL && strcmp(q.currency, c->currency) != 0)
        return expression_fail(c, "an amount in %s in a scenario that counts in %s", q.currency,
                               c->currency);
    *out = q.value + q.months * NUMBER_MONTH_S;
    return true;
}

bool expression_is_time(struct span s)
{
    struct quantity q;
    char message[8];

    return quantity_parse(s.text, s.length, DIMENSION_TIME, &q, message, sizeof(message)) &&
           quantity_number_length(s.text, s.length) < s.length;
}

double expression_low(const struct expression_context *c)
{
    return fmax(c->low, quantity_least(c->dimension));
}

bool expression_check_range(struct expression_context *c, double value, struct span written)
{
    double low = expression_low(c), bound = value < low ? low : c->high;
    char q[56], limit[48];

    if (value >= low && value <= c->high)
        return true;
    quantity_text(bound, c->dimension, c->currency, limit);
    if (c->dimension == DIMENSION_SHARE && value > c->high && value / 100 <= c->high &&
        memchr(written.text, '%', written.length) == NULL)
        return expression_fail(c, "'%s' is above %s; for %g percent write '%g %%'",
                               span_quote(written, q), limit, value, value);
    return expression_fail(c, "'%s' is %s %s, the %s that is legal", span_quote(written, q),
                           value < low ? "below" : "above", limit, value < low ? "least" : "most");
}

const char *expression_range_text(const struct expression_context *c, char out[120])
{
    char low[48], high[48];

    quantity_text(expression_low(c), c->dimension, c->currency, low);
    quantity_text(c->high, c->dimension, c->currency, high);
    if (!isfinite(c->high))
        snprintf(out, 120, "at least %s", low);
    else if (!isfinite(expression_low(c)))
        snprintf(out, 120, "at most %s", high);
    else
        snprintf(out, 120, "%s to %s", low, high);
    return out;
}
