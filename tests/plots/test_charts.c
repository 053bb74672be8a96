/* SPDX-License-Identifier: GPL-3.0-or-later
 * What charts_draw leaves in its folder, and what is in the data files. Pictures are drawn once;
 * everything else runs with a gnuplot that is not there. */
#include "tests/support/testing.h"

#include "engine/csv_reader.h"
#include "engine/file.h"
#include "plots/charts.h"
#include "plots/gnuplot.h"
#include "tests/support/sample_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bench {
    char root[64], folder[96];
    struct sample_study study;
    struct diagnostics *d;
    struct arena *arena;
};

static int set_up(void **state)
{
    static struct bench b;

    snprintf(b.root, sizeof b.root, "/tmp/fleetcast-charts-XXXXXX");
    if (mkdtemp(b.root) == NULL || !sample_study_real(&b.study))
        return -1;
    snprintf(b.folder, sizeof b.folder, "%s/charts", b.root);
    b.d = diagnostics_new();
    b.arena = arena_new(0);
    setenv("GNUPLOT", "/nonexistent/gnuplot", 1);
    *state = &b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;
    bool removed;

    unsetenv("GNUPLOT");
    removed = file_remove_tree(b->root, b->d);
    sample_study_release(&b->study);
    diagnostics_free(b->d);
    arena_free(b->arena);
    return removed ? 0 : -1;
}

static const char *path_of(struct bench *b, const char *name, const char *suffix)
{
    return arena_format(b->arena, "%s/%s%s", b->folder, name, suffix);
}

static bool there(struct bench *b, const char *name, const char *suffix)
{
    return file_exists(path_of(b, name, suffix));
}

static char *content(struct bench *b, const char *name, const char *suffix)
{
    size_t length;
    char *bytes = file_read(b->arena, path_of(b, name, suffix), (size_t)1 << 26, &length, b->d);

    assert_non_null(bytes);
    return bytes;
}

static void draw(struct bench *b)
{
    assert_true(charts_draw(&b->study.frame, &b->study.tables, b->folder, b->d));
}

/* What diagnostics say. */
static const char *told(struct bench *b)
{
    char *bytes = NULL;
    const char *copy;
    size_t length;
    FILE *f = open_memstream(&bytes, &length);

    assert_non_null(f);
    diagnostics_write(b->d, f);
    fclose(f);
    copy = arena_string(b->arena, bytes);
    free(bytes);
    return copy;
}

static void without_gnuplot_scripts_and_data_are_written(void **state)
{
    struct bench *b = *state;

    draw(b);
    for (const char *const *name = charts_names(); *name != NULL; name++) {
        assert_true(there(b, *name, ".gp"));
        assert_true(there(b, *name, ".csv"));
        assert_false(there(b, *name, ".svg"));
        assert_false(there(b, *name, ".gp.part"));
        assert_false(there(b, *name, ".csv.part"));
    }
    assert_int_equal(diagnostics_count(b->d, DIAGNOSTIC_WARNING), 1);
    assert_non_null(strstr(told(b), "charts were not drawn, only their scripts written: cannot run "
                                    "'/nonexistent/gnuplot'"));
    assert_false(diagnostics_failed(b->d));
}

static void the_same_tables_give_the_same_bytes(void **state)
{
    struct bench *b = *state;
    const char *first[16], *second[16];
    size_t n = 0;

    draw(b);
    for (const char *const *name = charts_names(); *name != NULL; name++) {
        first[n++] = content(b, *name, ".gp");
        first[n++] = content(b, *name, ".csv");
    }
    draw(b);
    n = 0;
    for (const char *const *name = charts_names(); *name != NULL; name++) {
        second[n++] = content(b, *name, ".gp");
        second[n++] = content(b, *name, ".csv");
    }
    for (size_t i = 0; i < n; i++)
        assert_string_equal(first[i], second[i]);
}

/* Sums column `what` of rows whose strategy number is `number`. */
static double sum_of(struct bench *b, const char *chart, const char *what, int number)
{
    const char *const columns[] = {"strategy_number", what, NULL};
    struct csv_reader *r = csv_open(path_of(b, chart, ".csv"), NULL, columns, b->d);
    double sum = 0.0, x, strategy;

    assert_non_null(r);
    while (csv_next(r) == 1) {
        assert_true(csv_double(r, 0, &strategy));
        if ((int)strategy == number && !csv_missing(r, 1)) {
            assert_true(csv_double(r, 1, &x));
            sum += x;
        }
    }
    csv_close(r);
    return sum;
}

