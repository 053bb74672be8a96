/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/phrases.h"

#include "plots/sentences/report_figures.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX 9
#define TEXT_MAX   1024   /* longer texts are names or data */
#define STEPS_MAX  200000 /* of one text */
#define DEPTH_MAX  12
/* Between the clauses of a subtitle, and the parts of the foot. */
#define CLAUSE "; "
#define DOT    "  \xc2\xb7  "

struct phrase {
    const char *english, *chinese;
};

static const struct phrase chart_rows[] = {
#define ROW(english, chinese) {english, chinese},
#include "plots/sentences/chart_phrase_rows.h"
#undef ROW
    {NULL, NULL}};

static const struct phrase register_rows[] = {
#define ROW(english, chinese) {english, chinese},
#include "plots/sentences/register_phrase_rows.h"
#undef ROW
    {NULL, NULL}};

static const struct phrase *const tables[PHRASE_TABLES] = {
    [PHRASES_OF_CHARTS] = chart_rows, [PHRASES_OF_REGISTER] = register_rows};

/* A piece of the text. */
struct piece {
    const char *at;
    size_t length;
};

struct translating {
    enum phrase_table table;
    int steps;
    int depth;
};

static bool translate(struct translating *t, struct text *out, struct piece p);

/* ---- numbers ---- */

static bool is_number(struct piece p)
{
    bool digit = false;

    for (size_t i = 0; i < p.length; i++) {
        if (strchr("0123456789.,+-e/", p.at[i]) == NULL || p.at[i] == '\0')
            return false;
        digit = digit || isdigit((unsigned char)p.at[i]);
    }
    return digit;
}

/* The length of "$" or "CNY " in front; 0: none. */
static size_t currency_length(struct piece p, char code[4])
{
    if (p.length > 1 && p.at[0] == '$') {
        memcpy(code, "USD", 4);
        return 1;
    }
    for (size_t i = 0; i < 3; i++) {
        if (p.length < 5 || !isupper((unsigned char)p.at[i]))
            return 0;
    }
    if (p.at[3] != ' ')
        return 0;
    memcpy(code, p.at, 3);
    code[3] = '\0';
    return 4;
}

/* "$2,410", "-$417k", "CNY 1.02M": its value; false: no amount. */
static bool read_amount(struct piece p, double *value, char code[4])
{
    const bool minus = p.length > 0 && p.at[0] == '-';
    char digits[64];
    size_t n = 0, sign;
    double scale = 1.0;
    char *end;

    p.at += minus;
    p.length -= minus;
    sign = currency_length(p, code);
    if (sign == 0 || p.length - sign > sizeof digits - 1)
        return false;
    for (size_t i = sign; i < p.length; i++) {
        const char c = p.at[i];
        if (i + 1 == p.length && strchr("kMB", c) != NULL && n > 0)
            scale = c == 'k' ? 1e3 : c == 'M' ? 1e6 : 1e9;
        else if (isdigit((unsigned char)c) || c == '.')
            digits[n++] = c;
        else if (c != ',')
            return false;
    }
    digits[n] = '\0';
    *value = strtod(digits, &end) * scale * (minus ? -1.0 : 1.0);
    return n > 0 && *end == '\0' && isfinite(*value);
}

static size_t find(struct piece p, const char *part)
{
    const size_t length = strlen(part);

    for (size_t i = 0; i + length <= p.length; i++) {
        if (memcmp(p.at + i, part, length) == 0)
            return i;
    }
    return SIZE_MAX;
}

/* out NULL: only whether it is an amount, or a range of two. */
static bool add_money(struct text *out, struct piece p)
{
    const size_t to = find(p, " to ");
    struct piece low = {p.at, to == SIZE_MAX ? p.length : to};
    struct piece high = {p.at + to + 4, to == SIZE_MAX ? 0 : p.length - to - 4};
    char code[4], other[4];
    double a, b = 0.0;

    if (!read_amount(low, &a, code) || (to != SIZE_MAX && !read_amount(high, &b, other)))
        return false;
    if (out == NULL)
        return true;
    text_add(out, report_money_exact(REPORT_ZH, a, code).text);
    if (to != SIZE_MAX)
        text_format(out, " 至 %s", report_money_exact(REPORT_ZH, b, other).text);
    return true;
}

/* ---- dates ---- */

/* 1 … 12; 0: no month. */
static int month_of(struct piece p)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

    for (int m = 0; m < 12 && p.length == 3; m++) {
        if (memcmp(p.at, names + 3 * m, 3) == 0)
            return m + 1;
    }
    return 0;
}

static bool all_digits(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!isdigit((unsigned char)s[i]))
            return false;
    }
    return n > 0;
}

/* "Mar", "14 Mar", "Mar 2026", "14 Mar 2026". */
static bool add_date(struct text *out, struct piece p)
{
    struct piece part[3];
    size_t count = 0, from = 0, at = 0;
    int month;

    for (size_t i = 0; i <= p.length; i++) {
        if (i < p.length && p.at[i] != ' ')
            continue;
        if (count == 3)
            return false;
        part[count++] = (struct piece){p.at + from, i - from};
        from = i + 1;
    }
    at = count > 1 && part[0].length <= 2 && all_digits(part[0].at, part[0].length) ? 1 : 0;
    month = month_of(part[at]);
    if (month == 0 || count > at + 2 ||
        (count == at + 2 && (part[at + 1].length != 4 || !all_digits(part[at + 1].at, 4))))
        return false;
    if (out == NULL)
        return true;
    if (count == at + 2)
        text_format(out, "%.4s年", part[at + 1].at);
    text_format(out, "%d月", month);
    if (at == 1)
        text_format(out, "%.*s日", (int)part[0].length, part[0].at);
    return true;
}

