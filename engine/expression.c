/* SPDX-License-Identifier: GPL-3.0-or-later
 * From text to a number or a variate, in three steps: the outer form (a value, an interval, a
 * call), the distribution with its arguments, and the check against the legal range. Nothing
 * recurses on the user's text: an argument of a variate may be uncertain, an argument of a number
 * may not. */
#include "engine/expression.h"

#include "engine/expression_call.h"
#include "engine/expression_sample.h"
#include "engine/expression_value.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct variate nothing(const struct expression_context *c)
{
    struct variate v = variate_constant(0);

    v.low = expression_low(c);
    v.high = c->high;
    v.given = true;
    return v;
}

/* The first warning stays. */
static void __attribute__((format(printf, 2, 3)))
warn(struct expression_context *c, const char *format, ...)
{
    va_list args;

    if (c->warning == NULL || c->warning_size == 0 || c->warning[0] != '\0')
        return;
    va_start(args, format);
    vsnprintf(c->warning, c->warning_size, format, args);
    va_end(args);
}

static void make_certain(struct variate *v, double value)
{
    v->family = DISTRIBUTION_CONSTANT;
    v->p[0] = NUMBER_CERTAIN(value);
    v->p[1] = v->p[2] = NUMBER_CERTAIN(0);
    v->p1_is_p95 = false;
}

/* ---- a..b ----------------------------------------------------------------------------------- */

/* Where the two points stand, or SIZE_MAX. */
static size_t find_points(struct span s)
{
    for (size_t i = 0; i + 1 < s.length; i++)
        if (s.text[i] == '.' && s.text[i + 1] == '.')
            return i;
    return SIZE_MAX;
}

/* Whether s reads like an interval in another notation: 5-9, 5 – 9s, 5…9, 5 to 9. */
static bool is_other_interval(struct span s)
{
    static const char *const signs[] = {"-", "–", "—", "…", "to ", "~"};
    size_t n = quantity_number_length(s.text, s.length);

    for (; n > 0 && n < s.length; n++) {
        for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
            size_t length = strlen(signs[i]);
            struct span rest;
            if (s.length - n <= length || memcmp(s.text + n, signs[i], length) != 0)
                continue;
            rest = span_trim(s.text + n + length, s.length - n - length);
            if (quantity_number_length(rest.text, rest.length) > 0)
                return true;
        }
    }
    return false;
}

/* The number of an end: without a dollar sign before it. */
static size_t number_length(struct span s, size_t *dollar)
{
    *dollar = s.length > 0 && s.text[0] == '$';
    return quantity_number_length(s.text + *dollar, s.length - *dollar);
}

/* True when a unit begins with k, M, B, G or T for a power of ten: "B", "k USD", "k/s". */
static bool has_magnitude(struct span unit, enum dimension dimension)
{
    struct span rest;

    if (unit.length == 0 || memchr("kMBGT", unit.text[0], 5) == NULL)
        return false;
    rest = span_trim(unit.text + 1, unit.length - 1);
    switch (dimension) {
    case DIMENSION_COUNT:
        return rest.length == 0;
    case DIMENSION_RATE:
    case DIMENSION_HAZARD:
        return rest.length > 0 && rest.text[0] == '/';
    case DIMENSION_MONEY:
    case DIMENSION_PRICE: /* "k USD", "kUSD", and behind a dollar sign "k" or "k/h" */
        return rest.length == 0 || rest.text[0] == '/' || rest.text != unit.text + 1 ||
               (rest.length >= 3 && rest.text[2] >= 'A' && rest.text[2] <= 'Z');
    default:
        return false;
    }
}

/* Gives a left end without a unit that of the right, in buffer. False with a message where it is
 * not clear what is meant. */
static bool share_unit(struct expression_context *c, struct span *left, struct span right,
                       char *buffer, size_t size)
{
    size_t left_dollar, right_dollar;
    size_t left_number = number_length(*left, &left_dollar);
    size_t right_number = number_length(right, &right_dollar);
    struct span left_unit, right_unit;
    char q[56], p[56];

    left_unit =
        span_trim(left->text + left_dollar + left_number, left->length - left_dollar - left_number);
    right_unit = span_trim(right.text + right_dollar + right_number,
                           right.length - right_dollar - right_number);
    if (left_number == 0 || right_number == 0)
        return true; /* its own message comes with the value */
    if (left_unit.length > 0) {
        if (right_unit.length == 0 && right_dollar == 0 &&
            (c->dimension == DIMENSION_COUNT || c->dimension == DIMENSION_SHARE))
            return expression_fail(c, "'%s' has a unit and '%s' has none: write it at both ends",
                                   span_quote(*left, q), span_quote(right, p));
        return true;
    }
    if (has_magnitude(right_unit, c->dimension))
        return expression_fail(
            c, "'%.1s' in '%s' may be meant for '%s' too or not; write it at both ends",
            right_unit.text, span_quote(right, p), span_quote(*left, q));
    if (left->length + right_unit.length + 2 >= size)
        return true;
    snprintf(buffer, size, "%s%.*s%.*s", left_dollar + right_dollar > 0 ? "$" : "",
             (int)left_number, left->text + left_dollar, (int)right_unit.length, right_unit.text);
    *left = (struct span){buffer, strlen(buffer)};
    return true;
}

