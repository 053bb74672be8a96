/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast sweep: one scenario at every point of a grid. All points meet the same worlds, since a
 * draw is a function of seed, replication and the source's name. */
#include "engine/civil_time.h"
#include "engine/file.h"
#include "models/inference/llm_table_store.h"
#include "plots/text/figures.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/lone_chart.h"
#include "scenarios/cli/new_file.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/decide/sweep_table.h"
#include "scenarios/output/report_tables.h"
#include "scenarios/output/summary_table.h"
#include "scenarios/reader/setting_axis.h"
#include "scenarios/study/choice.h"
#include "scenarios/study/run.h"
#include "scenarios/study/world_runs.h"

#include <string.h>

struct sweep {
    struct command *c;
    struct setting_grid grid;
    const char **settings, **values; /* of the point under way */
    struct table *table;
    atomic_bool *interrupted;
    struct progress_line progress;
    size_t point, refused;
    struct chart_frame frame;    /* of the first point simulated */
    uint32_t least, most;        /* worlds at a point; 0: none was simulated */
    bool same_seed, same_prices; /* at all points */
    int code; /* that of `run` at the first refused point; else at an unfinished one */
};

/* ---- the grid ---- */

/* Parts what has several values from the settings that hold at every point. */
static bool find_axes(struct command *c, struct arguments *fixed, struct setting_grid *grid)
{
    const struct arguments *a = c->arguments;
    struct setting_axis *axes = arena_array(c->arena, a->set_count + 1, sizeof *axes);
    const char **sets = arena_array(c->arena, a->set_count + 1, sizeof *sets);
    size_t count = 0;
    *fixed = *a;
    fixed->sets = sets;
    fixed->set_count = 0;
    if (axes == NULL || sets == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    for (size_t i = 0; i < a->set_count; i++) {
        if (!setting_axis_parse(&axes[count], a->sets[i], c->arena, c->d)) {
            return false;
        }
        if (axes[count].count > 1) {
            count++;
        } else {
            sets[fixed->set_count++] = a->sets[i];
        }
    }
    if (count == 0) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "nothing is swept; expected --set path=a,b,c with several values");
        return false;
    }
    return setting_grid_make(grid, axes, count, c->d);
}

/* ---- a point ---- */

/* The first error, warnings left aside. */
static const char *reason_in(const struct diagnostics *d)
{
    enum diagnostic_kind kind;
    const char *text;
    for (size_t i = 0; (text = diagnostics_text(d, i, &kind, NULL)) != NULL; i++) {
        if (kind == DIAGNOSTIC_ERROR || kind == DIAGNOSTIC_INFEASIBLE ||
            kind == DIAGNOSTIC_FAILURE) {
            return text;
        }
    }
    return "out of memory";
}

static void progress(void *context, uint32_t done, uint32_t total)
{
    struct sweep *s = context;
    uint64_t all = (uint64_t)total * s->grid.points;
    uint64_t now = (uint64_t)total * s->point + done;
    if (all <= UINT32_MAX) {
        progress_line_draw(&s->progress, (uint32_t)now, (uint32_t)all);
    }
}

/* Of one point. */
struct point_choice {
    const struct study *study;
    struct choice choice;
};

static const char *choice_of(const void *context, const char *strategy)
{
    const struct point_choice *p = context;
    for (size_t k = 0; k < p->choice.count; k++) {
        if (strcmp(study_strategy_name(p->study, k), strategy) == 0) {
            return choice_status_name(p->choice.one[k].status);
        }
    }
    return NULL;
}

/* What the chart says of where it comes from: seed, worlds and prices may be swept too. */
static bool note_point(struct sweep *s, const struct study *study)
{
    char date[24];
    if (s->most == 0) {
        s->least = s->most = study->replications;
        s->same_seed = s->same_prices = true;
        return lone_chart_frame(s->c, study, true, &s->frame);
    }
    s->least = study->replications < s->least ? study->replications : s->least;
    s->most = study->replications > s->most ? study->replications : s->most;
    s->same_seed = s->same_seed && s->frame.seed == (uint64_t)study->scenario->seed;
    civil_date_text(study->scenario->prices_as_of_unix_s, date);
    s->same_prices = s->same_prices && strcmp(s->frame.prices_as_of, date) == 0;
    return true;
}

