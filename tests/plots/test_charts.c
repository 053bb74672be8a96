/* SPDX-License-Identifier: GPL-3.0-or-later
 * What charts_draw leaves in its folder, and what is in the data files. Pictures are drawn once;
 * everything else runs with a gnuplot that is not there. */
#include "tests/support/testing.h"

#include "engine/csv_reader.h"
#include "engine/file.h"
#include "plots/charts/charts.h"
#include "plots/charts/gnuplot.h"
#include "tests/support/sample_market.h"
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
    for (size_t k = 0; chart_name(k) != NULL; k++) {
        assert_true(there(b, chart_name(k), ".gp"));
        assert_true(there(b, chart_name(k), ".csv"));
        assert_false(there(b, chart_name(k), ".svg"));
        assert_false(there(b, chart_name(k), ".gp.part"));
        assert_false(there(b, chart_name(k), ".csv.part"));
    }
    assert_int_equal(diagnostics_count(b->d, DIAGNOSTIC_WARNING), 1);
    assert_non_null(strstr(told(b), "charts were not drawn, only their scripts written: cannot run "
                                    "'/nonexistent/gnuplot'"));
    assert_false(diagnostics_failed(b->d));
}

static void the_same_tables_give_the_same_bytes(void **state)
{
    struct bench *b = *state;
    const char *first[64], *second[64];
    size_t n = 0;

    draw(b);
    for (size_t k = 0; chart_name(k) != NULL; k++) {
        assert_true(n + 2 <= sizeof first / sizeof first[0]);
        first[n++] = content(b, chart_name(k), ".gp");
        first[n++] = content(b, chart_name(k), ".csv");
    }
    draw(b);
    n = 0;
    for (size_t k = 0; chart_name(k) != NULL; k++) {
        second[n++] = content(b, chart_name(k), ".gp");
        second[n++] = content(b, chart_name(k), ".csv");
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

/* Of the subject of the study; every kind of bar once. */
static void the_gantt_chart_shows_jobs(void **state)
{
    struct bench *b = *state;
    const char *data;

    sample_set(&b->study, "spot in three zones", "cost_usd", "censored", 0.0);
    draw(b);
    assert_non_null(strstr(content(b, "gantt", ".gp"), "3.17 days"));
    assert_non_null(strstr(content(b, "gantt", ".gp"), "one attempt lost nodes"));
    assert_non_null(strstr(content(b, "gantt", ".gp"), "'Deadline'"));
    data = content(b, "gantt", ".csv");
    assert_non_null(strstr(data, ",waits,"));
    assert_non_null(strstr(data, ",spot,sweep"));
    assert_non_null(strstr(data, ",on-demand,sweep"));
    assert_non_null(strstr(data, ",stopped,sweep"));
    assert_non_null(strstr(data, ",lost,sweep"));
    assert_non_null(strstr(data, ",spot,train"));
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

/* Asserts that the script of a chart holds a text. */
static void has(struct bench *b, const char *chart, const char *text)
{
    if (strstr(content(b, chart, ".gp"), text) == NULL)
        fail_msg("'%s' is not in %s.gp", text, chart);
}

static void the_nodes_of_a_queue_over_time(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "spot in three zones", "cost_usd", "censored", 0.0);
    draw(b);
    has(b, "utilisation", "In its plan world spot in three zones uses 50 % of");
    has(b, "utilisation", "its 4 nodes, and jobs wait in 33 % of the time");
    has(b, "utilisation", "'sweep'");
    has(b, "utilisation", "one of 2 queues");
    has(b, "utilisation", "50 % used; up to 1 job waits");
    has(b, "utilisation", "88 % used; up to 3 jobs wait");
    assert_non_null(
        strstr(content(b, "utilisation", ".csv"), "\n4,7200,2,3,4,2,0.5,spot in three"));
}

static void has_not(struct bench *b, const char *chart, const char *text)
{
    if (strstr(content(b, chart, ".gp"), text) != NULL)
        fail_msg("'%s' is in %s.gp", text, chart);
}

/* Of many jobs the first are drawn, and the axis is theirs: not that of a job that comes last, nor
 * of a deadline which the jobs that are left out may miss. */
static void the_gantt_axis_ends_with_the_jobs_drawn(void **state)
{
    struct bench *b = *state;
    const char *const kept = "spot in three zones";
    struct text rows;
    const char *range;
    double high = 0.0;

    sample_set(&b->study, kept, "cost_usd", "censored", 0.0);
    text_init(&rows, 0);
    for (int i = 0; i < 180; i++) {
        const int from = 600 * i, to = i == 179 ? 60 * 86400 : from + 3600;
        text_format(&rows, "%s,sweep,%d,job,%d,%d,%d,on-demand,finished\n", kept, i, from, from,
                    to);
        text_format(&rows, "%s,sweep,%d,attempt,%d,%d,%d,on-demand,finished\n", kept, i, from, from,
                    to);
    }
    b->study.tables.jobs = text_table("jobs", SAMPLE_JOBS_COLUMNS, rows.data);
    draw(b);
    has(b, "gantt", "does all 180 jobs in 60 days");
    has(b, "gantt", "'first 90 of 180'");
    has(b, "gantt", "; not all jobs are drawn, and the axis ends with those that are");
    has_not(b, "gantt", "Deadline");
    range = strstr(content(b, "gantt", ".gp"), "set xrange [0:");
    assert_non_null(range);
    assert_int_equal(sscanf(range, "set xrange [0:%lf]", &high), 1);
    assert_near(high, 1.02 * (89 * 600 + 3600) / 3600.0, 1e-6, "hours, to the end of the 90th");
    text_release(&rows);
    table_free((struct table *)b->study.tables.jobs);
}

/* What the page does not show of the capacity is said. */
static void capacity_beyond_the_page_is_told(void **state)
{
    struct bench *b = *state;

    draw(b);
    has_not(b, "demand", "could serve up to");
    b->study.tables.services =
        text_table("services", SAMPLE_SERVICES_COLUMNS,
                   "on-demand,chat,0,216000,2,12,0.2,0.5,1.5,432000,0,432000,,,432\n"
                   "on-demand,chat,216000,432000,9,1234.4,0.4,1,1.5,1944000,0,1944000,,,972\n");
    draw(b);
    assert_true(strstr(content(b, "demand", ".gp"), "could serve up to 1,230/s \xe2\x86\x91") !=
                    NULL ||
                strstr(content(b, "demand", ".gp"), "'up to 1,230/s \xe2\x86\x91") != NULL);
    table_free((struct table *)b->study.tables.services);
}

/* A one-off job is no usual week: its hours are those from its first node to its last. */
static void a_week_is_of_the_hours_in_use(void **state)
{
    struct bench *b = *state;
    struct text rows;

    sample_set(&b->study, "spot in three zones", "cost_usd", "censored", 0.0);
    for (int weeks = 1; weeks <= 2; weeks++) {
        text_init(&rows, 0);
        for (int k = 0; k < 168; k++)
            text_format(&rows, "spot in three zones,%d,8,%g,%d\n", k, k < 24 ? 3.0 : 1.0, weeks);
        b->study.tables.hour_of_week = text_table(
            "hour_of_week", "strategy:t,hour_of_week,hours,spend_mean_usd,hours_used", rows.data);
        draw(b);
        text_release(&rows);
        table_free((struct table *)b->study.tables.hour_of_week);
        assert_true(there(b, "week", ".gp") == (weeks > 1));
    }
    has(b, "week", "mean over the 2 of 8 weeks from its first node to its last");
    assert_non_null(strstr(content(b, "week", ".csv"), "\n0,0,12\n"));
}

/* Two types in one zone are two names, and a long name has room. */
static void pools_are_told_apart(void **state)
{
    static const char *const zones[] = {"us-east-1a", "us-east-1b"};
    struct bench *b = *state;

    for (int of = 1; of <= 2; of++) {
        struct text rows;
        text_init(&rows, 0);
        for (int zone = 0; zone < of; zone++) {
            text_format(&rows, "0,%s,p3.2xlarge,1,0,7200,3.1,4,0\n", zones[zone]);
            text_format(&rows, "0,%s,p3.16xlarge,1,0,7200,24.5,4,0\n", zones[zone]);
        }
        b->study.tables.market = text_table("market", SAMPLE_MARKET_COLUMNS, rows.data);
        draw(b);
        has(b, "spot-market", of == 1 ? "'p3.2xlarge' at" : "'us-east-1a p3.2xlarge' at");
        has(b, "spot-market", of == 1 ? "'p3.16xlarge' at" : "'us-east-1b p3.16xlarge' at");
        has(b, "spot-market", of == 1 ? "a node, us-east-1a" : "a node; ");
        text_release(&rows);
        table_free((struct table *)b->study.tables.market);
    }
}

/* Who draws a chart alone says what it is of where all others do. */
static void a_lone_chart_has_the_foot_of_all(void **state)
{
    struct bench *b = *state;

    b->study.frame.simulated = "60 simulated futures at each point, seed 7";
    b->study.frame.scenario =
        "A name of a scenario that is longer than the foot of a chart, by far";
    assert_true(charts_draw_one("sweep", &b->study.frame, &b->study.tables, b->folder, b->d));
    has(b, "sweep", "'A name of");
    has(b, "sweep",
        "by far  \xc2\xb7  60 simulated futures at each point, seed 7  \xc2\xb7  prices as of "
        "2025-11-30  \xc2\xb7  USD, tax excluded' at screen 0.03, screen 0.03");
    has_not(b, "sweep", "longer than the foot");
}

static void services_over_a_week(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "spot in three zones", "cost_usd", "censored", 0.0);
    draw(b);
    /* The first of two weeks' beginnings; the eighth day is not shown, 'side' neither. */
    has(b, "demand", "In its plan world spot in three zones");
    has(b, "demand", "overloaded in 60 of the 168 hours shown");
    has(b, "demand", "per 60 hours in the plan world, its busiest week: from 2 Mar 2026");
    has(b, "demand", "one of 2 services");
    has(b, "demand", "'overloaded 60 of 168 h'");
    has(b, "demand", "'never overloaded'");
    has(b, "demand", "'does not run'");
    has(b, "demand", "rectangle from first 216000, first 0 to first 432000");
    assert_non_null(strstr(content(b, "demand", ".csv"), "4,604800,4,,0,spot in three zones"));
    assert_null(strstr(content(b, "demand", ".csv"), "777600"));
    has(b, "latency", "spot in three zones answers 96.5 %");
    assert_non_null(strstr(content(b, "latency", ".csv"), "4,216000,4,20,1.5,1,spot in three"));
    has(b, "slo", "spot in three zones has the lowest P50 cost");
    has(b, "slo-hours", "In its worst 48 hours spot in three zones");
    has(b, "slo-hours", "86.1 % within its objective");
    has(b, "slo-hours", "'shaded: 48 of 192 h'");
    has(b, "slo-hours", "'rarely or never overloaded'");
    has(b, "slo-hours", "rectangle from first 172800, first 0 to first 345600");
    has_not(b, "slo-hours", "first 518400, first");
    has(b, "slo-hours", "using 2:($4-80)");
    assert_non_null(
        strstr(content(b, "slo-hours", ".csv"), "4,172800,86.17,90,99,50,spot in three zones"));
    assert_non_null(strstr(content(b, "slo-hours", ".csv"), "4,691200,,,,0,spot in three zones"));
    assert_null(strstr(content(b, "slo-hours", ".csv"), ",20,30,40,"));
    /* $172.80 for 172,800 requests, for 432,000 and 691,200 $388.80; what is overloaded is left
     * out. On demand $432 for 432,000 and $972 for 1,944,000. */
    has(b, "unit-cost", "In its plan world spot in three zones pays $1 for");
    has(b, "unit-cost", "1,000 requests at 1 requests/s, $0.25 at 4");
    has(b, "unit-cost", "without hours of overload");
    assert_non_null(strstr(content(b, "unit-cost", ".csv"), "\n1,2,1,60,on-demand\n1,9,0.5,60,"));
    has(b, "week", "spot in three zones pays most on Tuesdays");
    has(b, "week", "2 times its mean");
    assert_non_null(strstr(content(b, "week", ".csv"), "\n1,19,4\n1,20,1\n1,21,\n"));
    table_free(b->study.of_market[4]);
    b->study.tables.services = b->study.of_market[4] = NULL;
    draw(b);
}

/* What is not clear is left out; what moves the cost to one side only has a bar above the other. */
static void tornado(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "spot in three zones", "cost_usd", "censored", 0.0);
    draw(b);
    has(b, "tornado", "w.mfu moves the cost of spot in three zones");
    has(b, "tornado", "'+$300'");
    has(b, "tornado", "'\xe2\x88\x92$250'");
    has(b, "tornado", "'+$250'");
    has(b, "tornado", "'+$50'");
    has(b, "tornado", "'35 % to 45 %'");
    has(b, "tornado", "'low: scarce, high: much room'");
    assert_null(strstr(content(b, "tornado", ".csv"), "boot"));
    assert_non_null(strstr(content(b, "tornado", ".csv"), "\n1,1650,1950,1400,0.35,0.45,-0.7,w"));
}

