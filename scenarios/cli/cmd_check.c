/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast check: what a scenario means, before anything is simulated. Everything shown is what
 * planning sees: medians of what is uncertain. */
#include "engine/quantity.h"
#include "engine/text.h"
#include "plots/figures.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/remarks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_term(const char *term)
{
    printf("  %-12s", term);
}

static void print_pools(const struct study *s, const struct training_plan *p)
{
    const struct pool_info *info = NULL;
    for (int i = 0; i < PURCHASE_COUNT && info == NULL; i++) {
        info = p->pools[i] < 0 ? NULL : market_pool_info(s->market, p->pools[i]);
    }
    print_term("runs on");
    printf("%s x %s in ", figure_count(p->nodes).text, info->type->name);
    command_print(info->zone);
    const char *joint = ", ";
    for (int i = 0; i < PURCHASE_COUNT; i++) {
        if (p->pools[i] >= 0) {
            printf("%s%s", joint, purchase_names[i]);
            joint = " and ";
        }
    }
    printf("; policy %s\n", p->policy->schema->name);
}

static void print_speed(const struct training_plan *p)
{
    const struct training_spec *spec = p->spec;
    char flops[48];
    switch (p->speed) {
    case SPEED_HOURS:
        fputs("the work is stated as hours of the whole gang", stdout);
        break;
    case SPEED_JOB_THROUGHPUT:
        printf("%.6g/s, measured for the whole job at this number of nodes", p->rate->median);
        break;
    case SPEED_THROUGHPUT:
        printf("%.6g/s a node, measured", p->rate->median);
        if (p->nodes > 1) {
            printf(", x %u nodes x scaling %.3g", p->nodes, spec->scaling.median);
        }
        break;
    case SPEED_ESTIMATE:
        printf("estimated: 6 FLOPs per parameter and token at %s a node x mfu %.3g",
               quantity_text(p->peak_flops_per_node, DIMENSION_FLOPS, NULL, flops),
               spec->mfu.median);
        if (p->nodes > 1) {
            printf(" x %u nodes x scaling %.3g", p->nodes, spec->scaling.median);
        }
        break;
    }
    putchar('\n');
}

static void print_checkpoints(const struct training_plan *p)
{
    char every[32];
    const char *joint = "";
    print_term("checkpoint");
    for (int i = 0; i < PURCHASE_COUNT; i++) {
        if (p->pools[i] < 0) {
            continue;
        }
        if (p->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS) {
            printf("%scontinuous on %s", joint, purchase_names[i]);
        } else if (isinf(p->every_s[i])) {
            printf("%snone on %s", joint, purchase_names[i]);
        } else {
            printf("%severy %s of useful work on %s", joint,
                   quantity_time_text(p->every_s[i], every), purchase_names[i]);
        }
        joint = ", ";
    }
    putchar('\n');
}

static void print_market(const struct study *s, const struct training_plan *p)
{
    int pool = p->pools[PURCHASE_SPOT];
    char between[32];
    if (pool < 0) {
        return;
    }
    double losses = market_planned_loss_rate(s->market, pool, p->nodes);
    double obtainable = market_planned_availability(s->market, pool, p->nodes);
    print_term("spot market");
    printf("all nodes obtainable %.3g %% of the time; ", 100 * obtainable);
    if (losses > 0) {
        printf("a running gang loses nodes every %s on average\n",
               quantity_time_text(1 / losses, between));
    } else {
        puts("a running gang never loses nodes");
    }
}

static void print_plan(const struct study *s, const struct training_plan *p)
{
    char time[32];
    double work_s = training_work_s(p, NULL);
    print_pools(s, p);
    print_term("work");
    printf("%s without any loss or overhead\n", quantity_time_text(work_s, time));
    print_term("speed");
    print_speed(p);
    print_checkpoints(p);
    print_market(s, p);
    if (isfinite(p->deadline_s)) {
        print_term("deadline");
        printf("%s after the start%s\n", quantity_time_text(p->deadline_s, time),
               p->submit_s + work_s + p->planned_overhead_s > p->deadline_s
                   ? ", which is too short even if nothing is ever lost"
                   : "");
    }
}

static void print_study(const struct study *s)
{
    remarks_print_scenario(s);
    for (size_t k = 0; k < s->strategy_count; k++) {
        for (size_t w = 0; w < s->workload_count; w++) {
            putchar('\n');
            command_print(study_strategy_name(s, k));
            fputs(", ", stdout);
            command_print(study_workload_name(s, w));
            puts(k == s->baseline && s->strategy_count > 1 ? " (baseline)" : "");
            print_plan(s, &s->strategies[k].plans[w]);
        }
    }
    putchar('\n');
    remarks_print_prices(s);
    putchar('\n');
    remarks_print_assumptions(s);
    putchar('\n');
    remarks_print_not_modelled();
}

int cmd_check(struct command *c)
{
    struct study *study = load_study(c);
    if (command_tell(c) && !c->quiet) {
        print_study(study);
    }
    study_free(study);
    return EXIT_DONE;
}
