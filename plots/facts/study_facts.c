/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/study_facts.h"

#include "plots/text/label.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Above this share of unfinished worlds a strategy is never called good. */
#define UNFINISHED_MAX 0.01
/* Below this part of what the best strategy serves by the clock likewise. */
#define SERVED_MIN 0.99
/* Bounds at most this far apart, as a share of the lower one, are as good as a value. */
#define NEAR_MAX 0.01

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
    S_NEEDED, /* what follows may be absent */
    S_P50_MOST = S_NEEDED,
    S_P90_MOST,
    S_COUNT
};
static const char *const summary_columns[S_COUNT] = {
    "strategy", "workload",     "metric",       "n",           "censored",   "mean",
    "min",      "p5",           "p10",          "p25",         "p50",        "p75",
    "p90",      "p95",          "max",          "p50_low",     "p50_high",   "p90_low",
    "p90_high", "p50_at_least", "p90_at_least", "p50_at_most", "p90_at_most"};

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
    C_NEEDED, /* what follows may be absent */
    C_WIN_LEAST = C_NEEDED,
    C_WIN_MOST,
    C_P10,
    C_P90,
    C_DIFFERENCE_LEAST,
    C_COUNT
};
static const char *const comparison_columns[C_COUNT] = {"strategy",
                                                        "baseline",
                                                        "workload",
                                                        "metric",
                                                        "n",
                                                        "left_out",
                                                        "mean_difference",
                                                        "low",
                                                        "high",
                                                        "win_frac",
                                                        "tie_frac",
                                                        "win_at_least_frac",
                                                        "win_at_most_frac",
                                                        "p10",
                                                        "p90",
                                                        "difference_at_least"};

#define ABSENT SIZE_MAX

