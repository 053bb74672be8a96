/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/manifest.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "engine/json_writer.h"
#include "scenarios/output/manifest_register.h"
#include "scenarios/study/rate_doubt.h"

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif
#include <errno.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>

#define MANIFEST_MAX_BYTES (64u << 20)

/* ---- writing ---- */

/* Results are the same bytes only on the same libm, GSL and CPU family. */
static void put_machine(struct json_writer *j)
{
    struct utsname name;
#ifdef __GLIBC__
    json_member_text(j, "libc", gnu_get_libc_version());
#else
    json_member_text(j, "libc", NULL);
#endif
    json_member_text(j, "gsl", gsl_version);
    json_member_text(j, "machine", uname(&name) == 0 ? name.machine : NULL);
#if defined(__x86_64__)
    __builtin_cpu_init();
    json_member_text(j, "cpu_level",
                     __builtin_cpu_supports("avx512f")                                 ? "x86-64-v4"
                     : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "x86-64-v3"
                                                                                       : "x86-64");
#endif
}

/* ---- strategies, workloads, inputs ---- */

/* The strategies that this one may not be chosen against, by name. */
static void put_doubts(struct json_writer *j, const struct study *s, size_t strategy)
{
    json_put_key(j, "undecided_against");
    json_begin_array(j);
    for (size_t k = 0; k < s->strategy_count; k++) {
        if (k != strategy && rate_doubt(s, strategy, k)) {
            json_put_text(j, study_strategy_name(s, k));
        }
    }
    json_end_array(j);
}

static void put_strategies(struct json_writer *j, const struct run *run)
{
    const struct study *s = run->study;
    json_put_key(j, "strategies");
    json_begin_array(j);
    for (size_t k = 0; k < s->strategy_count; k++) {
        uint32_t world = run->plan_worlds[k];
        json_begin_object(j);
        json_member_text(j, "name", study_strategy_name(s, k));
        json_put_key(j, "plan_world");
        if (world == UINT32_MAX) {
            json_put_null(j);
        } else {
            json_put_integer(j, world);
        }
        json_member_bool(j, "plan_world_finished",
                         world != UINT32_MAX && !metric_cut(results_cells(&run->results, world, k,
                                                                          s->workload_count)));
        put_doubts(j, s, k);
        json_end_object(j);
    }
    json_end_array(j);
}

/* What is paid whatever the plan does: in no cost. */
static void put_account(struct json_writer *j, const struct study *s)
{
    const struct account_plan *a = &s->account;
    if (!account_matters(a)) {
        return;
    }
    json_put_key(j, "account");
    json_begin_object(j);
    json_member_number(j, "sunk", money_to_double(a->sunk));
    json_put_key(j, "commitments");
    json_begin_array(j);
    for (size_t i = 0; i < a->commitment_count; i++) {
        char time[24];
        json_begin_object(j);
        json_member_text(j, "name", a->commitments[i].name);
        json_member_text(j, "owner", a->specs[i].owner);
        json_member_text(j, "ends", civil_time_text(a->specs[i].ends.unix_s, time));
        json_member_number(j, "per_hour", money_to_double(a->commitments[i].recurring_per_hour));
        json_member_number(j, "sunk", money_to_double(account_sunk(a, i, s->frame.horizon_us)));
        json_end_object(j);
    }
    json_end_array(j);
    json_end_object(j);
}

