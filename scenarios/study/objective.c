/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/objective.h"

#include "engine/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNFINISHED "p_unfinished"
#define CHANCE     "p_"
#define ALL        "all"

enum { LONGEST_NAME = 80, MOST_NAMES = 2 * METRIC_COUNT + 1 };

struct objective_problem {
    char *message;
    size_t message_size;
};

static bool __attribute__((format(printf, 2, 3)))
refuse(const struct objective_problem *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(w->message, w->message_size, format, args);
    va_end(args);
    return false;
}

/* A part of the text. */
struct objective_word {
    const char *s;
    size_t n;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct objective_word trimmed(const char *s, size_t n)
{
    while (n > 0 && is_space(s[0])) {
        s++;
        n--;
    }
    while (n > 0 && is_space(s[n - 1])) {
        n--;
    }
    return (struct objective_word){s, n};
}

static bool equals(struct objective_word p, const char *word)
{
    return strlen(word) == p.n && memcmp(p.s, word, p.n) == 0;
}

/* For a message: bounded, in one piece. */
static const char *shown(struct objective_word p, char out[LONGEST_NAME + 8])
{
    struct text t;
    char copy[LONGEST_NAME + 1];
    size_t n = p.n < LONGEST_NAME ? p.n : LONGEST_NAME;
    memcpy(copy, p.s, n);
    copy[n] = '\0';
    text_init(&t, 0);
    text_add_visible(&t, copy, 40);
    snprintf(out, LONGEST_NAME + 8, "%s", t.data);
    text_release(&t);
    return out;
}

/* ---- metrics ---- */

/* All that may stand for a metric: its column, and p_NAME of what is yes or no. */
struct metric_names {
    char name[MOST_NAMES][LONGEST_NAME];
    const char *pointers[MOST_NAMES];
    size_t count;
};

static void add_name(struct metric_names *names, const char *prefix, const char *name)
{
    snprintf(names->name[names->count], LONGEST_NAME, "%s%s", prefix, name);
    names->pointers[names->count] = names->name[names->count];
    names->count++;
}

/* The name without its unit, or in another currency. */
static bool is_nearly(enum metric m, struct objective_word p)
{
    const size_t n = strlen(metric_table[m].name);
    return equals(p, metric_table[m].name) ||
           (metric_in_currency(m) && p.n == n + 4 && p.s[n] == '_' &&
            memcmp(p.s, metric_table[m].name, n) == 0);
}

static void unknown_metric(const struct objective_problem *w, struct objective_word p,
                           const char *currency)
{
    struct metric_names *names = calloc(1, sizeof *names);
    char word[LONGEST_NAME + 8], column[64], cost[64];
    shown(p, word);
    const char *near = NULL;
    for (int m = 0; names != NULL && m < METRIC_COUNT; m++) {
        metric_column((enum metric)m, currency, column);
        add_name(names, "", column);
        if (metric_table[m].kind == METRIC_YES_NO) {
            add_name(names, CHANCE, column);
        }
        if (is_nearly((enum metric)m, p)) {
            near = names->pointers[names->count - 1];
        }
    }
    if (names != NULL && near == NULL) {
        add_name(names, "", UNFINISHED);
        near = text_suggest(word, names->pointers, names->count);
    }
    metric_column(METRIC_COST, currency, cost);
    if (near != NULL) {
        refuse(w, "unknown metric '%s'; did you mean '%s'?", word, near);
    } else {
        refuse(w,
               "unknown metric '%s'; expected one of summary.csv, such as '%s.p80', 'p_late' or "
               "'time_to_train_h.mean'",
               word, cost);
    }
    free(names);
}

static int find_metric(struct objective_word p, const char *currency)
{
    for (int m = 0; m < METRIC_COUNT; m++) {
        char name[64];
        if (equals(p, metric_column((enum metric)m, currency, name))) {
            return m;
        }
    }
    return -1;
}

/* "p90", "p99.5": digits with at most one point among them. */
static bool parse_percentile(struct objective_word p, double *quantile)
{
    char digits[16];
    if (p.n < 2 || p.n - 1 >= sizeof digits || p.s[0] != 'p') {
        return false;
    }
    size_t points = 0;
    for (size_t i = 1; i < p.n; i++) {
        points += p.s[i] == '.';
        if (!(p.s[i] == '.' || (p.s[i] >= '0' && p.s[i] <= '9'))) {
            return false;
        }
    }
    if (points > 1 || p.s[1] == '.' || p.s[p.n - 1] == '.') {
        return false;
    }
    memcpy(digits, p.s + 1, p.n - 1);
    digits[p.n - 1] = '\0';
    *quantile = strtod(digits, NULL) / 100;
    return *quantile > 0 && *quantile < 1;
}

static bool take_stat(const struct objective_problem *w, struct objective_word stat,
                      struct objective *o)
{
    char word[LONGEST_NAME + 8];
    o->stat = OBJECTIVE_MEAN;
    if (equals(stat, "min")) {
        o->stat = OBJECTIVE_MIN;
    } else if (equals(stat, "max")) {
        o->stat = OBJECTIVE_MAX;
    } else if (parse_percentile(stat, &o->quantile)) {
        o->stat = OBJECTIVE_QUANTILE;
    } else if (!equals(stat, "mean")) {
        return refuse(w,
                      "'.%s' is no statistic; expected .mean, .min, .max or a quantile between p0 "
                      "and p100, such as .p90",
                      shown(stat, word));
    }
    if (o->stat != OBJECTIVE_MEAN && metric_table[o->metric].kind == METRIC_YES_NO) {
        return refuse(w,
                      "'%s' is yes or no in each world and has no quantiles; write 'p_%s' for the "
                      "chance of it",
                      metric_table[o->metric].name, metric_table[o->metric].name);
    }
    return true;
}

/* "p_late" and the like. -1: none of them. */
static int find_chance(struct objective_word name, const char *currency)
{
    const size_t prefix = sizeof CHANCE - 1;
    if (name.n <= prefix || memcmp(name.s, CHANCE, prefix) != 0) {
        return -1;
    }
    const int m = find_metric((struct objective_word){name.s + prefix, name.n - prefix}, currency);
    return m >= 0 && metric_table[m].kind == METRIC_YES_NO ? m : -1;
}

static bool take_metric(const struct objective_problem *w, struct objective_word name,
                        struct objective_word stat, bool has_stat, const char *currency,
                        struct objective *o)
{
    char word[LONGEST_NAME + 8];
    int chance = equals(name, UNFINISHED) ? METRIC_FINISHED : find_chance(name, currency);
    if (chance >= 0) {
        o->metric = (enum metric)chance;
        o->unfinished = equals(name, UNFINISHED);
        return !has_stat || equals(stat, "mean") ||
               refuse(w, "'%s' is a chance already; drop '.%.*s'", shown(name, word),
                      (int)(stat.n < 16 ? stat.n : 16), stat.s);
    }
    int m = find_metric(name, currency);
    if (m < 0) {
        unknown_metric(w, name, currency);
        return false;
    }
    o->metric = (enum metric)m;
    return !has_stat || take_stat(w, stat, o);
}

/* ---- workloads ---- */

static bool take_workload(const struct objective_problem *w, struct objective_word name,
                          const struct objective_names *names, struct objective *o)
{
    char word[LONGEST_NAME + 8];
    if (equals(name, ALL)) {
        return true;
    }
    o->workload = name.s;
    o->workload_length = name.n;
    for (size_t i = 0; names->workloads != NULL && i < names->workload_count; i++) {
        if (equals(name, names->workloads[i])) {
            o->workload_index = i;
            return true;
        }
    }
    if (names->workloads == NULL && name.n > 0) {
        return true;
    }
    shown(name, word);
    const char *near = names->workloads == NULL
                           ? NULL
                           : text_suggest(word, names->workloads, names->workload_count);
    if (near == NULL && names->workloads != NULL && names->workload_count > 0) {
        return refuse(w, "no workload is called '%s'; expected one such as '%.100s'", word,
                      names->workloads[0]);
    }
    return near == NULL
               ? refuse(w, "no workload is called '%s'", word)
               : refuse(w, "no workload is called '%s'; did you mean '%.100s'?", word, near);
}

bool objective_parse(const char *text, size_t length, const struct objective_names *names,
                     struct objective *out, char *message, size_t message_size)
{
    const struct objective_problem w = {message, message_size};
    struct objective_word rest = trimmed(text, length);
    *out = (struct objective){
        .text = rest.s, .length = rest.n, .workload_index = names->workload_count};
    if (rest.n == 0) {
        return refuse(&w, "nothing where a metric is wanted, such as cost_usd.p80");
    }
    /* A metric's name holds no colon, that of a workload may. */
    for (size_t i = rest.n; i > 0; i--) {
        if (rest.s[i - 1] == ':') {
            if (!take_workload(&w, trimmed(rest.s, i - 1), names, out)) {
                return false;
            }
            rest = trimmed(rest.s + i, rest.n - i);
            break;
        }
    }
    const char *dot = memchr(rest.s, '.', rest.n);
    const size_t name = dot == NULL ? rest.n : (size_t)(dot - rest.s);
    const struct objective_word stat = dot == NULL
                                           ? (struct objective_word){NULL, 0}
                                           : (struct objective_word){dot + 1, rest.n - name - 1};
    return take_metric(&w, (struct objective_word){rest.s, name}, stat, dot != NULL,
                       names->currency, out);
}

/* ---- units ---- */

enum dimension objective_dimension(const struct objective *o)
{
    const struct metric_row *row = &metric_table[o->metric];
    if (metric_in_currency(o->metric)) {
        return DIMENSION_MONEY;
    }
    if (row->kind == METRIC_YES_NO || strcmp(row->unit, "frac") == 0) {
        return DIMENSION_SHARE;
    }
    if (strcmp(row->unit, "h") == 0 || strcmp(row->unit, "s") == 0) {
        return DIMENSION_TIME;
    }
    return strcmp(row->unit, "per_s") == 0 ? DIMENSION_RATE : DIMENSION_COUNT;
}

double objective_scale(const struct objective *o)
{
    return objective_dimension(o) == DIMENSION_TIME &&
                   strcmp(metric_table[o->metric].unit, "h") == 0
               ? 3600
               : 1;
}

/* "1,234,567" or, below 100, with cents. */
static void money_text(double value, const char *currency, char out[48])
{
    char digits[40];
    const int decimals = fabs(value) < 99.995 ? 2 : 0;
    int n = snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    const int whole = decimals > 0 ? n - decimals - 1 : n;
    size_t used = 0;
    if (value < 0) {
        out[used++] = '-';
    }
    for (int i = 0; i < n && used + 8 < 48; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0) {
            out[used++] = ',';
        }
        out[used++] = digits[i];
    }
    snprintf(out + used, 48 - used, " %.3s", currency);
}

