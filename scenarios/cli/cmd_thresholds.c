/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast thresholds: at which value of an input the choice flips. At each value the whole
 * scenario is loaded and simulated anew, in the same worlds, so that a value printed here is one
 * that `run --set` can be given. */
#include "engine/column_unit.h"
#include "engine/crossings.h"
#include "engine/file.h"
#include "models/inference/llm_table_store.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/new_file.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/rerun_arguments.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/cli/threshold_inputs.h"
#include "scenarios/decide/threshold_rows.h"
#include "scenarios/output/result_folder.h"
#include "scenarios/study/choice.h"
#include "scenarios/study/choice_values.h"
#include "scenarios/study/strategy_gaps.h"
#include "scenarios/study/world_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Worlds at each value, unless somebody asks for more. */
#define USUAL_WORLDS 500
/* Points of a scan, and how near a threshold is found, as a share of the range. */
#define SCAN_POINTS 9
#define NEAR        1e-4
/* A range whose ends are this far apart is scanned in equal ratios. */
#define BROAD           8.0
#define EVALUATIONS_MAX 4096

/* What was found at one value of the input. */
struct evaluation {
    double x;
    const struct choice_values *values; /* NULL: refused */
};

struct thresholds {
    struct command *c;
    const char *folder; /* NULL: of a scenario */
    struct study *base;
    struct gap_goal goal;
    const char *objective;
    uint32_t worlds;
    size_t chosen;
    struct threshold_inputs inputs;
    struct result_rows rows;
    atomic_bool *interrupted;
    /* Of the input under way. */
    const struct threshold_input *input;
    size_t other, breaker, limit; /* strategies; the condition that the breaker breaks */
    struct evaluation *evaluations;
    size_t evaluation_count;
    const char *reason; /* why a value was refused, the first of them */
};

static bool stopped(const struct thresholds *t)
{
    return t->interrupted != NULL && atomic_load(t->interrupted);
}

/* ---- simulating ---- */

/* False when it failed, told in d, or was interrupted. */
static bool simulate(struct thresholds *t, const struct study *study, struct results *r,
                     struct diagnostics *d)
{
    const struct run_options options = {.jobs = t->c->arguments->jobs,
                                        .interrupted = t->interrupted};
    const struct world_request q = {.count = t->worlds};
    uint32_t complete = 0;
    if (!world_results_init(r, study, t->worlds)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for the results");
        return false;
    }
    return world_runs(r, study, &q, &options, &complete, d) && complete == t->worlds;
}

static const char *first_reason(struct thresholds *t, const struct diagnostics *d)
{
    enum diagnostic_kind kind;
    const char *text;
    for (size_t i = 0; (text = diagnostics_text(d, i, &kind, NULL)) != NULL; i++) {
        if (kind != DIAGNOSTIC_WARNING && kind != DIAGNOSTIC_NOTE) {
            return arena_string(t->c->arena, text);
        }
    }
    return NULL;
}

/* The choice with the input at x, in the arena; NULL when it could not be had. */
static const struct choice_values *values_at(struct thresholds *t, double x)
{
    struct command *c = t->c;
    struct diagnostics *d = diagnostics_new();
    char value[64];
    const char *set = arena_format(c->arena, "%s=%s", t->input->path,
                                   column_unit_setting(x, t->input->unit, value));
    struct choice_values *values = arena_alloc(c->arena, sizeof *values);
    struct study *study = d == NULL || set == NULL || values == NULL || stopped(t)
                              ? NULL
                              : load_study_with(c, &set, 1, d);
    struct results r = {0};
    bool ok = study != NULL && study->strategy_count == t->base->strategy_count &&
              simulate(t, study, &r, d) &&
              choice_values_make(values, &t->goal, study, &r, t->chosen, c->arena);
    if (!ok && d != NULL && t->reason == NULL) {
        t->reason = first_reason(t, d);
    }
    results_release(&r);
    study_free(study);
    diagnostics_free(d);
    return ok ? values : NULL;
}

static const struct choice_values *evaluate(struct thresholds *t, double x)
{
    for (size_t i = 0; i < t->evaluation_count; i++) {
        if (!(t->evaluations[i].x < x) && !(t->evaluations[i].x > x)) {
            return t->evaluations[i].values;
        }
    }
    const struct choice_values *values = values_at(t, x);
    if (t->evaluation_count < EVALUATIONS_MAX) {
        t->evaluations[t->evaluation_count++] = (struct evaluation){x, values};
    }
    return values;
}

