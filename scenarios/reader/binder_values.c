/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/binder_values.h"

#include "engine/civil_time.h"
#include "engine/expression.h"
#include "engine/text.h"
#include "scenarios/reader/quote.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MESSAGE = 512 };

/* A calendar month for range checks only: a twelfth of the mean Gregorian year (365.2425 days). */
#define MEAN_MONTH_S 2629746.0

bool binder_refuse(const struct binding *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (b->is_default) /* a key declared with a default that it refuses itself */
        diagnostics_add(b->binder->d, DIAGNOSTIC_FAILURE, (struct place){NULL, 0, 0},
                        "the default '%s' of '%s' is not legal", b->key->default_text, b->path);
    else
        diagnostics_addv(b->binder->d, DIAGNOSTIC_ERROR, b->node->place, format, args);
    va_end(args);
    return false;
}

const char *binder_wanted(const struct binder *b, const struct schema_key *key)
{
    const char *text = NULL;

    switch (key->kind) {
    case SCHEMA_TEXT:
        return "text";
    case SCHEMA_CHOICE:
        return quote_choices(b->arena, key->choices);
    case SCHEMA_FLAG:
        return "yes or no";
    case SCHEMA_INTEGER:
        return "a whole number";
    case SCHEMA_QUANTITY:
    case SCHEMA_VARIATE:
    case SCHEMA_NUMBER:
        if (key->choices == NULL)
            return quantity_wanted(key->dimension);
        text = arena_format(b->arena, "%s, or %s", quantity_wanted(key->dimension),
                            quote_choices(b->arena, key->choices));
        return text == NULL ? "a number" : text;
    case SCHEMA_DATE:
        return "a date such as 2026-03-02 or 2026-03-02T08:00Z";
    case SCHEMA_SECTION:
    case SCHEMA_VARIANT:
        return "a mapping of keys";
    case SCHEMA_MAP:
        return "a mapping of names";
    default:
        return "a list";
    }
}

size_t binder_characters(const char *text, bool *has_control)
{
    size_t length = strlen(text), count = 0;

    *has_control = false;
    for (size_t i = 0; i < length; count++) {
        uint32_t c = 0;
        size_t n = text_decode(text + i, length - i, &c);
        if (n == 0 || c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029)
            *has_control = true;
        i += n == 0 ? 1 : n;
    }
    return count;
}

/* What the key is called in messages. */
static const char *label_of(const struct binding *b)
{
    return b->node->label != NULL ? b->node->label : b->key->name;
}

/* ---- ranges --------------------------------------------------------------------------------- */

/* A bound as a user would write it. */
static void write_bound(const struct schema_key *k, double v, char out[48])
{
    const double years = v / (365.25 * 86400);

    if (k->kind == SCHEMA_INTEGER)
        snprintf(out, 48, "%" PRId64, v < 0x1p63 ? (int64_t)v : INT64_MAX);
    else if (k->dimension == DIMENSION_SPAN && years >= 1 && years == floor(years))
        snprintf(out, 48, "%.0f y", years);
    else
        quantity_text(v, k->dimension, NULL, out);
}

static bool check_range(const struct binding *b, double v)
{
    const struct schema_key *k = b->key;
    const double low = schema_low(k), high = schema_high(k);
    const char *value = quote(b->binder->arena, b->node->text);
    char least[48], most[48];

    if (v >= low && v <= high)
        return true;
    write_bound(k, low, least);
    write_bound(k, high, most);
    if (low == high)
        return binder_refuse(b, "'%s' is %s; it must be %s", label_of(b), value, least);
    if (isinf(high))
        return binder_refuse(b, "'%s' is %s; it must be at least %s", label_of(b), value, least);
    if (isinf(low))
        return binder_refuse(b, "'%s' is %s; it must be at most %s", label_of(b), value, most);
    return binder_refuse(b, "'%s' is %s; it must be between %s and %s", label_of(b), value, least,
                         most);
}

/* ---- kinds ---------------------------------------------------------------------------------- */