/* The last value of a column among rows of one strategy. */
static double last_of(struct bench *b, const char *chart, const char *what, int number)
{
    const char *const columns[] = {"strategy_number", what, NULL};
    struct csv_reader *r = csv_open(path_of(b, chart, ".csv"), NULL, columns, b->d);
    double last = (double)NAN, strategy;

    assert_non_null(r);
    while (csv_next(r) == 1) {
        assert_true(csv_double(r, 0, &strategy));
        if ((int)strategy == number)
            assert_true(csv_double(r, 1, &last));
    }
    csv_close(r);
    return last;
}

static void cost_data_hold_all_futures(void **state)
{
    struct bench *b = *state;

    draw(b);
    for (int k = 1; k <= 4; k++)
        assert_near(sum_of(b, "cost", "finished_frac", k) + sum_of(b, "cost", "unfinished_frac", k),
                    1.0, 0.011, "shares of one strategy, but for its far tail");
    assert_near(sum_of(b, "cost", "unfinished_frac", 1), 0.0, 0.0, "on-demand finishes");
    /* 12 % and the worlds past the horizon: 4 standard errors. */
    assert_near(sum_of(b, "cost", "unfinished_frac", 2), 0.13, 0.03, "spot");
}

static void time_curves_end_at_the_share_finished(void **state)
{
    struct bench *b = *state;

    draw(b);
    assert_near(last_of(b, "time", "finished_frac", 1), 1.0, 1e-6, "on-demand");
    assert_near(last_of(b, "time", "finished_frac", 2), 0.87, 0.03, "spot");
}

static void an_unfinished_quantile_is_marked_open(void **state)
{
    struct bench *b = *state;

    draw(b);
    assert_near(sum_of(b, "cost-time", "time_open", 1), 0.0, 0.0, "on-demand");
    assert_near(sum_of(b, "cost-time", "time_open", 2), 1.0, 0.0,
                "P90 of spot is past the horizon");
    assert_near(last_of(b, "cost-time", "time_p90", 2), 10.0, 1e-9, "drawn at its bound, in days");
}

static void spend_and_nodes_follow_the_timeline(void **state)
{
    struct bench *b = *state;
    const struct table *t = b->study.tables.timeline;
    size_t measure = (size_t)table_find(t, "measure"), p50 = (size_t)table_find(t, "p50");
    double last = (double)NAN;

    for (size_t row = 0; row < table_rows(t); row++) {
        if (strcmp(table_text(t, row, 0), "on-demand") == 0 &&
            strcmp(table_text(t, row, measure), "cumulative_usd") == 0)
            last = table_number(t, row, p50);
    }
    draw(b);
    assert_near(last_of(b, "spend", "p50", 1), last, 1e-6, "P50 at the end");
    assert_true(sum_of(b, "nodes", "spot_nodes", 2) > 0.0);
    assert_near(sum_of(b, "nodes", "spot_nodes", 1), 0.0, 0.0, "on-demand holds no spot");
    assert_near(sum_of(b, "nodes", "on_demand_nodes", 2), 0.0, 0.0, "spot holds no on-demand");
}

static void scripts_carry_the_titles(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "spot in three zones", "over_budget", "mean", 0.2);
    sample_set(&b->study, "spot in three zones", "cost_usd", "censored", 0.0);
    draw(b);
    assert_non_null(strstr(content(b, "cost", ".gp"), "spot in three zones keeps within"));
    assert_non_null(strstr(content(b, "cost", ".gp"), "$2,500 budget in 8 of 10 futures"));
    assert_non_null(strstr(content(b, "cost", ".gp"), "13 % not finished"));
    assert_non_null(strstr(content(b, "cost", ".gp"), "2,000 simulated futures, seed 7"));
    assert_non_null(strstr(content(b, "cost", ".gp"), "prices as of 2025-11-30"));
}

static void charts_without_data_are_left_out(void **state)
{
    struct bench *b = *state;

    b->study.tables.timeline = NULL;
    b->study.frame.time_metric = NULL;
    draw(b);
    assert_true(there(b, "cost", ".gp"));
    assert_true(there(b, "compare", ".gp"));
    assert_false(there(b, "time", ".gp"));
    assert_false(there(b, "time", ".csv.part"));
    assert_false(there(b, "cost-time", ".gp"));
    assert_false(there(b, "spend", ".gp"));
    assert_false(there(b, "nodes", ".gp"));
}

static void a_table_without_a_column_is_an_error(void **state)
{
    struct bench *b = *state;

    b->study.tables.distribution = b->study.tables.comparison;
    assert_false(charts_draw(&b->study.frame, &b->study.tables, b->folder, b->d));
    assert_non_null(strstr(told(b), "has no column 'value'"));
    assert_false(there(b, "cost", ".csv.part"));
}

static void a_folder_that_cannot_be_made_is_an_error(void **state)
{
    struct bench *b = *state;
    FILE *f = fopen(b->folder, "w"); /* a file stands in its place */

    assert_non_null(f);
    fclose(f);
    assert_false(charts_draw(&b->study.frame, &b->study.tables, b->folder, b->d));
    assert_true(diagnostics_failed(b->d));
}

