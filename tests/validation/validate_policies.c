/* SPDX-License-Identifier: GPL-3.0-or-later
 * The program's policies against published runs: `make validate-policies CASES=FILE TRACES=FOLDER`.
 *
 * FILE has one row a run, with the columns trace, start_tick, task_h, deadline_h, overhead_h,
 * policy, cost_usd, finish_h, timeline_rle and optimal_cost_usd (the last three may be missing or
 * empty); further columns are not read. FOLDER holds tick traces somewhere below it: the trace
 * FOLDER_NAME is the file FOLDER/NAME.json, and a file NAME.json also answers to NAME. Every
 * difference is printed; the exit code is not 0 when there is one, or no run.
 *
 * The same runs then go through the simulator proper, in continuous time, with the traces replayed:
 * mean costs by policy beside those of the tick model, which must be within 2 % where the simulator
 * is told what the tick model takes for granted: a node's first hour is paid, a planned move costs
 * the overhead (`handover: stop-first`), and the policy looks once a tick (`look_every`). Beside it
 * stands what deciding at once and moves that overlap are worth, and what the real billing rule
 * does. */
#include "engine/csv_reader.h"
#include "engine/file.h"
#include "engine/gsl_errors.h"
#include "models/market/trace_builder.h"
#include "models/policies/hindsight.h"
#include "models/policies/oracle.h"
#include "scenarios/import/availability_layouts.h"
#include "tests/support/bench.h"
#include "tests/support/tick_model.h"
#include "tests/support/tick_simulator.h"

#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ON_DEMAND_PER_HOUR 3.06   /* p3.2xlarge, of the published runs, whatever the device */
#define SPOT_PER_HOUR      0.9731 /* likewise */
#define COST_TOLERANCE     1e-6
#define MOST_DIFFERENCES   20 /* printed; all are counted */
#define MOST_TRACES        1000
#define NEAR_PERCENT       2.0

enum { TRACE, START, TASK, DEADLINE, OVERHEAD, POLICY, COST };
static const char *const columns[] = {"trace",      "start_tick", "task_h",   "deadline_h",
                                      "overhead_h", "policy",     "cost_usd", NULL};

/* Names of the published simulator, what they are here, and in a scenario (NULL: on-demand). */
static const struct {
    const char *published, *policy;
    double slice_s;
    bool hysteresis, overridden;
    const char *scenario;
} names[] = {
    {"on_demand", "on-demand", 0, false, false, NULL},
    {"only_spot", "wait", 0, false, false, "wait"},
    {"greedy", "greedy", 0, false, true, "{name: greedy, margin: 0s}"},
    {"time_sliced_4h", "time-sliced", 4 * 3600.0, false, true,
     "{name: time-sliced, margin: 0s, slice: 4h}"},
    {"up_no_hysteresis", "uniform-progress", 0, false, true,
     "{name: uniform-progress, margin: 0s, hysteresis: no}"},
    {"uniform_progress", "uniform-progress", 0, true, true, "{name: uniform-progress, margin: 0s}"},
    {"spot_first_then_od", "last-moment", 0, false, true, "last-moment"},
};
enum { NAMES = sizeof names / sizeof names[0] };

/* The published simulator has a last check outside its policies, which no policy of the program
 * knows of: without it `last-moment` is what it is here. Sums over the runs of a policy that end
 * within their trace under all rules. */
enum { RULES = 4 };
static const struct tick_simulator_rules rules[RULES] = {{"stop-first", true, false},
                                                         {"stop-first", false, false},
                                                         {"overlap", false, false},
                                                         {"stop-first", true, true}};
static struct {
    size_t runs;
    double ticks, simulated[RULES];
} sums[NAMES];
static const char *scratch_folder;

struct tick_trace {
    char *name; /* FOLDER_NAME */
    int *nodes;
    size_t ticks;
    double tick_s;
};

static struct {
    char *paths[MOST_TRACES];
    size_t count;
} found;

static struct tick_trace loaded[MOST_TRACES];
static size_t loaded_count;
static size_t runs, differences;
static double largest, spent_s;
static struct {
    size_t count;
    double share, least; /* of bound over optimum: sum, and smallest */
} bounds = {.least = 1};

static void differ(int line, const char *what, double ours, double theirs)
{
    if (differences++ < MOST_DIFFERENCES) {
        printf("line %d: %s is %.9g here and %.9g there\n", line, what, ours, theirs);
    }
}