/* What lies far from the front is counted, and not drawn. */
static void front(void **state)
{
    struct bench *b = *state;

    draw(b);
    has(b, "front", "The cheapest plan costs $2,000 in 4 days");
    has(b, "front", "the fastest is done in 24 hours for $3,000");
    has(b, "front", "'P50 cost against P50 time to train; line: ");
    has(b, "front", "on fresh worlds");
    has(b, "front", "6 plans simulated, 1 of them not finished, 1 beyond this page");
    has(b, "front", "'plan-2, chosen'");
    has(b, "front", "'plan-1'");
    assert_null(strstr(content(b, "front", ".csv"), "90000"));
    assert_non_null(
        strstr(content(b, "front", ".csv"), "\n1,3000,front,plan-3\n2,2100,front,plan-2"));
}

/* Values lie where their numbers are, and the axis says their unit. */
static void sweep(void **state)
{
    struct bench *b = *state;

    draw(b);
    has(b, "sweep", "spot has the lowest P50 cost");
    has(b, "sweep", "on-demand from 20 USD/h on");
    has(b, "sweep", "'market.spot.x.price, USD/h'");
    has(b, "sweep", "'20' 20");
    assert_non_null(strstr(content(b, "sweep", ".csv"), "\n1,9,1800,1600,2100,spot"));
}

