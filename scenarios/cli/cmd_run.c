/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast run: simulate, write, show. The directory is made before anything is simulated, so that
 * nobody waits for results that cannot be written, and is put in place when all is in it. */
#include "engine/text.h"
#include "plots/console/run_table.h"
#include "plots/text/figures.h"
#include "scenarios/cli/account_remarks.h"
#include "scenarios/cli/bare_value.h"
#include "scenarios/cli/choice_summary.h"
#include "scenarios/cli/commitment_summary.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/reliability_summary.h"
#include "scenarios/cli/remarks.h"
#include "scenarios/cli/result_charts.h"
#include "scenarios/cli/run_json.h"
#include "scenarios/cli/run_output.h"
#include "scenarios/cli/table_print.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of the table when nobody says how broad the page is. */
#define USUAL_WIDTH 120

/* A run under way. */
struct running {
    struct command *command;
    const struct study *study;
    struct run_output output;
    struct run run;
    struct result_tables tables;
    struct chart_frame frame;
    atomic_bool *interrupted;
};

/* ---- simulate ---- */

static bool simulate(struct running *r)
{
    struct command *c = r->command;
    struct progress_line progress;
    progress_line_init(&progress, c->quiet);
    struct run_options options = {.jobs = c->arguments->jobs,
                                  .interrupted = r->interrupted,
                                  .progress = progress_line_draw,
                                  .progress_context = &progress};
    bool ok = run_study(&r->run, r->study, &options, c->d);
    progress_line_clear(&progress);
    return ok;
}

static void tell_partial(const struct running *r)
{
    uint32_t worlds = r->run.results.replications;
    if (worlds == 0) {
        command_complain(r->command, DIAGNOSTIC_WARNING,
                         "interrupted before any world was complete; nothing is written");
    } else {
        command_complain(r->command, DIAGNOSTIC_WARNING,
                         "interrupted: only the first %s world%s %s in the results, "
                         "which are marked as partial",
                         figure_count(worlds).text, text_plural(worlds),
                         worlds == 1 ? "is" : "are");
    }
}

static void tell_imprecise(const struct running *r)
{
    const struct scenario *sc = r->study->scenario;
    if (r->run.precise || r->run.partial) {
        return;
    }
    char reached[32] = "unknown";
    if (isfinite(r->run.precision_reached)) {
        snprintf(reached, sizeof reached, "%.3g %%", 100 * r->run.precision_reached);
    }
    command_complain(r->command, DIAGNOSTIC_WARNING,
                     "the precision of %.3g %% was not reached in %s world%s: it is %s; raise "
                     "max_replications",
                     100 * sc->precision.median, figure_count(r->run.results.replications).text,
                     text_plural(r->run.results.replications), reached);
}

/* True when some strategy finishes in no world. */
static bool tell_unfinished(const struct running *r)
{
    bool any = false;
    for (size_t k = 0; k < r->study->strategy_count; k++) {
        if (results_never_finish(&r->run.results, k)) {
            any = true;
            command_complain(r->command, DIAGNOSTIC_WARNING,
                             "strategy '%s' finished its work in none of %s world%s",
                             study_strategy_name(r->study, k),
                             figure_count(r->run.results.replications).text,
                             text_plural(r->run.results.replications));
        }
    }
    return any;
}

/* ---- write ---- */

/* From the files as they are read back, as `plot` does, so that a chart drawn again is the same. */
static bool draw(struct running *r, const struct manifest *m)
{
    struct command *c = r->command;
    const char *draft = r->output.folder.draft;
    struct result_tables again = {0};
    bool ok = result_folder_read(&again, draft, m, c->d) &&
              result_charts_draw(c, &r->frame, &again, draft);
    result_tables_release(&again);
    return ok;
}

static bool write_results(struct running *r)
{
    struct command *c = r->command;
    const struct arguments *a = c->arguments;
    const struct manifest_request request = {.arguments = a->all,
                                             .argument_count = a->all_count,
                                             .jobs = a->jobs,
                                             .scenario = {.sets = a->sets,
                                                          .set_count = a->set_count,
                                                          .strategies = a->strategies,
                                                          .strategy_count = a->strategy_count}};
    if (!result_tables_make(&r->tables, &r->run)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory for the result tables");
        return false;
    }
    if (!result_folder_write(&r->output.folder, &r->run, &r->tables, &request, c->d)) {
        return false;
    }
    const struct manifest *m = manifest_read(c->arena, r->output.folder.draft, c->d);
    if (m == NULL || !result_charts_frame(c, m, &r->frame)) {
        return false;
    }
    result_charts_mark(&r->frame, &r->tables);
    return (a->value[OPTION_NO_CHARTS] != NULL || draw(r, m)) &&
           result_folder_close(&r->output.folder, c->d);
}