char *objective_value_text(const struct objective *o, double value, const char *currency,
                           char out[48])
{
    const enum dimension dimension = objective_dimension(o);
    if (isnan(value) || isinf(value)) {
        snprintf(out, 48, "%s", isnan(value) ? "unknown" : "no limit");
        return out;
    }
    switch (dimension) {
    case DIMENSION_MONEY:
        money_text(value, currency, out);
        return out;
    case DIMENSION_TIME:
        return quantity_time_text(value * objective_scale(o), out);
    case DIMENSION_SHARE:
        snprintf(out, 48, "%.3g %%", value * 100);
        return out;
    case DIMENSION_RATE:
        snprintf(out, 48, "%.4g/s", value);
        return out;
    default:
        snprintf(out, 48, "%.6g", value);
        return out;
    }
}

/* ---- conditions ---- */

static const struct {
    const char *sign;
    enum condition_op op;
} signs[] = {/* the longer ones first */
             {"<=", CONDITION_AT_MOST}, {">=", CONDITION_AT_LEAST}, {"≤", CONDITION_AT_MOST},
             {"≥", CONDITION_AT_LEAST}, {"<", CONDITION_BELOW},     {">", CONDITION_ABOVE}};
enum { SIGNS = sizeof signs / sizeof signs[0] };

