/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast commit: how much to sign of each offer, alone and together, against the usage of a
 * strategy over random worlds. */
#include "engine/file.h"
#include "plots/text/figures.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/lone_chart.h"
#include "scenarios/cli/new_file.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/decide/commit_offers.h"
#include "scenarios/decide/commit_tables.h"
#include "scenarios/reader/signed_strategy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Worlds of the search; what is found is judged in more, fresh ones. */
#define SEARCH_WORLDS 500

enum { CHOICES = 3 + COMMIT_AIMS };

/* A search under way. */
struct committing {
    struct command *command;
    struct study *study;
    size_t strategy;
    bool found_offers; /* the strategy lists none: they are the catalogue's */
    struct run_options options;
    struct arena *points;
    struct commit_worlds searched, judged;
    struct commit_search search;
    struct commit_choice choices[CHOICES];
    size_t choice_count;
    struct table *levels, *portfolios;
};

/* ---- whose usage, which offers ---- */

/* The first that lists commitments, else the baseline. */
static size_t choose_strategy(const struct study *s)
{
    for (size_t k = 0; k < s->strategy_count; k++) {
        if (s->strategies[k].commitments.count > 0) {
            return k;
        }
    }
    return s->baseline;
}

/* A strategy without commitments gets those that could be signed. */
static bool add_offers(struct committing *m)
{
    struct command *c = m->command;
    if (m->study->strategies[m->strategy].commitments.reservations.count > 0) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "strategy '%s' lists capacity reservations alone, which sign for nothing; "
                         "expected Reserved Instances or savings plans beside them, whose sizes "
                         "are then looked for",
                         study_strategy_name(m->study, m->strategy));
        return false;
    }
    struct text setting;
    text_init(&setting, 0);
    const size_t count = commit_offers_setting(m->study, m->strategy, &setting);
    const char *kept = arena_string(c->arena, setting.data);
    text_release(&setting);
    if (count == 0 || kept == NULL) {
        command_complain(c, kept == NULL ? DIAGNOSTIC_FAILURE : DIAGNOSTIC_INFEASIBLE,
                         "no offer is known for what strategy '%s' runs on demand; expected "
                         "commitments under it, whose sizes are then looked for",
                         study_strategy_name(m->study, m->strategy));
        return false;
    }
    const char *sets[] = {kept};
    study_free(m->study);
    m->study = load_study_with(c, sets, 1, c->d);
    m->found_offers = true;
    return m->study != NULL;
}

static bool check_items(const struct committing *m)
{
    const struct commitment_plan *plan = &m->study->strategies[m->strategy].commitments;
    if (plan->count == 0 || plan->coverage == NULL) {
        command_complain(m->command, DIAGNOSTIC_INFEASIBLE,
                         "strategy '%s' runs nothing that a commitment could cover; expected "
                         "nodes on demand",
                         study_strategy_name(m->study, m->strategy));
        return false;
    }
    return true;
}

static bool prepare(struct committing *m)
{
    m->study = load_study(m->command);
    if (m->study == NULL) {
        return false;
    }
    m->strategy = choose_strategy(m->study);
    return (m->study->strategies[m->strategy].commitments.count > 0 || add_offers(m)) &&
           check_items(m);
}

/* ---- search and judge ---- */

static void add_choice(struct committing *m, const char *name, const double *sizes)
{
    m->choices[m->choice_count++] = (struct commit_choice){
        .name = name,
        .point = {.sizes = arena_array(m->points, m->searched.items, sizeof(double))}};
    double *to = m->choices[m->choice_count - 1].point.sizes;
    for (size_t k = 0; to != NULL && sizes != NULL && k < m->searched.items; k++) {
        to[k] = sizes[k];
    }
}

/* As the scenario has it. */
static bool add_listed(struct committing *m)
{
    const struct commitment_plan *plan = &m->study->strategies[m->strategy].commitments;
    double *sizes = arena_array(m->points, plan->count, sizeof *sizes);
    for (size_t k = 0; sizes != NULL && k < plan->count; k++) {
        const struct commitment *c = &plan->later.listed[k];
        sizes[k] = commitment_is_savings_plan(c) ? money_to_double(c->hourly) : (double)c->count;
    }
    if (sizes != NULL) {
        add_choice(m, "as listed", sizes);
    }
    return sizes != NULL;
}