static bool wrong_order(struct expression_context *c, struct span left, struct span right)
{
    char q[56], p[56];

    return expression_fail(c, "'%s' is above '%s'; swap the ends", span_quote(left, q),
                           span_quote(right, p));
}

/* The ends as the user wrote them and as values; for a hazard in times the values are swapped. */
static bool read_ends(struct expression_context *c, struct span left, struct span right, double *a,
                      double *b)
{
    bool times = c->dimension == DIMENSION_HAZARD && expression_is_time(left);
    enum dimension dimension = times ? DIMENSION_TIME : c->dimension;

    if (c->dimension == DIMENSION_HAZARD && times != expression_is_time(right))
        return expression_fail(c, "an interval from a rate to a mean time; write both in one way");
    if (!expression_value(left, c, dimension, a) || !expression_value(right, c, dimension, b))
        return false;
    if (*a > *b)
        return wrong_order(c, left, right);
    if (times) {
        double shortest = *a;
        if (!(shortest > 0))
            return expression_fail(c, "a mean time between events must be above zero");
        *a = 1 / *b;
        *b = 1 / shortest;
    }
    return expression_check_range(c, *a, times ? right : left) &&
           expression_check_range(c, *b, times ? left : right);
}

static bool read_interval(struct span s, size_t points, struct expression_context *c,
                          struct variate *v)
{
    struct span left = span_trim(s.text, points);
    struct span right = span_trim(s.text + points + 2, s.length - points - 2);
    struct distribution d;
    char buffer[160], q[56];
    double a = 0, b = 0;

    if (left.length == 0 || right.length == 0)
        return expression_fail(c, "'%s' lacks an end; an interval is written a..b",
                               span_quote(s, q));
    if (right.text[0] == '.' || find_points(right) != SIZE_MAX)
        return expression_fail(c, "'%s' has too many points; an interval is written a..b",
                               span_quote(s, q));
    if (!share_unit(c, &left, right, buffer, sizeof(buffer)) || !read_ends(c, left, right, &a, &b))
        return false;
    if (a == b) {
        make_certain(v, a);
        return true;
    }
    d = distribution_from_interval(a, b, c->dimension == DIMENSION_SHARE);
    v->family = d.family;
    for (size_t i = 0; i < 3; i++)
        v->p[i] = NUMBER_CERTAIN(d.p[i]);
    return true;
}

/* ---- family(arguments) ---------------------------------------------------------------------- */

/* The smallest and largest value that a parameter takes, but for one world in a thousand each. */
static double parameter_at(const struct expression_context *c, const struct number *n, double u)
{
    return n->input < 0
               ? n->median
               : distribution_quantile(&inputs_at(c->inputs, (size_t)n->input)->distribution, u);
}

/* One argument; `uncertain` ones become inputs named after key and argument. */
static bool read_argument(struct expression_context *c, const struct call *call, size_t i,
                          bool uncertain, struct number *out)
{
    const char *argument = call->family->arguments[i].name, *family = call->family->name;
    enum argument_role role = call->family->arguments[i].role;
    struct span s = call->arguments[i];
    struct expression_context inner = *c;
    bool above_zero = role == ARGUMENT_POSITIVE || role == ARGUMENT_SHAPE;
    char *text, *name, warning[200];

    if (c->dimension == DIMENSION_HAZARD && role <= ARGUMENT_SPREAD && expression_is_time(s))
        return expression_fail(c,
                               "argument '%s' of %s: a time inside the distribution of a rate; "
                               "write it as a rate, such as 0.2/h",
                               argument, family);
    if (role == ARGUMENT_RATIO || role == ARGUMENT_SHAPE)
        inner.dimension = DIMENSION_COUNT;
    else if (c->dimension == DIMENSION_HAZARD)
        inner.dimension = DIMENSION_RATE;
    inner.low = role == ARGUMENT_VALUE ? -HUGE_VAL : 0;
    inner.high = HUGE_VAL;
    if (uncertain) {
        text = arena_copy(c->arena, s.text, s.length);
        name = arena_format(c->arena, "%s.%s", c->name, argument);
        if (text == NULL || name == NULL)
            return expression_fail(c, "out of memory");
        inner.name = name;
        inner.warning = warning;
        inner.warning_size = sizeof(warning);
        if (!expression_number(text, &inner, out))
            return expression_blame(c, argument, family);
        if (warning[0] != '\0')
            warn(c, "argument '%s' of %s: %s", argument, family, warning);
    } else {
        double value = 0;
        if (!expression_value(s, &inner, inner.dimension, &value) ||
            !expression_check_range(&inner, value, s))
            return expression_blame(c, argument, family);
        *out = NUMBER_CERTAIN(value);
    }
    if (above_zero && !(parameter_at(c, out, 0x1p-53) > 0))
        return expression_fail(c, "argument '%s' of %s must be above zero", argument, family);
    return true;
}

