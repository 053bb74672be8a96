/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/search_values.h"

#include "engine/quantity.h"
#include "engine/text.h"
#include "scenarios/reader/quote.h"
#include "scenarios/reader/yaml_flow.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALL_THAT_FIT "all that fit"

/* Between these ends values are taken at equal ratios, where nothing else is said. */
#define WIDE_RANGE 10.0

enum { MOST_VALUES = 10000 };

static bool wrong(const struct search_values *v, const struct yaml_node *node, const char *why)
{
    diagnostics_add(v->diagnostics, DIAGNOSTIC_ERROR, node->place, "%s: %s",
                    quote(v->arena, node->kind == YAML_TEXT ? node->text : "the values"), why);
    return false;
}

static bool out_of_memory(const struct search_values *v)
{
    diagnostics_add(v->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

/* ---- ranges --------------------------------------------------------------------------------- */

enum spacing { SPACING_UNSAID, SPACING_STEP, SPACING_LOG };

struct value_range {
    double low, high, step; /* in `unit` */
    const char *unit;
    bool whole; /* both ends are whole numbers without a unit */
    enum spacing spacing;
    size_t count; /* of LOG; 0: unsaid */
};

/* "5 min": 5 and "min"; false when it is no number. */
static bool take_end(const char *s, size_t length, struct arena *a, double *value,
                     const char **unit)
{
    size_t digits;
    char *number;

    while (length > 0 && *s == ' ') {
        s++;
        length--;
    }
    while (length > 0 && s[length - 1] == ' ')
        length--;
    digits = quantity_number_length(s, length);
    if (digits == 0)
        return false;
    number = arena_copy(a, s, digits);
    if (number == NULL)
        return false;
    *value = strtod(number, NULL);
    while (digits < length && s[digits] == ' ')
        digits++;
    *unit = arena_copy(a, s + digits, length - digits);
    return *unit != NULL;
}

/* How many of `unit` one of `other` is; 0: they measure different things. */
static double units_in(const char *other, const char *unit, struct arena *a)
{
    static const enum dimension all[] = {DIMENSION_COUNT, DIMENSION_SHARE,    DIMENSION_TIME,
                                         DIMENSION_DATA,  DIMENSION_RATE,     DIMENSION_MONEY,
                                         DIMENSION_PRICE, DIMENSION_DATA_RATE};
    const char *one = arena_format(a, "1%s", unit), *of_other = arena_format(a, "1%s", other);
    struct quantity q, p;
    char message[256];

    for (size_t i = 0; one != NULL && of_other != NULL && i < sizeof(all) / sizeof(all[0]); i++) {
        if (quantity_parse(one, strlen(one), all[i], &q, message, sizeof(message)) &&
            quantity_parse(of_other, strlen(of_other), all[i], &p, message, sizeof(message)) &&
            q.value > 0)
            return p.value / q.value;
    }
    return 0;
}

/* Brings `value`, in `unit`, to the range's unit; one without a unit has it already. */
static bool bring(double *value, const char *unit, const struct value_range *r, struct arena *a)
{
    double ratio = 1;

    if (r->unit[0] == '\0')
        return true; /* takes on whatever unit the step has */
    if (unit[0] != '\0' && strcmp(unit, r->unit) != 0)
        ratio = units_in(unit, r->unit, a);
    *value *= ratio;
    return ratio > 0;
}

static const char *take_spacing(struct value_range *r, const char *word, struct arena *a)
{
    const char *unit;
    double value;

    if (strncmp(word, "step ", 5) == 0) {
        r->spacing = SPACING_STEP;
        if (!take_end(word + 5, strlen(word + 5), a, &r->step, &unit) ||
            strchr(unit, ' ') != NULL || !bring(&r->step, unit, r, a) || !(r->step > 0))
            return "behind 'step' a number above 0 is wanted, in the unit of the ends";
        if (r->unit[0] == '\0')
            r->unit = unit;
        r->whole = r->whole && r->unit[0] == '\0' && floor(r->step) == r->step;
        return NULL;
    }
    r->spacing = SPACING_LOG;
    if (strcmp(word, "log") == 0)
        return NULL;
    if (strncmp(word, "log ", 4) != 0)
        return "behind the range 'step S' or 'log N' may stand";
    if (!take_end(word + 4, strlen(word + 4), a, &value, &unit) || unit[0] != '\0' || value < 2 ||
        value > MOST_VALUES || floor(value) != value)
        return "behind 'log' a number of values is wanted, at least 2";
    r->count = (size_t)value;
    return NULL;
}

/* What is wrong with "A..B …", or NULL. */
static const char *take_range(struct value_range *r, const char *text, struct arena *a)
{
    static const char *const words[] = {" step ", " log"};
    const char *dots = strstr(text, ".."), *word = NULL, *left, *right;
    size_t length = strlen(text);

    *r = (struct value_range){0};
    for (size_t i = 0; i < 2 && word == NULL; i++)
        word = strstr(text, words[i]);
    if (word != NULL)
        length = (size_t)(word - text);
    if (!take_end(text, (size_t)(dots - text), a, &r->low, &left) ||
        !take_end(dots + 2, length - (size_t)(dots + 2 - text), a, &r->high, &right))
        return "a range is written as 2..16, 5min..4h, or 10 %..90 %";
    r->unit = left[0] != '\0' ? left : right;
    if (!bring(&r->high, right, r, a))
        return "the ends are measured in different things";
    if (!(r->low < r->high))
        return "the left end must be below the right one";
    r->whole = r->unit[0] == '\0' && floor(r->low) == r->low && floor(r->high) == r->high;
    if (word != NULL) {
        const char *why = take_spacing(r, word + 1, a);
        if (why != NULL)
            return why;
    }
    if (r->spacing == SPACING_LOG && !(r->low > 0))
        return "'log' needs ends above 0";
    return NULL;
}

static double rounded(double value)
{
    char digits[32];

    snprintf(digits, sizeof(digits), "%.4g", value);
    return strtod(digits, NULL);
}

static const char *with_unit(double value, const char *unit, struct arena *a)
{
    return arena_format(a, "%.12g%s", value, unit);
}

const char *search_key_text(const struct search_key *k, double at, struct arena *a)
{
    return with_unit(rounded(k->logarithmic ? exp(at) : at), k->unit, a);
}

/* `count` values between the ends, equal ones once. */
static bool spread(const struct search_values *v, struct search_key *k, const struct value_range *r,
                   size_t count)
{
    k->values = arena_array(v->arena, count, sizeof(*k->values));
    if (k->values == NULL)
        return out_of_memory(v);
    for (size_t i = 0; i < count; i++) {
        struct search_value *value = &k->values[k->count];
        const double at = count == 1 ? 0 : (double)i / (double)(count - 1);
        double x =
            k->logarithmic ? r->low * pow(r->high / r->low, at) : r->low + at * (r->high - r->low);
        if (r->spacing == SPACING_STEP)
            x = r->low + (double)i * r->step;
        else
            x = r->whole ? nearbyint(x) : rounded(x);
        value->at = k->logarithmic ? log(x) : x;
        value->text = with_unit(x, r->unit, v->arena);
        if (value->text == NULL)
            return out_of_memory(v);
        if (k->count == 0 || strcmp(value->text, value[-1].text) != 0)
            k->count++;
    }
    return true;
}

static bool read_range(const struct search_values *v, struct search_key *k,
                       const struct yaml_node *node)
{
    struct value_range r;
    const char *why = take_range(&r, node->text, v->arena);
    double count = SEARCH_COARSE_VALUES;

    if (why != NULL)
        return wrong(v, node, why);
    k->unit = r.unit;
    if (r.spacing == SPACING_UNSAID && r.whole) {
        r.spacing = SPACING_STEP;
        r.step = 1;
    }
    k->logarithmic = r.spacing == SPACING_LOG ||
                     (r.spacing == SPACING_UNSAID && r.low > 0 && r.high >= WIDE_RANGE * r.low);
    if (r.spacing == SPACING_STEP)
        count = floor((r.high - r.low) / r.step * (1 + 1e-12)) + 1;
    else if (r.count > 0)
        count = (double)r.count;
    else
        k->continuous = !r.whole;
    if (count > MOST_VALUES)
        return wrong(v, node, "too many values; take larger steps");
    k->low = k->logarithmic ? log(r.low) : r.low;
    k->high = k->logarithmic ? log(r.high) : r.high;
    return spread(v, k, &r, (size_t)count);
}

/* ---- lists ---------------------------------------------------------------------------------- */

static bool is_pattern(const struct search_values *v, const struct yaml_node *n)
{
    return v->of_types && n->kind == YAML_TEXT &&
           (strpbrk(n->text, "*?[") != NULL || strcmp(n->text, ALL_THAT_FIT) == 0);
}

static bool matches(const struct instance_type *t, const char *pattern)
{
    if (strcmp(pattern, ALL_THAT_FIT) == 0)
        return t->accelerator_count > 0;
    return fnmatch(pattern, t->name, 0) == 0;
}

static bool add_types(const struct search_values *v, struct search_key *k,
                      const struct yaml_node *node)
{
    const size_t before = k->count;

    for (size_t i = 0; i < catalogue_types(v->catalogue); i++) {
        const struct instance_type *t = catalogue_type_at(v->catalogue, i);
        bool new = matches(t, node->text);
        for (size_t n = 0; new &&n < k->count; n++)
            new = strcmp(k->values[n].text, t->name) != 0;
        if (new) {
            k->values[k->count].text = arena_string(v->arena, t->name);
            if (k->values[k->count++].text == NULL)
                return out_of_memory(v);
        }
    }
    if (k->count == before)
        return wrong(v, node,
                     "no further instance type is called so; `fleetcast show instances` "
                     "lists them");
    return true;
}

static bool add_value(const struct search_values *v, struct search_key *k,
                      const struct yaml_node *node)
{
    struct search_value *value = &k->values[k->count];

    if (node->broken)
        return false;
    if (is_pattern(v, node))
        return add_types(v, k, node);
    if (node->kind == YAML_TEXT && strcmp(node->text, ALL_THAT_FIT) == 0)
        return wrong(v, node, "only instance types can be all that fit");
    value->text = yaml_flow_text(v->arena, node);
    value->is_section = node->kind == YAML_MAP;
    if (value->text == NULL)
        return out_of_memory(v);
    for (size_t i = 0; i < k->count; i++) {
        if (strcmp(k->values[i].text, value->text) == 0)
            return wrong(v, node, "this value stands in the list twice");
    }
    k->count++;
    return true;
}

bool search_values_read(const struct search_values *v, struct search_key *k,
                        const struct yaml_node *node)
{
    const bool list = node->kind == YAML_LIST;
    const struct yaml_node *n = list ? node->first : node;
    bool good = true;

    if (!list && node->kind == YAML_TEXT && node->plain && !node->broken &&
        strstr(node->text, "..") != NULL)
        return read_range(v, k, node);
    if ((list && node->count == 0) || (!list && yaml_tree_is_null(node)))
        return wrong(v, node, "at least one value is wanted");
    k->values = arena_array(
        v->arena, (list ? node->count : 1) + (v->of_types ? catalogue_types(v->catalogue) : 0),
        sizeof(*k->values));
    if (k->values == NULL)
        return out_of_memory(v);
    for (; n != NULL; n = list ? n->next : NULL)
        good &= add_value(v, k, n);
    return good && k->count > 0;
}
