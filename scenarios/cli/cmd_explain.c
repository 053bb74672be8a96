/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast explain: one strategy in one world, event by event and node by node, so that anyone can
 * follow why it cost what it cost. */
#include "engine/civil_time.h"
#include "engine/text.h"
#include "plots/text/figures.h"
#include "scenarios/cli/commitment_table.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/node_table.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/study/simulation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One world under way. */
struct explaining {
    struct command *command;
    const struct study *study;
    struct simulation *simulation;
    struct journal *journal;
    struct metric_cells *cells; /* workloads + 1 */
    money_t *others;            /* (workloads + 1) × lines of other charges */
};

/* ---- head ---- */

static void print_head(const struct explaining *e)
{
    const struct scenario *sc = e->study->scenario;
    char start[24];
    fputs("Scenario ", stdout);
    command_print(sc->name);
    fputs(", strategy ", stdout);
    command_print(study_strategy_name(e->study, 0));
    printf(", replication %" PRIu32 ", seed %" PRId64 "\n", e->command->arguments->replication,
           sc->seed);
    printf("Times are UTC; hours count from the start, %s.\n",
           civil_time_text(sc->start.unix_s, start));
}

static void print_drawn(const struct explaining *e)
{
    const struct inputs *inputs = e->study->scenario->inputs;
    const double *drawn = simulation_drawn(e->simulation);
    if (inputs_count(inputs) == 0) {
        return;
    }
    puts("\nDrawn for this world");
    for (size_t i = 0; i < inputs_count(inputs); i++) {
        const struct input *input = inputs_at(inputs, i);
        fputs("  ", stdout);
        command_print(input->name);
        printf(" = %.6g%s%s\n", drawn[i], input->unit[0] == '\0' ? "" : " ", input->unit);
    }
}

/* ---- events ---- */

static void print_event(const struct explaining *e, const struct journal_entry *entry)
{
    char time[24];
    int64_t unix_s = e->study->scenario->start.unix_s + (int64_t)floor(entry->time_s);
    printf("  %.10s %.8s %11.3f h  ", civil_time_text(unix_s, time), time + 11,
           entry->time_s / 3600);
    if (entry->workload != UINT32_MAX && e->study->workload_count > 1) {
        command_print(study_workload_name(e->study, entry->workload));
        fputs(": ", stdout);
    }
    command_print(entry->what);
    putchar('\n');
}

static void print_more(const struct explaining *e, size_t more, const char *what)
{
    if (more > 0) {
        printf("  ... %s more %s%s; --limit %zu shows them all\n", figure_count((double)more).text,
               what, text_plural((double)more), e->command->arguments->limit + more);
    }
}

static void print_events(const struct explaining *e)
{
    puts("\nEvents");
    journal_sort(e->journal);
    for (size_t i = 0; i < journal_count(e->journal); i++) {
        print_event(e, journal_at(e->journal, i));
    }
    print_more(e, journal_dropped(e->journal), "event");
}

/* ---- money ---- */

/* The type of all nodes; NULL when there are several, or no nodes. */
static const char *only_type(const struct explaining *e, const struct usage_log *log)
{
    const char *type = NULL;
    for (size_t i = 0; i < log->count; i++) {
        const char *other = market_pool_info(e->study->market, log->records[i].pool)->type->name;
        if (type != NULL && strcmp(type, other) != 0) {
            return NULL;
        }
        type = other;
    }
    return type;
}

static void print_usage(const struct explaining *e)
{
    const struct usage_log *log = simulation_usage(e->simulation);
    size_t shown =
        log->count < e->command->arguments->limit ? log->count : e->command->arguments->limit;
    const char *type = only_type(e, log);
    const char *hidden[3] = {NULL}, **next = hidden;
    printf("\nNodes%s%s, and how their use was priced%s\n", type == NULL ? "" : " of type ",
           type == NULL ? "" : type,
           simulation_commitments(e->simulation, 0) == NULL
               ? ""
               : "; what commitments cover is taken off in the totals");
    if (e->study->workload_count == 1) {
        *next++ = "workload";
    }
    if (type != NULL) {
        *next++ = "instance_type";
    }
    struct table *t = node_table_usage(e->study, simulation_market(e->simulation), log, shown);
    if (t == NULL) {
        command_complain(e->command, DIAGNOSTIC_FAILURE, "out of memory");
        return;
    }
    table_print_folded(e->command, t, hidden, "priced");
    table_free(t);
    print_more(e, log->count - shown, "node");
}

static void print_lines(const struct explaining *e)
{
    struct table *t = node_table_lines(e->study, &e->cells[e->study->workload_count], e->others);
    puts("\nTotals");
    if (t == NULL) {
        command_complain(e->command, DIAGNOSTIC_FAILURE, "out of memory");
        return;
    }
    table_print_aligned(e->command, t, NULL);
    table_free(t);
}

/* Covered time is in the nodes' prices above: here is what takes it off, and what is paid for it.
 */
static void print_commitments(const struct explaining *e)
{
    const struct committed_account *accounts = simulation_commitments(e->simulation, 0);
    if (accounts == NULL) {
        return;
    }
    struct table *t = commitment_table(e->study, 0, accounts);
    puts("\nCommitments: covered at on-demand prices; used, unused and later add up to their cost");
    if (e->study->strategies[0].commitments.sunk > 0) {
        puts("(existing ones: up to the horizon; their cost is sunk and in none of the sums)");
    }
    if (t == NULL) {
        command_complain(e->command, DIAGNOSTIC_FAILURE, "out of memory");
        return;
    }
    table_print_folded(e->command, t, NULL, "commitment");
    table_free(t);
}

