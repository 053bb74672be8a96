/* SPDX-License-Identifier: GPL-3.0-or-later
 * The names of the arguments are those of the textbooks and of R, NumPy and SciPy where these agree
 * (mean, sd, low, high, mode, shape, scale). */
#include "engine/expression_call.h"

#include "engine/text.h"

#include <stdio.h>
#include <string.h>

static const struct call_family families[] = {
    {"uniform",
     DISTRIBUTION_UNIFORM,
     false,
     {{"low", ARGUMENT_VALUE}, {"high", ARGUMENT_VALUE}},
     "uniform(low; high)"},
    {"normal",
     DISTRIBUTION_NORMAL,
     false,
     {{"mean", ARGUMENT_VALUE}, {"sd", ARGUMENT_SPREAD}},
     "normal(mean; sd)"},
    {"lognormal",
     DISTRIBUTION_LOGNORMAL,
     true,
     {{"p50", ARGUMENT_POSITIVE}, {"p95", ARGUMENT_POSITIVE}},
     "lognormal(p50=...; p95=...)"},
    {"triangular",
     DISTRIBUTION_TRIANGULAR,
     false,
     {{"low", ARGUMENT_VALUE}, {"mode", ARGUMENT_VALUE}, {"high", ARGUMENT_VALUE}},
     "triangular(low; mode; high)"},
    {"exponential",
     DISTRIBUTION_EXPONENTIAL,
     false,
     {{"mean", ARGUMENT_POSITIVE}},
     "exponential(mean)"},
    {"gamma",
     DISTRIBUTION_GAMMA,
     false,
     {{"mean", ARGUMENT_POSITIVE}, {"cv", ARGUMENT_RATIO}},
     "gamma(mean; cv)"},
    {"weibull",
     DISTRIBUTION_WEIBULL,
     false,
     {{"shape", ARGUMENT_SHAPE}, {"scale", ARGUMENT_POSITIVE}},
     "weibull(shape; scale)"},
    {"poisson", DISTRIBUTION_POISSON, false, {{"mean", ARGUMENT_POSITIVE}}, "poisson(mean)"},
    {"empirical",
     DISTRIBUTION_EMPIRICAL,
     false,
     {{"file", ARGUMENT_WORD}, {"column", ARGUMENT_WORD}},
     "empirical(file.csv; column)"},
};

enum { FAMILIES = sizeof(families) / sizeof(families[0]), MOST_ARGUMENTS = 3 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Letters, digits, _ and - from the first letter on. */
static size_t word_length(struct span s)
{
    size_t i = 0;

    if (s.length == 0 || !is_letter(s.text[0]))
        return 0;
    while (i < s.length &&
           (is_letter(s.text[i]) || s.text[i] == '-' || (s.text[i] >= '0' && s.text[i] <= '9')))
        i++;
    return i;
}

static bool equals(struct span s, const char *word)
{
    return strlen(word) == s.length && memcmp(s.text, word, s.length) == 0;
}

static const struct call_family *find_family(struct span name)
{
    for (size_t i = 0; i < FAMILIES; i++)
        if (equals(name, families[i].name))
            return &families[i];
    return NULL;
}

bool call_is(struct span s)
{
    size_t n = word_length(s);
    struct span rest = span_trim(s.text + n, s.length - n);

    return n > 0 && ((rest.length > 0 && rest.text[0] == '(') ||
                     (rest.length == 0 && find_family((struct span){s.text, n}) != NULL));
}

static bool unknown_family(struct expression_context *c, struct span name)
{
    const char *names[FAMILIES], *meant;
    char q[56];

    for (size_t i = 0; i < FAMILIES; i++)
        names[i] = families[i].name;
    meant = text_suggest(span_quote(name, q), names, FAMILIES);
    if (meant != NULL)
        return expression_fail(c, "unknown distribution '%s'; did you mean '%s'?", q, meant);
    return expression_fail(c,
                           "unknown distribution '%s'; there are uniform, normal, lognormal, "
                           "triangular, exponential, gamma, weibull, poisson and empirical",
                           q);
}

/* What stands between the parentheses. */
static bool find_inside(struct span s, struct expression_context *c, struct span *inside)
{
    const char *open = memchr(s.text, '(', s.length);
    size_t start = (size_t)(open - s.text) + 1, depth = 1, i = start;
    char q[56];

    for (; i < s.length && depth > 0; i++)
        depth = s.text[i] == '(' ? depth + 1 : s.text[i] == ')' ? depth - 1 : depth;
    if (depth > 0)
        return expression_fail(c,
                               "the parenthesis of '%s' is not closed; inside {} YAML ends a "
                               "value at a comma: write ';' between the arguments",
                               span_quote(s, q));
    if (i < s.length)
        return expression_fail(c, "'%s' follows the closing parenthesis",
                               span_quote(span_trim(s.text + i, s.length - i), q));
    *inside = (struct span){open + 1, i - 1 - start};
    return true;
}

/* Splits `name = value`; *name is empty when there is none. */
static struct span take_name(struct span argument, struct span *name)
{
    size_t n = word_length(argument);
    struct span rest = span_trim(argument.text + n, argument.length - n);

