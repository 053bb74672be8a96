/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/manifest.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "engine/json_writer.h"

#include <gnu/libc-version.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>

#define MANIFEST_MAX_BYTES (64u << 20)

/* ---- writing ---- */

static void put_text(struct json_writer *j, const char *key, const char *value)
{
    json_put_key(j, key);
    json_put_text(j, value);
}

static void put_number(struct json_writer *j, const char *key, double value)
{
    json_put_key(j, key);
    json_put_number(j, value);
}

static void put_integer(struct json_writer *j, const char *key, int64_t value)
{
    json_put_key(j, key);
    json_put_integer(j, value);
}

static void put_bool(struct json_writer *j, const char *key, bool value)
{
    json_put_key(j, key);
    json_put_bool(j, value);
}

static void put_hash(struct json_writer *j, const char *key, uint64_t hash)
{
    char text[32];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    put_text(j, key, text);
}

/* Results are the same bytes only on the same libm and CPU family. */
static void put_machine(struct json_writer *j)
{
    struct utsname name;
    put_text(j, "libc", gnu_get_libc_version());
    put_text(j, "machine", uname(&name) == 0 ? name.machine : NULL);
#if defined(__x86_64__)
    __builtin_cpu_init();
    put_text(j, "cpu_level",
             __builtin_cpu_supports("avx512f")                                 ? "x86-64-v4"
             : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "x86-64-v3"
                                                                               : "x86-64");
#endif
}

static void put_assumptions(struct json_writer *j, const struct study *s)
{
    json_put_key(j, "assumptions");
    json_begin_array(j);
    for (size_t i = 0; i < s->assumptions.count; i++) {
        const struct assumption *a = &s->assumptions.items[i];
        json_begin_object(j);
        put_text(j, "what", a->what);
        put_text(j, "value", a->value);
        put_text(j, "source", a->source);
        put_bool(j, "extrapolated", a->extrapolated);
        json_end_object(j);
    }
    json_end_array(j);
    json_put_key(j, "not_modelled");
    json_begin_array(j);
    for (size_t i = 0; study_not_modelled[i] != NULL; i++) {
        json_put_text(j, study_not_modelled[i]);
    }
    json_end_array(j);
}

static void put_strategies(struct json_writer *j, const struct run *run)
{
    const struct study *s = run->study;
    json_put_key(j, "strategies");
    json_begin_array(j);
    for (size_t k = 0; k < s->strategy_count; k++) {
        json_begin_object(j);
        put_text(j, "name", study_strategy_name(s, k));
        json_put_key(j, "plan_world");
        if (run->plan_worlds[k] == UINT32_MAX) {
            json_put_null(j);
        } else {
            json_put_integer(j, run->plan_worlds[k]);
        }
        json_end_object(j);
    }
    json_end_array(j);
    json_put_key(j, "workloads");
    json_begin_array(j);
    for (size_t w = 0; w < s->workload_count; w++) {
        json_begin_object(j);
        put_text(j, "name", study_workload_name(s, w));
        put_number(j, "deadline_h", s->strategies[0].plans[w].deadline_s / 3600);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_inputs(struct json_writer *j, const struct manifest_input *inputs, size_t count)
{
    json_put_key(j, "inputs");
    json_begin_array(j);
    for (size_t i = 0; i < count; i++) {
        json_begin_object(j);
        put_text(j, "path", inputs[i].path);
        put_text(j, "copy", inputs[i].copy);
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_scope(struct json_writer *j, const struct run *run)
{
    const struct study *s = run->study;
    const struct scenario *sc = s->scenario;
    char text[24];
    put_text(j, "scenario", sc->name);
    put_hash(j, "scenario_hash", sc->hash);
    put_hash(j, "catalogue_hash", catalogue_hash(s->catalogue));
    put_text(j, "region", sc->region);
    put_text(j, "currency", sc->currency);
    put_text(j, "start", civil_time_text(sc->start.unix_s, text));
    put_number(j, "horizon_s", sc->horizon_s);
    put_text(j, "prices_as_of", civil_date_text(sc->prices_as_of_unix_s, text));
    put_integer(j, "seed", sc->seed);
    put_integer(j, "replications", run->results.replications);
    put_bool(j, "partial", run->partial);
    put_bool(j, "precision_reached", run->precise);
    put_number(j, "worst_relative_half_width", run->precision_reached);
    put_integer(j, "timeline_replications", run->timeline.replications);
    put_number(j, "budget", sc->budget.given ? sc->budget.median : (double)NAN);
    put_text(j, "baseline", study_strategy_name(s, s->baseline));
}

bool manifest_write(FILE *out, const struct run *run, const struct manifest_request *request,
                    const struct manifest_input *inputs, size_t input_count)
{
    struct json_writer j;
    json_init(&j, out);
    json_begin_object(&j);
    put_text(&j, "written_by", MANIFEST_TOOL);
    put_text(&j, "version", FLEETCAST_VERSION);
    put_scope(&j, run);
    put_strategies(&j, run);
    put_assumptions(&j, run->study);
    json_put_key(&j, "arguments");
    json_begin_array(&j);
    for (size_t i = 0; i < request->argument_count; i++) {
        json_put_text(&j, request->arguments[i]);
    }
    json_end_array(&j);
    put_inputs(&j, inputs, input_count);
    put_machine(&j);
    put_integer(&j, "jobs", request->jobs);
    json_put_key(&j, "timings");
    json_begin_object(&j);
    put_number(&j, "cpu_s", run->cpu_s);
    put_number(&j, "wall_s", run->wall_s);
    json_end_object(&j);
    json_end_object(&j);
    return json_finish(&j);
}

/* ---- reading ---- */

static const char *get_text(struct arena *a, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return arena_string(a, text != NULL ? text : "");
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

static bool fill(struct manifest *m, struct arena *a, const json_t *root)
{
    m->scenario = get_text(a, root, "scenario");
    m->currency = get_text(a, root, "currency");
    m->baseline = get_text(a, root, "baseline");
    m->prices_as_of = get_text(a, root, "prices_as_of");
    m->replications = get_integer(root, "replications");
    m->seed = get_integer(root, "seed");
    m->horizon_s = get_number(root, "horizon_s");
    m->budget = get_number(root, "budget");
    m->partial = json_is_true(json_object_get(root, "partial"));
    const json_t *strategies = json_object_get(root, "strategies");
    const json_t *workloads = json_object_get(root, "workloads");
    m->strategy_count = json_array_size(strategies);
    m->workload_count = json_array_size(workloads);
    m->strategies = arena_array(a, m->strategy_count + 1, sizeof *m->strategies);
    m->workloads = arena_array(a, m->workload_count + 1, sizeof *m->workloads);
    if (m->strategies == NULL || m->workloads == NULL) {
        return false;
    }
    for (size_t i = 0; i < m->strategy_count; i++) {
        m->strategies[i] = get_text(a, json_array_get(strategies, i), "name");
    }
    for (size_t i = 0; i < m->workload_count; i++) {
        const json_t *w = json_array_get(workloads, i);
        m->workloads[i].workload = get_text(a, w, "name");
        m->workloads[i].deadline_h = get_number(w, "deadline_h");
    }
    return civil_parse(get_text(a, root, "start"), &m->start_unix_s) && m->strategy_count > 0 &&
           m->currency[0] != '\0';
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
                        root == NULL ? error.text : "not a manifest that fleetcast wrote");
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
