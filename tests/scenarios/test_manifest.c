/* SPDX-License-Identifier: GPL-3.0-or-later
 * manifest.json: what it says of a run, what it may differ in, and how it is read back, whole or
 * broken. */
#include "scenarios/output/manifest.h"

#include "engine/gsl_errors.h"
#include "tests/support/program.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* On-demand p4d became cheaper on 2025-06-05, a month after the start. */
static const char scenario[] =
    "version: 1\nname: \"Na\xc3\xafve \\\"plan\\\"\"\nstart: 2025-05-02T06:00Z\nhorizon: 60d\n"
    "prices_as_of: 2025-07-01\nregion: us-east-1\nreplications: 30\nseed: 11\n"
    "budget: 90000..110000 USD\nbaseline: spot\n"
    "workloads:\n"
    "  first: {kind: training, hours: 20..30h, deadline: 3d, checkpoint: {every: auto}}\n"
    "  second: {kind: training, hours: 10h, checkpoint: {every: auto}}\n"
    "market: {spot: {p4d.24xlarge: {price: 9..11 USD/h, availability: 60..90 %}}}\n"
    "strategies:\n"
    "  on-demand: {instance: p4d.24xlarge, nodes: 1, buy: on-demand}\n"
    "  spot: {instance: p4d.24xlarge, nodes: 2, buy: spot}\n"
    "  elsewhere: {instance: p3.2xlarge, nodes: 1, buy: spot}\n";

static char *written(const struct run *run, const struct manifest_request *request)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(manifest_write(out, run, request));
    assert_int_equal(fclose(out), 0);
    return text;
}

static json_t *manifest_of(const char *text, const char *const *sets, int jobs, bool partial)
{
    static const char *const arguments[] = {"run", "plan \"x\".yaml", "--seed", "11"};
    struct study *s = study_from_text(text, sets);
    struct run run;
    study_run(&run, s, jobs);
    run.partial = partial;
    const struct manifest_request request = {
        .arguments = arguments,
        .argument_count = 4,
        .jobs = jobs,
        .scenario = {.sets = sets, .set_count = sets == NULL ? 0 : 1}};
    char *json = written(&run, &request);
    json_t *root = parse_json(json);
    free(json);
    run_release(&run);
    study_free(s);
    return root;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL) {
        fail_msg("'%s' is no text", key);
    }
    return text;
}

