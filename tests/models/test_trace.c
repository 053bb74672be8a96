/* SPDX-License-Identifier: GPL-3.0-or-later
 * Traces: built from observations in any order, written, read back, and every fault of a table. */
#include "engine/civil_time.h"
#include "models/market/trace.h"
#include "models/market/trace_builder.h"
#include "models/market/trace_statistics.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER "zone,instance_type,start,tick_s,time_s,nodes,price_per_hour,mark\n"

struct bench_file {
    char path[40];
};

static struct bench_file write_file(const char *text)
{
    struct bench_file f;
    strcpy(f.path, "/tmp/fleetcast-trace-XXXXXX");
    int handle = mkstemp(f.path);
    FILE *out = fdopen(handle, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    return f;
}

static bool read_text(struct trace_set *set, struct arena *a, const char *text,
                      struct diagnostics *d)
{
    struct bench_file f = write_file(text);
    bool ok = trace_read(set, a, f.path, "t.csv", d);
    unlink(f.path);
    return ok;
}

static void a_table_is_read(void **state)
{
    (void)state;
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct trace_set set;
    assert_true(read_text(&set, a,
                          HEADER "us-east-1a,p3.2xlarge,2026-03-02T00:00:00Z,600,0,2,0.918,\n"
                                 "us-east-1b,p3.2xlarge,,,5,0,,\n"
                                 "us-east-1a,p3.2xlarge,,,600,,0.93,\n"
                                 "us-east-1a,p3.2xlarge,,,1200,,,hole\n"
                                 "us-east-1a,p3.2xlarge,,,1800,1,,\n"
                                 "us-east-1b,p3.2xlarge,,,20,,,end\n"
                                 "us-east-1a,p3.2xlarge,,,3600,,,end\n",
                          d));
    assert_int_equal(set.count, 2);
    const struct trace *t = trace_find(&set, "us-east-1a", "p3.2xlarge", NULL);
    assert_int_equal(t->count, 4);
    assert_true(t->tick_s == 600.0 && t->end_s == 3600.0);
    assert_true(t->start_unix_s == 1772409600);
    assert_true(t->steps[1].at_s == 600.0 && t->steps[1].nodes == 2);
    assert_true(t->steps[1].price == 930000000);
    assert_true(t->steps[2].hole);
    assert_true(t->steps[3].nodes == 1 && t->steps[3].price == TRACE_UNKNOWN);
    size_t matches;
    assert_non_null(trace_find(&set, NULL, "p3.2xlarge", &matches));
    assert_int_equal(matches, 2);
    assert_null(trace_find(&set, "us-east-1c", NULL, &matches));
    assert_int_equal(matches, 0);
    diagnostics_free(d);
    arena_free(a);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    const char *text = HEADER "us-east-1a,p3.2xlarge,2026-03-02T00:00:00Z,600,0,2,0.918,\n"
                              "us-east-1a,p3.2xlarge,,,600,,0.93,\n"
                              "us-east-1a,p3.2xlarge,,,1200,,,hole\n"
                              "us-east-1a,p3.2xlarge,,,1800,1,,\n"
                              "us-east-1a,p3.2xlarge,,,3600.5,,,end\n";
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct trace_set set;
    char out[1000] = "";
    struct trace_builder *b = trace_builder_new(a);
    int64_t start_unix_s;
    assert_true(civil_parse("2026-03-02T00:00:00Z", &start_unix_s));
    int pool = trace_builder_pool(b, "us-east-1a", "p3.2xlarge");
    trace_builder_start(b, pool, start_unix_s, 600);
    trace_builder_nodes(b, pool, 0, 2);
    trace_builder_price(b, pool, 0, 918 * (MONEY_UNIT / 1000));
    trace_builder_nodes(b, pool, 300, 2);
    trace_builder_price(b, pool, 600, 93 * (MONEY_UNIT / 100));
    trace_builder_hole(b, pool, 1200);
    trace_builder_nodes(b, pool, 1800, 1);
    trace_builder_end(b, pool, 3600.5);
    assert_int_equal(trace_builder_close(b, NULL), TRACE_BUILT);
    FILE *f = fmemopen(out, sizeof out, "w");
    assert_true(trace_write_built(b, f));
    fclose(f);
    assert_true(read_text(&set, a, text, d));
    const struct trace *t = &set.items[0];
    struct trace_step step = trace_builder_before_all();
    size_t at = 0;
    for (size_t i = 0; i < t->count; i++) {
        assert_true(trace_builder_step(b, 0, &at, &step));
        assert_true(step.at_s == t->steps[i].at_s && step.nodes == t->steps[i].nodes &&
                    step.price == t->steps[i].price && step.hole == t->steps[i].hole);
    }
    assert_false(trace_builder_step(b, 0, &at, &step));
    trace_builder_free(b);
    assert_string_equal(out, text);
    diagnostics_free(d);
    arena_free(a);
}

static void faults_are_told_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *text;
        int line;
    } cases[] = {
        {"a,t,,,0,1,,\n", "has no end", 0},
        {"", "nothing is observed", 0},
        {"a,t,,,0,,,\n", "neither nodes nor price", 2},
        {"a,t,,,0,-1,,\n", "expected 0 to", 2},
        {"a,t,,,0,x,,\n", "'x'", 2},
        {"a,t,,,0,1,0,\n", "above zero", 2},
        {"a,t,,,-5,1,,\n", "expected 0 to", 2},
        {"a,t,,,nan,1,,\n", "nan", 2},
        {"a,t,,,1e300,1,,\n", "expected 0 to", 2},
        {"a,t,,,5,1,,\na,t,,,5,2,,\n", "rising order", 3},
        {"a,t,,,5,1,,\na,t,,,4,2,,\n", "rising order", 3},
        {"a,t,,,5,1,,\na,t,,,6,,,end\na,t,,,7,1,,\n", "follows the end", 4},
        {"a,t,,,5,1,,stop\n", "mark is 'stop'", 2},
        {"a,t,,,5,1,,end\n", "has no values", 2},
        {"a,t,,,5,,,end\n", "no observation before", 0},
        {"a,t,,-1,5,1,,\n", "tick_s", 2},
        {"a,t,yesterday,,5,1,,\n", "yesterday", 2},
        {"a,t,,,5,1,,\na,t,,60,6,,,end\n", "first row", 3},
        {"a,t,,,5\n", "", 2},
        {"a,t,,,0,nan,,\n", "'nan' is not a whole number", 2},
        {"a,t,,,0,1,nan,\n", "'nan' is not an amount", 2},
        {"a,t,,,inf,1,,\n", "inf", 2},
        {"a,t,,,0,1,0.5,\na,t,,,60,,,en", "mark is 'en'", 3}, /* cut off in the middle */
        {"a,t,,,0,1,,\nb,t,,,0,1,,\na,t,,,60,0,,\na,t,,,90,,,end\n", "has no end", 0},
        {"a,t,,,0,1,,\nb,t,,,9,1,,\na,t,,,0,0,,\n", "rising order", 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena *a = arena_new(0);
        struct diagnostics *d = diagnostics_new();
        struct trace_set set;
        char text[500];
        struct place where;
        snprintf(text, sizeof text, HEADER "%s", cases[i].rows);
        assert_false(read_text(&set, a, text, d));
        assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 1);
        const char *said = diagnostics_text(d, 0, NULL, &where);
        if (strstr(said, cases[i].text) == NULL || where.line != cases[i].line) {
            fail_msg("case %zu: line %d: '%s'", i, where.line, said);
        }
        assert_string_equal(where.file, "t.csv");
        diagnostics_free(d);
        arena_free(a);
    }
}

