/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/report_figures.h"

#include "engine/civil_time.h"
#include "plots/facts/quantile_text.h"
#include "plots/sentences/drivers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct report_figure plain(const char *s)
{
    struct report_figure f;

    snprintf(f.text, sizeof f.text, "%.120s", s);
    return f;
}

static struct report_figure say(enum report_language l, enum report_word word,
                                const char *const *values)
{
    struct report_figure f;
    struct text t;

    text_init(&t, sizeof f.text - 1);
    report_say(&t, l, word, values);
    f = plain(t.data);
    text_release(&t);
    return f;
}
#define SAY(l, word, ...) say(l, word, (const char *const[]){__VA_ARGS__, NULL})

static struct report_figure unknown(enum report_language l)
{
    return plain(report_word(l, WORD_UNKNOWN));
}

/* ---- money ---- */

static const char *chinese_currency(const char *code)
{
    static const struct {
        const char *code, *name;
    } names[] = {{"USD", "美元"}, {"CNY", "元"},   {"EUR", "欧元"},     {"GBP", "英镑"},
                 {"JPY", "日元"}, {"HKD", "港元"}, {"SGD", "新加坡元"}, {"AUD", "澳元"},
                 {"CAD", "加元"}, {"INR", "卢比"}, {"KRW", "韩元"},     {"CHF", "瑞士法郎"}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].code, code) == 0)
            return names[i].name;
    }
    return code;
}

/* decimals < 0: as many as three significant digits need. */
static struct report_figure chinese_money(double value, const char *currency, int decimals)
{
    double size = fabs(value), unit = size >= 1e8 ? 1e8 : size >= 1e4 ? 1e4 : 1.0;
    const char *scale = size >= 1e8 ? "亿" : size >= 1e4 ? "万" : "";
    struct report_figure f;
    struct figure digits;

    size /= unit;
    if (decimals < 0)
        decimals = size == 0.0 || size >= 100.0 || size == floor(size) ? 0
                   : unit == 1.0 && size >= 1.0                        ? 2
                   : size >= 1.0                                       ? 2 - (int)floor(log10(size))
                                 : (int)fmin(9.0, 2.0 - floor(log10(size)));
    digits = figure_decimal(size, decimals);
    if (unit > 1.0 || size < 1.0)
        figure_drop_zeros(digits.text);
    snprintf(f.text, sizeof f.text, "%s%s %s%s", value < 0.0 ? "-" : "", digits.text, scale,
             chinese_currency(currency));
    return f;
}

struct report_figure report_money(enum report_language l, double value, const char *currency,
                                  enum figure_rounding rounding)
{
    double size = fabs(value);

    if (!isfinite(value))
        return unknown(l);
    if (l == REPORT_EN)
        return plain(figure_money(value, currency, rounding).text);
    return chinese_money(figure_round(value, size >= 10.0 && size < 100.0 ? 4 : 3, rounding),
                         currency, -1);
}

struct report_figure report_money_exact(enum report_language l, double value, const char *currency)
{
    if (!isfinite(value))
        return unknown(l);
    if (l == REPORT_EN)
        return plain(figure_money_exact(value, currency).text);
    /* Cents are the sixth decimal of 10,000. */
    return fabs(value) >= 1e4 && fabs(value) < 1e8 ? chinese_money(value, currency, 6)
           : fabs(value) >= 1e8                    ? chinese_money(value, currency, 9)
           : value == floor(value)                 ? chinese_money(value, currency, 0)
                                                   : chinese_money(value, currency, 2);
}

/* As report_money shows it. */
static double as_shown(double value)
{
    const double size = fabs(value);

    return figure_round(value, size >= 10.0 && size < 100.0 ? 4 : 3, FIGURE_NEAREST);
}

