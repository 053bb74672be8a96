/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_sentences.h"

#include "plots/report/report_flips.h"
#include "plots/report/report_sentences_plan.h"
#include "plots/sentences/report_figures.h"

#include <math.h>
#include <string.h>

typedef const char *sentence_rule(struct report_document *r, const struct report_source *s, int x);

static const struct strategy_facts *facts_of(const struct report_source *s, int x)
{
    return &s->facts->strategy[x];
}

static const char *currency(const struct report_source *s)
{
    return s->facts->frame->currency;
}

static const char *of_cost(struct report_document *r, const struct report_source *s, int x)
{
    const char *metric = s->facts->frame->cost_metric, *name = report_strategy_name(r, s, x);
    struct fact_quantile p50 = report_quantile_of(s, x, metric, "p50");
    struct fact_quantile p95 = report_quantile_of(s, x, metric, "p95");
    enum report_language l = r->language;

    if (!isfinite(facts_near(&p50)))
        return REPORT_WORDS_OF(r, WORD_SAY_COST_UNKNOWN, name);
    if (facts_certain(&facts_of(s, x)->cost))
        return REPORT_WORDS_OF(r, WORD_SAY_COST_CERTAIN, name,
                               report_quantile(l, &p50, currency(s)).text);
    if (!isfinite(p95.value))
        return REPORT_WORDS_OF(r, WORD_SAY_COST_HALF, name,
                               report_quantile(l, &p50, currency(s)).text);
    if (report_p95_unbounded(&facts_of(s, x)->cost))
        return REPORT_WORDS_OF(
            r, WORD_SAY_COST_FEW, name, report_quantile(l, &p50, currency(s)).text,
            report_money(l, facts_of(s, x)->cost.max, currency(s), FIGURE_NEAREST).text,
            report_count(l, facts_of(s, x)->cost.n).text);
    return REPORT_WORDS_OF(r, WORD_SAY_COST, name, report_quantile(l, &p50, currency(s)).text,
                           report_money(l, p95.value, currency(s), FIGURE_UP).text);
}

static const char *of_time(struct report_document *r, const struct report_source *s, int x)
{
    const struct strategy_facts *f = facts_of(s, x);
    const char *name = report_strategy_name(r, s, x), *within;
    enum report_language l = r->language;

    if (!f->time.present)
        return NULL;
    if (!isfinite(f->time.p50.value) || !isfinite(f->time.p90.value))
        return REPORT_WORDS_OF(
            r, WORD_SAY_UNFINISHED, name,
            report_futures(l, f->unfinished_share, f->worlds, FIGURE_NEAREST).text);
    within = REPORT_WORDS_OF(r, WORD_SAY_TIME, name,
                             report_time(l, f->time.p50.value, s->facts->unit, FIGURE_UP).text,
                             report_time(l, f->time.p90.value, s->facts->unit, FIGURE_UP).text);
    if (!isfinite(f->late.at_least))
        return within;
    return REPORT_WORDS_OF(r, WORD_SAY_AND_LATE, within,
                           report_chance(l, f->late.at_least, f->late.at_most, f->late.n).text);
}

static enum report_word relation_word(enum fact_relation relation, bool of_time_not_cost)
{
    switch (relation) {
    case FACT_LESS:
        return of_time_not_cost ? WORD_IS_FASTER : WORD_IS_CHEAPER;
    case FACT_MORE:
        return of_time_not_cost ? WORD_IS_SLOWER : WORD_IS_DEARER;
    case FACT_SAME:
        return of_time_not_cost ? WORD_IS_AS_LONG : WORD_IS_AS_DEAR;
    case FACT_UNCLEAR:
        return of_time_not_cost ? WORD_IS_TIME_UNCLEAR : WORD_IS_COST_UNCLEAR;
    default:
        return of_time_not_cost ? WORD_IS_TIME_UNKNOWN : WORD_IS_COST_UNKNOWN;
    }
}

static const char *of_cost_time(struct report_document *r, const struct report_source *s, int x)
{
    const struct strategy_facts *f = facts_of(s, x);

    if (s->facts->baseline < 0 || s->facts->baseline == x || !f->time.present)
        return of_cost(r, s, x);
    return REPORT_WORDS_OF(
        r, WORD_SAY_COST_TIME, report_strategy_name(r, s, x),
        report_strategy_name(r, s, s->facts->baseline),
        report_word(r->language, relation_word(f->cost_difference.relation, false)),
        report_word(r->language, relation_word(f->time_difference.relation, true)));
}

static const char *of_compare(struct report_document *r, const struct report_source *s, int x)
{
    struct report_document aside;
    const char *said = NULL;

    /* The same sentence as on the first page, taken from a document of its own. */
    report_document_init(&aside, r->arena, r->language);
    report_choice_saving(&aside, s, x);
    r->failed = r->failed || aside.failed;
    if (aside.first != NULL)
        said = aside.first->text;
    return said != NULL ? said : of_cost(r, s, x);
}