/* Rows of zones may stand between each other, as long as each zone's own rise. */
static void mixed_zones_are_kept_apart(void **state)
{
    (void)state;
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct trace_set set;
    assert_true(read_text(&set, a,
                          HEADER "a,t,,,0,1,,\nb,t,,,5,4,,\na,t,,,60,0,,\nb,t,,,30,2,,\n"
                                 "b,t,,,40,,,end\na,t,,,90,,,end\n",
                          d));
    assert_int_equal(set.count, 2);
    assert_string_equal(set.items[0].zone, "a");
    assert_int_equal(set.items[0].count, 2);
    assert_near(set.items[0].end_s, 90, 0, "a ends");
    assert_int_equal(set.items[0].steps[1].nodes, 0);
    assert_string_equal(set.items[1].zone, "b");
    assert_int_equal(set.items[1].steps[1].nodes, 2);
    assert_near(set.items[1].end_s, 40, 0, "b ends");
    diagnostics_free(d);
    arena_free(a);
}

static void order_does_not_matter_and_the_later_call_wins(void **state)
{
    (void)state;
    struct arena *a = arena_new(0);
    struct trace_builder *b = trace_builder_new(a);
    struct trace_set set;
    int pool = trace_builder_pool(b, "z", "t");
    assert_int_equal(trace_builder_pool(b, "z", "t"), pool);
    trace_builder_nodes(b, pool, 30, 1);
    trace_builder_nodes(b, pool, 10, 4);
    trace_builder_nodes(b, pool, 20, 4);
    trace_builder_nodes(b, pool, 0, 7);
    trace_builder_nodes(b, pool, 0, 3);
    trace_builder_price(b, pool, 20, MONEY_UNIT);
    trace_builder_end(b, pool, 40);
    trace_builder_end(b, pool, 35);
    assert_int_equal(trace_builder_finish(b, &set, NULL), TRACE_BUILT);
    const struct trace *t = &set.items[0];
    static const struct trace_step expected[] = {{0, 3, TRACE_UNKNOWN, false},
                                                 {10, 4, TRACE_UNKNOWN, false},
                                                 {20, 4, MONEY_UNIT, false},
                                                 {30, 1, MONEY_UNIT, false}};
    assert_int_equal(t->count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_true(t->steps[i].at_s == expected[i].at_s);
        assert_true(t->steps[i].nodes == expected[i].nodes);
        assert_true(t->steps[i].price == expected[i].price);
    }
    assert_true(t->end_s == 40.0);
    trace_builder_free(b);
    arena_free(a);
}