struct report_figure report_money_rest(enum report_language l, double whole, bool stated,
                                       double part, const char *currency)
{
    const double rest = (stated ? whole : as_shown(whole)) - as_shown(part), exact = whole - part;

    if (isfinite(exact) && exact * rest <= 0.0)
        return report_money(l, exact, currency, FIGURE_NEAREST);
    return report_money_exact(l, rest, currency);
}

struct report_figure report_money_range(enum report_language l, double low, double high,
                                        const char *currency)
{
    struct report_figure from = report_money(l, low, currency, FIGURE_DOWN);
    struct report_figure to = report_money(l, high, currency, FIGURE_UP);
    char *unit = strchr(from.text, ' '), *other = strchr(to.text, ' ');

    /* "1,320 至 1,540 美元" */
    if (l == REPORT_ZH && unit != NULL && other != NULL && strcmp(unit, other) == 0)
        *unit = '\0';
    return SAY(l, WORD_RANGE, from.text, to.text);
}

struct report_figure report_quantile(enum report_language l, const struct fact_quantile *q,
                                     const char *currency)
{
    struct report_figure low, high;

    if (isfinite(q->value) || !isfinite(q->at_least))
        return report_money(l, q->value, currency, FIGURE_NEAREST);
    if (l == REPORT_EN)
        return plain(quantile_money(q, currency, QUANTILE_FULL).text);
    low = report_money(l, q->at_least, currency, FIGURE_NEAREST);
    high = report_money(l, q->at_most, currency, FIGURE_NEAREST);
    if (isfinite(q->at_most) && strcmp(low.text, high.text) == 0)
        return low;
    if (isfinite(q->at_most) && q->at_most - q->at_least <= QUANTILE_RANGE_MAX * fabs(q->at_least))
        return report_money_range(l, q->at_least, q->at_most, currency);
    return SAY(l, WORD_AT_LEAST, report_money(l, q->at_least, currency, FIGURE_DOWN).text);
}

/* ---- time ---- */

struct report_figure report_date(enum report_language l, int64_t unix_s)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct civil c = civil_from_unix(unix_s);
    struct report_figure f;

    if (l == REPORT_EN)
        snprintf(f.text, sizeof f.text, "%d %s %d", c.day, months[(c.month - 1) % 12], c.year);
    else
        snprintf(f.text, sizeof f.text, "%d年%d月%d日", c.year, c.month, c.day);
    return f;
}

struct report_figure report_date_text(enum report_language l, const char *iso)
{
    int64_t unix_s;

    return civil_parse(iso, &unix_s) ? report_date(l, unix_s) : plain(iso);
}

struct report_figure report_time(enum report_language l, double hours, enum time_unit unit,
                                 enum figure_rounding rounding)
{
    static const char *const names[] = {
        [TIME_MINUTES] = "分钟", [TIME_HOURS] = "小时", [TIME_DAYS] = "天"};
    struct figure words;
    struct report_figure f;
    char *space;

    if (!isfinite(hours))
        return unknown(l);
    words = figure_time_words(hours, unit, rounding);
    space = strrchr(words.text, ' ');
    if (l == REPORT_EN || space == NULL)
        return plain(words.text);
    *space = '\0';
    snprintf(f.text, sizeof f.text, "%s %s", words.text, names[unit]);
    return f;
}

struct report_figure report_time_short(enum report_language l, double hours, enum time_unit unit,
                                       enum figure_rounding rounding)
{
    return l == REPORT_EN && isfinite(hours) ? plain(figure_time(hours, unit, rounding).text)
                                             : report_time(l, hours, unit, rounding);
}

/* ---- chances ---- */

struct report_figure report_count(enum report_language l, double n)
{
    (void)l;
    return plain(figure_count(n).text);
}

struct report_figure report_share(enum report_language l, double share, double n)
{
    struct report_figure f;

