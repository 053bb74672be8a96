/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/study_facts.h"

#include "plots/facts/table_columns.h"
#include "plots/text/label.h"

#include <math.h>
#include <string.h>

/* Above this share of unfinished worlds a strategy is never called good. */
#define UNFINISHED_MAX 0.01
/* Below this part of what the best strategy serves by the clock likewise. */
#define SERVED_MIN 0.99

static int strategy_index(const struct study_facts *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++) {
        if (strcmp(f->strategy[i].name, name) == 0)
            return (int)i;
    }
    return -1;
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
        s->over_budget = fact_chance_of(m);
    else if (strcmp(metric, "late") == 0)
        s->late = fact_chance_of(m);
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
            s->late_of[i] = fact_chance_of(m);
    }
}

/* What names a row, of both tables. */
enum { STRATEGY, WORKLOAD, METRIC, BASELINE, KEYS };
static const char *const keys[KEYS] = {"strategy", "workload", "metric", "baseline"};

static bool read_summary(struct study_facts *f, const struct table *t, struct diagnostics *d)
{
    struct fact_metric_columns columns;
    int key[KEYS];

    if (!table_columns_needed(key, t, keys, BASELINE, d) || !fact_metric_find(&columns, t, d))
        return false;
    for (size_t row = 0; row < table_rows(t); row++) {
        const char *metric = table_text(t, row, (size_t)key[METRIC]);
        const char *workload = table_text(t, row, (size_t)key[WORKLOAD]);
        int i = strategy_index(f, table_text(t, row, (size_t)key[STRATEGY]));
        bool all = strcmp(workload, "all") == 0;
        struct fact_metric m;
        if (i < 0 || (!all && strcmp(metric, "late") != 0))
            continue;
        m = fact_metric_read(t, row, &columns);
        if (all)
            take_metric(&f->strategy[i], f->frame, metric, &m);
        else
            take_late(&f->strategy[i], f->frame, workload, &m);
    }
    return true;
}

static bool read_comparison(struct study_facts *f, const struct table *t, struct diagnostics *d)
{
    const struct chart_frame *frame = f->frame;
    struct fact_difference_columns columns;
    int key[KEYS];

    if (!table_columns_needed(key, t, keys, KEYS, d) || !fact_difference_find(&columns, t, d))
        return false;
    for (size_t row = 0; row < table_rows(t); row++) {
        const char *metric = table_text(t, row, (size_t)key[METRIC]);
        int i = strategy_index(f, table_text(t, row, (size_t)key[STRATEGY]));
        if (i < 0 || f->baseline < 0 ||
            strcmp(table_text(t, row, (size_t)key[WORKLOAD]), "all") != 0 ||
            strcmp(table_text(t, row, (size_t)key[BASELINE]), f->strategy[f->baseline].name) != 0)
            continue;
        if (strcmp(metric, frame->cost_metric) == 0)
            f->strategy[i].cost_difference = fact_difference_read(t, row, &columns);
        else if (frame->time_metric != NULL && strcmp(metric, frame->time_metric) == 0)
            f->strategy[i].time_difference = fact_difference_read(t, row, &columns);
    }
    return true;
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
                               .cost = fact_metric_unknown,
                               .time = fact_metric_unknown,
                               .spend = fact_metric_unknown,
                               .over_budget = fact_chance_unknown,
                               .late = fact_chance_unknown,
                               .obligation = NAN,
                               .unused = NAN,
                               .block_unused = NAN,
                               .owned_capital = NAN,
                               .later = NAN,
                               .served = NAN,
                               .slo = fact_metric_unknown,
                               .latency_p95 = fact_metric_unknown,
                               .overloaded_h = NAN,
                               .per_1000 = fact_metric_unknown,
                               .came = NAN,
                               .answered = NAN,
                               .cost_difference = fact_difference_unknown,
                               .time_difference = fact_difference_unknown};

    for (size_t i = 0; i < FACT_DEADLINES_MAX; i++)
        s.late_of[i] = fact_chance_unknown;
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
    if (!read_summary(f, tables->summary, d) ||
        (tables->comparison != NULL && !read_comparison(f, tables->comparison, d)))
        return false;
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

bool facts_answers_too_few(const struct study_facts *f, size_t index)
{
    return f->strategy[index].answered < SERVED_MIN;
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