/* 10 h of hourly ticks, nodes 0 2 2 1 0 0 2 1 1 0: by hand. */
static void statistics_of_ten_ticks(void **state)
{
    (void)state;
    static const int nodes[] = {0, 2, 2, 1, 0, 0, 2, 1, 1, 0};
    struct arena *a = arena_new(0);
    struct trace_builder *b = trace_builder_new(a);
    struct trace_set set;
    int pool = trace_builder_pool(b, "z", "t");
    trace_builder_in_order(b, pool);
    for (int i = 0; i < 10; i++) {
        trace_builder_nodes(b, pool, 3600.0 * i, nodes[i]);
        trace_builder_price(b, pool, 3600.0 * i, i < 4 ? 2 * MONEY_UNIT : 3 * MONEY_UNIT);
    }
    trace_builder_end(b, pool, 36000);
    assert_int_equal(trace_builder_finish(b, &set, NULL), TRACE_BUILT);
    struct trace_statistics s;
    assert_true(trace_statistics(&set.items[0], &s));
    assert_true(s.observed_s == 36000.0 && s.hole_s == 0.0);
    assert_true(s.mean_nodes == 0.9);
    assert_int_equal(s.nodes_lost, 4);
    assert_int_equal(s.nodes_gained, 4);
    assert_int_equal(s.losses, 4);
    assert_true(fabs(s.node_losses_per_day - 9.6) < 1e-12);
    assert_true(fabs(s.any.availability - 0.6) < 1e-12);
    assert_int_equal(s.any.up.count, 2);
    assert_true(s.any.up.mean_s == 3 * 3600.0 && s.any.up.median_s == 3 * 3600.0);
    assert_int_equal(s.any.down.count, 3);
    assert_true(fabs(s.any.down.mean_s - 4800) < 1e-9);
    assert_true(s.any.down.median_s == 3600.0 && s.any.down.longest_s == 7200.0);
    assert_int_equal(s.any.interruptions, 2);
    assert_int_equal(s.any.returns, 2);
    assert_true(!s.any.begins_up && !s.any.ends_up);
    assert_int_equal(s.full.nodes, 2);
    assert_true(fabs(s.full.availability - 0.3) < 1e-12);
    assert_int_equal(s.full.interruptions, 2);
    assert_true(fabs(s.mean_price - 2.6) < 1e-12);
    assert_int_equal(s.price_changes, 1);
    assert_true(fabs(s.mean_price_while_up - 2.5) < 1e-12);
    assert_true(fabs(s.price_integral - 26) < 1e-9);
    trace_builder_free(b);
    arena_free(a);
}

/* A hole cuts runs and is no interruption. */
static void holes_are_left_out(void **state)
{
    (void)state;
    struct arena *a = arena_new(0);
    struct trace_builder *b = trace_builder_new(a);
    struct trace_set set;
    struct trace_statistics s;
    int pool = trace_builder_pool(b, NULL, NULL);
    trace_builder_nodes(b, pool, 0, 1);
    trace_builder_hole(b, pool, 100);
    trace_builder_nodes(b, pool, 300, 0);
    trace_builder_end(b, pool, 400);
    assert_int_equal(trace_builder_finish(b, &set, NULL), TRACE_BUILT);
    assert_true(trace_statistics(&set.items[0], &s));
    assert_true(s.observed_s == 200.0 && s.hole_s == 200.0);
    assert_true(s.any.availability == 0.5 && s.mean_nodes == 0.5);
    assert_int_equal(s.any.interruptions, 0);
    assert_int_equal(s.nodes_lost, 0);
    assert_true(s.any.up.mean_s == 100.0 && s.any.down.mean_s == 100.0);
    assert_false(s.has_price);
    trace_builder_free(b);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_read),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(faults_are_told_with_their_line),
        cmocka_unit_test(mixed_zones_are_kept_apart),
        cmocka_unit_test(order_does_not_matter_and_the_later_call_wins),
        cmocka_unit_test(statistics_of_ten_ticks),
        cmocka_unit_test(holes_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