/* Where the sign stands, and which; p.n when there is none. */
static size_t find_sign(struct objective_word p, size_t *which)
{
    for (size_t i = 0; i < p.n; i++) {
        for (size_t k = 0; k < SIGNS; k++) {
            const size_t n = strlen(signs[k].sign);
            if (n <= p.n - i && memcmp(p.s + i, signs[k].sign, n) == 0) {
                *which = k;
                return i;
            }
        }
    }
    return p.n;
}

static bool take_bound(const struct objective_problem *w, struct objective_word value,
                       const struct objective_names *names, bool changes, struct condition *c)
{
    const enum dimension dimension = objective_dimension(&c->objective);
    const bool sign = value.n > 0 && (value.s[0] == '+' || value.s[0] == '-');
    const bool percent = value.n > 0 && value.s[value.n - 1] == '%';
    c->kind = !changes || !sign                         ? CONDITION_LEVEL
              : percent && dimension != DIMENSION_SHARE ? CONDITION_RELATIVE
                                                        : CONDITION_CHANGE;
    /* A decrease of what cannot be negative is read as an increase, and turned round. */
    const bool turn = c->kind == CONDITION_CHANGE && value.s[0] == '-';
    struct quantity q;
    char problem[256];
    if (!quantity_parse(value.s + turn, value.n - turn,
                        c->kind == CONDITION_RELATIVE ? DIMENSION_SHARE : dimension, &q, problem,
                        sizeof problem)) {
        return refuse(w, "the value of '%.*s': %s", (int)c->objective.length, c->objective.text,
                      problem);
    }
    if (q.currency[0] != '\0' && strcmp(q.currency, names->currency) != 0) {
        return refuse(w, "the value is in %s, but '%.*s' is in %s", q.currency,
                      (int)c->objective.length, c->objective.text, names->currency);
    }
    if (c->kind != CONDITION_RELATIVE && dimension == DIMENSION_SHARE && fabs(q.value) > 1) {
        char name[LONGEST_NAME + 8];
        return refuse(w, "'%s' is %.6g %% of '%.*s', which is a share; write %.6g %%",
                      shown(value, name), 100 * q.value, (int)c->objective.length,
                      c->objective.text, q.value);
    }
    c->bound = (turn ? -q.value : q.value) /
               (c->kind == CONDITION_RELATIVE ? 1 : objective_scale(&c->objective));
    return true;
}