/* ---- patterns ---- */

struct matching {
    struct translating *t;
    struct piece place[PLACES_MAX];
    char kind[PLACES_MAX];
    size_t count;
};

static bool can_translate(struct translating *t, struct piece p)
{
    struct text nowhere;
    bool ok;

    text_init(&nowhere, 4096);
    ok = translate(t, &nowhere, p);
    text_release(&nowhere);
    return ok;
}

static bool fits_kind(const struct matching *m, char kind, struct piece p)
{
    /* No part goes on behind the end of a clause. */
    if (find(p, CLAUSE) != SIZE_MAX || find(p, DOT) != SIZE_MAX)
        return false;
    switch (kind) {
    case 'q':
        return is_number(p);
    case 'm':
        return add_money(NULL, p);
    case 'x':
        return can_translate(m->t, p);
    default:
        return true;
    }
}

static bool match(struct matching *m, const char *pattern, struct piece s)
{
    while (*pattern != '\0' && !(pattern[0] == '{' && pattern[1] != '\0' && pattern[2] == '}')) {
        if (s.length == 0 || *s.at != *pattern)
            return false;
        pattern++;
        s.at++;
        s.length--;
    }
    if (*pattern == '\0')
        return s.length == 0;
    const size_t place = m->count++;
    for (size_t n = 1; n <= s.length && place < PLACES_MAX; n++) {
        const struct piece taken = {s.at, n};
        if (m->t->steps-- <= 0)
            break;
        if ((pattern[1] != 'q' || is_number(taken)) &&
            match(m, pattern + 3, (struct piece){s.at + n, s.length - n}) &&
            fits_kind(m, pattern[1], taken)) {
            m->place[place] = taken;
            m->kind[place] = pattern[1];
            return true;
        }
        m->count = place + 1;
    }
    m->count = place;
    return false;
}

/* What titles set behind the name of the chosen strategy. */
#define CHOSEN " (chosen)"

static void add_name(struct text *out, struct piece p)
{
    const size_t mark = strlen(CHOSEN);
    const bool chosen = p.length > mark && memcmp(p.at + p.length - mark, CHOSEN, mark) == 0;

    text_add_bytes(out, p.at, p.length - (chosen ? mark : 0));
    if (chosen)
        text_add(out, "（选中）");
}

static void add_place(struct translating *t, struct text *out, char kind, struct piece p)
{
    if (kind == 'm')
        add_money(out, p);
    else if (kind == 'n')
        add_name(out, p);
    else if (kind == 'q')
        text_add_bytes(out, p.at, p.length);
    else
        translate(t, out, p);
}

static void fill(struct matching *m, struct text *out, const char *chinese)
{
    for (const char *s = chinese; *s != '\0';) {
        const size_t place = (size_t)(s[1] - '1');
        if (s[0] == '{' && s[1] >= '1' && s[1] <= '9' && s[2] == '}' && place < m->count) {
            add_place(m->t, out, m->kind[place], m->place[place]);
            s += 3;
        } else {
            text_add_bytes(out, s++, 1);
        }
    }
}

static bool add_row(struct translating *t, struct text *out, struct piece p)
{
    for (const struct phrase *row = tables[t->table]; row->english != NULL && t->steps > 0; row++) {
        struct matching m = {.t = t};
        if (match(&m, row->english, p)) {
            fill(&m, out, row->chinese);
            return true;
        }
    }
    return false;
}

/* Cut in two where the separator stands first. */
static bool add_parts(struct translating *t, struct text *out, struct piece p,
                      const char *separator, const char *chinese, bool *all)
{
    const size_t at = find(p, separator), length = strlen(separator);

    if (at == SIZE_MAX || at == 0 || at + length >= p.length)
        return false;
    *all = translate(t, out, (struct piece){p.at, at});
    text_add(out, chinese);
    *all = translate(t, out, (struct piece){p.at + at + length, p.length - at - length}) && *all;
    return true;
}

static bool translate(struct translating *t, struct text *out, struct piece p)
{
    bool done, all = true;

    if (t->depth >= DEPTH_MAX) {
        text_add_bytes(out, p.at, p.length);
        return false;
    }
    t->depth++;
    done = is_number(p);
    if (done)
        text_add_bytes(out, p.at, p.length);
    done = done || add_money(out, p) || add_date(out, p) || add_row(t, out, p) ||
           add_parts(t, out, p, DOT, DOT, &all) || add_parts(t, out, p, CLAUSE, "；", &all);
    if (!done) {
        text_add_bytes(out, p.at, p.length);
        all = false;
    }
    t->depth--;
    return all;
}

bool phrase_add(struct text *out, enum report_language l, enum phrase_table table,
                const char *english)
{
    struct translating t = {.table = table, .steps = STEPS_MAX};
    const size_t length = strlen(english);

    if (l == REPORT_EN || length == 0 || length > TEXT_MAX) {
        text_add(out, english);
        return l == REPORT_EN || length == 0;
    }
    return translate(&t, out, (struct piece){english, length});
}

const char *phrase_pattern(enum phrase_table table, size_t row)
{
    return tables[table][row].english;
}

const char *phrase_translation(enum phrase_table table, size_t row)
{
    return tables[table][row].chinese;
}
