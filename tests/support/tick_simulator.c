/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/tick_simulator.h"

#include "tests/support/studies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void write_trace(const struct tick_case *c, const char *path)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        exit(2);
    }
    fputs("zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n", out);
    for (size_t k = 0; k < c->ticks; k++) {
        if (k == 0 || (c->nodes[k] > 0) != (c->nodes[k - 1] > 0)) {
            fprintf(out, "us-west-2a,p3.2xlarge,,,%.17g,%d,,\n", (double)k * c->tick_s,
                    c->nodes[k] > 0);
        }
    }
    fprintf(out, "us-west-2a,p3.2xlarge,,,%.17g,,,end\n", (double)c->ticks * c->tick_s);
    fclose(out);
}

double tick_simulator_cost(const struct tick_case *c, const char *policy,
                           struct tick_simulator_rules rules, const char *folder)
{
    char path[512], text[3000];
    double known_s = (double)c->ticks * c->tick_s, cost = (double)NAN;
    snprintf(path, sizeof path, "%s/t.csv", folder);
    write_trace(c, path);
    snprintf(text, sizeof text,
             "version: 1\nregion: us-west-2\nreplications: 1\nstart: 2025-12-08\nhorizon: %.17gs\n"
             "market:\n  spot: {p3.2xlarge: {capacity: replay, price: %.17g USD/h, notice: 0s,\n"
             "    first_hour_free: %s, trace: {file: %s, start: 0s, wrap: no}}}\n"
             "  on-demand: {p3.2xlarge: {price: %.17g USD/h}}\n"
             "workloads: {job: {kind: training, hours: %.17gs, boot: %.17gs, handover: %s,\n"
             "  look_every: %.17gs,\n"
             "  checkpoint: {mode: continuous, restore: 0s}, deadline: %.17gs}}\n"
             "strategies: {one: {instance: p3.2xlarge, nodes: 1, buy: %s%s}}\n",
             fmin(known_s, 1e7), c->spot_per_hour, rules.first_hour_free ? "yes" : "no", path,
             c->on_demand_per_hour, c->work_s, c->overhead_s, rules.handover,
             rules.looks ? c->tick_s : 0.0, fmin(c->deadline_s, known_s),
             policy == NULL ? "on-demand" : "spot, policy: ", policy == NULL ? "" : policy);
    struct study *study = study_from_text(text, NULL);
    struct run run;
    study_run(&run, study, 1);
    if (run_value(&run, 0, 0, METRIC_FINISHED) > 0) {
        cost = run_value(&run, 0, 0, METRIC_COST);
    }
    run_release(&run);
    study_free(study);
    return cost;
}
