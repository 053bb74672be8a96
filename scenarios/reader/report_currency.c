/* SPDX-License-Identifier: GPL-3.0-or-later
 * The rate is a stated number, never fetched and never uncertain: a distribution of rates would
 * blend the spread of a currency into that of the plan, and no question about the plan would get an
 * answer from it. */
#include "scenarios/reader/report_currency.h"

#include "scenarios/reader/yaml_tree.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define KEY(member) offsetof(struct report_currency, member)

/* None is required by the schema: an absent section is read as an empty one. */
static const struct schema_key report_keys[] = {
    {.name = "code",
     .kind = SCHEMA_TEXT,
     .low = 3,
     .high = 3,
     .offset = KEY(code),
     .place_offset = KEY(code_place),
     .help = "Required. Three capital letters, such as `EUR`."},
    {.name = "rate",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = KEY(rate_text),
     .place_offset = KEY(rate_place),
     .help = "Required. How many of it one of the scenario's currency is: `0.92 EUR/USD`, or the "
             "bare number. Certain; nothing is fetched."},
    {.name = "date",
     .kind = SCHEMA_DATE,
     .offset = KEY(date),
     .help = "Required. The day of the rate; shown beside it."},
    {.name = "source",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 200,
     .offset = KEY(source),
     .help = "Where the rate is from; kept in the manifest."},
};

const struct schema report_currency_schema = {
    .name = "report_currency",
    SCHEMA_KEYS(report_keys),
    .size = sizeof(struct report_currency),
    .help = "The report in another currency, at a stated rate; both stand in the files.",
};

static bool is_code(const char *s)
{
    return s != NULL && strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3 && s[3] == '\0';
}

/* "0.92", "0.92 EUR/USD". What is wrong goes into problem. */
static bool parse_rate(const char *text, const char *code, const char *currency, double *rate,
                       char problem[256])
{
    size_t length = quantity_number_length(text, strlen(text));
    const char *unit = text + length;
    char wanted[8], reversed[8], message[256];
    struct quantity q;

    unit += strspn(unit, " ");
    snprintf(wanted, sizeof(wanted), "%.3s/%.3s", code, currency);
    snprintf(reversed, sizeof(reversed), "%.3s/%.3s", currency, code);
    if (length == 0 ||
        !quantity_parse(text, length, DIMENSION_COUNT, &q, message, sizeof(message)) ||
        (*unit != '\0' && strspn(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ/") != strlen(unit))) {
        snprintf(
            problem, 256,
            "'rate' must be one stated number such as '0.92 %s': an uncertain rate would blend "
            "the spread of the currency into that of the plan",
            wanted);
        return false;
    }
    if (!(q.value >= REPORT_RATE_MIN && q.value <= REPORT_RATE_MAX)) {
        snprintf(problem, 256, "'rate' must be between 1e-06 and 1e+06");
        return false;
    }
    if (strcmp(unit, reversed) == 0) {
        snprintf(problem, 256, "'rate' is how many %s one %s is; write %.6g %s", code, currency,
                 1 / q.value, wanted);
        return false;
    }
    if (*unit != '\0' && strcmp(unit, wanted) != 0) {
        snprintf(problem, 256, "'rate' is not in %s; write '%.6g %s'", wanted, q.value, wanted);
        return false;
    }
    *rate = q.value;
    return true;
}

bool report_currency_find(const struct yaml_node *root, const char *currency, const char **code,
                          double *rate)
{
    const struct yaml_node *section = yaml_tree_find(root, "report_currency");
    const struct yaml_node *c, *r;
    char problem[256];

    if (section == NULL || section->kind != YAML_MAP)
        return false;
    c = yaml_tree_find(section, "code");
    r = yaml_tree_find(section, "rate");
    if (c == NULL || r == NULL || c->kind != YAML_TEXT || r->kind != YAML_TEXT ||
        !is_code(c->text) || strcmp(c->text, currency) == 0)
        return false;
    *code = c->text;
    return parse_rate(r->text, c->text, currency, rate, problem);
}

void report_currency_check(struct report_currency *r, const char *currency, struct place where,
                           struct diagnostics *d)
{
    char problem[256];

    if (!r->given)
        return;
    if (r->code == NULL || r->rate_text == NULL || !r->date.given) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                        "missing key '%s' in 'report_currency'; expected code, rate and date, such "
                        "as {code: EUR, rate: 0.92 EUR/%s, date: 2026-03-01}",
                        r->code == NULL        ? "code"
                        : r->rate_text == NULL ? "rate"
                                               : "date",
                        currency);
        return;
    }
    if (!is_code(r->code))
        diagnostics_add(d, DIAGNOSTIC_ERROR, r->code_place,
                        "'code' must be three capital letters, such as EUR");
    else if (strcmp(r->code, currency) == 0)
        diagnostics_add(d, DIAGNOSTIC_ERROR, r->code_place,
                        "'code' is the currency that the scenario counts in; leave "
                        "'report_currency' out");
    else if (!parse_rate(r->rate_text, r->code, currency, &r->rate, problem))
        diagnostics_add(d, DIAGNOSTIC_ERROR, r->rate_place, "%s", problem);
}