static void write_program(struct bench *b, const char *body)
{
    const char *program = arena_format(b->arena, "%s/program", b->root);
    FILE *f = fopen(program, "w");

    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", body);
    fclose(f);
    assert_int_equal(chmod(program, 0700), 0);
    setenv("GNUPLOT", program, 1);
}

static void a_chart_that_fails_is_a_warning_with_its_line(void **state)
{
    struct bench *b = *state;

    write_program(b, "name=${4%.gp}\n"
                     "echo '<svg><title>x</title></svg>' > $name.svg.part; : > $name.png.part\n"
                     "if [ $name = time ]; then echo '\"time.gp\" line 7: bad' >&2; exit 1; fi");
    draw(b);
    assert_int_equal(diagnostics_count(b->d, DIAGNOSTIC_WARNING), 1);
    assert_non_null(strstr(told(b), "the chart 'time' was not drawn: \"time.gp\" line 7: bad"));
    assert_true(there(b, "time", ".gp"));
    assert_false(there(b, "time", ".svg"));
    assert_false(there(b, "time", ".svg.part"));
    assert_false(there(b, "time", ".png.part"));
    assert_true(there(b, "cost", ".svg"));
    assert_true(there(b, "nodes", ".png"));
    assert_non_null(strstr(content(b, "nodes", ".svg"), "<title>")); /* the chart's own */
    assert_null(strstr(content(b, "nodes", ".svg"), "<title>x"));
}

static void a_gnuplot_that_draws_nothing_is_a_warning(void **state)
{
    struct bench *b = *state;

    write_program(b, "exit 0");
    draw(b);
    assert_int_equal(diagnostics_count(b->d, DIAGNOSTIC_WARNING), 6);
    assert_false(there(b, "cost", ".svg"));
}

static bool gnuplot_is_here(struct bench *b)
{
    FILE *f = fopen(arena_format(b->arena, "%s/probe.gp", b->root), "w");
    bool here;

    assert_non_null(f);
    fclose(f);
    here = gnuplot_run("gnuplot", b->root, "probe.gp", "", 30.0).status != GNUPLOT_ABSENT;
    if (!here)
        print_message("gnuplot is not installed: pictures are not tested\n");
    return here;
}

static void draws_pictures(void **state)
{
    struct bench *b = *state;

    if (!gnuplot_is_here(b))
        skip();
    unsetenv("GNUPLOT");
    draw(b);
    assert_string_equal(told(b), "");
    for (const char *const *name = charts_names(); *name != NULL; name++) {
        const char *svg = content(b, *name, ".svg");
        const char *png = content(b, *name, ".png");
        assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
        assert_non_null(strstr(svg, "</svg>"));
        assert_null(strstr(svg, "gnuplot_plot_1</title>"));
        /* Bold text is bold, and a viewer without the font has others to choose from. */
        assert_non_null(strstr(svg, "font-family=\"Inter&#44; Segoe UI&#44;"));
        assert_non_null(strstr(svg, "font-weight=\"bold\""));
        assert_null(strstr(svg, ":Bold"));
        assert_false(there(b, *name, ".png.part"));
        assert_false(there(b, *name, ".svg.part"));
    }
    assert_non_null(strstr(content(b, "cost", ".svg"), "<title>spot in three zones keeps within"));
}

/* cd charts; gnuplot NAME.gp */
static void a_script_runs_alone(void **state)
{
    struct bench *b = *state;
    struct gnuplot_result r;

    if (!gnuplot_is_here(b))
        skip();
    draw(b);
    r = gnuplot_run("gnuplot", b->folder, "cost-time.gp", "", 30.0);
    assert_string_equal(r.message, "");
    assert_int_equal(r.status, GNUPLOT_DONE);
    assert_true(there(b, "cost-time", ".svg"));
    assert_true(there(b, "cost-time", ".png"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(without_gnuplot_scripts_and_data_are_written),
                                       TEST(the_same_tables_give_the_same_bytes),
                                       TEST(cost_data_hold_all_futures),
                                       TEST(time_curves_end_at_the_share_finished),
                                       TEST(an_unfinished_quantile_is_marked_open),
                                       TEST(spend_and_nodes_follow_the_timeline),
                                       TEST(scripts_carry_the_titles),
                                       TEST(charts_without_data_are_left_out),
                                       TEST(a_table_without_a_column_is_an_error),
                                       TEST(a_folder_that_cannot_be_made_is_an_error),
                                       TEST(a_chart_that_fails_is_a_warning_with_its_line),
                                       TEST(a_gnuplot_that_draws_nothing_is_a_warning),
                                       TEST(draws_pictures),
                                       TEST(a_script_runs_alone)};

    return cmocka_run_group_tests_name("charts", tests, NULL, NULL);
}