static void says_what_made_the_results(void **state)
{
    (void)state;
    json_t *m = manifest_of(scenario, NULL, 2, false);
    static const struct {
        const char *key, *value;
    } texts[] = {
        {"written_by", "fleetcast"}, {"version", FLEETCAST_VERSION},
        {"region", "us-east-1"},     {"scenario", "Na\xc3\xafve \"plan\""},
        {"currency", "USD"},         {"start", "2025-05-02T06:00:00Z"},
        {"baseline", "spot"},        {"prices_as_of", "2025-07-01"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_string_equal(text_of(m, texts[i].key), texts[i].value);
    }
    assert_int_equal(json_integer_value(json_object_get(m, "seed")), 11);
    assert_int_equal(json_integer_value(json_object_get(m, "replications")), 30);
    assert_int_equal(json_integer_value(json_object_get(m, "timeline_replications")), 30);
    assert_near(json_number_value(json_object_get(m, "horizon_s")), 60 * 86400, 0, "horizon");
    /* The median of an uncertain budget: of the lognormal with these P5 and P95. */
    assert_near(json_number_value(json_object_get(m, "budget")), sqrt(90000.0 * 110000), 1e-6,
                "budget");
    assert_true(json_is_false(json_object_get(m, "partial")));
    assert_true(json_is_true(json_object_get(m, "precision_reached")));
    assert_true(json_is_null(json_object_get(m, "worst_relative_half_width")));
    const json_t *arguments = json_object_get(m, "arguments");
    assert_int_equal(json_array_size(arguments), 4);
    assert_string_equal(json_string_value(json_array_get(arguments, 1)), "plan \"x\".yaml");
    const json_t *strategies = json_object_get(m, "strategies");
    assert_int_equal(json_array_size(strategies), 3);
    assert_string_equal(text_of(json_array_get(strategies, 1), "name"), "spot");
    assert_true(json_is_integer(json_object_get(json_array_get(strategies, 1), "plan_world")));
    const json_t *workloads = json_object_get(m, "workloads");
    assert_near(json_number_value(json_object_get(json_array_get(workloads, 0), "deadline_h")), 72,
                0, "deadline");
    assert_true(json_is_null(json_object_get(json_array_get(workloads, 1), "deadline_h")));
    assert_true(json_array_size(json_object_get(m, "assumptions")) > 0);
    assert_true(json_array_size(json_object_get(m, "not_modelled")) > 0);
    assert_int_equal(strlen(text_of(m, "scenario_hash")), 16);
    assert_int_equal(strlen(text_of(m, "catalogue_hash")), 16);
    assert_true(json_is_string(json_object_get(m, "gsl")));
    json_decref(m);
}

/* Every price in use with its layer, date and source; also the one that comes later. */
static void every_price_has_its_source(void **state)
{
    (void)state;
    json_t *m = manifest_of(scenario, NULL, 1, false);
    const json_t *prices = json_object_get(m, "prices");
    static const struct {
        const char *type, *purchase, *layer, *since;
        double per_hour;
    } want[] = {
        {"p4d.24xlarge", "on-demand", "shipped", NULL, 32.7726},
        {"p4d.24xlarge", "on-demand", "shipped", "2025-06-05", 21.957642},
        {"p4d.24xlarge", "spot", NULL, NULL, 0},
        {"p3.2xlarge", "spot", "shipped", NULL, 0},
    };
    size_t count = sizeof want / sizeof want[0];
    assert_int_equal(json_array_size(prices), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *p = json_array_get(prices, i);
        double per_hour = json_number_value(json_object_get(p, "per_hour"));
        assert_string_equal(text_of(p, "instance_type"), want[i].type);
        assert_string_equal(text_of(p, "purchase"), want[i].purchase);
        assert_string_equal(text_of(p, "zone"), "us-east-1a");
        assert_true(per_hour > 0);
        if (want[i].per_hour > 0) {
            assert_near(per_hour, want[i].per_hour, 0.01, "price");
        }
        if (want[i].layer == NULL) {
            assert_true(json_is_null(json_object_get(p, "layer")));
            assert_true(json_is_null(json_object_get(p, "since")));
            assert_string_equal(text_of(p, "source"), "the scenario");
            assert_near(per_hour, sqrt(9.0 * 11), 1e-9, "the median of what is stated");
        } else {
            assert_string_equal(text_of(p, "layer"), want[i].layer);
            assert_true(strlen(text_of(p, "source")) > 0);
            assert_true(strcmp(text_of(p, "last_seen"), text_of(p, "since")) >= 0);
        }
        if (want[i].since != NULL) {
            assert_string_equal(text_of(p, "since"), want[i].since);
        }
    }
    json_decref(m);
}

static void two_runs_differ_in_timings_and_jobs_only(void **state)
{
    (void)state;
    json_t *one = manifest_of(scenario, NULL, 1, false),
           *two = manifest_of(scenario, NULL, 3, false);
    assert_false(json_equal(one, two));
    json_t *both[] = {one, two};
    for (int i = 0; i < 2; i++) {
        assert_true(json_is_object(json_object_get(both[i], "timings")));
        assert_int_equal(json_object_del(both[i], "timings"), 0);
        assert_int_equal(json_object_del(both[i], "jobs"), 0);
        /* The test's scenario lies in a file of a new name each time. */
        assert_int_equal(json_object_del(both[i], "inputs"), 0);
        assert_int_equal(json_object_del(both[i], "rerun"), 0);
    }
    assert_true(json_equal(one, two));
    json_decref(one);
    json_decref(two);
}

static void the_command_of_a_partial_run_makes_its_prefix(void **state)
{
    (void)state;
    static const char *const sets[] = {"replications=7", NULL};
    json_t *m = manifest_of(scenario, sets, 1, true);
    assert_true(json_is_true(json_object_get(m, "partial")));
    assert_holds(text_of(m, "rerun"), "fleetcast run inputs/");
    assert_holds(text_of(m, "rerun"), " --set replications=7 --replications 7 -o ../rerun");
    json_decref(m);
    m = manifest_of(scenario, sets, 1, false);
    assert_lacks(text_of(m, "rerun"), "--replications");
    json_decref(m);
}

static void a_strategy_that_never_finishes_says_so(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 2d\nregion: us-east-1\nreplications: 3\n"
        "workloads: {job: {kind: training, hours: 100h, checkpoint: {every: auto}}}\n"
        "strategies: {a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n";
    json_t *m = manifest_of(text, NULL, 1, false);
    const json_t *a = json_array_get(json_object_get(m, "strategies"), 0);
    assert_int_equal(json_integer_value(json_object_get(a, "plan_world")), 0);
    assert_true(json_is_false(json_object_get(a, "plan_world_finished")));
    assert_true(json_is_null(json_object_get(m, "budget")));
    json_decref(m);
}

static void a_precision_is_told_as_far_as_it_is_known(void **state)
{
    (void)state;
    static const char *const precise[] = {"replications=null", "precision=5 %", NULL};
    json_t *m = manifest_of(scenario, precise, 2, false);
    assert_true(json_is_true(json_object_get(m, "precision_reached")));
    double width = json_number_value(json_object_get(m, "worst_relative_half_width"));
    assert_true(width > 0 && width <= 0.05);
    json_decref(m);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    struct study *s = study_from_text(scenario, NULL);
    struct run run;
    FILE *full = fopen("/dev/full", "w");
    const struct manifest_request request = {.jobs = 1};
    study_run(&run, s, 1);
    if (full == NULL) {
        skip();
    }
    assert_false(manifest_write(full, &run, &request));
    assert_int_equal(errno, ENOSPC);
    fclose(full);
    run_release(&run);
    study_free(s);
}

/* ---- reading ---- */

static void it_is_read_back_as_it_was(void **state)
{
    (void)state;
    char *folder = program_folder_new();
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    json_t *root = manifest_of(scenario, NULL, 1, false);
    char *json = json_dumps(root, 0);
    program_file(folder, "manifest.json", json);
    assert_true(manifest_is_ours(folder));
    struct manifest *m = manifest_read(a, folder, d);
    assert_non_null(m);
    assert_false(diagnostics_failed(d));
    assert_string_equal(m->scenario, "Na\xc3\xafve \"plan\"");
    assert_string_equal(m->currency, "USD");
    assert_string_equal(m->baseline, "spot");
    assert_string_equal(m->prices_as_of, "2025-07-01");
    assert_int_equal(m->replications, 30);
    assert_int_equal(m->seed, 11);
    assert_int_equal(m->start_unix_s, 1746165600); /* date -ud 2025-05-02T06:00Z +%s */
    assert_near(m->horizon_s, 60 * 86400, 0, "horizon");
    assert_near(m->budget, sqrt(90000.0 * 110000), 1e-6, "budget");
    assert_false(m->partial);
    assert_int_equal(m->strategy_count, 3);
    assert_string_equal(m->strategies[2], "elsewhere");
    assert_int_equal(m->workload_count, 2);
    assert_string_equal(m->workloads[0].workload, "first");
    assert_near(m->workloads[0].deadline_h, 72, 0, "deadline");
    assert_true(isnan(m->workloads[1].deadline_h));
    free(json);
    json_decref(root);
    diagnostics_free(d);
    arena_free(a);
    program_folder_free(folder);
}

/* A scenario that reports in another currency than it counts in. */
static void the_report_currency_is_kept(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-01\nhorizon: 10d\nregion: us-east-1\nreplications: 2\n"
        "report_currency: {code: EUR, rate: 0.92 EUR/USD, date: 2026-03-01, source: a bank}\n"
        "budget: 920 EUR\nworkloads: {job: {kind: training, hours: 10h}}\n"
        "strategies: {a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}}\n";
    char *folder = program_folder_new();
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    json_t *root = manifest_of(text, NULL, 1, false);
    char *json = json_dumps(root, 0);
    program_file(folder, "manifest.json", json);
    struct manifest *m = manifest_read(a, folder, d);
    assert_non_null(m);
    assert_string_equal(m->currency, "USD");
    assert_true(m->report.given);
    assert_string_equal(m->report.code, "EUR");
    assert_near(m->report.rate, 0.92, 0, "rate");
    assert_string_equal(m->report.source, "a bank");
    assert_int_equal(m->report.date.unix_s, 1772323200); /* date -ud 2026-03-01 +%s */
    assert_near(m->budget, 1000, 1e-9, "the budget is in the currency that is computed in");
    assert_near(in_report_currency(&m->report, m->budget), 920, 1e-9, "and shown in the other");
    free(json);
    json_decref(root);
    diagnostics_free(d);
    arena_free(a);
    program_folder_free(folder);
}

#define GOOD                                                                                       \
    "\"written_by\": \"fleetcast\", \"currency\": \"USD\", \"start\": \"2026-01-30T00:00:00Z\", "  \
    "\"horizon_s\": 5, \"replications\": 3, \"strategies\": [{\"name\": \"a\"}]"

struct broken_case {
    const char *name, *text;
};

static const struct broken_case broken[] = {
    {"nothing", ""},
    {"no JSON", "written_by: fleetcast"},
    {"cut off", "{" GOOD},
    {"a list", "[{" GOOD "}]"},
    {"a text", "\"fleetcast\""},
    {"another tool", "{\"written_by\": \"terraform\"}"},
    {"no tool", "{\"version\": 1}"},
    {"a tool that is no text", "{\"written_by\": [\"fleetcast\"]}"},
    {"nothing else", "{\"written_by\": \"fleetcast\"}"},
    {"no strategies", "{" GOOD ", \"strategies\": []}"},
    {"strategies that are none", "{" GOOD ", \"strategies\": {\"name\": \"a\"}}"},
    {"no currency", "{" GOOD ", \"currency\": \"\"}"},
    {"a currency in lower case", "{" GOOD ", \"currency\": \"usd\"}"},
    {"a currency that is a path", "{" GOOD ", \"currency\": \"../../../etc/passwd\"}"},
    {"a report's currency without a rate",
     "{" GOOD ", \"report_currency\": {\"code\": \"EUR\", \"date\": \"2026-03-01\"}}"},
    {"a report's currency that is a path",
     "{" GOOD
     ", \"report_currency\": {\"code\": \"../x\", \"rate\": 1, \"date\": \"2026-03-01\"}}"},
    {"a report's rate of no day",
     "{" GOOD ", \"report_currency\": {\"code\": \"EUR\", \"rate\": 1, \"date\": \"now\"}}"},
    {"no start", "{" GOOD ", \"start\": \"soon\"}"},
    {"a negative horizon", "{" GOOD ", \"horizon_s\": -1}"},
    {"a horizon that is a text", "{" GOOD ", \"horizon_s\": \"5\"}"},
    {"too few replications", "{" GOOD ", \"replications\": -1}"},
    {"too many replications", "{" GOOD ", \"replications\": 9223372036854775807}"},
};

static void is_refused(void **state)
{
    const struct broken_case *c = *state;
    char *folder = program_folder_new();
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    program_file(folder, "manifest.json", c->text);
    assert_null(manifest_read(a, folder, d));
    assert_int_equal(diagnostics_exit_code(d), 2);
    assert_false(manifest_is_ours(folder));
    diagnostics_free(d);
    arena_free(a);
    program_folder_free(folder);
}

/* What the broken ones break is read without it; and what is strange in it does no harm. */
static void strange_but_whole(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{" GOOD "}",
        "{" GOOD ", \"workloads\": [1, null, {\"name\": 5, \"deadline_h\": \"x\"}]}",
        "{" GOOD ", \"strategies\": [{}, 7, {\"name\": null}], \"budget\": \"much\"}",
    };
    for (size_t i = 0; i < 3; i++) {
        char *folder = program_folder_new();
        struct arena *a = arena_new(0);
        struct diagnostics *d = diagnostics_new();
        program_file(folder, "manifest.json", texts[i]);
        struct manifest *m = manifest_read(a, folder, d);
        assert_non_null(m);
        assert_true(isnan(m->budget));
        for (size_t k = 0; k < m->strategy_count; k++) {
            assert_non_null(m->strategies[k]);
        }
        for (size_t k = 0; k < m->workload_count; k++) {
            assert_non_null(m->workloads[k].workload);
            assert_true(isnan(m->workloads[k].deadline_h));
        }
        diagnostics_free(d);
        arena_free(a);
        program_folder_free(folder);
    }
}