/* ---- traces ---- */

static int visit(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    (void)facts;
    (void)where;
    size_t length = strlen(path);
    if (kind == FTW_F && length > 5 && strcmp(path + length - 5, ".json") == 0 &&
        found.count < MOST_TRACES) {
        found.paths[found.count++] = strdup(path);
    }
    return 0;
}

/* True when the path is .../FOLDER/NAME.json and the name FOLDER_NAME, or NAME. */
static bool answers_to(const char *path, const char *name)
{
    const char *file = strrchr(path, '/');
    file = file == NULL ? path : file + 1;
    size_t length = strlen(file) - strlen(".json");
    if (strlen(name) == length && strncmp(file, name, length) == 0) {
        return true;
    }
    const char *folder = file - 1;
    while (folder > path && folder[-1] != '/') {
        folder--;
    }
    size_t before = file > path ? (size_t)(file - 1 - folder) : 0;
    return strlen(name) == before + 1 + length && strncmp(name, folder, before) == 0 &&
           name[before] == '_' && strncmp(name + before + 1, file, length) == 0;
}

static bool load(struct tick_trace *t, const char *name, const char *path, struct diagnostics *d)
{
    struct arena *arena = arena_new(0);
    struct trace_builder *b = trace_builder_new(arena);
    const struct import_request request = {.arena = arena, .d = d};
    struct trace_set set;
    bool ok = availability_read_ticks(&request, path, b) &&
              trace_builder_finish(b, &set, NULL) == TRACE_BUILT;
    if (ok) {
        const struct trace *x = &set.items[0];
        *t = (struct tick_trace){.name = strdup(name),
                                 .tick_s = x->tick_s,
                                 .ticks = (size_t)lround(x->end_s / x->tick_s)};
        t->nodes = calloc(t->ticks + 1, sizeof *t->nodes);
        size_t step = 0;
        for (size_t k = 0; k < t->ticks; k++) {
            while (step + 1 < x->count && x->steps[step + 1].at_s <= (double)k * t->tick_s) {
                step++;
            }
            t->nodes[k] = (int)x->steps[step].nodes;
        }
    }
    trace_builder_free(b);
    arena_free(arena);
    return ok;
}

static const struct tick_trace *trace_named(const char *name, struct diagnostics *d)
{
    for (size_t i = 0; i < loaded_count; i++) {
        if (strcmp(loaded[i].name, name) == 0) {
            return &loaded[i];
        }
    }
    for (size_t i = 0; i < found.count && loaded_count < MOST_TRACES; i++) {
        if (answers_to(found.paths[i], name)) {
            return load(&loaded[loaded_count], name, found.paths[i], d) ? &loaded[loaded_count++]
                                                                        : NULL;
        }
    }
    return NULL;
}

/* ---- a run ---- */

struct run_case {
    struct tick_case tick;
    size_t start;
    double cost;
};

static void check_optimum(const struct run_case *c, double theirs, int line)
{
    size_t ticks = (size_t)floor(c->tick.deadline_s / c->tick.tick_s);
    double *spot = calloc(ticks + 1, sizeof *spot), *on_demand = calloc(ticks + 1, sizeof *spot);
    for (size_t k = 0; k < ticks; k++) {
        on_demand[k] = c->tick.on_demand_per_hour;
        spot[k] = k < c->tick.ticks && c->tick.nodes[k] > 0 ? c->tick.spot_per_hour : 0;
    }
    const struct oracle_job job = {.tick_s = (int64_t)c->tick.tick_s,
                                   .work_s = (int64_t)c->tick.work_s,
                                   .overhead_s = (int64_t)c->tick.overhead_s,
                                   .ticks = ticks,
                                   .spot_per_hour = spot,
                                   .on_demand_per_hour = on_demand};
    double ours = (double)NAN;
    if (oracle_cost(&job, &ours) != ORACLE_FOUND || fabs(ours - theirs) > COST_TOLERANCE) {
        differ(line, "the optimal cost", ours, theirs);
    }
    free(spot);
    free(on_demand);
}

/* The bound of continuous time lies below the optimum on ticks, and not far. Here the first launch
 * loses the overhead too. */
