/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_metric.h"

#include "engine/arena.h"
#include "plots/text/report_words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Without the currency's ending, which is the scenario's. A chance is one number: it has no
 * quantiles. */
static const struct metric_word {
    const char *metric;
    enum report_word word;
    bool money, chance;
} metric_words[] = {
    {"cash", WORD_METRIC_CASH, true, false},
    {"amortised", WORD_METRIC_AMORTISED, true, false},
    {"obligation", WORD_METRIC_OBLIGATION, true, false},
    {"per_1000_requests", WORD_METRIC_PER_REQUESTS, true, false},
    {"per_million_output_tokens", WORD_METRIC_PER_OUTPUT_TOKENS, true, false},
    {"per_million_tokens", WORD_METRIC_PER_TOKENS, true, false},
    {"per_million_items", WORD_METRIC_PER_ITEMS, true, false},
    {"p_late", WORD_METRIC_LATE, false, true},
    {"p_over_budget", WORD_METRIC_OVER_BUDGET, false, true},
    {"p_unfinished", WORD_METRIC_UNFINISHED, false, true},
    {"slo_attained_frac", WORD_METRIC_SLO, false, false},
    {"served_frac", WORD_METRIC_SERVED, false, false},
    {"latency_mean_s", WORD_METRIC_LATENCY_MEAN, false, false},
    {"latency_p50_s", WORD_METRIC_LATENCY_P50, false, false},
    {"latency_p90_s", WORD_METRIC_LATENCY_P90, false, false},
    {"latency_p95_s", WORD_METRIC_LATENCY_P95, false, false},
    {"latency_p99_s", WORD_METRIC_LATENCY_P99, false, false},
    {"ttft_p95_s", WORD_METRIC_TTFT_P95, false, false},
    {"ttft_p99_s", WORD_METRIC_TTFT_P99, false, false},
    {"tpot_p95_s", WORD_METRIC_TPOT_P95, false, false},
    {"tpot_p99_s", WORD_METRIC_TPOT_P99, false, false},
    {"wait_mean_h", WORD_METRIC_WAIT_MEAN, false, false},
    {"wait_p95_h", WORD_METRIC_WAIT_P95, false, false},
    {"wait_max_h", WORD_METRIC_WAIT_MAX, false, false},
    {"turnaround_mean_h", WORD_METRIC_TURNAROUND_MEAN, false, false},
    {"turnaround_p95_h", WORD_METRIC_TURNAROUND_P95, false, false},
};

static bool is(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(text, name, length) == 0;
}

/* Whether the text ends in a currency, "_usd"; its length without that. */
static bool ends_in_money(const struct report_source *s, const char *text, size_t *length)
{
    const char *of = s->price_currency != NULL ? s->price_currency : s->facts->frame->currency;
    const size_t code = of == NULL ? 0 : strlen(of);

    if (code == 0 || *length <= code + 1 || text[*length - code - 1] != '_')
        return false;
    for (size_t i = 0; i < code; i++) {
        if (text[*length - code + i] != tolower((unsigned char)of[i]))
            return false;
    }
    *length -= code + 1;
    return true;
}

static const struct metric_word *find(const struct report_source *s, const char *text,
                                      size_t length)
{
    size_t bare = length;
    const bool money = ends_in_money(s, text, &bare);

    for (size_t i = 0; i < sizeof metric_words / sizeof metric_words[0]; i++) {
        const struct metric_word *w = &metric_words[i];
        if (w->money == money && is(text, money ? bare : length, w->metric))
            return w;
    }
    return NULL;
}

/* "P90", or the word for a mean; NULL: neither. */
static const char *stat_word(struct report_document *r, const char *stat, size_t length)
{
    char text[16];

    if (length == 0 || is(stat, length, "mean"))
        return report_word(r->language, WORD_METRIC_MEAN);
    if (stat[0] != 'p' || length < 2 || length >= sizeof text ||
        strspn(stat + 1, "0123456789.") + 1 < length)
        return NULL;
    snprintf(text, sizeof text, "P%.*s", (int)length - 1, stat + 1);
    return report_clean(r, text);
}

/* Cost and time as the rest of the page names them; NULL: another metric. */
static const char *cost_or_time(struct report_document *r, const struct report_source *s,
                                const char *text, size_t length, const char *stat, bool mean)
{
    const bool time =
        is(text, length, s->facts->frame->time_metric == NULL ? "" : s->facts->frame->time_metric);
    size_t bare = length;

    if (!time && !(ends_in_money(s, text, &bare) && is(text, bare, "cost")) &&
        !is(text, length, s->facts->frame->cost_metric == NULL ? "" : s->facts->frame->cost_metric))
        return NULL;
    if (!mean)
        return REPORT_WORDS_OF(r, time ? WORD_TIME_OF : WORD_COST_OF, stat);
    return report_word(r->language, time ? WORD_TIME_MEAN : WORD_COST_MEAN);
}

/* NULL: it has no words. */
static const char *words(struct report_document *r, const struct report_source *s, const char *text,
                         size_t length)
{
    const char *point = memchr(text, '.', length);
    const size_t bare = point == NULL ? length : (size_t)(point - text);
    const char *behind = point == NULL ? "" : point + 1;
    const size_t rest = point == NULL ? 0 : length - bare - 1;
    const char *stat = stat_word(r, behind, rest), *cost;
    const struct metric_word *w = find(s, text, bare);

    if (stat == NULL)
        return NULL;
    cost = cost_or_time(r, s, text, bare, stat, rest == 0 || is(behind, rest, "mean"));
    if (cost != NULL || w == NULL)
        return cost;
    if (w->chance)
        return rest == 0 ? report_word(r->language, w->word) : NULL;
    return REPORT_WORDS_OF(r, WORD_METRIC_STAT, report_word(r->language, w->word), stat);
}

static const char *metric_of(struct report_document *r, const struct report_source *s,
                             const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length), *said;
    const size_t before = colon == NULL ? 0 : (size_t)(colon - text) + 1;
    const char *name = before == 0 ? NULL : arena_copy(r->arena, text, before - 1);

    while (length > before && text[length - 1] == ' ')
        length--;
    said = words(r, s, text + before, length - before);
    if (said == NULL) {
        const char *copy = arena_copy(r->arena, text, length);
        r->failed = r->failed || copy == NULL;
        return copy == NULL ? "" : report_clean(r, copy);
    }
    return name == NULL ? said : REPORT_WORDS_OF(r, WORD_METRIC_OF, report_clean(r, name), said);
}

const char *report_metric(struct report_document *r, const struct report_source *s,
                          const char *text)
{
    return metric_of(r, s, text, strlen(text));
}

const char *report_condition(struct report_document *r, const struct report_source *s,
                             const char *text)
{
    const size_t length = strcspn(text, "<>=");
    const char *metric = metric_of(r, s, text, length), *said;

    if (text[length] == '\0')
        return metric;
    said = arena_format(r->arena, "%s %s", metric, report_clean(r, text + length));
    r->failed = r->failed || said == NULL;
    return said == NULL ? "" : said;
}
