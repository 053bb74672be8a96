/* SPDX-License-Identifier: GPL-3.0-or-later
 * A search among 1,000 plans of the quickstart: four instance types, 1 to 25 nodes, ten ways to buy
 * and policies; reading, planning and refusing them, halving, judging. */
#include "engine/gsl_errors.h"
#include "scenarios/decide/search_goal.h"
#include "tests/support/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUICKSTART "scenarios/quickstart.yaml"

static const char space[] =
    "choose: {minimise: cost_usd.p80, subject_to: [p_late <= 5 %, p_over_budget <= 10 %]}\n"
    "search:\n"
    "  base: spot\n"
    "  budget: 400k\n"
    "  over:\n"
    "    instance: [p4d.24xlarge, p5.48xlarge, p4de.24xlarge, g5.48xlarge]\n"
    "    nodes: 1..25\n"
    "    policy: [on-demand, wait, greedy, uniform-progress, {name: fallback, after: 15min},\n"
    "             {name: fallback, after: 1h}, {name: fallback, after: 4h},\n"
    "             {name: fallback, after: 15min, return: yes},\n"
    "             {name: fallback, after: 1h, return: yes},\n"
    "             {name: fallback, after: 4h, return: yes}]\n";

static const char *currency_of(void *context, const char *region)
{
    const struct region *r = catalogue_region(context, region);
    return r == NULL ? NULL : r->currency;
}

static void tell(const struct search *s)
{
    size_t simulated = 0;
    for (size_t i = 0; i < s->count; i++) {
        simulated += s->candidates[i].searched.count > 0;
    }
    printf(
        "  %zu plans, %zu of them simulated, %llu strategy-worlds; found: %s; right with at least "
        "%.2f, within 1 %% with %.2f\n",
        s->count, simulated, (unsigned long long)s->spent,
        s->chosen == SIZE_MAX ? "none" : search_plan_text(s, &s->candidates[s->chosen]), s->correct,
        s->nearly_correct);
}

static void look(const struct scenario_request *request, struct arena *a, struct diagnostics *d)
{
    struct catalogue *catalogue = catalogue_load(NULL, NULL, 0, d);
    struct scenario_request with = *request;
    with.currency_of = currency_of;
    with.context = catalogue;
    struct scenario *scenario = scenario_read(&with, d);
    struct study *study = scenario == NULL ? NULL : study_new(scenario, catalogue, d);
    const struct run_options options = {.jobs = 1};
    struct search_goal goal;
    struct search s;
    if (study == NULL || !search_goal_make(&goal, study, a, d)) {
        study_free(study);
        return;
    }
    const double start_s = bench_cpu_s();
    if (search_init(&s, study, request, &goal, &options, a, d) && search_run(&s)) {
        bench_row("search among 1,000 plans of the quickstart", bench_cpu_s() - start_s, "s CPU",
                  60, BENCH_AT_MOST);
        tell(&s);
    }
    search_release(&s);
    study_free(study);
}

int main(void)
{
    char path[] = "/tmp/fleetcast-bench-XXXXXX";
    const int fd = mkstemp(path);
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    gsl_errors_install();
    if (fd < 0 || a == NULL || d == NULL ||
        write(fd, space, strlen(space)) != (ssize_t)strlen(space)) {
        return 1;
    }
    close(fd);
    const char *const paths[] = {QUICKSTART, path};
    const struct scenario_request request = {.paths = paths, .path_count = 2};
    look(&request, a, d);
    diagnostics_write(d, stderr);
    diagnostics_free(d);
    arena_free(a);
    unlink(path);
    return 0;
}