static void check_bound(const struct run_case *c, double optimum, int line)
{
    size_t ticks = (size_t)floor(c->tick.deadline_s / c->tick.tick_s);
    double *spot = calloc(ticks + 1, sizeof *spot), *on_demand = calloc(ticks + 1, sizeof *spot);
    for (size_t k = 0; k < ticks; k++) {
        on_demand[k] = c->tick.on_demand_per_hour / 3600;
        spot[k] =
            k < c->tick.ticks && c->tick.nodes[k] > 0 ? c->tick.spot_per_hour / 3600 : (double)NAN;
    }
    const struct hindsight_job job = {
        .tick_s = c->tick.tick_s,
        .work_s = c->tick.work_s + c->tick.overhead_s,
        .restore_s = c->tick.overhead_s,
        .ticks = ticks,
        .ways = {{on_demand, on_demand[0], 0}, {spot, c->tick.spot_per_hour / 3600, 0}},
        .way_count = 2};
    double bound = hindsight_bound(&job), share = bound / optimum;
    if (!(bound <= optimum + COST_TOLERANCE)) {
        differ(line, "the bound, of the optimal cost,", bound, optimum);
    }
    bounds.count++;
    bounds.share += share;
    bounds.least = fmin(bounds.least, share);
    free(spot);
    free(on_demand);
}

static void check_run(struct csv_reader *csv, const struct run_case *c)
{
    int line = csv_line(csv);
    struct text timeline;
    text_init(&timeline, 100000);
    double start_s = bench_cpu_s();
    struct tick_outcome out = tick_model_run(&c->tick, &timeline);
    spent_s += bench_cpu_s() - start_s;
    int finish = csv_find_column(csv, "finish_h"), rle = csv_find_column(csv, "timeline_rle");
    int optimal = csv_find_column(csv, "optimal_cost_usd");
    largest = fmax(largest, fabs(out.cost - c->cost));
    if (!out.finished) {
        differ(line, "finished", 0, 1);
    }
    if (fabs(out.cost - c->cost) > COST_TOLERANCE) {
        differ(line, "the cost", out.cost, c->cost);
    }
    if (finish >= 0 && csv_raw(csv, finish)[0] != '\0') {
        double theirs = strtod(csv_raw(csv, finish), NULL);
        if (fabs(out.finish_s / 3600 - theirs) > COST_TOLERANCE) {
            differ(line, "the finish in hours", out.finish_s / 3600, theirs);
        }
    }
    if (rle >= 0 && csv_raw(csv, rle)[0] != '\0' && strcmp(csv_raw(csv, rle), timeline.data) != 0) {
        differ(line, "the timeline", 0, 1);
        printf("  here  %s\n  there %s\n", timeline.data, csv_raw(csv, rle));
    }
    if (optimal >= 0 && csv_raw(csv, optimal)[0] != '\0') {
        check_optimum(c, strtod(csv_raw(csv, optimal), NULL), line);
        check_bound(c, strtod(csv_raw(csv, optimal), NULL), line);
    }
    text_release(&timeline);
}

static void simulate(const struct tick_case *c, size_t policy)
{
    double costs[RULES], all = 0;
    struct text timeline;
    text_init(&timeline, 100000);
    struct tick_case alone = *c;
    alone.overridden = false;
    struct tick_outcome out = tick_model_run(&alone, &timeline);
    text_release(&timeline);
    for (int k = 0; k < RULES; k++) {
        costs[k] = tick_simulator_cost(c, names[policy].scenario, rules[k], scratch_folder);
        all += costs[k];
    }
    if (!out.finished || isnan(all)) {
        return;
    }
    sums[policy].runs++;
    sums[policy].ticks += out.cost;
    for (int k = 0; k < RULES; k++) {
        sums[policy].simulated[k] += costs[k];
    }
}

/* The number of policies that are not near. */
static size_t tell_simulated(void)
{
    size_t far = 0;
    printf("the simulator, mean costs against those of the tick model:\n"
           "%-20s %5s %10s %10s %8s   %15s %15s %16s\n",
           "", "runs", "on ticks", "simulated", "", "decides at once", "and overlaps",
           "first hour free");
    for (size_t i = 0; i < NAMES; i++) {
        double n = (double)sums[i].runs, ticks = sums[i].ticks;
        if (sums[i].runs == 0) {
            continue;
        }
        double off = 100 * (sums[i].simulated[0] / ticks - 1);
        bool near = fabs(off) <= NEAR_PERCENT;
        far += !near;
        printf("%-20s %5zu %10.4f %10.4f %+7.2f %% %14.2f %% %14.2f %% %14.2f %%%s\n",
               names[i].published, sums[i].runs, ticks / n, sums[i].simulated[0] / n, off,
               100 * (sums[i].simulated[1] / ticks - 1), 100 * (sums[i].simulated[2] / ticks - 1),
               100 * (sums[i].simulated[3] / sums[i].simulated[0] - 1),
               near ? "" : "  more than 2 % off");
    }
    return far;
}