/* Refuses arguments i and i + 1 that are, or can get, in the wrong order. */
static bool check_order(struct expression_context *c, const struct call *call,
                        const struct variate *v, size_t i)
{
    const char *low = call->family->arguments[i].name, *high = call->family->arguments[i + 1].name;
    bool certain = v->p[i].input < 0 && v->p[i + 1].input < 0;

    if (parameter_at(c, &v->p[i], 0.999) <= parameter_at(c, &v->p[i + 1], 0.001))
        return true;
    if (certain || v->p[i].median > v->p[i + 1].median)
        return expression_fail(c, "'%s' of %s is above '%s'; swap them", low, call->family->name,
                               high);
    return expression_fail(c, "'%s' and '%s' of %s overlap; leave room between them", low, high,
                           call->family->name);
}

/* True when v does not vary but for its first parameter. */
static bool is_degenerate(const struct variate *v)
{
    const struct number *p = v->p;

    switch (v->family) {
    case DISTRIBUTION_NORMAL:
    case DISTRIBUTION_GAMMA:
        return p[1].input < 0 && p[1].median == 0;
    case DISTRIBUTION_UNIFORM:
    case DISTRIBUTION_LOGNORMAL:
        return p[0].input < 0 && p[1].input < 0 && p[0].median == p[1].median;
    case DISTRIBUTION_TRIANGULAR:
        return p[0].input < 0 && p[2].input < 0 && p[0].median == p[2].median;
    default:
        return false;
    }
}

static bool read_sample(const struct call *call, struct expression_context *c, struct variate *v)
{
    if (!expression_sample(call->arguments[0], call->arguments[1], c, &v->values, &v->value_count))
        return false;
    if (v->values[0] == v->values[v->value_count - 1])
        make_certain(v, v->values[0]);
    return true;
}

static bool read_call(struct span s, struct expression_context *c, bool uncertain,
                      struct variate *v)
{
    struct call call;
    size_t count = 0;

    if (!call_parse(s, c, &call))
        return false;
    v->family = call.family->family;
    v->p1_is_p95 = v->family == DISTRIBUTION_LOGNORMAL;
    if (v->family == DISTRIBUTION_EMPIRICAL)
        return read_sample(&call, c, v);
    if (v->family == DISTRIBUTION_POISSON && c->dimension != DIMENSION_COUNT)
        return expression_fail(c, "poisson counts things; here %s is wanted",
                               quantity_wanted(c->dimension));
    for (; count < 3 && call.family->arguments[count].name != NULL; count++)
        if (!read_argument(c, &call, count, uncertain, &v->p[count]))
            return false;
    if (v->family == DISTRIBUTION_UNIFORM || v->family == DISTRIBUTION_TRIANGULAR || v->p1_is_p95)
        for (size_t i = 0; i + 1 < count; i++)
            if (!check_order(c, &call, v, i))
                return false;
    if (is_degenerate(v)) {
        v->family = DISTRIBUTION_CONSTANT;
        v->p1_is_p95 = false;
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Whether d can be drawn from in double precision: without its bounds, which would hide a failure,
 * its quantiles are finite and rise. Far tails may overflow, and numerical inverses may not
 * converge. */
static bool is_drawable(const struct distribution *d)
{
    static const double at[] = {0x1p-53, 1e-6, 1e-3,  0.05,     0.25,       0.5,
                                0.75,    0.95, 0.999, 1 - 1e-6, 1 - 0x1p-53};
    struct distribution whole = *d;
    double before = -DBL_MAX;

    whole.low = -HUGE_VAL;
    whole.high = HUGE_VAL;
    whole.u_low = 0;
    whole.u_high = 1;
    for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
        double q = distribution_quantile(&whole, at[i]);
        if (!isfinite(q) || q < before - 1e-6 * fabs(before))
            return false;
        before = q;
    }
    return true;
}

/* Prepares the distribution that planning sees and judges what lies outside the legal range. */
static bool judge(struct span s, struct expression_context *c, const struct variate *v,
                  struct distribution *d)
{
    double p[3], outside = 0;
    char range[120];