static const char *of_spend(struct report_document *r, const struct report_source *s, int x)
{
    const struct fact_metric *m = &facts_of(s, x)->spend;
    enum report_language l = r->language;

    if (!isfinite(m->p50.value) || !isfinite(m->p90.value))
        return NULL;
    return REPORT_WORDS_OF(r, WORD_SAY_SPEND, report_strategy_name(r, s, x),
                           report_money(l, m->p50.value, currency(s), FIGURE_NEAREST).text,
                           report_money(l, m->p90.value, currency(s), FIGURE_UP).text);
}

static const char *of_budget(struct report_document *r, const struct report_source *s, int x)
{
    const struct fact_chance *over = &facts_of(s, x)->over_budget;
    enum report_language l = r->language;

    if (!isfinite(over->at_least) || !isfinite(s->facts->frame->budget))
        return NULL;
    return REPORT_WORDS_OF(r, WORD_SAY_BUDGET, report_strategy_name(r, s, x),
                           report_money_exact(l, s->facts->frame->budget, currency(s)).text,
                           report_chance(l, over->at_least, over->at_most, over->n).text);
}

static const char *of_latency(struct report_document *r, const struct report_source *s, int x)
{
    const struct fact_metric *m = &facts_of(s, x)->latency_p95;
    char seconds[32];

    if (!isfinite(m->p50.value))
        return NULL;
    snprintf(seconds, sizeof seconds, "%.3g s", figure_round(m->p50.value, 3, FIGURE_UP));
    return facts_of(s, x)->overloaded_h > 0.0
               ? REPORT_WORDS_OF(r, WORD_SAY_LATENCY_OVERLOADED, report_strategy_name(r, s, x),
                                 seconds)
               : REPORT_WORDS_OF(r, WORD_SAY_LATENCY, report_strategy_name(r, s, x), seconds);
}

static const char *of_slo(struct report_document *r, const struct report_source *s, int x)
{
    const struct strategy_facts *f = facts_of(s, x);
    char share[32];

    if (!isfinite(f->slo.mean))
        return NULL;
    snprintf(share, sizeof share, r->language == REPORT_EN ? "%.1f %%" : "%.1f%%",
             floor(1000.0 * f->slo.mean) / 10.0);
    return REPORT_WORDS_OF(r, WORD_SAY_SLO, report_strategy_name(r, s, x), share,
                           report_quantile(r->language, &f->cost.p50, currency(s)).text);
}

static const struct {
    const char *chart;
    sentence_rule *rule;
    bool of_standing; /* nobody stands: said in place of what the chart shows */
    enum report_word shows;
} rules[] = {
    {"cost", of_cost, true, WORD_SHOWS_COST},
    {"time", of_time, true, WORD_SHOWS_TIME},
    {"cost-time", of_cost_time, true, WORD_SHOWS_COST_TIME},
    {"compare", of_compare, true, WORD_SHOWS_COMPARE},
    {"spend", of_spend, false, WORD_SHOWS_SPEND},
    {"nodes", report_sentence_nodes, false, WORD_SHOWS_NODES},
    {"months", report_sentence_months, false, WORD_SHOWS_MONTHS},
    {"cash", report_sentence_cash, false, WORD_SHOWS_CASH},
    {"levels", report_sentence_levels, false, WORD_SHOWS_LEVELS},
    {"break-even", NULL, false, WORD_SHOWS_BREAK_EVEN},
    {"policies", NULL, false, WORD_SHOWS_POLICIES},
    {"plan-world", report_sentence_plan_world, false, WORD_SHOWS_PLAN_WORLD},
    {"spot-market", NULL, false, WORD_SHOWS_SPOT_MARKET},
    {"survival", NULL, false, WORD_SHOWS_SURVIVAL},
    {"gantt", report_sentence_gantt, false, WORD_SHOWS_GANTT},
    {"burn-down", of_budget, false, WORD_SHOWS_BURN_DOWN},
    {"demand", report_sentence_demand, false, WORD_SHOWS_DEMAND},
    {"latency", of_latency, false, WORD_SHOWS_LATENCY},
    {"slo", of_slo, false, WORD_SHOWS_SLO},
    {"slo-hours", NULL, false, WORD_SHOWS_SLO_HOURS},
    {"week", report_sentence_week, false, WORD_SHOWS_WEEK},
    {"unit-cost", NULL, false, WORD_SHOWS_UNIT_COST},
    {"sweep", NULL, false, WORD_SHOWS_SWEEP},
    {"front", NULL, false, WORD_SHOWS_FRONT},
    {"utilisation", NULL, false, WORD_SHOWS_UTILISATION},
    {"tornado", report_sentence_tornado, false, WORD_SHOWS_TORNADO},
    {"offers", NULL, false, WORD_SHOWS_OFFERS},
};

const char *report_sentence(struct report_document *r, const struct report_source *s, int subject,
                            const char *chart)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const char *said = NULL;
        if (strcmp(rules[i].chart, chart) != 0)
            continue;
        if (subject < 0 && rules[i].of_standing)
            return report_word(r->language, WORD_SAY_NOBODY);
        if (subject >= 0 && rules[i].rule != NULL)
            said = rules[i].rule(r, s, subject);
        return said != NULL ? said : report_word(r->language, rules[i].shows);
    }
    return report_word(r->language, WORD_SHOWS_OTHER);
}