/* The offer that is best alone by the mean. */
static const double *best_alone(const struct committing *m)
{
    const struct commit_point *best = &m->search.curves[0].points[0];
    for (size_t k = 0; k < m->searched.items; k++) {
        const struct commit_curve *c = &m->search.curves[k];
        const struct commit_point *p = &c->points[c->best[COMMIT_LEAST_MEAN]];
        best = p->value.mean < best->value.mean ? p : best;
    }
    return best->sizes;
}

static bool judge(struct committing *m, uint32_t worlds)
{
    static const char *const names[] = {"least mean", "least p90", "least cvar90"};
    struct commit_point points[CHOICES];
    add_choice(m, "nothing", NULL);
    bool ok = m->found_offers || add_listed(m);
    add_choice(m, "best alone", best_alone(m));
    for (int aim = 0; aim < COMMIT_AIMS; aim++) {
        add_choice(m, names[aim], m->search.portfolio[aim].sizes);
    }
    for (size_t i = 0; i < m->choice_count; i++) {
        points[i] = m->choices[i].point;
        ok = ok && points[i].sizes != NULL;
    }
    if (!ok) {
        command_complain(m->command, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    ok = commit_worlds_init(&m->judged, m->study, m->strategy, RANDOM_FIRST_JUDGE, worlds,
                            &m->options, m->points, m->command->d) &&
         commit_worlds_rate(&m->judged, points, m->choice_count);
    for (size_t i = 0; i < m->choice_count; i++) {
        m->choices[i].point = points[i];
    }
    return ok;
}

static bool look(struct committing *m)
{
    uint32_t worlds = m->study->most_replications;
    worlds = worlds < LEVELS_MAX_REPLICATIONS ? worlds : LEVELS_MAX_REPLICATIONS;
    const uint32_t searched = worlds < SEARCH_WORLDS ? worlds : SEARCH_WORLDS;
    bool ok = commit_worlds_init(&m->searched, m->study, m->strategy, RANDOM_FIRST_SEARCH, searched,
                                 &m->options, m->points, m->command->d) &&
              commit_search_run(&m->search, &m->searched) && judge(m, worlds);
    if (ok) {
        m->levels = commit_levels_table(&m->search);
        m->portfolios = commit_portfolios_table(&m->judged, m->choices, m->choice_count);
        ok = m->levels != NULL && m->portfolios != NULL;
        if (!ok) {
            command_complain(m->command, DIAGNOSTIC_FAILURE, "out of memory for the tables");
        }
    }
    return ok;
}

/* ---- what is shown ---- */

static struct figure money(const struct committing *m, double value)
{
    return figure_money(value, m->study->scenario->currency, FIGURE_NEAREST);
}

static void print_offer(const struct committing *m, size_t item)
{
    const struct commit_curve *c = &m->search.curves[item];
    const struct commit_point *none = &c->points[0];
    const struct commit_point *best = &c->points[c->best[COMMIT_LEAST_MEAN]];
    const struct commit_pair saves = commit_compare(none, best, m->searched.count);
    struct text line;
    text_init(&line, 0);
    if (best == none) {
        commit_offer_text(&m->searched, item, &line);
        text_add(&line, ": no size of it costs less than nothing signed");
    } else {
        commit_sizes_text(&m->searched, best->sizes, &line);
        text_format(&line, ": saves %s (%s to %s) on average, %.3g %% of it unused, signs %s",
                    money(m, saves.mean).text, money(m, saves.low).text, money(m, saves.high).text,
                    100 * best->value.unused_frac, money(m, best->value.obligation).text);
    }
    fputs("  ", stdout);
    command_print(line.data);
    putchar('\n');
    text_release(&line);
}

/* What is advised, with what it could be sure of. */
static void print_advice(const struct committing *m)
{
    const struct commit_choice *nothing = &m->choices[0];
    const struct commit_choice *mean = &m->choices[m->choice_count - COMMIT_AIMS];
    const struct commit_choice *careful = &m->choices[m->choice_count - 1];
    const struct commit_pair saves = commit_compare(&nothing->point, &mean->point, m->judged.count);
    struct text sizes;
    text_init(&sizes, 0);
    commit_sizes_text(&m->judged, mean->point.sizes, &sizes);
    if (saves.low > 0) {
        fputs("Sign ", stdout);
        command_print(sizes.data);
        printf(
            ": it costs %s less on average (95 %% interval %s to %s) than nothing signed, and "
            "is cheaper in %s",
            money(m, saves.mean).text, money(m, saves.low).text, money(m, saves.high).text,
            figure_futures(commit_compare(&mean->point, &nothing->point, m->judged.count).cheaper,
                           m->judged.count, FIGURE_NEAREST)
                .text);
        printf("; it signs %s.\n", money(m, mean->point.value.obligation).text);
    } else {
        puts("Sign nothing: no portfolio is clearly cheaper than on-demand prices.");
    }
    text_release(&sizes);
    text_init(&sizes, 0);
    commit_sizes_text(&m->judged, careful->point.sizes, &sizes);
    fputs("Who fears the dearest tenth of futures signs ", stdout);
    command_print(sizes.data);
    printf(": they cost %s on average then, %s with nothing signed.\n",
           money(m, careful->point.value.cvar90).text, money(m, nothing->point.value.cvar90).text);
    text_release(&sizes);
    if (m->search.cut) {
        puts("The search of a portfolio stopped at its limit of passes: a better one may exist.");
    }
}

static void show(const struct committing *m)
{
    struct command *c = m->command;
    if (c->arguments->format != FORMAT_TABLE) {
        table_print(c, m->portfolios, NULL);
        return;
    }
    printf("Usage of strategy ");
    command_print(study_strategy_name(m->study, m->strategy));
    printf(", amounts in %s; each offer alone, over %s worlds:\n\n", m->study->scenario->currency,
           figure_count(m->searched.count).text);
    for (size_t k = 0; k < m->searched.items; k++) {
        print_offer(m, k);
    }
    printf("\nTogether, over %s fresh worlds:\n\n", figure_count(m->judged.count).text);
    static const char *const hidden[] = {"worlds", NULL};
    table_print_folded(c, m->portfolios, hidden, "signs");
    putchar('\n');
    print_advice(m);
}

/* ---- files ---- */

static bool put_file(struct command *c, const char *folder, const char *name, const struct table *t)
{
    const char *path = file_join(c->arena, folder, name);
    return path != NULL && new_file_table(c, path, t);
}

/* What is advised; NULL: nothing. */
static const double *advised(const struct committing *m)
{
    const struct commit_choice *mean = &m->choices[m->choice_count - COMMIT_AIMS];
    const struct commit_pair saves =
        commit_compare(&m->choices[0].point, &mean->point, m->judged.count);
    return saves.low > 0 ? mean->point.sizes : NULL;
}

static bool add_signed(const struct committing *m, struct text *out)
{
    struct arena *a = m->command->arena;
    const struct commitment_plan *plan = &m->study->strategies[m->strategy].commitments;
    const double *to = advised(m);
    const char **sizes = arena_array(a, plan->count + 1, sizeof *sizes);
    bool *hourly = arena_array(a, plan->count + 1, sizeof *hourly);
    for (size_t k = 0; sizes != NULL && hourly != NULL && k < plan->count; k++) {
        hourly[k] = commitment_is_savings_plan(&plan->later.listed[k]);
        sizes[k] = to == NULL || !(to[k] > 0) ? NULL
                   : hourly[k] ? arena_format(a, "%.10g %s/h", to[k], m->study->scenario->currency)
                               : arena_format(a, "%.0f", to[k]);
    }
    const struct signed_strategy s = {.tree = m->study->scenario->tree,
                                      .base = study_strategy_name(m->study, m->strategy),
                                      .sizes = sizes,
                                      .hourly = hourly,
                                      .count = plan->count};
    text_add(out, "# fleetcast commit: to be laid over the scenario, as fleetcast run SCENARIO "
                  "signed.yaml\n# Signs: ");
    if (to == NULL) {
        text_add(out, "nothing: no portfolio is clearly cheaper than on-demand prices");
    } else {
        commit_sizes_text(&m->judged, to, out);
    }
    text_add(out, "\n");
    if (sizes == NULL || hourly == NULL) {
        return false;
    }
    if (!signed_strategy_add(out, &s, a)) {
        text_add(out, "# No strategy is written: a ladder buys the same each time, and these sizes "
                      "differ.\n{}\n");
        command_complain(m->command, DIAGNOSTIC_WARNING,
                         "signed.yaml holds no strategy: purchases of a ladder have several sizes");
    }
    return true;
}

static bool write_words(const void *what, FILE *out)
{
    const struct text *t = what;
    return fwrite(t->data, 1, t->length, out) == t->length;
}

static bool put_signed(const struct committing *m, const char *folder)
{
    struct command *c = m->command;
    const char *path = file_join(c->arena, folder, "signed.yaml");
    struct text t;
    text_init(&t, 0);
    bool ok = path != NULL && add_signed(m, &t);
    if (!ok) {
        command_complain(c, DIAGNOSTIC_FAILURE, "cannot write what is advised as a strategy");
    }
    ok = ok && new_file_write(c, path, write_words, &t);
    text_release(&t);
    return ok;
}

static bool folder_is_free(struct command *c)
{
    const char *folder = c->arguments->value[OPTION_OUTPUT];
    if (folder == NULL) {
        return true;
    }
    const char *levels = file_join(c->arena, folder, "offer_levels.csv");
    const char *portfolios = file_join(c->arena, folder, "portfolios.csv");
    const char *strategy = file_join(c->arena, folder, "signed.yaml");
    return levels != NULL && portfolios != NULL && strategy != NULL &&
           new_file_allowed(c, strategy,
                            (struct new_file_kind){"commit's strategy", "# fleetcast commit:"}) &&
           new_file_allowed(c, levels, (struct new_file_kind){"commit's table", "offer,is,"}) &&
           new_file_allowed(c, portfolios,
                            (struct new_file_kind){"commit's table", "portfolio,signs,"});
}

static bool write_folder(const struct committing *m)
{
    struct command *c = m->command;
    const char *folder = c->arguments->value[OPTION_OUTPUT];
    return folder == NULL ||
           (file_make_folder(folder, c->d) && put_file(c, folder, "offer_levels.csv", m->levels) &&
            put_file(c, folder, "portfolios.csv", m->portfolios) && put_signed(m, folder));
}

static bool draw(const struct committing *m)
{
    struct command *c = m->command;
    const char *folder = c->arguments->value[OPTION_OUTPUT];
    const struct chart_tables tables = {.offers = m->levels};
    struct chart_frame frame;
    if (folder == NULL || c->arguments->value[OPTION_NO_CHARTS] != NULL) {
        return true;
    }
    if (!lone_chart_frame(c, m->study, false, &frame)) {
        return false;
    }
    frame.simulated =
        arena_format(c->arena, "%s simulated future%s of the search, seed %lld",
                     figure_count(m->searched.count).text, text_plural((double)m->searched.count),
                     (long long)m->study->scenario->seed);
    frame.note =
        arena_format(c->arena, "usage of '%s'", study_strategy_name(m->study, m->strategy));
    return lone_chart_draw(c, "offers", &frame, &tables, folder);
}

/* ---- the verb ---- */

int cmd_commit(struct command *c)
{
    struct committing m = {.command = c};
    struct progress_line progress;
    int code = EXIT_DONE;
    m.points = arena_new(0);
    m.options = (struct run_options){.jobs = c->arguments->jobs,
                                     .interrupted = interrupt_watch(),
                                     .progress = progress_line_draw,
                                     .progress_context = &progress};
    if (m.points == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    } else if (folder_is_free(c) && prepare(&m) && command_tell(c)) {
        progress_line_init(&progress, c->quiet);
        const bool found = look(&m);
        progress_line_clear(&progress);
        if (!found && atomic_load(m.options.interrupted)) {
            command_complain(c, DIAGNOSTIC_WARNING, "interrupted; nothing is decided");
            code = EXIT_INTERRUPTED;
        } else if (found && write_folder(&m) && draw(&m) && command_tell(c)) {
            show(&m);
        }
    }
    table_free(m.levels);
    table_free(m.portfolios);
    if (m.judged.study != NULL) {
        commit_worlds_release(&m.judged);
    }
    if (m.searched.study != NULL) {
        commit_worlds_release(&m.searched);
    }
    study_free(m.study);
    arena_free(m.points);
    return code;
}
