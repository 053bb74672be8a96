/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/study_facts.h"

#include "plots/label.h"

#include <math.h>
#include <string.h>

/* Above this share of unfinished worlds a strategy is never called good (DESIGN, invariant 5). */
#define UNFINISHED_MAX 0.01

enum {
    S_STRATEGY,
    S_WORKLOAD,
    S_METRIC,
    S_N,
    S_CENSORED,
    S_MEAN,
    S_MIN,
    S_P5,
    S_P10,
    S_P25,
    S_P50,
    S_P75,
    S_P90,
    S_P95,
    S_MAX,
    S_P50_LOW,
    S_P50_HIGH,
    S_P90_LOW,
    S_P90_HIGH,
    S_P50_LEAST,
    S_P90_LEAST,
    S_COUNT
};
static const char *const summary_columns[S_COUNT] = {
    "strategy", "workload", "metric",   "n",       "censored", "mean",         "min",
    "p5",       "p10",      "p25",      "p50",     "p75",      "p90",          "p95",
    "max",      "p50_low",  "p50_high", "p90_low", "p90_high", "p50_at_least", "p90_at_least"};

enum {
    C_STRATEGY,
    C_BASELINE,
    C_WORKLOAD,
    C_METRIC,
    C_N,
    C_LEFT_OUT,
    C_MEAN,
    C_LOW,
    C_HIGH,
    C_WIN,
    C_TIE,
    C_COUNT
};
static const char *const comparison_columns[C_COUNT] = {
    "strategy",        "baseline", "workload", "metric",   "n",       "left_out",
    "mean_difference", "low",      "high",     "win_frac", "tie_frac"};

static bool find_columns(const struct table *t, const char *const *names, size_t count,
                         size_t *index, struct diagnostics *d)
{
    for (size_t i = 0; i < count; i++) {
        int found = table_find(t, names[i]);
        if (found < 0) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                            "the table '%s' has no column '%s', which charts and tables need",
                            table_name(t), names[i]);
            return false;
        }
        index[i] = (size_t)found;
    }
    return true;
}