/* "Cost = 13.00 for nodes + 2.00 other - 12.00 covered + 5.00 used + 1.00 unused + 0.00 later" */
static void print_sum(const struct explaining *e)
{
    const struct metric_cells *all = &e->cells[e->study->workload_count];
    money_t nodes = 0;
    char amount[32];
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            (void)money_add(&nodes, all->line[p][a]);
        }
    }
    printf("Cost = %s for nodes", money_text(nodes, amount));
    money_t other = all->value[METRIC_OTHER_COST].money - all->value[METRIC_DISCOUNT].money;
    if (other != 0) {
        printf(" %c %s other", other < 0 ? '-' : '+',
               money_text(other < 0 ? -other : other, amount));
    }
    if (all->value[METRIC_BLOCK_UNUSED].money != 0) {
        printf(" + %s of blocks unused", money_text(all->value[METRIC_BLOCK_UNUSED].money, amount));
    }
    if (all->value[METRIC_RESERVATION_IDLE].money != 0) {
        printf(" + %s of reserved capacity idle",
               money_text(all->value[METRIC_RESERVATION_IDLE].money, amount));
    }
    for (size_t i = 0; study_shared_line(e->study, i) != NULL; i++) {
        const struct shared_line *line = study_shared_line(e->study, i);
        money_t m = line->sign * all->value[line->metric].money;
        printf(" %c %s %s", m < 0 || line->sign < 0 ? '-' : '+', money_text(m < 0 ? -m : m, amount),
               line->activity);
    }
    printf(" = %s %s\n", money_text(all->value[METRIC_COST].money, amount),
           e->study->scenario->currency);
}

/* How much of it a workload without an end of its own did: of a service requests, else nodes. */
static void print_served(const struct metric_cells *cells)
{
    if (!isnan(cells->value[METRIC_REQUESTS].number))
        printf(": served %.0f of %.0f requests\n", cells->value[METRIC_REQUESTS_SERVED].number,
               cells->value[METRIC_REQUESTS].number);
    else
        printf(": served %.3f of %.3f node-hours\n", cells->value[METRIC_SERVED].number,
               cells->value[METRIC_NEEDED].number);
}

static void print_end(const struct explaining *e)
{
    const struct study *s = e->study;
    char amount[32];
    putchar('\n');
    for (size_t w = 0; w < s->workload_count; w++) {
        const struct metric_cells *cells = &e->cells[w];
        command_print(study_workload_name(s, w));
        if (metric_cancelled(cells)) {
            puts(": cancelled with the project");
            continue;
        }
        if (metric_endless(cells)) {
            print_served(cells);
            continue;
        }
        double time_h = cells->value[METRIC_TIME_TO_TRAIN].number;
        printf(cells->value[METRIC_FINISHED].number > 0 ? ": finished after %.3f h\n"
               : time_h * 3600 < s->scenario->horizon_s - 1
                   ? ": not finished; stopped at its budget, after %.3f h\n"
                   : ": not finished; cut off at the horizon, after %.3f h\n",
               time_h);
    }
    if (simulation_commitments(e->simulation, 0) != NULL) {
        print_sum(e);
    }
    printf("Cost: %s %s\n",
           money_text(e->cells[s->workload_count].value[METRIC_COST].money, amount),
           s->scenario->currency);
}

/* ---- the verb ---- */

static bool simulate(const struct explaining *e)
{
    struct simulation_outputs out = {.cells = e->cells, .others = e->others, .journal = e->journal};
    if (simulation_begin_world(e->simulation, e->command->arguments->replication) &&
        simulation_run_strategy(e->simulation, 0, &out)) {
        return true;
    }
    command_complain(e->command, DIAGNOSTIC_INFEASIBLE, "%s", simulation_error(e->simulation));
    return false;
}

static void explain(struct explaining *e)
{
    if (e->simulation == NULL || e->journal == NULL || e->cells == NULL || e->others == NULL) {
        command_complain(e->command, DIAGNOSTIC_FAILURE, "out of memory");
        return;
    }
    if (!simulate(e)) {
        return;
    }
    print_head(e);
    print_drawn(e);
    print_events(e);
    print_usage(e);
    print_lines(e);
    print_commitments(e);
    print_end(e);
}

static bool one_strategy(struct command *c, const struct study *s)
{
    if (s->strategy_count == 1) {
        return true;
    }
    struct text names;
    text_init(&names, 400);
    for (size_t k = 0; k < s->strategy_count; k++) {
        text_format(&names, "%s%s", k == 0 ? "" : ", ", study_strategy_name(s, k));
    }
    command_complain(c, DIAGNOSTIC_ERROR,
                     "one strategy can be explained at a time; expected one --strategy of: %s",
                     names.data);
    text_release(&names);
    return false;
}

int cmd_explain(struct command *c)
{
    struct study *study = load_study(c);
    if (study != NULL && one_strategy(c, study) && command_tell(c)) {
        struct explaining e = {
            .command = c,
            .study = study,
            .simulation = simulation_new(study),
            .journal = journal_new(c->arguments->limit),
            .cells = calloc(study->workload_count + 1, sizeof *e.cells),
            .others =
                calloc((study->workload_count + 1) * study->frame.others + 1, sizeof *e.others),
        };
        explain(&e);
        free(e.cells);
        free(e.others);
        journal_free(e.journal);
        simulation_free(e.simulation);
    }
    study_free(study);
    return EXIT_DONE;
}