static bool tabulate(struct sweep *s, const struct study *study, struct run *run)
{
    const struct scenario *sc = study->scenario;
    struct point_choice made = {.study = study};
    bool chosen = !study->choice.given || choice_make(&made.choice, study, &run->results);
    struct table *summary = report_table(summary_table(run), sc->currency, &sc->report);
    if (!note_point(s, study)) {
        return false;
    }
    for (size_t k = 0; k < study->strategy_count; k++) {
        if (s->code == EXIT_DONE && results_never_finish(&run->results, k)) {
            s->code = EXIT_UNFINISHED;
        }
    }
    if (summary != NULL && chosen) {
        sweep_table_add(s->table, s->point, s->values, s->grid.count, summary,
                        study->choice.given ? choice_of : NULL, &made);
    }
    table_free(summary);
    choice_release(&made.choice);
    return chosen && summary != NULL;
}

/* False when it was refused (told in d) or interrupted, which leaves no trace. */
static bool run_point(struct sweep *s, const struct study *study, struct diagnostics *d)
{
    const struct run_options options = {.jobs = s->c->arguments->jobs,
                                        .interrupted = s->interrupted,
                                        .progress = progress,
                                        .progress_context = s};
    struct run run = {.study = study};
    const struct world_request q = {.count = study->replications};
    uint32_t complete = 0;
    if (study->replications == 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                        "a sweep compares equal numbers of worlds; give --replications N in place "
                        "of a precision");
        return false;
    }
    bool ok = world_results_init(&run.results, study, q.count) &&
              world_runs(&run.results, study, &q, &options, &complete, d) &&
              (complete < q.count || tabulate(s, study, &run));
    if (!ok && !diagnostics_failed(d)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    }
    results_release(&run.results);
    return ok && complete == q.count;
}

static void refuse(struct sweep *s, const struct diagnostics *d)
{
    sweep_table_refuse(s->table, s->point, s->values, s->grid.count, reason_in(d));
    if (s->refused++ == 0) {
        s->code = diagnostics_exit_code(d);
    }
}

/* False when memory is out. */
static bool take_point(struct sweep *s)
{
    struct command *c = s->c;
    struct diagnostics *d = diagnostics_new();
    if (d == NULL || !setting_grid_settings(&s->grid, s->point, c->arena, s->settings)) {
        diagnostics_free(d);
        return false;
    }
    for (size_t i = 0; i < s->grid.count; i++) {
        s->values[i] = setting_grid_value(&s->grid, s->point, i);
    }
    struct study *study = load_study_with(c, s->settings, s->grid.count, d);
    bool ok = study != NULL && run_point(s, study, d);
    if (!ok && diagnostics_failed(d)) {
        refuse(s, d);
    }
    study_free(study);
    diagnostics_free(d);
    return true;
}

/* ---- output ---- */

static const char *simulated(const struct sweep *s)
{
    struct arena *a = s->c->arena;
    const char *seed = s->same_seed
                           ? arena_format(a, "seed %llu", (unsigned long long)s->frame.seed)
                           : "several seeds";
    return seed == NULL ? NULL
                        : arena_format(a, "%s%s%s simulated future%s at each point, %s",
                                       s->least < s->most ? figure_count(s->least).text : "",
                                       s->least < s->most ? " to " : "", figure_count(s->most).text,
                                       text_plural((double)s->most), seed);
}

static void draw(struct sweep *s, const char *folder)
{
    const struct chart_tables tables = {.sweep = s->table};
    s->frame.simulated = simulated(s);
    if (!s->same_prices) {
        s->frame.prices_as_of = NULL;
    }
    (void)lone_chart_draw(s->c, "sweep", &s->frame, &tables, folder);
}