static void put_workloads(struct json_writer *j, const struct study *s)
{
    json_put_key(j, "workloads");
    json_begin_array(j);
    for (size_t w = 0; w < s->workload_count; w++) {
        json_begin_object(j);
        json_member_text(j, "name", study_workload_name(s, w));
        json_member_number(j, "deadline_h", s->strategies[0].plans[w]->deadline_s / 3600);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_inputs(struct json_writer *j, const struct input_copies *c)
{
    static const char *const kinds[] = {
        [INPUT_SCENARIO] = "scenario", [INPUT_PRICES] = "prices", [INPUT_DATA] = "data"};
    json_put_key(j, "inputs");
    json_begin_array(j);
    for (size_t i = 0; i < c->count; i++) {
        json_begin_object(j);
        json_member_text(j, "kind", kinds[c->items[i].kind]);
        json_member_text(j, "path", c->items[i].path);
        json_member_text(j, "copy", c->items[i].copy);
        json_end_object(j);
    }
    json_end_array(j);
}

/* False when out of memory. */
static bool put_rerun(struct json_writer *j, const struct run *run,
                      const struct manifest_request *request)
{
    struct rerun_request r = request->scenario;
    struct text command;
    r.replications = run->partial ? run->results.replications : 0;
    text_init(&command, 0);
    rerun_command(&command, &run->study->copies, &r);
    json_member_text(j, "rerun", command.data);
    bool ok = !command.overflow;
    text_release(&command);
    return ok;
}

static void put_report_currency(struct json_writer *j, const struct report_currency *r)
{
    json_put_key(j, "report_currency");
    if (!r->given) {
        json_put_null(j);
        return;
    }
    json_begin_object(j);
    json_member_text(j, "code", r->code);
    json_member_number(j, "rate", r->rate);
    char date[24];
    json_member_text(j, "date", civil_date_text(r->date.unix_s, date));
    json_member_text(j, "source", r->source);
    json_end_object(j);
}

static void put_scope(struct json_writer *j, const struct run *run)
{
    const struct study *s = run->study;
    const struct scenario *sc = s->scenario;
    char text[24];
    json_member_text(j, "scenario", sc->name);
    json_member_hash(j, "scenario_hash", sc->hash);
    json_member_hash(j, "catalogue_hash", catalogue_hash(s->catalogue));
    json_member_text(j, "region", sc->region);
    json_member_text(j, "currency", sc->currency);
    put_report_currency(j, &sc->report);
    json_member_bool(j, "tax_included", study_with_tax(run->study));
    json_member_text(j, "start", civil_time_text(sc->start.unix_s, text));
    json_member_number(j, "horizon_s", sc->horizon_s);
    json_member_text(j, "prices_as_of", civil_date_text(sc->prices_as_of_unix_s, text));
    json_member_integer(j, "seed", sc->seed);
    json_member_integer(j, "replications", run->results.replications);
    json_member_bool(j, "partial", run->partial);
    json_member_bool(j, "precision_reached", run->precise);
    json_member_number(j, "worst_relative_half_width", run->precision_reached);
    json_member_integer(j, "timeline_replications", run->timeline.replications);
    json_member_number(j, "budget", sc->budget.given ? sc->budget.median : (double)NAN);
    json_member_bool(j, "budget_uncertain", sc->budget.given && sc->budget.input >= 0);
    json_member_text(j, "baseline", study_strategy_name(s, s->baseline));
}

bool manifest_write(FILE *out, const struct run *run, const struct manifest_request *request)
{
    struct json_writer j;
    json_init(&j, out);
    json_begin_object(&j);
    json_member_text(&j, "written_by", MANIFEST_TOOL);
    json_member_text(&j, "version", FLEETCAST_VERSION);
    put_scope(&j, run);
    put_strategies(&j, run);
    put_workloads(&j, run->study);
    put_account(&j, run->study);
    manifest_register_put(&j, run->study);
    json_put_key(&j, "arguments");
    json_begin_array(&j);
    for (size_t i = 0; i < request->argument_count; i++) {
        json_put_text(&j, request->arguments[i]);
    }
    json_end_array(&j);
    put_inputs(&j, &run->study->copies);
    bool ok = put_rerun(&j, run, request);
    put_machine(&j);
    json_member_integer(&j, "jobs", request->jobs);
    json_put_key(&j, "timings");
    json_begin_object(&j);
    json_member_number(&j, "cpu_s", run->cpu_s);
    json_member_number(&j, "wall_s", run->wall_s);
    json_end_object(&j);
    json_end_object(&j);
    if (json_finish(&j) && !ok) {
        errno = ENOMEM;
    }
    return j.error == 0 && ok;
}

/* ---- reading ---- */

static const char *get_text(struct arena *a, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    const char *kept = arena_string(a, text != NULL ? text : "");
    return kept != NULL ? kept : "";
}

static double get_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static int64_t get_integer(const json_t *object, const char *key)
{
    return (int64_t)json_integer_value(json_object_get(object, key));
}

static bool is_currency(const char *code)
{
    return strspn(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3 && code[3] == '\0';
}

/* What charts and tables count on; texts are theirs to doubt. */
static bool is_sound(const struct manifest *m)
{
    const struct report_currency *r = &m->report;
    bool sound = !r->given || (is_currency(r->code) && r->date.given &&
                               r->rate >= REPORT_RATE_MIN && r->rate <= REPORT_RATE_MAX);
    return m->strategy_count > 0 && m->replications >= 0 && m->replications <= UINT32_MAX &&
           m->horizon_s > 0 && is_currency(m->currency) && sound;
}

static size_t find_strategy(const struct manifest *m, const char *name)
{
    size_t i = 0;
    while (i < m->strategy_count && strcmp(m->strategies[i], name) != 0) {
        i++;
    }
    return i;
}

/* Each pair once. What names no strategy is passed over. */
static bool fill_undecided(struct manifest *m, struct arena *a, const json_t *strategies)
{
    size_t most = 0;
    for (size_t i = 0; i < m->strategy_count; i++) {
        most +=
            json_array_size(json_object_get(json_array_get(strategies, i), "undecided_against"));
    }
    m->undecided = arena_array(a, most + 1, sizeof *m->undecided);
    for (size_t i = 0; m->undecided != NULL && i < m->strategy_count; i++) {
        const json_t *names = json_object_get(json_array_get(strategies, i), "undecided_against");
        for (size_t k = 0; k < json_array_size(names); k++) {
            const char *name = json_string_value(json_array_get(names, k));
            size_t other = name == NULL ? 0 : find_strategy(m, name);
            if (other > i && other < m->strategy_count) {
                m->undecided[m->undecided_count++] = (struct manifest_pair){i, other};
            }
        }
    }
    return m->undecided != NULL;
}

static struct report_currency get_report_currency(struct arena *a, const json_t *root)
{
    const json_t *object = json_object_get(root, "report_currency");
    struct report_currency r = {.given = json_is_object(object), .code = ""};
    if (r.given) {
        r.code = get_text(a, object, "code");
        r.rate = get_number(object, "rate");
        r.source = get_text(a, object, "source");
        r.date.given = civil_parse(get_text(a, object, "date"), &r.date.unix_s);
    }
    return r;
}

static bool fill(struct manifest *m, struct arena *a, const json_t *root)
{
    m->scenario = get_text(a, root, "scenario");
    m->currency = get_text(a, root, "currency");
    m->report = get_report_currency(a, root);
    m->tax_included = json_is_true(json_object_get(root, "tax_included"));
    m->baseline = get_text(a, root, "baseline");
    m->prices_as_of = get_text(a, root, "prices_as_of");
    m->version = get_text(a, root, "version");
    m->replications = get_integer(root, "replications");
    m->seed = get_integer(root, "seed");
    m->horizon_s = get_number(root, "horizon_s");
    m->budget = get_number(root, "budget");
    m->budget_uncertain = json_is_true(json_object_get(root, "budget_uncertain"));
    m->timeline_replications = get_integer(root, "timeline_replications");
    m->partial = json_is_true(json_object_get(root, "partial"));
    m->account = json_object_get(root, "account") != NULL;
    const json_t *strategies = json_object_get(root, "strategies");
    const json_t *workloads = json_object_get(root, "workloads");
    m->strategy_count = json_array_size(strategies);
    m->workload_count = json_array_size(workloads);
    m->strategies = arena_array(a, m->strategy_count + 1, sizeof *m->strategies);
    m->plan_worlds = arena_array(a, m->strategy_count + 1, sizeof *m->plan_worlds);
    m->workloads = arena_array(a, m->workload_count + 1, sizeof *m->workloads);
    m->rerun = get_text(a, root, "rerun");
    if (m->strategies == NULL || m->plan_worlds == NULL || m->workloads == NULL) {
        return false;
    }
    for (size_t i = 0; i < m->strategy_count; i++) {
        const json_t *strategy = json_array_get(strategies, i);
        const json_t *world = json_object_get(strategy, "plan_world");
        m->strategies[i] = get_text(a, strategy, "name");
        m->plan_worlds[i] = json_is_integer(world) ? (int64_t)json_integer_value(world) : -1;
    }
    if (!fill_undecided(m, a, strategies)) {
        return false;
    }
    for (size_t i = 0; i < m->workload_count; i++) {
        const json_t *w = json_array_get(workloads, i);
        m->workloads[i].workload = get_text(a, w, "name");
        m->workloads[i].deadline_h = get_number(w, "deadline_h");
    }
    return is_sound(m) && civil_parse(get_text(a, root, "start"), &m->start_unix_s);
}

struct manifest *manifest_read(struct arena *a, const char *folder, struct diagnostics *d)
{
    size_t length = 0;
    char *path = file_join(a, folder, "manifest.json");
    char *text = path == NULL ? NULL : file_read_regular(a, path, MANIFEST_MAX_BYTES, &length, d);
    if (text == NULL) {
        diagnostics_add(d, DIAGNOSTIC_NOTE, (struct place){0},
                        "'%s' is not a result directory of fleetcast", folder);
        return NULL;
    }
    json_error_t error;
    json_t *root = json_loadb(text, length, 0, &error);
    struct manifest *m = arena_alloc(a, sizeof *m);
    const char *tool = json_string_value(json_object_get(root, "written_by"));
    if (m == NULL || tool == NULL || strcmp(tool, MANIFEST_TOOL) != 0 || !fill(m, a, root)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR,
                        (struct place){.file = path, .line = root == NULL ? error.line : 0},
                        "%s; expected the manifest of a result directory",
                        root != NULL            ? "not a manifest that fleetcast wrote"
                        : error.text[0] != '\0' ? error.text
                                                : "out of memory");
        m = NULL;
    }
    json_decref(root);
    return m;
}

bool manifest_is_ours(const char *folder)
{
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    bool ours = a != NULL && d != NULL && manifest_read(a, folder, d) != NULL;
    diagnostics_free(d);
    arena_free(a);
    return ours;
}