/* A crossing_function: how much worse the chosen one is. What cannot be chosen loses to what can.
 */
static bool gap_at(void *context, double x, double *value, double *half)
{
    struct thresholds *t = context;
    const struct choice_values *v = evaluate(t, x);
    if (v == NULL) {
        return false;
    }
    const bool one = v->one[t->chosen].eligible, other = v->one[t->other].eligible;
    const struct strategy_gap *gap = &v->one[t->other].gap;
    *value = !one ? CROSSINGS_DECIDED : !other ? -CROSSINGS_DECIDED : gap->difference;
    *half = one && other ? gap->half : 0;
    return one && other ? gap->known : one || other;
}

/* Another: by how much a strategy breaks a condition. */
static bool excess_at(void *context, double x, double *value, double *half)
{
    struct thresholds *t = context;
    const struct choice_values *v = evaluate(t, x);
    if (v == NULL) {
        return false;
    }
    const struct strategy_gap *excess = &v->excess[t->breaker * v->conditions + t->limit];
    *value = excess->difference;
    *half = excess->half;
    return excess->known;
}

/* ---- an input ---- */

/* Who of the two cannot be chosen at these values, as a sentence; NULL: both can. */
static const char *cause_of(struct thresholds *t, const struct choice_values *v, size_t strategy,
                            const char *where)
{
    if (v == NULL || v->one[strategy].eligible) {
        return NULL;
    }
    t->breaker = strategy;
    t->limit = v->one[strategy].limit;
    return arena_format(t->c->arena, "%s %s: %s", study_strategy_name(t->base, strategy), where,
                        v->one[strategy].reason);
}

/* How well the place is known at which a condition breaks: where its interval covers the bound. */
static void bound_crossing(struct thresholds *t, struct crossing *x,
                           const struct crossing_range *range)
{
    struct crossings edges;
    if (t->limit == CHOICE_VALUES_NO_LIMIT) {
        return;
    }
    crossings_find(&edges, range, excess_at, t);
    const struct crossing *nearest = NULL;
    for (size_t i = 0; i < edges.count; i++) {
        const struct crossing *e = &edges.of[i];
        if (nearest == NULL || fabs(e->at - x->at) < fabs(nearest->at - x->at)) {
            nearest = e;
        }
    }
    if (nearest != NULL) {
        x->low = nearest->low <= x->at || isnan(nearest->low) ? nearest->low : x->at;
        x->high = nearest->high >= x->at || isnan(nearest->high) ? nearest->high : x->at;
    }
}

static void explain(struct thresholds *t, struct crossings *found,
                    const struct crossing_range *range, struct threshold_case *one)
{
    for (size_t i = 0; i < found->count && !stopped(t); i++) {
        struct crossing *x = &found->of[i];
        const struct choice_values *v = evaluate(t, x->at);
        one->causes[i] = cause_of(t, v, t->chosen, "cannot be chosen there");
        if (one->causes[i] == NULL) {
            one->causes[i] =
                cause_of(t, evaluate(t, x->beside), t->other, "cannot be chosen on the other side");
        }
        if (one->causes[i] != NULL) {
            bound_crossing(t, x, range);
        }
        if (v != NULL && v->chosen != SIZE_MAX && v->chosen != t->chosen && v->chosen != t->other) {
            one->third[i] = study_strategy_name(t->base, v->chosen);
        }
    }
    if (found->count == 0 && !isnan(found->known_from)) {
        const struct choice_values *v = evaluate(t, found->known_from);
        one->causes[CROSSINGS_MAX] = cause_of(t, v, t->chosen, "cannot be chosen");
        if (one->causes[CROSSINGS_MAX] == NULL) {
            one->causes[CROSSINGS_MAX] = cause_of(t, v, t->other, "cannot be chosen");
        }
    }
}

