/* SPDX-License-Identifier: GPL-3.0-or-later
 * See catalogue_filter.h. */
#include "models/catalogue/catalogue_filter.h"

#include "engine/quantity.h"
#include "engine/text.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

enum { PATTERN_MAX = 100 }; /* fnmatch takes its time over long patterns of stars */

static struct place option(const char *name)
{
    return (struct place){name, 0, 0};
}

static const char *read_operator(const char *text, enum comparison_operator *operator)
{
    static const struct {
        const char *sign;
        enum comparison_operator operator;
    } signs[] = {
        {">=", COMPARE_AT_LEAST}, {"<=", COMPARE_AT_MOST}, {"==", COMPARE_EQUAL},
        {">", COMPARE_ABOVE},     {"<", COMPARE_BELOW},    {"=", COMPARE_EQUAL},
    };
    *operator= COMPARE_EQUAL;
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t length = strlen(signs[i].sign);
        if (strncmp(text, signs[i].sign, length) == 0) {
            *operator= signs[i].operator;
            text += length;
            break;
        }
    }
    return text + strspn(text, " ");
}

/* ">= 24GiB", "8". NULL text matches all. */
static bool read_comparison(struct comparison *out, const char *text, enum dimension dimension,
                            const char *name, const char *example, struct diagnostics *d)
{
    *out = (struct comparison){COMPARE_ANY, 0.0};
    if (!text) {
        return true;
    }
    enum comparison_operator operator;
    const char *number = read_operator(text, &operator);
    struct quantity q;
    char message[200];
    if (!quantity_parse(number, strlen(number), dimension, &q, message, sizeof message)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, option(name), "'%s': %s; expected %s", text, message,
                        example);
        return false;
    }
    if (q.value < 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, option(name), "'%s' is below zero; expected %s", text,
                        example);
        return false;
    }
    *out = (struct comparison){operator, q.value };
    return true;
}

static bool compare(const struct comparison *c, double value, double tolerance)
{
    double slack = fabs(c->value) * tolerance;
    switch (c->operator) {
    case COMPARE_EQUAL:
        return fabs(value - c->value) <= slack;
    case COMPARE_BELOW:
        return value < c->value - slack;
    case COMPARE_AT_MOST:
        return value <= c->value + slack;
    case COMPARE_ABOVE:
        return value > c->value + slack;
    case COMPARE_AT_LEAST:
        return value >= c->value - slack;
    case COMPARE_ANY:
        break;
    }
    return true;
}

static bool read_precision(int *out, const char *name, struct diagnostics *d)
{
    *out = -1;
    for (int p = 0; name && p < PRECISION_COUNT; p++) {
        if (strcmp(name, precision_names[p]) == 0) {
            *out = p;
        }
    }
    if (name && *out < 0) {
        const char *meant = text_suggest(name, precision_names, PRECISION_COUNT);
        diagnostics_add(d, DIAGNOSTIC_ERROR, option("--dtype"),
                        "unknown precision '%s'; expected fp64, fp32, tf32, fp16, bf16, fp8, int8 "
                        "or fp4%s%s%s",
                        name, meant ? "; did you mean '" : "", meant ? meant : "",
                        meant ? "'?" : "");
        return false;
    }
    return true;
}

static bool read_region(const struct region **out, const struct catalogue *c, const char *code,
                        struct diagnostics *d)
{
    *out = code ? catalogue_region(c, code) : NULL;
    if (!code || *out) {
        return true;
    }
    const char *meant = catalogue_suggest_region(c, code);
    diagnostics_add(d, DIAGNOSTIC_ERROR, option("--region"), "unknown region '%s'%s%s%s", code,
                    meant ? "; did you mean '" : "; expected a code such as us-east-1",
                    meant ? meant : "", meant ? "'?" : "");
    return false;
}

bool filter_prepare(struct filter_plan *p, const struct catalogue *c,
                    const struct catalogue_filter *f, struct diagnostics *d)
{
    static const struct catalogue_filter all = {.date_unix_s = INT64_MAX};
    if (!f) {
        f = &all;
    }
    *p = (struct filter_plan){.pattern = f->pattern, .day = f->date_unix_s, .history = f->history};
    bool good = read_region(&p->region, c, f->region, d);
    good &= read_comparison(&p->gpu_memory_bytes, f->gpu_memory, DIMENSION_DATA, "--gpu-memory",
                            "a size such as '>= 24GiB'", d);
    good &= read_comparison(&p->gpus, f->gpus, DIMENSION_COUNT, "--gpus",
                            "a number such as '8' or '>= 4'", d);
    good &= read_precision(&p->precision, f->dtype, d);
    if (f->pattern && strlen(f->pattern) > PATTERN_MAX) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                        "the pattern has %zu characters; expected at most %d", strlen(f->pattern),
                        PATTERN_MAX);
        good = false;
    }
    return good;
}

bool filter_pattern(const char *pattern, const char *name)
{
    if (strpbrk(pattern, "*?[")) {
        return fnmatch(pattern, name, FNM_CASEFOLD) == 0;
    }
    return strcasestr(name, pattern) != NULL;
}

bool filter_hardware(const struct filter_plan *p, const struct instance_type *t)
{
    if (p->precision >= 0 && (!t->accelerator || t->accelerator->peak_flops[p->precision] <= 0.0)) {
        return false;
    }
    return compare(&p->gpu_memory_bytes, t->accelerator_memory_bytes, 1e-3) &&
           compare(&p->gpus, t->accelerator_count, 1e-9);
}

bool filter_type(const struct filter_plan *p, const struct instance_type *t)
{
    if (p->pattern && !filter_pattern(p->pattern, t->name) &&
        !filter_pattern(p->pattern, t->accelerator_name) &&
        !(t->accelerator && filter_pattern(p->pattern, t->accelerator->full_name))) {
        return false;
    }
    return filter_hardware(p, t);
}
