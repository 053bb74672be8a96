/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/result_charts.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "plots/charts/charts.h"
#include "scenarios/study/metrics.h"

#include <math.h>
#include <string.h>

static const char *metric_name(struct command *c, enum metric m, const char *currency)
{
    char name[64];
    return arena_string(c->arena, metric_column(m, currency, name));
}

static bool fill_deadlines(struct command *c, const struct manifest *m, struct chart_frame *frame)
{
    struct chart_deadline *deadlines =
        arena_array(c->arena, m->workload_count + 1, sizeof *deadlines);
    frame->deadlines = deadlines;
    for (size_t i = 0; deadlines != NULL && i < m->workload_count; i++) {
        if (isfinite(m->workloads[i].deadline_h)) {
            deadlines[frame->deadline_count++] =
                (struct chart_deadline){m->workloads[i].workload, m->workloads[i].deadline_h};
        }
    }
    return deadlines != NULL;
}

static bool fill_undecided(struct command *c, const struct manifest *m, struct chart_frame *frame)
{
    struct chart_pair *pairs = arena_array(c->arena, m->undecided_count + 1, sizeof *pairs);
    frame->undecided = pairs;
    for (size_t i = 0; pairs != NULL && i < m->undecided_count; i++) {
        pairs[i] = (struct chart_pair){m->undecided[i].a, m->undecided[i].b};
        frame->undecided_count++;
    }
    return pairs != NULL;
}

/* What is shown: the report's currency, if there is one. */
static const char *shown_currency(const struct manifest *m)
{
    return m->report.given ? m->report.code : m->currency;
}

const char *result_charts_conversion(struct command *c, const char *currency,
                                     const struct report_currency *r)
{
    char date[24];
    return arena_format(c->arena, "computed in %s, shown in %s at %.10g (%s)", currency, r->code,
                        r->rate, civil_date_text(r->date.unix_s, date));
}

/* Without the noise of two conversions, so that 5,000 EUR read are 5,000 EUR shown. */
static double shown_budget(const struct manifest *m)
{
    double amount = in_report_currency(&m->report, m->budget);
    return m->report.given && isfinite(amount) ? round(amount * 1e6) / 1e6 : amount;
}

bool result_charts_frame(struct command *c, const struct manifest *m, struct chart_frame *frame)
{
    const char *currency = shown_currency(m);
    *frame = (struct chart_frame){
        .scenario = m->scenario,
        .currency = currency,
        .conversion = m->report.given ? result_charts_conversion(c, m->currency, &m->report) : NULL,
        .tax_included = m->tax_included,
        .cost_metric = metric_name(c, METRIC_COST, currency),
        .obligation_metric = metric_name(c, METRIC_OBLIGATION, currency),
        .time_metric = metric_name(c, METRIC_TIME_TO_TRAIN, currency),
        .replications = (size_t)m->replications,
        .seed = (uint64_t)m->seed,
        .budget = shown_budget(m),
        .budget_uncertain = m->budget_uncertain,
        .timeline_replications = (size_t)m->timeline_replications,
        .workload_count = m->workload_count,
        .start_unix_s = m->start_unix_s,
        .horizon_s = m->horizon_s,
        .strategies = m->strategies,
        .strategy_count = m->strategy_count,
        .baseline = m->baseline,
        .prices_as_of = m->prices_as_of,
        .note = m->partial ? "partial: the run was interrupted" : NULL,
    };
    if (!fill_deadlines(c, m, frame) || !fill_undecided(c, m, frame) ||
        frame->cost_metric == NULL || frame->obligation_metric == NULL ||
        frame->time_metric == NULL || (m->report.given && frame->conversion == NULL)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    return true;
}

void result_charts_mark(struct chart_frame *frame, const struct result_tables *tables)
{
    const struct table *t = tables->choice;
    const int name = t == NULL ? -1 : table_find(t, "strategy");
    const int status = t == NULL ? -1 : table_find(t, "status");
    for (size_t i = 0; name >= 0 && status >= 0 && i < table_rows(t); i++) {
        const char *verdict = table_text(t, i, (size_t)status);
        for (size_t k = 0; k < frame->strategy_count && k < CHART_STRATEGIES_MAX; k++) {
            if (strcmp(frame->strategies[k], table_text(t, i, (size_t)name)) != 0) {
                continue;
            }
            if (strcmp(verdict, "chosen") == 0) {
                frame->chosen = frame->strategies[k];
            } else if (strcmp(verdict, "level") == 0) {
                frame->level |= UINT64_C(1) << k;
            }
        }
    }
}

struct chart_tables result_charts_tables(const struct result_tables *t)
{
    return (struct chart_tables){.summary = t->summary,
                                 .comparison = t->comparison,
                                 .distribution = t->distribution,
                                 .timeline = t->timeline,
                                 .monthly = t->monthly,
                                 .categories = t->categories,
                                 .levels = t->levels,
                                 .break_even = t->break_even,
                                 .oracle = t->oracle,
                                 .market = t->market,
                                 .survival = t->survival,
                                 .plan_world = t->plan_world,
                                 .jobs = t->jobs,
                                 .utilisation = t->utilisation,
                                 .services = t->services,
                                 .hour_of_week = t->hour_of_week,
                                 .service_hours = t->service_hours,
                                 .sensitivity = t->sensitivity,
                                 .information = t->information};
}

bool result_charts_draw(struct command *c, const struct chart_frame *frame,
                        const struct result_tables *tables, const char *folder)
{
    const struct chart_tables of_charts = result_charts_tables(tables);
    const char *charts = file_join(c->arena, folder, "charts");
    if (charts == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    return charts_draw(frame, &of_charts, charts, c->d);
}