/* The timeline holds some of the futures: its own quantiles are not those of the other charts. */
static void spend_figures_are_of_all_futures(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "on-demand", "cost_usd", "p50", 3111.0);
    sample_set(&b->study, "on-demand", "cost_usd", "p90", 3999.0);
    b->study.frame.timeline_replications = 200;
    draw(b);
    has(b, "spend", "'P50 $3,110, P90 $4,000'");
    has(b, "spend", "curves: the first 200 futures");
    has(b, "spend", "Spend since 2 Mar 2026, UTC;");
    b->study.frame.timeline_replications = 2000;
    draw(b);
    has_not(b, "spend", "curves: the first");
}

/* Nothing that is bounded looks exact, and what is not finished is told in red, however little. */
static void spend_shows_bounds_and_what_is_not_finished(void **state)
{
    struct bench *b = *state;
    const char *line, *red;

    sample_set(&b->study, "spot", "cost_usd", "p50", (double)NAN);
    sample_set(&b->study, "spot", "cost_usd", "p50_at_least", 1480.0);
    sample_set(&b->study, "spot", "cost_usd", "p50_at_most", (double)NAN);
    sample_set(&b->study, "spot", "cost_usd", "p90", (double)NAN);
    sample_set(&b->study, "spot", "cost_usd", "p90_at_least", 1980.0);
    sample_set(&b->study, "spot in three zones", "cost_usd", "p50", (double)NAN);
    sample_set(&b->study, "spot in three zones", "cost_usd", "p50_at_least", 1651.0);
    sample_set(&b->study, "spot in three zones", "cost_usd", "p50_at_most", 1659.0);
    draw(b);
    has(b, "spend", "'P50 >= $1,480'");
    has(b, "spend", "'P50 $1,650 to $1,660'");
    line = strstr(content(b, "spend", ".gp"), "'< 1 % not finished'");
    assert_non_null(line);
    red = strstr(line, "textcolor rgb RED");
    assert_non_null(red);
    assert_true(red < strchr(line, '\n'));
}