    *name = (struct span){argument.text, 0};
    if (n == 0 || rest.length == 0 || rest.text[0] != '=')
        return argument;
    name->length = n;
    return span_trim(rest.text + 1, rest.length - 1);
}

/* The place of the argument `name`, or of the next one without a name. False with a message. */
static bool find_place(struct expression_context *c, const struct call *call, struct span name,
                       size_t position, bool named_before, size_t *place)
{
    const struct call_family *f = call->family;
    const char *names[MOST_ARGUMENTS], *meant;
    size_t count = 0;
    char q[56];

    for (; count < MOST_ARGUMENTS && f->arguments[count].name != NULL; count++)
        names[count] = f->arguments[count].name;
    if (name.length == 0) {
        if (f->by_name)
            return expression_fail(c, "the arguments of %s are named: write %s", f->name, f->shown);
        if (named_before)
            return expression_fail(c,
                                   "an argument without a name behind a named one; name it too: "
                                   "%s",
                                   f->shown);
        if (position >= count)
            return expression_fail(c, "too many arguments for %s; write %s", f->name, f->shown);
        *place = position;
        return true;
    }
    for (size_t i = 0; i < count; i++) {
        if (!equals(name, names[i]))
            continue;
        if (call->arguments[i].text != NULL)
            return expression_fail(c, "argument '%s' of %s is given twice", names[i], f->name);
        *place = i;
        return true;
    }
    meant = text_suggest(span_quote(name, q), names, count);
    if (meant != NULL)
        return expression_fail(c, "unknown argument '%s' of %s; did you mean '%s'?", q, f->name,
                               meant);
    return expression_fail(c, "unknown argument '%s' of %s; write %s", q, f->name, f->shown);
}

static bool take_argument(struct expression_context *c, struct call *call, struct span argument,
                          size_t position, bool *named_before)
{
    struct span name, value = take_name(argument, &name);
    size_t place = 0;

    if (!find_place(c, call, name, position, *named_before, &place))
        return false;
    if (value.length == 0)
        return expression_fail(c, "argument '%s' of %s is empty; write %s",
                               call->family->arguments[place].name, call->family->name,
                               call->family->shown);
    if (name.length > 0)
        *named_before = true;
    call->arguments[place] = value;
    return true;
}

bool call_parse(struct span s, struct expression_context *c, struct call *out)
{
    struct span name = {s.text, word_length(s)}, inside = {0};
    size_t start = 0, depth = 0, position = 0;
    bool named = false;

    *out = (struct call){.family = find_family(name)};
    if (out->family == NULL)
        return unknown_family(c, name);
    if (name.length == s.length)
        return expression_fail(c, "%s needs arguments: write %s", out->family->name,
                               out->family->shown);
    if (!find_inside(s, c, &inside))
        return false;
    for (size_t i = 0; i <= inside.length; i++) {
        char at = i < inside.length ? inside.text[i] : ';';
        if (at == '(')
            depth++;
        else if (at == ')')
            depth--;
        if (depth > 0 || (at != ',' && at != ';'))
            continue;
        if (i == inside.length && position == 0 && span_trim(inside.text, i).length == 0)
            break; /* no arguments at all */
        if (!take_argument(c, out, span_trim(inside.text + start, i - start), position++, &named))
            return false;
        start = i + 1;
    }
    for (size_t i = 0; i < MOST_ARGUMENTS && out->family->arguments[i].name != NULL; i++)
        if (out->arguments[i].text == NULL)
            return expression_fail(c, "argument '%s' of %s is missing; write %s",
                                   out->family->arguments[i].name, out->family->name,
                                   out->family->shown);
    return true;
}