static int strategy_index(const struct study_facts *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->strategy[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

static const struct fact_metric no_metric = {.n = 0.0,
                                             .mean = NAN,
                                             .min = NAN,
                                             .max = NAN,
                                             .p5 = NAN,
                                             .p95 = NAN,
                                             .p10 = {NAN, NAN, NAN, NAN},
                                             .p25 = {NAN, NAN, NAN, NAN},
                                             .p50 = {NAN, NAN, NAN, NAN},
                                             .p75 = {NAN, NAN, NAN, NAN},
                                             .p90 = {NAN, NAN, NAN, NAN}};

static const struct fact_difference no_difference = {
    .mean = NAN, .low = NAN, .high = NAN, .win_share = NAN, .tie_share = NAN};

static double finite_or_nan(double x)
{
    return isfinite(x) ? x : (double)NAN;
}

static struct fact_metric read_metric(const struct table *t, size_t row, const size_t *c)
{
    struct fact_metric m = no_metric;
#define NUMBER(column) finite_or_nan(table_number(t, row, c[column]))
    m.present = true;
    m.n = table_missing(t, row, c[S_N]) ? 0.0 : NUMBER(S_N);
    m.censored = table_missing(t, row, c[S_CENSORED]) ? 0.0 : NUMBER(S_CENSORED);
    m.mean = NUMBER(S_MEAN);
    m.min = NUMBER(S_MIN);
    m.max = NUMBER(S_MAX);
    m.p5 = NUMBER(S_P5);
    m.p95 = NUMBER(S_P95);
    m.p10.value = NUMBER(S_P10);
    m.p25.value = NUMBER(S_P25);
    m.p75.value = NUMBER(S_P75);
    m.p50 = (struct fact_quantile){NUMBER(S_P50), NUMBER(S_P50_LEAST), NUMBER(S_P50_LOW),
                                   NUMBER(S_P50_HIGH)};
    m.p90 = (struct fact_quantile){NUMBER(S_P90), NUMBER(S_P90_LEAST), NUMBER(S_P90_LOW),
                                   NUMBER(S_P90_HIGH)};
#undef NUMBER
    return m;
}

static struct fact_chance chance_of(const struct fact_metric *m)
{
    return (struct fact_chance){m->mean, m->n, m->censored > 0.0};
}

static void read_summary(struct study_facts *f, const struct table *t, const size_t *c)
{
    const struct chart_frame *frame = f->frame;

    for (size_t row = 0; row < table_rows(t); row++) {
        const char *metric = table_text(t, row, c[S_METRIC]);
        struct strategy_facts *s;
        struct fact_metric m;
        int i;
        if (strcmp(table_text(t, row, c[S_WORKLOAD]), "all") != 0)
            continue;
        i = strategy_index(f, table_text(t, row, c[S_STRATEGY]));
        if (i < 0)
            continue;
        s = &f->strategy[i];
        m = read_metric(t, row, c);
        if (strcmp(metric, frame->cost_metric) == 0)
            s->cost = m;
        else if (frame->time_metric != NULL && strcmp(metric, frame->time_metric) == 0)
            s->time = m;
        else if (frame->obligation_metric != NULL && strcmp(metric, frame->obligation_metric) == 0)
            s->obligation = m.p50.value;
        else if (strcmp(metric, "over_budget") == 0)
            s->over_budget = chance_of(&m);
        else if (strcmp(metric, "late") == 0)
            s->late = chance_of(&m);
    }
}

static enum fact_relation relation_of(const struct fact_difference *d)
{
    if (!isfinite(d->mean) || !isfinite(d->low) || !isfinite(d->high) || d->left_out > 0.0)
        return FACT_UNKNOWN;
    if (d->tie_share >= 1.0)
        return FACT_SAME;
    if (d->high < 0.0)
        return FACT_LESS;
    if (d->low > 0.0)
        return FACT_MORE;
    return FACT_UNCLEAR;
}

static void read_comparison(struct study_facts *f, const struct table *t, const size_t *c)
{
    const struct chart_frame *frame = f->frame;

    for (size_t row = 0; row < table_rows(t); row++) {
        const char *metric = table_text(t, row, c[C_METRIC]);
        struct fact_difference d = {.mean = finite_or_nan(table_number(t, row, c[C_MEAN])),
                                    .low = finite_or_nan(table_number(t, row, c[C_LOW])),
                                    .high = finite_or_nan(table_number(t, row, c[C_HIGH])),
                                    .win_share = finite_or_nan(table_number(t, row, c[C_WIN])),
                                    .tie_share = finite_or_nan(table_number(t, row, c[C_TIE])),
                                    .n = finite_or_nan(table_number(t, row, c[C_N])),
                                    .left_out = finite_or_nan(table_number(t, row, c[C_LEFT_OUT]))};
        int i = strategy_index(f, table_text(t, row, c[C_STRATEGY]));
        if (i < 0 || f->baseline < 0 || strcmp(table_text(t, row, c[C_WORKLOAD]), "all") != 0 ||
            strcmp(table_text(t, row, c[C_BASELINE]), f->strategy[f->baseline].name) != 0)
            continue;
        d.relation = relation_of(&d);
        if (strcmp(metric, frame->cost_metric) == 0)
            f->strategy[i].cost_difference = d;
        else if (frame->time_metric != NULL && strcmp(metric, frame->time_metric) == 0)
            f->strategy[i].time_difference = d;
    }
}

double facts_single_deadline_h(const struct chart_frame *frame)
{
    for (size_t i = 1; i < frame->deadline_count; i++) {
        if (frame->deadlines[i].hours != frame->deadlines[0].hours)
            return NAN;
    }
    return frame->deadline_count > 0 ? frame->deadlines[0].hours : (double)NAN;
}

/* What follows for one strategy from the rows read. */
static void conclude(struct study_facts *f, struct strategy_facts *s)
{
    s->worlds = fmax(s->cost.n, s->time.n);
    s->unfinished = fmax(s->cost.censored, s->time.censored);
    s->unfinished_share = s->worlds > 0.0 ? s->unfinished / s->worlds : (double)NAN;
    s->stands = s->cost.present && isfinite(s->cost.p50.value) && s->worlds > 0.0 &&
                s->unfinished_share <= UNFINISHED_MAX;
    /* An unfinished world may still go over the budget; it counts as late already. */
    if (s->cost.censored > 0.0 && s->over_budget.share < 1.0)
        s->over_budget.at_least = true;
    f->has_time = f->has_time || s->time.present;
    f->has_budget = f->has_budget || isfinite(s->over_budget.share);
    f->has_late = f->has_late || isfinite(s->late.share);
    f->has_obligation = f->has_obligation || (isfinite(s->obligation) && s->obligation != 0.0);
    /* fmax passes over NaN. */
    f->largest_time_h = fmax(f->largest_time_h, fmax(s->time.p90.value, s->time.p90.at_least));
    f->largest_time_h = fmax(f->largest_time_h, fmax(s->time.p50.value, s->time.p50.at_least));
}

bool study_facts_init(struct study_facts *f, const struct chart_frame *frame,
                      const struct chart_tables *tables, struct diagnostics *d)
{
    size_t s_index[S_COUNT], c_index[C_COUNT];

    *f = (struct study_facts){.frame = frame, .baseline = -1, .subject = -1};
    f->count =
        frame->strategy_count < CHART_STRATEGIES_MAX ? frame->strategy_count : CHART_STRATEGIES_MAX;
    for (size_t i = 0; i < f->count; i++)
        f->strategy[i] = (struct strategy_facts){.name = frame->strategies[i],
                                                 .cost = no_metric,
                                                 .time = no_metric,
                                                 .over_budget = {NAN, 0.0, false},
                                                 .late = {NAN, 0.0, false},
                                                 .obligation = NAN,
                                                 .cost_difference = no_difference,
                                                 .time_difference = no_difference};
    if (frame->baseline != NULL)
        f->baseline = strategy_index(f, frame->baseline);
    if (tables->summary == NULL) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                        "there is no table 'summary', which charts and tables need");
        return false;
    }
    if (!find_columns(tables->summary, summary_columns, S_COUNT, s_index, d))
        return false;
    read_summary(f, tables->summary, s_index);
    if (tables->comparison != NULL) {
        if (!find_columns(tables->comparison, comparison_columns, C_COUNT, c_index, d))
            return false;
        read_comparison(f, tables->comparison, c_index);
    }
    for (size_t i = 0; i < f->count; i++) {
        struct strategy_facts *s = &f->strategy[i];
        conclude(f, s);
        if (s->stands &&
            (f->subject < 0 || s->cost.p50.value < f->strategy[f->subject].cost.p50.value))
            f->subject = (int)i;
    }
    return true;
}