static void search_pair(struct thresholds *t)
{
    const struct threshold_input *in = t->input;
    const struct crossing_range range = {.low = in->from,
                                         .high = in->to,
                                         .logarithmic = in->from > 0 && in->to > BROAD * in->from,
                                         .whole = in->whole,
                                         .points = SCAN_POINTS,
                                         .near = NEAR};
    struct crossings found;
    struct threshold_case one = {.input = in->path,
                                 .unit = in->unit,
                                 .now = in->now,
                                 .from = in->from,
                                 .to = in->to,
                                 .chosen = study_strategy_name(t->base, t->chosen),
                                 .other = study_strategy_name(t->base, t->other),
                                 .objective = t->objective,
                                 .reason = in->reason,
                                 .worlds = t->worlds};
    if (in->reason == NULL) {
        crossings_find(&found, &range, gap_at, t);
        one.found = &found;
        explain(t, &found, &range, &one);
        one.reason = t->reason != NULL ? t->reason
                     : t->base->choice.given
                         ? "neither of the two can be chosen there"
                         : "one of the two is not finished in every future there";
    } else { /* of no pair */
        one.other = NULL;
        one.from = one.to = (double)NAN;
    }
    if (!stopped(t)) {
        threshold_rows_put(&t->rows, &one);
    }
}

static bool search_input(struct thresholds *t, const struct threshold_input *in)
{
    t->input = in;
    t->reason = NULL;
    t->evaluation_count = 0;
    if (in->reason != NULL) {
        t->other = t->chosen;
        search_pair(t);
    }
    for (t->other = 0; in->reason == NULL && t->other < t->base->strategy_count && !stopped(t);
         t->other++) {
        if (t->other != t->chosen) {
            search_pair(t);
        }
    }
    return !stopped(t);
}

/* ---- what is asked ---- */

/* By what the scenario chooses, else by the mean cost. */
static bool find_goal(struct thresholds *t)
{
    struct command *c = t->c;
    const struct choice_plan *choose = &t->base->choice;
    const struct objective *o = &choose->objective;
    if (choose->given && (o->stat == OBJECTIVE_MEAN || o->stat == OBJECTIVE_QUANTILE)) {
        t->goal = (struct gap_goal){.objective = *o, .maximise = choose->maximise};
        t->objective = arena_format(c->arena, "%.*s", (int)o->length, o->text);
        return t->objective != NULL;
    }
    if (choose->given) {
        command_complain(c, DIAGNOSTIC_WARNING,
                         "'%.*s' has no interval; thresholds are those of the mean cost",
                         (int)o->length, o->text);
    }
    char name[64], message[256];
    const struct objective_names names = {.currency = t->base->scenario->currency};
    t->objective =
        arena_format(c->arena, "%s.mean", metric_column(METRIC_COST, names.currency, name));
    if (t->objective == NULL || !objective_parse(t->objective, strlen(t->objective), &names,
                                                 &t->goal.objective, message, sizeof message)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    return true;
}

/* As the scenario chooses, conditions included; else the best by the goal. */
static bool pick(struct thresholds *t, const struct results *r)
{
    struct choice made = {0};
    if (!t->base->choice.given) {
        return strategy_best(&t->goal, r, &t->chosen);
    }
    bool ok = choice_make(&made, t->base, r);
    t->chosen = ok ? made.chosen : SIZE_MAX;
    choice_release(&made);
    return ok;
}

static bool find_chosen(struct thresholds *t)
{
    struct command *c = t->c;
    const struct arguments *a = c->arguments;
    const uint32_t stated = t->base->replications;
    struct results r = {0};
    t->worlds = stated == 0 || (a->value[OPTION_REPLICATIONS] == NULL && stated > USUAL_WORLDS)
                    ? USUAL_WORLDS
                    : stated;
    bool ok = simulate(t, t->base, &r, c->d) && pick(t, &r);
    results_release(&r);
    if (!ok) {
        return false;
    }
    if (t->chosen == SIZE_MAX) {
        command_complain(c, DIAGNOSTIC_INFEASIBLE,
                         "no strategy can be chosen by %s: there is no choice that could flip",
                         t->objective);
        return false;
    }
    if (t->base->strategy_count < 2) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "there is one strategy only; expected two or more to choose from");
        return false;
    }
    return true;
}

