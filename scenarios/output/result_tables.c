/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/result_tables.h"

#include "scenarios/output/bill_tables.h"
#include "scenarios/output/break_even_table.h"
#include "scenarios/output/choice_tables.h"
#include "scenarios/output/commitment_results.h"
#include "scenarios/output/comparison_table.h"
#include "scenarios/output/distribution_table.h"
#include "scenarios/output/hour_tables.h"
#include "scenarios/output/information_table.h"
#include "scenarios/output/job_tables.h"
#include "scenarios/output/levels_table.h"
#include "scenarios/output/market_table.h"
#include "scenarios/output/month_tables.h"
#include "scenarios/output/oracle_table.h"
#include "scenarios/output/plan_world_table.h"
#include "scenarios/output/report_tables.h"
#include "scenarios/output/sensitivity_table.h"
#include "scenarios/output/service_tables.h"
#include "scenarios/output/split_table.h"
#include "scenarios/output/summary_table.h"
#include "scenarios/output/survival_table.h"
#include "scenarios/output/timeline_table.h"

bool result_tables_make(struct result_tables *t, const struct run *run)
{
    *t = (struct result_tables){
        .summary = summary_table(run),
        .comparison = comparison_table(run),
        .distribution = distribution_table(run),
        .timeline = timeline_table(run),
        .monthly = monthly_table(run),
        .lines = lines_table(run),
        .quarters = quarters_table(run),
        .categories = categories_table(run),
        .commitments = commitment_results_table(run),
        .split = split_table(run),
        .levels = levels_table(run),
        .oracle = oracle_table(run),
        .break_even = break_even_table(run->study),
        .market = market_table(run),
        .survival = survival_table(run),
        .plan_world = plan_world_table(run),
        .service_hours = service_hours_table(run),
        .sensitivity = sensitivity_table(run),
        .information = information_table(run),
        .choice = choice_table(run),
        .limits = limits_table(run),
    };
    job_tables_make(run, &t->jobs, &t->utilisation);
    service_tables_make(run, &t->services, &t->hour_of_week);
    struct table **all[] = {
        &t->summary,       &t->comparison,  &t->distribution, &t->timeline,    &t->monthly,
        &t->lines,         &t->quarters,    &t->categories,   &t->commitments, &t->split,
        &t->levels,        &t->oracle,      &t->break_even,   &t->market,      &t->survival,
        &t->plan_world,    &t->jobs,        &t->utilisation,  &t->services,    &t->hour_of_week,
        &t->service_hours, &t->sensitivity, &t->information,  &t->choice,      &t->limits};
    const struct scenario *sc = run->study->scenario;
    bool ok = true;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        *all[i] = report_table(*all[i], sc->currency, &sc->report);
        ok = ok && *all[i] != NULL;
    }
    if (!ok) {
        result_tables_release(t);
    }
    return ok;
}

void result_tables_release(struct result_tables *t)
{
    table_free(t->summary);
    table_free(t->comparison);
    table_free(t->distribution);
    table_free(t->timeline);
    table_free(t->monthly);
    table_free(t->lines);
    table_free(t->quarters);
    table_free(t->categories);
    table_free(t->commitments);
    table_free(t->split);
    table_free(t->levels);
    table_free(t->oracle);
    table_free(t->break_even);
    table_free(t->market);
    table_free(t->survival);
    table_free(t->plan_world);
    table_free(t->jobs);
    table_free(t->utilisation);
    table_free(t->services);
    table_free(t->hour_of_week);
    table_free(t->service_hours);
    table_free(t->sensitivity);
    table_free(t->information);
    table_free(t->choice);
    table_free(t->limits);
    *t = (struct result_tables){0};
}
