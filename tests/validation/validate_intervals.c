/* SPDX-License-Identifier: GPL-3.0-or-later
 * The interval mode of services against request level, which is the same service, nodes and
 * autoscaler with every request simulated: `make validate` (no data is needed). Rows over loads,
 * autoscalers, overload, limits and bursts. Where `auto` takes the interval mode, cost must agree
 * within 3 % and attainment of the objective within 2 points, beyond four standard errors of what
 * chance makes of so few worlds; the other rows show why it does not take it. */
#include "engine/gsl_errors.h"
#include "tests/support/studies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COST_PERCENT      3.0
#define ATTAINMENT_POINTS 2.0

enum { WORLDS = 2 };

struct row {
    const char *name;
    const char *demand; /* beside the profile */
    const char *service;
    const char *slo;
    int most;
    const char *scaler;
    const char *more;
};

#define EXP "time: exponential(500ms)"
#define HPA "hpa, utilisation: 60 %"
#define TT  "target-tracking, utilisation: 85 %"

static const struct row rows[] = {
    {"M/M/c, HPA 0.6", "rate: 20/s", EXP, "1s", 200, HPA, ""},
    {"M/M/c, target tracking 0.85", "rate: 20/s", EXP, "1s", 200, TT, ""},
    {"the same, objective 300 ms", "rate: 20/s", EXP, "300ms", 200, TT, ""},
    {"the same, objective 3 s", "rate: 20/s", EXP, "3s", 200, TT, ""},
    {"8 slots a replica, target tracking 0.85", "rate: 60/s", EXP ", slots: 8", "1s", 200, TT, ""},
    {"2 requests/s, HPA 0.6", "rate: 2/s", EXP, "1s", 200, HPA, ""},
    {"constant times, target tracking 0.85", "rate: 20/s", "time: 500ms", "600ms", 200, TT, ""},
    {"service cv 1.5, target tracking 0.85", "rate: 20/s",
     "time: 'lognormal(p50=277ms, p95=1652ms)'", "2s", 200, TT, ""},
    {"service cv 3, HPA 0.6", "rate: 20/s", "time: 'lognormal(p50=158ms, p95=1918ms)'", "2s", 200,
     HPA, ""},
    {"10 s of service, HPA 0.7", "rate: 20/s", "time: exponential(10s)", "30s", 800,
     "hpa, utilisation: 70 %", ""},
    {"arrivals of cv 3, target tracking 0.85", "rate: 20/s, cv: 3", EXP, "1s", 200, TT, ""},
    {"arrivals of cv 5, target tracking 0.85", "rate: 20/s, cv: 5", EXP, "1s", 200, TT, ""},
    {"regular arrivals of cv 0.5", "rate: 20/s, cv: 0.5", EXP, "1s", 200, TT, ""},
    {"HPA on concurrency 0.8", "rate: 20/s", EXP, "1s", 200, "hpa, concurrency: 0.8", ""},
    {"target tracking, 1.5 requests/s a replica", "rate: 20/s", EXP, "1s", 200,
     "target-tracking, requests: 1.5/s", ""},
    {"SkyServe, 1.6 requests/s a replica", "rate: 20/s", EXP, "1s", 200,
     "skyserve, requests: 1.6/s", ""},
    {"overload, at most 10 replicas", "rate: 20/s", EXP, "1s", 10, HPA, ""},
    {"overload, queue limit 100", "rate: 20/s", EXP, "1s", 10, HPA, "queue_limit: 100, "},
    {"overload, timeout 5 s", "rate: 20/s", EXP, "1s", 10, HPA, "timeout: 5s, "},
    {"no queue, HPA 0.6", "rate: 20/s", EXP, "1s", 200, HPA, "queue_limit: 0, "},
    {"bursts x4, 10 min every 2 h, HPA",
     "rate: 15/s, bursts: {every: 2h, for: 10min, factor: 4, regular: yes}", EXP, "1s", 400, HPA,
     ""},
    {"bursts x3, 1 min every 20 min on average, HPA",
     "rate: 15/s, bursts: {every: 20min, for: 1min, factor: 3}", EXP, "1s", 400, HPA, ""},
    {"bursts x6, 30 s every 10 min, HPA",
     "rate: 15/s, bursts: {every: 10min, for: 30s, factor: 6, regular: yes}", EXP, "1s", 400, HPA,
     ""},
};

