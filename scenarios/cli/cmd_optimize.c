/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast optimize: look for the best plan of the scenario's `search:`, write, show. */
#include "plots/text/figures.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/lone_chart.h"
#include "scenarios/cli/optimize_output.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/run_output.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/decide/search_folder.h"
#include "scenarios/decide/search_goal.h"
#include "scenarios/decide/search_tables.h"

#include <stdio.h>
#include <time.h>

struct optimizing {
    struct command *command;
    const struct study *study;
    struct run_output output;
    struct search search;
    struct table *candidates, *front;
    struct search_effort effort;
};

static double clock_s(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct scenario_request request_of(const struct arguments *a)
{
    return (struct scenario_request){.paths = a->operands,
                                     .path_count = a->operand_count,
                                     .sets = a->sets,
                                     .set_count = a->set_count};
}

static bool search(struct optimizing *o, const struct scenario_request *request)
{
    struct command *c = o->command;
    struct progress_line progress;
    struct search_goal goal;
    const double cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID), wall_s = clock_s(CLOCK_MONOTONIC);
    progress_line_init(&progress, c->quiet);
    const struct run_options options = {.jobs = c->arguments->jobs,
                                        .interrupted = interrupt_watch(),
                                        .progress = progress_line_draw,
                                        .progress_context = &progress};
    bool ok = search_goal_make(&goal, o->study, c->arena, c->d) &&
              search_init(&o->search, o->study, request, &goal, &options, c->arena, c->d) &&
              search_run(&o->search);
    progress_line_clear(&progress);
    o->effort.cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_s;
    o->effort.wall_s = clock_s(CLOCK_MONOTONIC) - wall_s;
    return ok;
}

static bool draw(struct optimizing *o)
{
    struct command *c = o->command;
    const struct chart_tables tables = {.candidates = o->candidates, .front = o->front};
    struct chart_frame frame;
    if (!lone_chart_frame(c, o->study, false, &frame)) {
        return false;
    }
    frame.simulated = arena_format(
        c->arena, "search over %s plan%s, seed %lld", figure_count((double)o->search.count).text,
        text_plural((double)o->search.count), (long long)o->study->scenario->seed);
    return lone_chart_draw(c, "front", &frame, &tables, o->output.folder.draft);
}

static bool write_results(struct optimizing *o)
{
    struct command *c = o->command;
    const struct arguments *a = c->arguments;
    const struct manifest_request request = {
        .arguments = a->all, .argument_count = a->all_count, .jobs = a->jobs};
    o->candidates = search_table_candidates(&o->search);
    o->front = search_table_front(&o->search);
    if (o->candidates == NULL || o->front == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory for the result tables");
        return false;
    }
    return search_folder_write(&o->output.folder, &o->search, o->candidates, o->front, &request,
                               &o->effort, c->d) &&
           (a->value[OPTION_NO_CHARTS] != NULL || draw(o)) &&
           result_folder_close(&o->output.folder, c->d);
}

static void show(const struct optimizing *o)
{
    struct command *c = o->command;
    if (c->arguments->format != FORMAT_TABLE) {
        table_print(c, o->candidates, NULL);
        return;
    }
    optimize_output_print(c, &o->search, o->front);
    printf("%.3g s (%.3g s of processor time)\nResults: ", o->effort.wall_s, o->effort.cpu_s);
    command_print(o->output.folder.path);
    putchar('\n');
    if (o->search.chosen != SIZE_MAX) {
        printf("Run it: fleetcast run ");
        command_print(c->arguments->operands[0]);
        putchar(' ');
        command_print(o->output.folder.path);
        puts("/chosen.yaml");
    }
}

static int optimize(struct optimizing *o)
{
    const struct scenario_request request = request_of(o->command->arguments);
    if (!search(o, &request) || !write_results(o)) {
        run_output_abandon(&o->output);
        return EXIT_INTERRUPTED;
    }
    if (command_tell(o->command)) {
        show(o);
    }
    return o->search.chosen == SIZE_MAX ? EXIT_INFEASIBLE : EXIT_DONE;
}

int cmd_optimize(struct command *c)
{
    int code = EXIT_DONE;
    struct optimizing o = {.command = c};
    struct study *study = load_study(c);
    if (study != NULL && command_tell(c) && run_output_open(&o.output, c)) {
        o.study = study;
        code = optimize(&o);
        search_release(&o.search);
        table_free(o.candidates);
        table_free(o.front);
    }
    study_free(study);
    return code;
}