static bool find_columns(const struct table *t, const char *const *names, size_t needed,
                         size_t count, size_t *index, struct diagnostics *d)
{
    for (size_t i = 0; i < count; i++) {
        int found = table_find(t, names[i]);
        if (found < 0 && i >= needed) {
            index[i] = ABSENT;
            continue;
        }
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
                                             .p10 = {NAN, NAN, NAN, NAN, NAN},
                                             .p25 = {NAN, NAN, NAN, NAN, NAN},
                                             .p50 = {NAN, NAN, NAN, NAN, NAN},
                                             .p75 = {NAN, NAN, NAN, NAN, NAN},
                                             .p90 = {NAN, NAN, NAN, NAN, NAN}};

static const struct fact_chance no_chance = {NAN, NAN, 0.0};

static const struct fact_difference no_difference = {.mean = NAN,
                                                     .low = NAN,
                                                     .high = NAN,
                                                     .p10 = NAN,
                                                     .p90 = NAN,
                                                     .win_at_least = NAN,
                                                     .win_at_most = NAN,
                                                     .tie_share = NAN};

/* NaN when missing, or when there is no such column. */
static double number(const struct table *t, size_t row, size_t column)
{
    double x = column == ABSENT ? (double)NAN : table_number(t, row, column);

    return isfinite(x) ? x : (double)NAN;
}

static double count(const struct table *t, size_t row, size_t column)
{
    double x = number(t, row, column);

    return isfinite(x) ? x : 0.0;
}

static struct fact_metric read_metric(const struct table *t, size_t row, const size_t *c)
{
    struct fact_metric m = no_metric;
#define NUMBER(column) number(t, row, c[column])
    m.present = true;
    m.n = count(t, row, c[S_N]);
    m.censored = count(t, row, c[S_CENSORED]);
    m.mean = NUMBER(S_MEAN);
    m.min = NUMBER(S_MIN);
    m.max = NUMBER(S_MAX);
    m.p5 = NUMBER(S_P5);
    m.p95 = NUMBER(S_P95);
    m.p10.value = NUMBER(S_P10);
    m.p25.value = NUMBER(S_P25);
    m.p75.value = NUMBER(S_P75);
    m.p50 = (struct fact_quantile){NUMBER(S_P50), NUMBER(S_P50_LEAST), NUMBER(S_P50_MOST),
                                   NUMBER(S_P50_LOW), NUMBER(S_P50_HIGH)};
    m.p90 = (struct fact_quantile){NUMBER(S_P90), NUMBER(S_P90_LEAST), NUMBER(S_P90_MOST),
                                   NUMBER(S_P90_LOW), NUMBER(S_P90_HIGH)};
#undef NUMBER
    return m;
}

static struct fact_chance chance_of(const struct fact_metric *m)
{
    double open = m->n > 0.0 ? m->censored / m->n : 0.0;

    return (struct fact_chance){m->mean, fmin(1.0, m->mean + open), m->n};
}

/* Whether this is the amount of that name: "cash_usd" for "cash" beside "cost_usd". */
static bool is_amount(const struct chart_frame *frame, const char *metric, const char *name)
{
    const char *suffix = strrchr(frame->cost_metric, '_');
    size_t length = strlen(name);

    return strncmp(metric, name, length) == 0 &&
           strcmp(metric + length, suffix == NULL ? "" : suffix) == 0;
}

static void take_metric(struct strategy_facts *s, const struct chart_frame *frame,
                        const char *metric, const struct fact_metric *m)
{
    if (strcmp(metric, frame->cost_metric) == 0)
        s->cost = *m;
    else if (is_amount(frame, metric, "cash"))
        s->spend = *m;
    else if (frame->time_metric != NULL && strcmp(metric, frame->time_metric) == 0)
        s->time = *m;
    else if (frame->obligation_metric != NULL && strcmp(metric, frame->obligation_metric) == 0)
        s->obligation = m->p50.value;
    else if (is_amount(frame, metric, "commitment_unused"))
        s->unused = m->p50.value;
    else if (is_amount(frame, metric, "block_unused"))
        s->block_unused = m->p50.value;
    else if (is_amount(frame, metric, "owned_capital"))
        s->owned_capital = m->p50.value;
    else if (is_amount(frame, metric, "commitment_later"))
        s->later = m->p50.value;
    else if (strcmp(metric, "served_frac") == 0)
        s->served = m->mean;
    else if (strcmp(metric, "slo_attained_frac") == 0)
        s->slo = *m;
    else if (strcmp(metric, "latency_p95_s") == 0)
        s->latency_p95 = *m;
    else if (strcmp(metric, "overloaded_h") == 0)
        s->overloaded_h = m->mean;
    else if (is_amount(frame, metric, "per_1000_requests"))
        s->per_1000 = *m;
    else if (strcmp(metric, "requests") == 0)
        s->came = m->mean;
    else if (strcmp(metric, "requests_served") == 0)
        s->answered = m->mean; /* their number, until all is read */
    else if (strcmp(metric, "over_budget") == 0)
        s->over_budget = chance_of(m);
    else if (strcmp(metric, "late") == 0)
        s->late = chance_of(m);
    else if (strcmp(metric, "cancelled") == 0)
        s->cancelled_share = m->mean;
    else if (strcmp(metric, "beyond_trace") == 0)
        s->beyond_trace = m->mean;
}

/* What is told of one workload: whether it is late. */
static void take_late(struct strategy_facts *s, const struct chart_frame *frame,
                      const char *workload, const struct fact_metric *m)
{
    for (size_t i = 0; i < frame->deadline_count && i < FACT_DEADLINES_MAX; i++) {
        if (frame->deadlines[i].workload != NULL &&
            strcmp(frame->deadlines[i].workload, workload) == 0)
            s->late_of[i] = chance_of(m);
    }
}

static void read_summary(struct study_facts *f, const struct table *t, const size_t *c)
{
    for (size_t row = 0; row < table_rows(t); row++) {
        const char *metric = table_text(t, row, c[S_METRIC]);
        const char *workload = table_text(t, row, c[S_WORKLOAD]);
        int i = strategy_index(f, table_text(t, row, c[S_STRATEGY]));
        bool all = strcmp(workload, "all") == 0;
        struct fact_metric m;
        if (i < 0 || (!all && strcmp(metric, "late") != 0))
            continue;
        m = read_metric(t, row, c);
        if (all)
            take_metric(&f->strategy[i], f->frame, metric, &m);
        else
            take_late(&f->strategy[i], f->frame, workload, &m);
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

static struct fact_difference read_difference(const struct table *t, size_t row, const size_t *c)
{
    struct fact_difference d = {.mean = number(t, row, c[C_MEAN]),
                                .low = number(t, row, c[C_LOW]),
                                .high = number(t, row, c[C_HIGH]),
                                .p10 = number(t, row, c[C_P10]),
                                .p90 = number(t, row, c[C_P90]),
                                .win_at_least = number(t, row, c[C_WIN_LEAST]),
                                .win_at_most = number(t, row, c[C_WIN_MOST]),
                                .tie_share = number(t, row, c[C_TIE]),
                                .n = count(t, row, c[C_N]),
                                .left_out = count(t, row, c[C_LEFT_OUT])};

    if (d.left_out == 0.0) {
        d.win_at_least = d.win_at_most = number(t, row, c[C_WIN]);
    } else if (c[C_WIN_LEAST] == ABSENT && c[C_DIFFERENCE_LEAST] != ABSENT) {
        /* Such a table counts in win_frac what is sure, of all pairs; any other pair that is left
         * out may be a win too. */
        d.win_at_least = number(t, row, c[C_WIN]);
        d.win_at_most = fmin(1.0, d.win_at_least + d.left_out / (d.n + d.left_out));
    }
    d.relation = relation_of(&d);
    return d;
}

static void read_comparison(struct study_facts *f, const struct table *t, const size_t *c)
{
    const struct chart_frame *frame = f->frame;

    for (size_t row = 0; row < table_rows(t); row++) {
        const char *metric = table_text(t, row, c[C_METRIC]);
        int i = strategy_index(f, table_text(t, row, c[C_STRATEGY]));
        if (i < 0 || f->baseline < 0 || strcmp(table_text(t, row, c[C_WORKLOAD]), "all") != 0 ||
            strcmp(table_text(t, row, c[C_BASELINE]), f->strategy[f->baseline].name) != 0)
            continue;
        if (strcmp(metric, frame->cost_metric) == 0)
            f->strategy[i].cost_difference = read_difference(t, row, c);
        else if (frame->time_metric != NULL && strcmp(metric, frame->time_metric) == 0)
            f->strategy[i].time_difference = read_difference(t, row, c);
    }
}

double facts_near(const struct fact_quantile *q)
{
    if (isfinite(q->value))
        return q->value;
    /* False with NaN. */
    return q->at_most - q->at_least <= NEAR_MAX * fabs(q->at_least) ? q->at_most : (double)NAN;
}

bool facts_one_pair(const struct fact_difference *d)
{
    return d->n == 1.0 && d->left_out == 0.0 && isfinite(d->mean);
}

double facts_single_deadline_h(const struct chart_frame *frame)
{
    if (frame->deadline_count < frame->workload_count)
        return NAN;
    for (size_t i = 1; i < frame->deadline_count; i++) {
        if (frame->deadlines[i].hours != frame->deadlines[0].hours)
            return NAN;
    }
    return frame->deadline_count > 0 ? frame->deadlines[0].hours : (double)NAN;
}

bool facts_undecided(const struct study_facts *f, size_t a, size_t b)
{
    for (size_t i = 0; i < f->frame->undecided_count; i++) {
        const struct chart_pair *p = &f->frame->undecided[i];
        if ((p->a == a && p->b == b) || (p->a == b && p->b == a))
            return true;
    }
    return false;
}

/* What follows for one strategy from the rows read. */
static void conclude(struct study_facts *f, struct strategy_facts *s)
{
    s->worlds = fmax(s->cost.n, s->time.n);
    s->cancelled_share = isfinite(s->cancelled_share) ? s->cancelled_share : 0.0;
    s->beyond_trace = isfinite(s->beyond_trace) ? s->beyond_trace : 0.0;
    s->unfinished = fmax(s->cost.censored, s->time.censored);
    s->unfinished_share = s->worlds > 0.0 ? s->unfinished / s->worlds : (double)NAN;
    s->stands = s->cost.present && isfinite(facts_near(&s->cost.p50)) && s->worlds > 0.0 &&
                s->unfinished_share <= UNFINISHED_MAX;
    if (!s->spend.present)
        s->spend = s->cost;
    s->answered = s->came > 0.0 ? s->answered / s->came : (double)NAN;
    f->has_service = f->has_service || isfinite(s->came);
    f->has_slo = f->has_slo || isfinite(s->slo.mean);
    f->best_answered = fmax(f->best_answered, s->answered);
    f->has_served = f->has_served || isfinite(s->served);
    f->best_served = fmax(f->best_served, s->served);
    f->has_time = f->has_time || s->time.present;
    f->has_budget = f->has_budget || isfinite(s->over_budget.at_least);
    f->has_late = f->has_late || isfinite(s->late.at_least);
    f->has_obligation = f->has_obligation || (isfinite(s->obligation) && s->obligation != 0.0);
    /* fmax passes over NaN. */
    f->largest_time_h = fmax(f->largest_time_h, fmax(s->time.p90.value, s->time.p90.at_least));
    f->largest_time_h = fmax(f->largest_time_h, fmax(s->time.p50.value, s->time.p50.at_least));
}

static struct strategy_facts nothing_known(const char *name)
{
    struct strategy_facts s = {.name = name,
                               .cost = no_metric,
                               .time = no_metric,
                               .spend = no_metric,
                               .over_budget = no_chance,
                               .late = no_chance,
                               .obligation = NAN,
                               .unused = NAN,
                               .block_unused = NAN,
                               .owned_capital = NAN,
                               .later = NAN,
                               .served = NAN,
                               .slo = no_metric,
                               .latency_p95 = no_metric,
                               .overloaded_h = NAN,
                               .per_1000 = no_metric,
                               .came = NAN,
                               .answered = NAN,
                               .cost_difference = no_difference,
                               .time_difference = no_difference};

    for (size_t i = 0; i < FACT_DEADLINES_MAX; i++)
        s.late_of[i] = no_chance;
    return s;
}

/* After all strategies are read: who stands, and who is the cheapest of them. */
static void conclude_all(struct study_facts *f)
{
    int subject = -1;

    f->best_served = f->best_answered = NAN;
    for (size_t i = 0; i < f->count; i++)
        conclude(f, &f->strategy[i]);
    for (size_t i = 0; i < f->count; i++) {
        struct strategy_facts *s = &f->strategy[i];
        s->stands = s->stands && !facts_serves_less(f, i) && !facts_answers_less(f, i);
        if (f->baseline >= 0 && facts_undecided(f, i, (size_t)f->baseline))
            s->cost_difference.relation = FACT_ASSUMED;
        if (s->stands &&
            (subject < 0 || facts_near(&s->cost.p50) < facts_near(&f->strategy[subject].cost.p50)))
            subject = (int)i;
    }
    f->subject = subject;
    if (f->frame->chosen != NULL) {
        f->chosen = strategy_index(f, f->frame->chosen);
        if (f->chosen >= 0 && !f->strategy[f->chosen].stands)
            f->chosen = -1;
    }
    f->unit = figure_time_unit(f->largest_time_h);
}

bool study_facts_init(struct study_facts *f, const struct chart_frame *frame,
                      const struct chart_tables *tables, struct diagnostics *d)
{
    size_t s_index[S_COUNT], c_index[C_COUNT];

    *f = (struct study_facts){.frame = frame, .baseline = -1, .chosen = -1, .subject = -1};
    f->count =
        frame->strategy_count < CHART_STRATEGIES_MAX ? frame->strategy_count : CHART_STRATEGIES_MAX;
    for (size_t i = 0; i < f->count; i++)
        f->strategy[i] = nothing_known(frame->strategies[i]);
    if (frame->baseline != NULL)
        f->baseline = strategy_index(f, frame->baseline);
    if (tables->summary == NULL) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                        "there is no table 'summary', which charts and tables need");
        return false;
    }
    if (!find_columns(tables->summary, summary_columns, S_NEEDED, S_COUNT, s_index, d))
        return false;
    read_summary(f, tables->summary, s_index);
    if (tables->comparison != NULL) {
        if (!find_columns(tables->comparison, comparison_columns, C_NEEDED, C_COUNT, c_index, d))
            return false;
        read_comparison(f, tables->comparison, c_index);
    }
    conclude_all(f);
    return true;
}

bool facts_level(const struct study_facts *f, size_t index)
{
    return f->chosen >= 0 && (int)index != f->chosen && f->strategy[index].stands &&
           (f->frame->level >> index & 1) != 0;
}

bool facts_serves_less(const struct study_facts *f, size_t index)
{
    /* False with NaN. */
    return f->strategy[index].served < SERVED_MIN * f->best_served;
}

bool facts_answers_less(const struct study_facts *f, size_t index)
{
    return f->strategy[index].answered < SERVED_MIN * f->best_answered;
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

enum fact_relation facts_p50_between(const struct study_facts *f, size_t a, size_t b)
{
    return facts_undecided(f, a, b)
               ? FACT_ASSUMED
               : facts_p50_relation(&f->strategy[a].cost, &f->strategy[b].cost);
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