static void a_strategy_that_never_finishes_is_grey(void **state)
{
    const struct sample_strategy both[] = {{"on-demand", 3310.0, 0.07, 58.0, 0.07, 0.0, 0.0, 0.0},
                                           {"never", 3000.0, 0.0, 300.0, 0.0, 0.0, 1.0, 0.0}};
    const struct sample_options options = {
        .worlds = 200, .budget = 6000.0, .deadline_h = 96.0, .horizon_h = 240.0};
    struct bench *b = *state;

    sample_study_release(&b->study);
    assert_true(sample_study_init(&b->study, both, 2, &options));
    draw(b);
    has(b, "compare", "nohead lc rgb GREY lw 9*W");
    has(b, "compare", "grey: cost not final");
    has(b, "cost", "'unknown'"); /* over the budget: from none to all */
}

static void add_late(struct bench *b, const char *strategy, const char *workload, double share)
{
    struct table *t = b->study.owned[0];
    size_t row = table_add_row(t);

    table_set_text(t, row, (size_t)table_find(t, "strategy"), strategy);
    table_set_text(t, row, (size_t)table_find(t, "workload"), workload);
    table_set_text(t, row, (size_t)table_find(t, "metric"), "late");
    table_set_integer(t, row, (size_t)table_find(t, "n"), 2000);
    table_set_number(t, row, (size_t)table_find(t, "mean"), share);
}