static bool load(struct thresholds *t)
{
    struct command *c = t->c;
    const struct arguments *a = c->arguments;
    const char *first = a->operands[0];
    if (file_is_folder(first)) {
        const struct manifest *m = manifest_read(c->arena, first, c->d);
        struct arguments *again = arena_alloc(c->arena, sizeof *again);
        if (m == NULL || again == NULL || !rerun_arguments(c, first, m, again)) {
            return false;
        }
        if (a->operand_count > 1 || a->set_count > 0 || a->strategy_count > 0) {
            command_complain(c, DIAGNOSTIC_ERROR,
                             "a result directory is taken as it was run; expected it alone, or a "
                             "scenario with --set, --seed and --replications");
            return false;
        }
        again->inputs = a->inputs;
        again->input_count = a->input_count;
        again->jobs = a->jobs;
        again->format = a->format;
        again->value[OPTION_REPLICATIONS] = NULL;
        t->folder = first;
        c->arguments = again;
    }
    t->base = load_study(c);
    return t->base != NULL;
}

/* ---- output ---- */

static void write_folder(struct thresholds *t, const struct table *table)
{
    struct command *c = t->c;
    const char *path = file_join(c->arena, t->folder, "thresholds.csv");
    if (path == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    } else if (new_file_allowed(c, path, (struct new_file_kind){"table of thresholds", "input,"})) {
        (void)new_file_table(c, path, table);
    }
}

/* Thresholds first, then what has none, then what is not known. */
static void print_sentences(struct thresholds *t, const struct table *table)
{
    static const char *const heads[] = {"", "none in the range", "not known"};
    const size_t sentence = (size_t)table_find(table, "sentence");
    printf("Best by %s in %u worlds: ", t->objective, (unsigned)t->worlds);
    command_print(study_strategy_name(t->base, t->chosen));
    puts("\n");
    for (size_t kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < table_rows(table); i++) {
            const char *text = table_text(table, i, sentence);
            size_t is = strncmp(text, heads[1], strlen(heads[1])) == 0   ? 1
                        : strncmp(text, heads[2], strlen(heads[2])) == 0 ? 2
                                                                         : 0;
            if (is == kind) {
                command_print(text);
                putchar('\n');
            }
        }
    }
}

static void show(struct thresholds *t, const struct table *table)
{
    if (t->c->arguments->format != FORMAT_TABLE) {
        table_print(t->c, table, NULL);
        return;
    }
    print_sentences(t, table);
    if (t->folder != NULL && !t->c->quiet) {
        fputs("\nWritten: ", stdout);
        command_print(t->folder);
        puts("/thresholds.csv");
    }
}

/* ---- the verb ---- */

static int search(struct thresholds *t)
{
    struct command *c = t->c;
    struct progress_line progress;
    size_t done = 0;
    progress_line_init(&progress, c->quiet);
    rows_begin(&t->rows, "thresholds", t->base->scenario->currency);
    while (done < t->inputs.count && search_input(t, &t->inputs.items[done])) {
        progress_line_clear(&progress);
        done++;
    }
    struct table *table = rows_end(&t->rows);
    if (table == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return EXIT_FAILED;
    }
    if (done < t->inputs.count) {
        command_complain(c, DIAGNOSTIC_WARNING,
                         "interrupted: %zu of %zu inputs were searched; nothing is written", done,
                         t->inputs.count);
    } else if (t->folder != NULL) {
        write_folder(t, table);
    }
    if (command_tell(c)) {
        show(t, table);
    }
    table_free(table);
    return done < t->inputs.count ? EXIT_INTERRUPTED : EXIT_DONE;
}

int cmd_thresholds(struct command *c)
{
    const struct arguments *given = c->arguments;
    struct thresholds t = {.c = c, .chosen = SIZE_MAX};
    int code = EXIT_USAGE;
    t.evaluations = arena_array(c->arena, EVALUATIONS_MAX, sizeof *t.evaluations);
    t.interrupted = interrupt_watch();
    c->tables = llm_table_store_new();
    if (t.evaluations == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    } else if (load(&t) && command_tell(c) && find_goal(&t) && find_chosen(&t) &&
               threshold_inputs_find(&t.inputs, c, t.base)) {
        code = search(&t);
    }
    c->arguments = given;
    study_free(t.base);
    llm_table_store_free(c->tables);
    c->tables = NULL;
    return code;
}