    if (!isfinite(share))
        return unknown(l);
    if (l == REPORT_EN)
        return plain(figure_share(share, n).text);
    if (n < 100.0 || share <= 0.0 || share >= 1.0)
        snprintf(f.text, sizeof f.text, "%s/%s", figure_count(round(share * n)).text,
                 figure_count(n).text);
    else if (share < 0.01 - 1e-12)
        snprintf(f.text, sizeof f.text, "低于 1%%");
    else if (share > 0.99 + 1e-12)
        snprintf(f.text, sizeof f.text, "高于 99%%");
    else
        snprintf(f.text, sizeof f.text, "%.0f%%", round(100.0 * share));
    return f;
}

struct report_figure report_chance(enum report_language l, double at_least, double at_most,
                                   double n)
{
    struct report_figure low = report_share(l, at_least, n), high = report_share(l, at_most, n), f;

    if (!isfinite(at_least) || !isfinite(at_most) || (at_least <= 0.0 && at_most >= 1.0))
        return unknown(l);
    if (l == REPORT_EN)
        return plain(figure_chance(at_least, at_most, n).text);
    if (strcmp(low.text, high.text) == 0)
        return low;
    if (at_most >= 1.0)
        snprintf(f.text, sizeof f.text, "至少 %.0f%%", floor(100.0 * at_least + 1e-9));
    else
        snprintf(f.text, sizeof f.text, "%.0f%% 至 %.0f%%", floor(100.0 * at_least + 1e-9),
                 ceil(100.0 * at_most - 1e-9));
    return f;
}

struct report_figure report_futures(enum report_language l, double share, double n,
                                    enum figure_rounding rounding)
{
    double percent = 100.0 * share, worlds = round(share * n);
    struct report_figure f;

    if (!isfinite(share))
        return unknown(l);
    if (l == REPORT_EN)
        return plain(figure_futures(share, n, rounding).text);
    percent = rounding == FIGURE_DOWN ? floor(percent + 1e-9)
              : rounding == FIGURE_UP ? ceil(percent - 1e-9)
                                      : round(percent);
    if (worlds >= n)
        snprintf(f.text, sizeof f.text, "全部 %s 个模拟未来", figure_count(n).text);
    else if (worlds <= 0.0 || n < 100.0)
        snprintf(f.text, sizeof f.text, "%s 个模拟未来中的 %.0f 个", figure_count(n).text, worlds);
    else if (share < 0.01 - 1e-12)
        snprintf(f.text, sizeof f.text, "不到 1%% 的模拟未来");
    else if (share > 0.99 + 1e-12)
        snprintf(f.text, sizeof f.text, "超过 99%% 的模拟未来");
    else
        snprintf(f.text, sizeof f.text, "%.0f%% 的模拟未来", percent);
    return f;
}

/* ---- any unit ---- */

/* "usd" is the currency USD. */
static bool is_currency(const char *unit)
{
    return strlen(unit) == 3 && isalpha((unsigned char)unit[0]) &&
           isalpha((unsigned char)unit[1]) && isalpha((unsigned char)unit[2]);
}

struct report_figure report_value(enum report_language l, double value, const char *unit)
{
    char code[4] = "";
    struct report_figure f;

    if (!isfinite(value))
        return unknown(l);
    if (is_currency(unit)) {
        for (size_t i = 0; i < 3; i++)
            code[i] = (char)toupper((unsigned char)unit[i]);
        return report_money(l, value, code, FIGURE_NEAREST);
    }
    if (strcmp(unit, "h") == 0)
        return report_time(l, value, figure_time_unit(fabs(value)), FIGURE_NEAREST);
    if (strcmp(unit, "frac") == 0) {
        snprintf(f.text, sizeof f.text, l == REPORT_EN ? "%.3g %%" : "%.3g%%", 100.0 * value);
        return f;
    }
    if (unit[0] == '\0' && fabs(value) >= 1e4 && fabs(value) < 1e15)
        return plain(figure_decimal(value, 0).text);
    if (unit[0] != '\0')
        return plain(driver_value(value, unit).text);
    snprintf(f.text, sizeof f.text, "%.4g", value);
    return f;
}