/* No line of one workload crosses the curve of all. */
static void several_deadlines_draw_no_line(void **state)
{
    static const struct chart_deadline two[] = {{"a", 96.0}, {"b", 180.0}};
    struct bench *b = *state;

    draw(b);
    has(b, "time", "'Deadline 4 days'");
    has(b, "time", "'late: ");
    b->study.frame.deadlines = two;
    b->study.frame.deadline_count = 2;
    draw(b);
    has_not(b, "time", "Deadline");
    has_not(b, "cost-time", "Deadline");
    has(b, "time", "deadline of a: 4 days, of b: 7.5 days");
    has(b, "time", "'any late: "); /* of a and b alone nothing is told */
    add_late(b, "on-demand", "a", 0.03);
    add_late(b, "on-demand", "b", 0.12);
    draw(b);
    has(b, "time", "'late: a 3 %, b 12 %'");
}

static void axes_and_subtitles_say_what_is_drawn(void **state)
{
    struct bench *b = *state;

    draw(b);
    has(b, "cost", "'Cost'");
    has(b, "compare", "'Cost'");
    has(b, "time", "Share of simulated futures in which all work is done by then");
    has(b, "nodes", "Mean nodes held per 1.5 hours in the plan world");
    b->study.frame.budget_uncertain = true;
    draw(b);
    has(b, "cost", "'Budget P50 $2,500'");
    has(b, "cost", "keeps within its budget");
    has(b, "spend", "'Budget P50'");
    has(b, "spend", "'$2,500'");
    b->study.frame.budget_uncertain = false;
    b->study.frame.currency = "CNY";
    b->study.frame.budget = 2467.0; /* exact while that fits beside the axis */
    draw(b);
    has(b, "spend", "'CNY 2,467' at screen 0.1");
    b->study.frame.budget = 2467.25;
    draw(b);
    has(b, "spend", "'CNY 2,470' at screen 0.1");
}

static void savings_show_their_spread(void **state)
{
    struct bench *b = *state;

    draw(b);
    has_not(b, "compare", "under it P10 to P90");
    sample_set_pair(&b->study, "spot with fallback", "cost_usd", "p10", -1509.0);
    sample_set_pair(&b->study, "spot with fallback", "cost_usd", "p90", 211.0);
    draw(b);
    has(b, "compare", "under it P10 to P90");
    has(b, "compare", "'-$211 to $1,510'");
}

/* A small cross on the chart of cost against time. */
static void set_mark(struct bench *b, const char *strategy, double time_h, double cost)
{
    static const char *const quantiles[] = {"p10", "p50", "p90"};

    for (size_t i = 0; i < 3; i++) {
        sample_set(&b->study, strategy, "cost_usd", quantiles[i], cost + 20.0 * ((double)i - 1.0));
        sample_set(&b->study, strategy, "time_to_train_h", quantiles[i], time_h + (double)i - 1.0);
    }
}