static const char profile[] = "profile: [3, 2, 1, 1, 1, 2, 4, 7, 9, 10, 10, 11, 12, 12, 11, 11, "
                              "12, 13, 15, 16, 14, 10, 7, 5]";

struct seen {
    struct mean cost, attained, dropped, p95_s;
    bool interval;
};

static struct seen run_row(const struct row *row, const char *mode)
{
    char text[3000];
    struct run run;
    snprintf(text, sizeof text,
             "version: 1\nstart: 2026-03-02\nhorizon: 1d\nregion: us-east-1\nprices_as_of: "
             "2025-11-30\nreplications: %d\nworkloads: {w: {kind: inference, mode: %s, boot: 1min, "
             "measure_from: 1h, slo: %s, %sdemand: {%s, %s}, service: {any: {%s}}}}\nstrategies: "
             "{s: {instance: g4dn.xlarge, buy: on-demand, nodes: 5, max_replicas: %d, autoscale: "
             "{name: %s}}}\n",
             WORLDS, mode, row->slo, row->more, row->demand, profile, row->service, row->most,
             row->scaler);
    struct study *study = study_from_text(text, NULL);
    struct seen seen = {.interval = false};
    for (size_t i = 0; i < study->assumptions.count; i++) {
        const struct assumption *a = &study->assumptions.items[i];
        seen.interval |= strstr(a->what, "are simulated") != NULL && strstr(a->value, "in steps");
    }
    if (strcmp(mode, "auto") != 0) {
        study_run(&run, study, 1);
        seen.cost = run_mean(&run, 0, METRIC_COST);
        seen.attained = run_mean(&run, 0, METRIC_SLO_ATTAINED);
        seen.dropped = run_mean(&run, 0, METRIC_REQUESTS_DROPPED);
        seen.p95_s = run_mean(&run, 0, METRIC_LATENCY_P95);
        double requests = run_mean(&run, 0, METRIC_REQUESTS).mean;
        seen.dropped.mean /= requests;
        run_release(&run);
    }
    study_free(study);
    return seen;
}

int main(void)
{
    gsl_errors_install();
    size_t failed = 0;
    printf("services in steps of time against request by request, %d worlds of a day each\n"
           "  %-48s %8s %8s %8s %8s %8s  %s\n",
           WORLDS, "", "slo met", "cost", "slo met", "dropped", "p95", "auto");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct seen truth = run_row(&rows[i], "requests"), steps = run_row(&rows[i], "interval");
        bool chosen = run_row(&rows[i], "auto").interval;
        double cost = 100 * (steps.cost.mean / truth.cost.mean - 1);
        double points = 100 * (steps.attained.mean - truth.attained.mean);
        double cost_se = 100 * hypot(truth.cost.error, steps.cost.error) / truth.cost.mean;
        double points_se = 100 * hypot(truth.attained.error, steps.attained.error);
        bool good = fabs(cost) <= COST_PERCENT + 4 * cost_se &&
                    fabs(points) <= ATTAINMENT_POINTS + 4 * points_se;
        failed += chosen && !good;
        printf("  %-48s %6.2f %% %+6.2f %% %+6.2f pt %+6.2f pt %+6.1f %%  %s%s\n", rows[i].name,
               100 * truth.attained.mean, cost, points,
               100 * (steps.dropped.mean - truth.dropped.mean),
               100 * (steps.p95_s.mean / truth.p95_s.mean - 1), chosen ? "interval" : "requests",
               chosen && !good ? "  MISSED" : "");
        fflush(stdout);
    }
    printf("%zu of the rows for which the interval mode is taken are off by more than %g %% of "
           "cost or %g points\n",
           failed, COST_PERCENT, ATTAINMENT_POINTS);
    return failed > 0;
}