bool facts_certain(const struct fact_metric *m)
{
    return m->present && m->censored == 0.0 && m->min == m->max;
}

enum fact_relation facts_p50_relation(const struct fact_metric *a, const struct fact_metric *b)
{
    double a_low = a->p50.low, a_high = a->p50.high, b_low = b->p50.low, b_high = b->p50.high;

    if (facts_certain(a))
        a_low = a_high = a->min;
    if (facts_certain(b))
        b_low = b_high = b->min;
    if (facts_certain(a) && facts_certain(b) && a->min == b->min)
        return FACT_SAME;
    /* Comparisons with NaN, an open end, are false: nothing is clear then. */
    if (a_high < b_low)
        return FACT_LESS;
    if (a_low > b_high)
        return FACT_MORE;
    return FACT_UNCLEAR;
}

static void short_name(struct text *out, const char *name, double max_em, bool bold)
{
    struct text clean;

    text_init(&clean, 4096);
    label_clean(&clean, name);
    label_shorten(out, clean.data, max_em, bold);
    text_release(&clean);
}

void facts_name(struct text *out, const struct study_facts *f, size_t index, double max_em,
                bool bold)
{
    struct text own, other;
    bool twin = false;

    text_init(&own, 4096);
    text_init(&other, 4096);
    short_name(&own, f->strategy[index].name, max_em, bold);
    for (size_t i = 0; i < f->count && !twin; i++) {
        text_clear(&other);
        short_name(&other, f->strategy[i].name, max_em, bold);
        twin = i != index && strcmp(own.data, other.data) == 0;
    }
    if (twin) {
        short_name(out, f->strategy[index].name, max_em - 2.2, bold);
        text_format(out, " #%zu", index + 1);
    } else {
        text_add(out, own.data);
    }
    text_release(&own);
    text_release(&other);
}