static bool bind_text(const struct binding *b, const char **out)
{
    const struct schema_key *k = b->key;
    bool has_control;
    size_t length = binder_characters(b->node->text, &has_control);

    if (has_control)
        return binder_refuse(b, "'%s' has a line break or another control character", label_of(b));
    if ((double)length < schema_low(k) || (double)length > schema_high(k))
        return binder_refuse(b, "'%s' has %zu characters; it must have between %.0f and %.0f",
                             k->name, length, k->low, k->high);
    *out = b->node->text;
    return true;
}

static bool bind_choice(const struct binding *b, int *out)
{
    const char *const *choices = b->key->choices;
    const char *value = b->node->text;
    const char *meant;
    int count = 0;

    for (; choices[count] != NULL; count++) {
        if (strcmp(choices[count], value) == 0) {
            *out = count;
            return true;
        }
    }
    meant = text_suggest(value, choices, (size_t)count);
    if (meant != NULL)
        return binder_refuse(b, "'%s' is %s; did you mean '%s'?", label_of(b),
                             quote(b->binder->arena, value), meant);
    return binder_refuse(b, "'%s' is %s; expected %s", label_of(b), quote(b->binder->arena, value),
                         quote_choices(b->binder->arena, choices));
}

static bool bind_flag(const struct binding *b, bool *out)
{
    const char *v = b->node->text;

    if (strcasecmp(v, "yes") == 0 || strcasecmp(v, "true") == 0)
        *out = true;
    else if (strcasecmp(v, "no") == 0 || strcasecmp(v, "false") == 0)
        *out = false;
    else
        return binder_refuse(b, "'%s' is %s; expected yes or no", label_of(b),
                             quote(b->binder->arena, v));
    return true;
}

/* Plain digits exactly (a seed may need all 63 bits); anything else ("2.5k") as a quantity. */
static bool bind_integer(const struct binding *b, int64_t *out)
{
    const char *text = b->node->text;
    const size_t sign = text[0] == '-' || text[0] == '+';
    struct quantity q;
    char message[MESSAGE];

    if (text[sign] != '\0' && text[sign + strspn(text + sign, "0123456789")] == '\0') {
        errno = 0;
        intmax_t v = strtoimax(text, NULL, 10);
        if (errno == ERANGE)
            return binder_refuse(b, "'%s' is %s; it must be at most %" PRId64, label_of(b),
                                 quote(b->binder->arena, text), INT64_MAX);
        *out = (int64_t)v;
        return check_range(b, (double)v);
    }
    if (!quantity_parse(text, strlen(text), DIMENSION_COUNT, &q, message, sizeof(message)))
        return binder_refuse(b, "'%s': %s", label_of(b), message);
    if (q.value != floor(q.value) || fabs(q.value) > 9007199254740992.0)
        return binder_refuse(b, "'%s' is %s; expected a whole number%s%s", label_of(b),
                             quote(b->binder->arena, text), b->key->whole != NULL ? ", since " : "",
                             b->key->whole != NULL ? b->key->whole : "");
    *out = (int64_t)q.value;
    return check_range(b, q.value);
}

static bool bind_quantity(const struct binding *b, struct quantity *out)
{
    const char *text = b->node->text;
    char message[MESSAGE];
    struct quantity q = {0};

    if (!quantity_parse(text, strlen(text), b->key->dimension, &q, message, sizeof(message)))
        return binder_refuse(b, "'%s': %s", label_of(b), message);
    if (q.currency[0] != '\0' && strcmp(q.currency, b->binder->currency) != 0)
        return binder_refuse(b, "'%s' is in %s; this scenario's currency is %s", label_of(b),
                             q.currency, b->binder->currency);
    *out = q;
    return check_range(b, q.value + q.months * MEAN_MONTH_S);
}