    for (size_t i = 0; i < 3; i++)
        p[i] = v->p[i].median;
    if (v->family == DISTRIBUTION_CONSTANT && !expression_check_range(c, p[0], s))
        return false;
    if (v->p1_is_p95)
        p[1] = distribution_lognormal(p[0], p[1]).p[1];
    *d = (struct distribution){.family = v->family,
                               .p = {p[0], p[1], p[2]},
                               .values = v->values,
                               .value_count = v->value_count,
                               .low = v->low,
                               .high = v->high};
    if (!distribution_prepare(d, &outside, c->message, c->message_size)) {
        if (outside > 0.2)
            expression_fail(c, "%.3g %% of the distribution lies outside what is legal, %s",
                            100 * outside, expression_range_text(c, range));
        return false;
    }
    if (!is_drawable(d))
        return expression_fail(c, "the distribution has values beyond what can be computed; choose "
                                  "less extreme arguments");
    if (outside > 0.001)
        warn(c, "%.2g %% of the distribution lies outside what is legal, %s, and is cut off",
             100 * outside, expression_range_text(c, range));
    return true;
}

/* Every form into a variate; `uncertain`: arguments may be. */
static bool read_any(const char *text, struct expression_context *c, bool uncertain,
                     struct variate *v, struct distribution *d)
{
    struct span s = span_trim(text, strlen(text));
    size_t points = find_points(s);
    double value = 0;
    char q[56];

    *v = nothing(c);
    if (c->message_size > 0)
        c->message[0] = '\0';
    if (c->warning != NULL && c->warning_size > 0)
        c->warning[0] = '\0';
    if (call_is(s)) {
        if (!read_call(s, c, uncertain, v))
            return false;
    } else if (points != SIZE_MAX) {
        if (!read_interval(s, points, c, v))
            return false;
    } else {
        if (!expression_value(s, c, c->dimension, &value))
            return is_other_interval(s)
                       ? expression_fail(
                             c, "'%s' is no value; an interval is written a..b, as in 5..9",
                             span_quote(s, q))
                       : false;
        make_certain(v, value);
    }
    return judge(s, c, v, d);
}

/* The suffix of the input's column in the results. */
static const char *column_suffix(const struct expression_context *c, char out[24])
{
    static const char *const plain[] = {[DIMENSION_COUNT] = "",
                                        [DIMENSION_SHARE] = "frac",
                                        [DIMENSION_TIME] = "s",
                                        [DIMENSION_SPAN] = "s",
                                        [DIMENSION_OFFSET] = "s",
                                        [DIMENSION_DATA] = "bytes",
                                        [DIMENSION_DATA_RATE] = "bytes_per_s",
                                        [DIMENSION_RATE] = "per_s",
                                        [DIMENSION_HAZARD] = "per_s",
                                        [DIMENSION_MONEY] = "",
                                        [DIMENSION_PRICE] = "_per_hour",
                                        [DIMENSION_FLOPS] = "flop_per_s"};
    const char *currency = c->currency == NULL ? "" : c->currency;
    size_t used = 0;

    if (c->dimension == DIMENSION_MONEY || c->dimension == DIMENSION_PRICE)
        for (; used < 3 && currency[used] != '\0'; used++)
            out[used] =
                (char)(currency[used] >= 'A' && currency[used] <= 'Z' ? currency[used] + ('a' - 'A')
                                                                      : currency[used]);
    snprintf(out + used, 24 - used, "%s", plain[c->dimension]);
    return out;
}

/* Of a certain span; 0 of all else. */
static int whole_months(const char *text, enum dimension dimension)
{
    struct quantity q;
    char message[160];

    if (dimension != DIMENSION_SPAN ||
        !quantity_parse(text, strlen(text), dimension, &q, message, sizeof(message)))
        return 0;
    return q.months;
}

bool expression_number(const char *text, struct expression_context *c, struct number *out)
{
    struct variate v;
    struct distribution d;
    char unit[24];

    *out = NUMBER_CERTAIN(0);
    if (!read_any(text, c, false, &v, &d))
        return false;
    out->given = true;
    out->word = -1;
    if (v.family == DISTRIBUTION_CONSTANT) {
        out->median = v.p[0].median;
        out->months = whole_months(text, c->dimension);
        return true;
    }
    out->median = distribution_median(&d);
    out->input = inputs_add(c->inputs, c->name, column_suffix(c, unit), &d);
    if (out->input >= 0)
        return true;
    if (inputs_count(c->inputs) >= INPUTS_MAX)
        return expression_fail(c, "more than %d uncertain numbers", INPUTS_MAX);
    return expression_fail(c,
                           inputs_find(c->inputs, c->name) >= 0
                               ? "'%s' is an uncertain number already"
                               : "out of memory for the uncertain number '%s'",
                           c->name);
}

bool expression_variate(const char *text, struct expression_context *c, struct variate *out)
{
    struct distribution d;

    return read_any(text, c, true, out, &d);
}