static void write_folder(struct sweep *s, const char *folder)
{
    struct command *c = s->c;
    const char *path = file_join(c->arena, folder, "sweep.csv");
    if (path == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return;
    }
    if (file_make_folder(folder, c->d) && new_file_table(c, path, s->table) &&
        c->arguments->value[OPTION_NO_CHARTS] == NULL && s->most > 0) {
        draw(s, folder);
    }
}

static void show(struct sweep *s)
{
    struct command *c = s->c;
    if (c->arguments->format != FORMAT_TABLE) {
        table_print(c, s->table, NULL);
        return;
    }
    struct table *t = sweep_table_short(s->table, s->grid.count, c->arena);
    if (t == NULL || table_incomplete(t)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    } else {
        table_print_folded(c, t, NULL, "refused");
    }
    table_free(t);
}

static bool prepare(struct sweep *s)
{
    struct command *c = s->c;
    const size_t count = s->grid.count;
    const char **paths = arena_array(c->arena, count, sizeof *paths);
    s->settings = arena_array(c->arena, count, sizeof *s->settings);
    s->values = arena_array(c->arena, count, sizeof *s->values);
    for (size_t i = 0; paths != NULL && i < count; i++) {
        paths[i] = s->grid.axes[i].path;
    }
    s->table = paths == NULL ? NULL : sweep_table_new(paths, count, c->arena);
    return s->table != NULL && s->settings != NULL && s->values != NULL;
}

/* Every point, or those before the interrupt. */
static bool run_points(struct sweep *s)
{
    bool ok = true;
    progress_line_init(&s->progress, s->c->quiet);
    for (s->point = 0; ok && s->point < s->grid.points; s->point++) {
        ok = take_point(s) && !table_incomplete(s->table);
        if (s->interrupted != NULL && atomic_load(s->interrupted)) {
            break;
        }
    }
    progress_line_clear(&s->progress);
    return ok;
}

static int finish(struct sweep *s)
{
    struct command *c = s->c;
    const char *folder = c->arguments->value[OPTION_OUTPUT];
    const bool partial = s->point < s->grid.points;
    if (partial) {
        command_complain(c, DIAGNOSTIC_WARNING,
                         "interrupted: only the first %zu of %zu points are "
                         "in the results",
                         s->point, s->grid.points);
    }
    if (s->refused > 0) {
        command_complain(c, DIAGNOSTIC_WARNING,
                         "%zu of %zu points were refused; the table says why", s->refused,
                         s->grid.points);
    }
    if (folder != NULL) {
        write_folder(s, folder);
    }
    if (command_tell(c)) {
        show(s);
    }
    return partial ? EXIT_INTERRUPTED : s->code;
}

/* Before anything is simulated. */
static bool folder_is_free(struct command *c)
{
    const char *folder = c->arguments->value[OPTION_OUTPUT];
    const char *path = folder == NULL ? NULL : file_join(c->arena, folder, "sweep.csv");
    return folder == NULL ||
           (path != NULL &&
            new_file_allowed(c, path, (struct new_file_kind){"sweep's table", "point,"}));
}

int cmd_sweep(struct command *c)
{
    struct arguments fixed;
    const struct arguments *given = c->arguments;
    struct sweep s = {.c = c};
    int code = EXIT_USAGE;
    if (!find_axes(c, &fixed, &s.grid) || !folder_is_free(c)) {
        return EXIT_USAGE;
    }
    c->arguments = &fixed;
    c->tables = llm_table_store_new();
    s.interrupted = interrupt_watch();
    if (!prepare(&s) || !run_points(&s)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    } else {
        code = finish(&s);
    }
    c->arguments = given;
    table_free(s.table);
    llm_table_store_free(c->tables);
    c->tables = NULL;
    return code;
}