bool condition_parse(const char *text, const struct objective_names *names, bool changes,
                     struct condition *out, char *message, size_t message_size)
{
    const struct objective_problem w = {message, message_size};
    const struct objective_word whole = trimmed(text, strlen(text));
    char word[LONGEST_NAME + 8];
    size_t which = 0;
    const size_t at = find_sign(whole, &which);
    *out = (struct condition){.text = whole.s, .length = whole.n};
    if (at == whole.n) {
        return refuse(&w,
                      "'%s' is no condition: expected a metric, one of <= < >= >, and a value, "
                      "such as 'p_late <= 5 %%'",
                      shown(whole, word));
    }
    const size_t behind = at + strlen(signs[which].sign);
    const struct objective_word value = trimmed(whole.s + behind, whole.n - behind);
    out->op = signs[which].op;
    return objective_parse(whole.s, at, names, &out->objective, message, message_size) &&
           take_bound(&w, value, names, changes, out);
}

bool condition_holds(const struct condition *c, double at_least, double at_most)
{
    switch (c->op) {
    case CONDITION_AT_MOST:
        return at_most <= c->bound;
    case CONDITION_BELOW:
        return at_most < c->bound;
    case CONDITION_AT_LEAST:
        return at_least >= c->bound;
    default:
        return at_least > c->bound;
    }
}

bool condition_fails(const struct condition *c, double at_least, double at_most)
{
    switch (c->op) {
    case CONDITION_AT_MOST:
        return at_least > c->bound;
    case CONDITION_BELOW:
        return at_least >= c->bound;
    case CONDITION_AT_LEAST:
        return at_most < c->bound;
    default:
        return at_most <= c->bound;
    }
}