/* ---- show ---- */

static void print_run_table(const struct running *r)
{
    struct command *c = r->command;
    const struct chart_tables tables = result_charts_tables(&r->tables);
    const struct terminal_style style = table_print_style(c, USUAL_WIDTH);
    if (!run_table_write(&r->frame, &tables, &style, stdout, c->d) && !diagnostics_failed(c->d)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "cannot print the table: %s", strerror(errno));
    }
}

static void print_choice(const struct running *r)
{
    const struct terminal_style style = table_print_style(r->command, USUAL_WIDTH);
    choice_summary_print(r->command, &r->run, &style, r->command->quiet);
}

static void print_effort(const struct running *r)
{
    const struct run *run = &r->run;
    printf("%s world%s in %.3g s (%.3g s of processor time)",
           figure_count(run->results.replications).text, text_plural(run->results.replications),
           run->wall_s, run->cpu_s);
    if (isfinite(run->precision_reached)) {
        printf("; %s is known to %.3g %% for every strategy", r->study->scenario->precision_of,
               100 * run->precision_reached);
    }
    puts(".");
}

static void print_closing(const struct running *r)
{
    putchar('\n');
    if (r->command->quiet) {
        size_t count = r->study->assumptions.count;
        printf("Assumed: %zu value%s, listed in the manifest.\n", count,
               text_plural((double)count));
        return;
    }
    account_remarks_print_sunk(r->study);
    remarks_print_price_age(r->study);
    remarks_print_price_steps(r->study);
    remarks_print_assumptions(r->study);
    remarks_print_not_modelled(r->study);
    print_effort(r);
    fputs("Results: ", stdout);
    command_print(r->output.folder.path);
    putchar('\n');
}

static void show(struct running *r)
{
    struct command *c = r->command;
    if (c->arguments->value[OPTION_PRINT] != NULL) {
        bare_value_print(c, r->tables.summary);
        return;
    }
    switch (c->arguments->format) {
    case FORMAT_CSV:
        table_print(c, r->tables.summary, NULL);
        break;
    case FORMAT_JSON:
        if (!run_json_write(stdout, r->output.folder.path, &r->tables)) {
            command_complain(c, DIAGNOSTIC_FAILURE, "cannot write the results as JSON: %s",
                             strerror(errno));
        }
        break;
    case FORMAT_TABLE:
        print_run_table(r);
        print_choice(r);
        if (!c->quiet) {
            commitment_summary_print(c, r->tables.commitments, r->frame.currency);
            reliability_summary_print(c, &r->run);
        }
        print_closing(r);
        break;
    }
}

/* ---- the verb ---- */

static int run(struct running *r)
{
    struct command *c = r->command;
    bool ok = simulate(r);
    if (ok && r->run.partial) {
        tell_partial(r);
    }
    if (!ok || r->run.results.replications == 0 || !write_results(r)) {
        run_output_abandon(&r->output);
        return EXIT_INTERRUPTED;
    }
    tell_imprecise(r);
    bool unfinished = tell_unfinished(r);
    bool broken = choice_summary_tell_limits(c, &r->run);
    if (command_tell(c)) {
        show(r);
    }
    return r->run.partial ? EXIT_INTERRUPTED
           : broken       ? EXIT_LIMIT
           : unfinished   ? EXIT_UNFINISHED
                          : EXIT_DONE;
}

int cmd_run(struct command *c)
{
    int code = EXIT_DONE;
    struct running r = {.command = c};
    struct study *study = load_study(c);
    r.interrupted = interrupt_watch();
    if (study != NULL && bare_value_check(c, study) && command_tell(c) &&
        run_output_open(&r.output, c)) {
        r.study = study;
        code = run(&r);
        result_tables_release(&r.tables);
        run_release(&r.run);
    }
    study_free(study);
    return code;
}