static void the_budget_is_named_where_it_is_free(void **state)
{
    struct bench *b = *state;

    b->study.frame.deadline_count = 0;
    set_mark(b, "on-demand", 10.0, 1000.0);
    set_mark(b, "spot", 100.0, 4000.0);
    set_mark(b, "spot with fallback", 40.0, 1000.0);
    set_mark(b, "spot in three zones", 60.0, 4000.0);
    draw(b);
    has(b, "cost-time", "'Budget $2,500' at graph 0.99, graph");
    set_mark(b, "spot", 100.0, 2500.0); /* a mark at the right end of the line */
    draw(b);
    has(b, "cost-time", "'Budget $2,500' at graph 0.01, graph");
    set_mark(b, "on-demand", 10.0, 2500.0); /* and at the left */
    draw(b);
    has(b, "cost-time", "'Budget $2,500' at graph 0.5, graph");
}

/* One row a strategy in the file's order, each with its bound, its cost and the regret between. */
static void policies_show_bound_and_regret(void **state)
{
    struct bench *b = *state;
    const char *data;

    draw(b);
    data = content(b, "policies", ".csv");
    assert_non_null(strstr(data, "strategy_number,worlds,oracle_mean,nodes_mean,regret_mean,"
                                 "regret_p90,strategy\n1,200,"));
    has(b, "policies", "Hindsight could have saved");
    has(b, "policies", "using 3:(0.54):3:4:");
    b->study.tables.oracle = NULL;
    assert_int_equal(unlink(path_of(b, "policies", ".gp")), 0);
    draw(b);
    assert_false(there(b, "policies", ".gp"));
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
    assert_true(there(b, "months", ".gp"));
    b->study.tables.categories = NULL;
    b->study.tables.monthly = NULL;
    assert_int_equal(unlink(path_of(b, "months", ".gp")), 0);
    assert_int_equal(unlink(path_of(b, "cash", ".gp")), 0);
    draw(b);
    assert_false(there(b, "months", ".gp"));
    assert_false(there(b, "cash", ".gp"));
}

/* March has three fifths of what each costs (see sample_study.c), April the rest. */
static void months_are_stacked_by_category(void **state)
{
    struct bench *b = *state;
    const struct table *t = b->study.tables.categories;
    double cost = 0.0;

    for (size_t row = 0; row < table_rows(t); row++) {
        if (strcmp(table_text(t, row, 0), b->study.names[1]) == 0)
            cost += table_number(t, row, 3);
    }
    b->study.frame.horizon_s = 60.0 * 86400.0;
    draw(b);
    assert_near(sum_of(b, "months", "to", 2) - sum_of(b, "months", "from", 2), cost, 1e-3,
                "heights of all bars are the cost");
    has(b, "months", "spot in three zones costs most in Mar");
    has(b, "months", "means over all futures");
    has(b, "months", "'Mar 2026' 0, 'Apr' 1");
}

/* A mean that is not known is not drawn as zero: all bars are of the plan world then. */
static void months_without_means_show_the_plan_world(void **state)
{
    struct bench *b = *state;
    struct table *t = b->study.owned[5];

    table_set_number(t, 0, 3, (double)NAN);
    for (size_t row = 0; row < table_rows(t); row++)
        table_set_number(t, row, 4, 100.0);
    b->study.frame.horizon_s = 60.0 * 86400.0;
    draw(b);
    has(b, "months", "in the plan world, the future whose cost is nearest to its P50");
    has(b, "months", "(plan world)");
    assert_near(sum_of(b, "months", "to", 1), 100.0 + 100.0 + 200.0 + 200.0, 1e-9, "two layers");
}

static void what_falls_behind_the_plan_is_no_month(void **state)
{
    struct bench *b = *state;
    struct table *t = b->study.owned[5];
    size_t row = table_add_row(t);

    table_set_text(t, row, 0, b->study.names[1]);
    table_set_text(t, row, 1, "2026-09");
    table_set_text(t, row, 2, "tax");
    table_set_number(t, row, 3, 50000.0);
    b->study.frame.horizon_s = 60.0 * 86400.0;
    draw(b);
    has_not(b, "months", "Sep");
    has(b, "months", "'$1,480 + $50,000 later'");
}