static struct expression_context make_context(const struct binding *b, char *message, char *warning)
{
    message[0] = warning[0] = '\0';
    return (struct expression_context){
        .arena = b->binder->arena,
        .inputs = b->binder->inputs,
        .name = b->path,
        .dimension = b->key->dimension,
        .low = schema_low(b->key),
        .high = schema_high(b->key),
        .currency = b->binder->currency,
        .other_currency = b->key->either_currency ? b->binder->other_currency : NULL,
        .other_rate = b->binder->other_rate,
        .base_folder = b->binder->folder,
        .message = message,
        .message_size = MESSAGE,
        .warning = warning,
        .warning_size = MESSAGE,
    };
}

static void pass_on_warning(const struct binding *b, const char *warning)
{
    if (warning[0] != '\0' && !b->is_default)
        diagnostics_add(b->binder->d, DIAGNOSTIC_WARNING, b->node->place, "'%s': %s", label_of(b),
                        warning);
}

static bool bind_number(const struct binding *b, struct number *out)
{
    char message[MESSAGE], warning[MESSAGE];
    struct expression_context c = make_context(b, message, warning);
    const char *const *words = b->key->choices;
    const char *text = b->node->text;
    const char *meant;
    int count = 0;

    *out = NUMBER_CERTAIN(0);
    out->given = !b->is_default;
    for (; words != NULL && words[count] != NULL; count++) {
        if (strcmp(words[count], text) == 0) {
            out->word = count;
            return true;
        }
    }
    if (!expression_number(text, &c, out)) {
        meant = words == NULL ? NULL : text_suggest(text, words, (size_t)count);
        if (meant != NULL)
            return binder_refuse(b, "'%s' is %s; did you mean '%s'?", label_of(b),
                                 quote(b->binder->arena, text), meant);
        return words == NULL ? binder_refuse(b, "'%s': %s", label_of(b), message)
                             : binder_refuse(b, "'%s': %s; '%s' is legal too", label_of(b), message,
                                             words[0]);
    }
    out->word = -1;
    out->given = !b->is_default;
    pass_on_warning(b, warning);
    return true;
}

static bool bind_variate(const struct binding *b, struct variate *out)
{
    char message[MESSAGE], warning[MESSAGE];
    struct expression_context c = make_context(b, message, warning);

    if (!expression_variate(b->node->text, &c, out))
        return binder_refuse(b, "'%s': %s", label_of(b), message);
    out->given = !b->is_default;
    pass_on_warning(b, warning);
    return true;
}

static bool bind_date(const struct binding *b, struct schema_date *out)
{
    if (!civil_parse(b->node->text, &out->unix_s))
        return binder_refuse(b, "'%s' is %s; expected %s", label_of(b),
                             quote(b->binder->arena, b->node->text),
                             binder_wanted(b->binder, b->key));
    out->given = !b->is_default;
    return true;
}

bool binder_scalar(const struct binding *b, void *field)
{
    switch (b->key->kind) {
    case SCHEMA_TEXT:
        return bind_text(b, field);
    case SCHEMA_CHOICE:
        return bind_choice(b, field);
    case SCHEMA_FLAG:
        return bind_flag(b, field);
    case SCHEMA_INTEGER:
        return bind_integer(b, field);
    case SCHEMA_QUANTITY:
        return bind_quantity(b, field);
    case SCHEMA_NUMBER:
        return bind_number(b, field);
    case SCHEMA_VARIATE:
        return bind_variate(b, field);
    case SCHEMA_DATE:
        return bind_date(b, field);
    default:
        return binder_refuse(b, "'%s' must be %s", label_of(b), binder_wanted(b->binder, b->key));
    }
}

void binder_absent(const struct schema_key *key, void *field)
{
    switch (key->kind) {
    case SCHEMA_CHOICE:
        *(int *)field = -1;
        break;
    case SCHEMA_NUMBER:
        *(struct number *)field = NUMBER_CERTAIN(0);
        break;
    case SCHEMA_VARIATE:
        *(struct variate *)field = variate_constant(0);
        break;
    case SCHEMA_VARIANT:
        ((struct schema_variant *)field)->index = -1;
        break;
    default:
        break; /* the struct is zeroed */
    }
}