static bool read_run(struct csv_reader *csv, struct diagnostics *d)
{
    struct run_case c = {
        .tick = {.on_demand_per_hour = ON_DEMAND_PER_HOUR, .spot_per_hour = SPOT_PER_HOUR}};
    int64_t start;
    double task_h, deadline_h, overhead_h;
    if (!csv_int64(csv, START, &start) || !csv_double(csv, TASK, &task_h) ||
        !csv_double(csv, DEADLINE, &deadline_h) || !csv_double(csv, OVERHEAD, &overhead_h) ||
        !csv_double(csv, COST, &c.cost)) {
        return false;
    }
    const struct tick_trace *t = trace_named(csv_text(csv, TRACE), d);
    size_t n = 0;
    while (n < NAMES && strcmp(names[n].published, csv_text(csv, POLICY)) != 0) {
        n++;
    }
    if (t == NULL || n == NAMES || start < 0 || (size_t)start > t->ticks) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(csv),
                        t == NULL    ? "no trace '%s' is below the folder"
                        : n == NAMES ? "there is no policy for '%s'"
                                     : "'%s' starts behind the end of its trace",
                        t == NULL ? csv_text(csv, TRACE) : csv_text(csv, POLICY));
        return false;
    }
    c.tick.policy = tick_model_policy(names[n].policy);
    void *params = tick_model_params(c.tick.policy, names[n].slice_s, names[n].hysteresis);
    c.tick.params = params;
    c.tick.overridden = names[n].overridden;
    c.tick.work_s = round(task_h * 3600);
    c.tick.deadline_s = round(deadline_h * 3600);
    c.tick.overhead_s = round(overhead_h * 3600);
    c.tick.tick_s = t->tick_s;
    c.tick.nodes = t->nodes + start;
    c.tick.ticks = t->ticks - (size_t)start;
    runs++;
    check_run(csv, &c);
    simulate(&c.tick, n);
    free(params);
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s CASES.csv TRACES\n", argv[0]);
        return 2;
    }
    struct diagnostics *d = diagnostics_new();
    char scratch[] = "/tmp/fleetcast-validate-XXXXXX";
    scratch_folder = mkdtemp(scratch);
    if (scratch_folder == NULL) {
        perror(scratch);
        return 2;
    }
    gsl_errors_install();
    if (nftw(argv[2], visit, 16, FTW_PHYS) != 0) {
        fprintf(stderr, "%s: no folder of traces\n", argv[2]);
        return 2;
    }
    struct csv_reader *csv = csv_open(argv[1], NULL, columns, d);
    int status = csv == NULL ? -1 : 1;
    while (status == 1 && (status = csv_next(csv)) == 1) {
        status = read_run(csv, d) ? 1 : -1;
    }
    diagnostics_write(d, stderr);
    printf("%zu runs of %zu traces, %zu differences; the largest in cost is %.2g\n", runs,
           loaded_count, differences, largest);
    if (runs == 0) { /* nothing compared is nothing shown */
        fprintf(stderr, "%s: no run to compare; expected a row for each\n", argv[1]);
        differences++;
    } else {
        printf("%.3f ms of processor time a run\n", 1000 * spent_s / (double)runs);
    }
    if (bounds.count > 0) {
        printf(
            "the bound of continuous time is %.2f %% of the optimum on ticks on average, %.2f %% "
            "at the least\n",
            100 * bounds.share / (double)bounds.count, 100 * bounds.least);
    }
    differences += tell_simulated();
    (void)file_remove_tree(scratch_folder, d);
    csv_close(csv);
    diagnostics_free(d);
    for (size_t i = 0; i < found.count; i++) {
        free(found.paths[i]);
    }
    for (size_t i = 0; i < loaded_count; i++) {
        free(loaded[i].name);
        free(loaded[i].nodes);
    }
    return status < 0 ? 2 : differences > 0;
}
