/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast check: what a scenario means, before anything is simulated. Everything shown is what
 * planning sees: medians of what is uncertain. */
#include "engine/quantity.h"
#include "engine/text.h"
#include "plots/figures.h"
#include "scenarios/cli/commitment_remarks.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/remarks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the meaning of a term begins. */
enum { MEANING = 14 };

/* A term and what it means, wrapped under its own beginning. */
static void print_term(const char *term, const struct text *meaning)
{
    printf("  %-*s", MEANING - 2, term);
    remarks_print_wrapped(meaning, MEANING, MEANING);
}

static void add_pools(struct text *t, const struct study *s, const struct training_plan *p)
{
    const struct pool_info *info = NULL;
    for (int i = 0; i < PURCHASE_COUNT && info == NULL; i++) {
        info = p->pools[i] < 0 ? NULL : market_pool_info(s->market, p->pools[i]);
    }
    text_format(t, "%s x %s in ", figure_count(p->nodes).text, info->type->name);
    text_add_visible(t, info->zone, strlen(info->zone));
    const char *joint = ", ";
    for (int i = 0; i < PURCHASE_COUNT; i++) {
        if (p->pools[i] >= 0) {
            text_format(t, "%s%s", joint, purchase_names[i]);
            joint = " and ";
        }
    }
    text_format(t, "; policy %s", p->policy->schema->name);
}

static void add_speed(struct text *t, const struct training_plan *p)
{
    const struct training_spec *spec = p->spec;
    char flops[48];
    switch (p->speed) {
    case SPEED_HOURS:
        text_add(t, "the work is stated as hours of the whole gang");
        return;
    case SPEED_JOB_THROUGHPUT:
        text_format(t, "%.6g/s, measured for the whole job at this number of nodes",
                    p->rate->median);
        return;
    case SPEED_THROUGHPUT:
        text_format(t, "%.6g/s a node, measured", p->rate->median);
        break;
    case SPEED_ESTIMATE:
        text_format(t, "estimated: 6 FLOPs per parameter and token at %s a node x mfu %.3g",
                    quantity_text(p->peak_flops_per_node, DIMENSION_FLOPS, NULL, flops),
                    spec->mfu.median);
        break;
    }
    if (p->nodes > 1) {
        text_format(t, " x %u nodes x scaling %.3g", p->nodes, spec->scaling.median);
    }
}

static void add_checkpoints(struct text *t, const struct training_plan *p)
{
    char every[32];
    const char *joint = "";
    for (int i = 0; i < PURCHASE_COUNT; i++) {
        if (p->pools[i] < 0) {
            continue;
        }
        if (p->spec->checkpoint.mode == CHECKPOINT_CONTINUOUS) {
            text_format(t, "%scontinuous on %s", joint, purchase_names[i]);
        } else if (isinf(p->every_s[i])) {
            text_format(t, "%snone on %s", joint, purchase_names[i]);
        } else {
            text_format(t, "%severy %s of useful work on %s", joint,
                        quantity_time_text(p->every_s[i], every), purchase_names[i]);
        }
        joint = ", ";
    }
}

static void add_market(struct text *t, const struct study *s, const struct training_plan *p)
{
    int pool = p->pools[PURCHASE_SPOT];
    char between[32];
    double losses = market_planned_loss_rate(s->market, pool, p->nodes);
    double obtainable = market_planned_availability(s->market, pool, p->nodes);
    text_format(t, "all nodes obtainable %.3g %% of the time; ", 100 * obtainable);
    if (losses > 0) {
        text_format(t, "a running gang loses nodes every %s on average",
                    quantity_time_text(1 / losses, between));
    } else {
        text_add(t, "a running gang never loses nodes");
    }
}

static void add_deadline(struct text *t, const struct training_plan *p)
{
    char time[32];
    bool late = p->submit_s + training_work_s(p, NULL) + p->planned_overhead_s > p->deadline_s;
    text_format(t, "%s after the start%s", quantity_time_text(p->deadline_s, time),
                late ? ", which is too short even if nothing is ever lost" : "");
}

static void print_plan(const struct study *s, const struct training_plan *p)
{
    char time[32];
    struct text t;
    text_init(&t, 0);
    add_pools(&t, s, p);
    print_term("runs on", &t);
    text_clear(&t);
    text_format(&t, "%s without any loss or overhead",
                quantity_time_text(training_work_s(p, NULL), time));
    print_term("work", &t);
    text_clear(&t);
    add_speed(&t, p);
    print_term("speed", &t);
    text_clear(&t);
    add_checkpoints(&t, p);
    print_term("checkpoint", &t);
    if (p->pools[PURCHASE_SPOT] >= 0) {
        text_clear(&t);
        add_market(&t, s, p);
        print_term("spot market", &t);
    }
    if (isfinite(p->deadline_s)) {
        text_clear(&t);
        add_deadline(&t, p);
        print_term("deadline", &t);
    }
    text_release(&t);
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
        commitment_remarks_print(s, k);
    }
    putchar('\n');
    remarks_print_prices(s);
    remarks_print_price_steps(s);
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