/* The first strategy pays all in March. */
static void cash_is_drawn_against_amortised_cost(void **state)
{
    struct bench *b = *state;

    b->study.frame.horizon_s = 60.0 * 86400.0;
    draw(b);
    assert_near(sum_of(b, "cash", "cash_of_month", 1), sum_of(b, "cash", "amortised_of_month", 1),
                1e-3, "both add up to the same");
    assert_true(sum_of(b, "cash", "cash_sum", 1) > sum_of(b, "cash", "amortised_sum", 1));
    assert_near(sum_of(b, "cash", "cash_sum", 2), sum_of(b, "cash", "amortised_sum", 2), 1e-3,
                "the others pay as they go");
    has(b, "cash", "on-demand has paid $1,320 ahead of its use by the end");
}

/* Nobody pays ahead or behind: one thing twice is no chart. */
static void cash_that_is_amortised_cost_is_left_out(void **state)
{
    struct bench *b = *state;
    struct table *t = b->study.owned[4];

    for (size_t row = 0; row < table_rows(t); row++)
        table_set_number(t, row, 4, table_number(t, row, 6));
    draw(b);
    assert_false(there(b, "cash", ".gp"));
    assert_true(there(b, "months", ".gp"));
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
    size_t charts = 0;
    while (chart_name(charts) != NULL)
        charts++;
    assert_int_equal(diagnostics_count(b->d, DIAGNOSTIC_WARNING), charts);
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
    for (size_t k = 0; chart_name(k) != NULL; k++) {
        const char *svg = content(b, chart_name(k), ".svg");
        const char *png = content(b, chart_name(k), ".png");
        assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
        assert_non_null(strstr(svg, "</svg>"));
        assert_null(strstr(svg, "gnuplot_plot_1</title>"));
        /* Bold text is bold, and a viewer without the font has others to choose from. */
        assert_non_null(strstr(svg, "font-family=\"Inter&#44; Segoe UI&#44;"));
        assert_non_null(strstr(svg, "font-weight=\"bold\""));
        assert_null(strstr(svg, ":Bold"));
        assert_false(there(b, chart_name(k), ".png.part"));
        assert_false(there(b, chart_name(k), ".svg.part"));
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
                                       TEST(the_gantt_chart_shows_jobs),
                                       TEST(the_nodes_of_a_queue_over_time),
                                       TEST(the_gantt_axis_ends_with_the_jobs_drawn),
                                       TEST(capacity_beyond_the_page_is_told),
                                       TEST(a_week_is_of_the_hours_in_use),
                                       TEST(pools_are_told_apart),
                                       TEST(a_lone_chart_has_the_foot_of_all),
                                       TEST(services_over_a_week),
                                       TEST(scripts_carry_the_titles),
                                       TEST(tornado),
                                       TEST(sweep),
                                       TEST(front),
                                       TEST(spend_figures_are_of_all_futures),
                                       TEST(spend_shows_bounds_and_what_is_not_finished),
                                       TEST(a_strategy_that_never_finishes_is_grey),
                                       TEST(several_deadlines_draw_no_line),
                                       TEST(axes_and_subtitles_say_what_is_drawn),
                                       TEST(savings_show_their_spread),
                                       TEST(the_budget_is_named_where_it_is_free),
                                       TEST(months_are_stacked_by_category),
                                       TEST(months_without_means_show_the_plan_world),
                                       TEST(what_falls_behind_the_plan_is_no_month),
                                       TEST(cash_is_drawn_against_amortised_cost),
                                       TEST(cash_that_is_amortised_cost_is_left_out),
                                       TEST(policies_show_bound_and_regret),
                                       TEST(charts_without_data_are_left_out),
                                       TEST(a_table_without_a_column_is_an_error),
                                       TEST(a_folder_that_cannot_be_made_is_an_error),
                                       TEST(a_chart_that_fails_is_a_warning_with_its_line),
                                       TEST(a_gnuplot_that_draws_nothing_is_a_warning),
                                       TEST(draws_pictures),
                                       TEST(a_script_runs_alone)};

    return cmocka_run_group_tests_name("charts", tests, NULL, NULL);
}