/* A million brackets must not take the stack. */
static void deep_nesting_is_refused(void **state)
{
    (void)state;
    char *folder = program_folder_new();
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    size_t n = 1000000;
    char *text = malloc(n + 1);
    memset(text, '[', n);
    text[n] = '\0';
    program_file(folder, "manifest.json", text);
    assert_null(manifest_read(a, folder, d));
    assert_int_equal(diagnostics_exit_code(d), 2);
    free(text);
    diagnostics_free(d);
    arena_free(a);
    program_folder_free(folder);
}

static void no_directory_is_told(void **state)
{
    (void)state;
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    assert_null(manifest_read(a, "/nowhere/at/all", d));
    assert_int_equal(diagnostics_exit_code(d), 2);
    assert_holds(diagnostics_text(d, 1, NULL, NULL),
                 "'/nowhere/at/all' is not a result directory of fleetcast");
    diagnostics_free(d);
    arena_free(a);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest single[] = {
        cmocka_unit_test(says_what_made_the_results),
        cmocka_unit_test(every_price_has_its_source),
        cmocka_unit_test(two_runs_differ_in_timings_and_jobs_only),
        cmocka_unit_test(the_command_of_a_partial_run_makes_its_prefix),
        cmocka_unit_test(a_strategy_that_never_finishes_says_so),
        cmocka_unit_test(a_precision_is_told_as_far_as_it_is_known),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(it_is_read_back_as_it_was),
        cmocka_unit_test(the_report_currency_is_kept),
        cmocka_unit_test(strange_but_whole),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(no_directory_is_told),
    };
    enum { SINGLE = sizeof single / sizeof single[0], BROKEN = sizeof broken / sizeof broken[0] };
    struct CMUnitTest tests[SINGLE + BROKEN];
    memcpy(tests, single, sizeof single);
    for (size_t i = 0; i < BROKEN; i++) {
        tests[SINGLE + i] = (struct CMUnitTest){.name = broken[i].name,
                                                .test_func = is_refused,
                                                .initial_state = (void *)(uintptr_t)&broken[i]};
    }
    return _cmocka_run_group_tests("manifest", tests, SINGLE + BROKEN, NULL, NULL);
}
