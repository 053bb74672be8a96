/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/facts/spread.h"
#include "tests/support/sample_study.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

static struct spread points(double *value, double *share, bool *censored, size_t count)
{
    struct spread s = {count, value, share, censored, 0.0};

    for (size_t i = 0; i < count; i++)
        s.unfinished += censored[i] ? share[i] : 0.0;
    return s;
}

static void reads_one_strategy_of_the_table(void **state)
{
    const struct sample_strategy strategies[] = {{"a", 100.0, 0.1, 10.0, 0.1, 0.0, 0.0, 0.0},
                                                 {"b", 200.0, 0.1, 10.0, 0.1, 0.3, 0.0, 0.0}};
    const struct sample_options options = {
        .worlds = 2000, .budget = (double)NAN, .deadline_h = (double)NAN, .horizon_h = 100.0};
    struct arena *arena = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct sample_study study;
    struct spread s;
    double sum = 0.0;

    (void)state;
    assert_true(sample_study_init(&study, strategies, 2, &options));
    assert_true(spread_read(&s, study.tables.distribution, "b", "cost_usd", arena, d));
    assert_int_equal(s.count, 1000);
    for (size_t i = 0; i < s.count; i++) {
        sum += s.share[i];
        assert_true(i == 0 || s.value[i] >= s.value[i - 1]);
    }
    assert_near(sum, 1.0, 1e-9, "shares");
    /* 2,000 worlds, chance 0.3: 4 standard errors, and the half that thinning leaves out. */
    assert_near(s.unfinished, 0.3, 4.0 * sqrt(0.21 / 1000.0), "unfinished");
    assert_true(spread_read(&s, study.tables.distribution, "nobody", "cost_usd", arena, d));
    assert_int_equal(s.count, 0);
    assert_true(isnan(spread_level(&s, 0.5)));
    /* A table without the columns is told by name. */
    assert_false(spread_read(&s, study.tables.timeline, "a", "cost_usd", arena, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 1);
    sample_study_release(&study);
    diagnostics_free(d);
    arena_free(arena);
}

/* A distribution table of one strategy; NaN = empty. */
struct cells {
    double value, cumulative, finished;
    int censored;
};

static struct spread read_cells(const struct cells *cells, size_t count, bool with_finished,
                                struct arena *arena)
{
    static const struct column columns[] = {{"strategy", "", "", COLUMN_TEXT, -1},
                                            {"workload", "", "", COLUMN_TEXT, -1},
                                            {"metric", "", "", COLUMN_TEXT, -1},
                                            {"value", "", "", COLUMN_NUMBER, -1},
                                            {"cumulative_frac", "", "", COLUMN_NUMBER, -1},
                                            {"censored", "", "", COLUMN_INTEGER, -1},
                                            {"finished_frac", "", "", COLUMN_NUMBER, -1}};
    struct table *t = table_new("distribution", columns, with_finished ? 7 : 6);
    struct diagnostics *d = diagnostics_new();
    struct spread s;

    assert_non_null(t);
    for (size_t i = 0; i < count; i++) {
        size_t row = table_add_row(t);
        table_set_text(t, row, 0, "a");
        table_set_text(t, row, 1, "all");
        table_set_text(t, row, 2, "cost_usd");
        table_set_number(t, row, 3, cells[i].value);
        table_set_number(t, row, 4, cells[i].cumulative);
        table_set_integer(t, row, 5, cells[i].censored);
        if (with_finished)
            table_set_number(t, row, 6, cells[i].finished);
    }
    assert_true(spread_read(&s, t, "a", "cost_usd", arena, d));
    table_free(t);
    diagnostics_free(d);
    return s;
}

/* Bounds are not "at or below" anything, so a table may leave their share open: it is what the
 * rows around them leave. */
static void bounds_without_a_share_get_what_is_left(void **state)
{
    static const struct cells cells[] = {{1.0, 0.25, 0.0, 0},
                                         {2.0, (double)NAN, 0.0, 1},
                                         {3.0, 0.75, 0.0, 0},
                                         {4.0, (double)NAN, 0.0, 1},
                                         {5.0, (double)NAN, 0.0, 1}};
    struct arena *arena = arena_new(0);
    struct spread s = read_cells(cells, 5, false, arena);

    (void)state;
    assert_int_equal(s.count, 5);
    assert_near(s.share[1], 0.25, 1e-12, "half of the step from 1 to 3");
    assert_near(s.share[2], 0.25, 1e-12, "the other half");
    assert_near(s.share[3], 0.125, 1e-12, "half of the rest");
    assert_near(s.unfinished, 0.5, 1e-12, "unfinished");
    assert_true(s.censored[4]);
    arena_free(arena);
}

/* A row of a thinned table stands for all worlds since the row before it, of both kinds. */
static void finished_and_other_futures_of_one_row_are_parted(void **state)
{
    static const struct cells cells[] = {
        {1.0, 0.2, 0.2, 0}, {2.0, 0.5, 0.4, 1}, {3.0, 1.0, 0.9, 0}};
    struct arena *arena = arena_new(0);
    struct spread s = read_cells(cells, 3, true, arena);
    double sum = 0.0;

    (void)state;
    for (size_t i = 0; i < s.count; i++)
        sum += s.share[i];
    assert_near(sum, 1.0, 1e-12, "all futures");
    assert_near(s.unfinished, 0.1, 1e-12, "0.3 - 0.2 at 2; none at 3, where 0.5 are finished");
    /* Without the column the row is of one kind. */
    s = read_cells(cells, 3, false, arena);
    assert_near(s.unfinished, 0.3, 1e-12, "the row at 2");
    arena_free(arena);
}

/* The same when cumulative_frac is of finished worlds alone. */
static void finished_shares_are_kept_where_bounds_have_none(void **state)
{
    static const struct cells cells[] = {
        {1.0, 0.4, 0.4, 0}, {2.0, (double)NAN, 0.4, 1}, {3.0, 0.8, 0.8, 0}};
    struct arena *arena = arena_new(0);
    struct spread s = read_cells(cells, 3, true, arena);

    (void)state;
    assert_int_equal(s.count, 3);
    assert_near(s.share[1], 0.2, 1e-12, "all that is left");
    assert_near(s.share[2], 0.4, 1e-12, "finished");
    arena_free(arena);
}

static void bins_hold_every_share_once(void **state)
{
    double value[] = {1.0, 1.5, 2.0, 2.0, 9.0}, share[] = {0.1, 0.2, 0.3, 0.3, 0.1};
    bool censored[] = {false, false, false, true, false};
    struct spread s = points(value, share, censored, 5);
    double finished[3], unfinished[3];

    (void)state;
    spread_histogram(&s, 1.0, 1.0, 3, finished, unfinished);
    assert_near(finished[0], 0.3, 1e-12, "[1, 2)");
    assert_near(finished[1], 0.3, 1e-12, "[2, 3)");
    assert_near(unfinished[1], 0.3, 1e-12, "censored in [2, 3)");
    assert_near(finished[2] + unfinished[0] + unfinished[2], 0.0, 1e-12, "empty");
    assert_near(spread_beyond(&s, 4.0), 0.1, 1e-12, "beyond");
    assert_near(spread_level(&s, 0.5), 2.0, 0.0, "median");
    assert_near(spread_level(&s, 1.0), 9.0, 0.0, "largest");
}

/* Smoothing the quantiles of a standard normal with a normal kernel of bandwidth h gives a normal
 * of variance 1 + h^2; h = 0.9 n^-0.2. */
static void density_of_a_normal_sample(void **state)
{
    enum { N = 999, POINTS = 201 };
    static double value[N], share[N], out[POINTS];
    static bool censored[N];
    double h = 0.9 * pow(N, -0.2);
    struct spread s;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        value[i] = gsl_cdf_ugaussian_Pinv(((double)i + 0.5) / N);
        share[i] = 1.0 / N;
    }
    s = points(value, share, censored, N);
    assert_true(spread_density(&s, N, -3.0, 3.0, POINTS, out));
    assert_near(out[100], 1.0, 1e-9, "peak in the middle");
    assert_near(out[60], out[140], 1e-9, "symmetric");
    assert_near(out[140], exp(-0.5 * 1.44 / (1.0 + h * h)), 0.01, "at 1.2");
    assert_near(out[190], exp(-0.5 * 2.7 * 2.7 / (1.0 + h * h)), 0.01, "at 2.7");
}

static void no_width_no_density(void **state)
{
    double value[] = {5.0, 5.0}, share[] = {0.5, 0.5}, out[11];
    bool censored[] = {false, false};
    struct spread s = points(value, share, censored, 2), none = {0};

    (void)state;
    assert_false(spread_density(&s, 2.0, 4.0, 6.0, 11, out));
    assert_false(spread_density(&none, 2.0, 4.0, 6.0, 11, out));
}

static void axis_is_never_empty(void **state)
{
    double same[] = {5.0, 5.0}, zero[] = {0.0}, share[] = {0.5, 0.5};
    bool censored[] = {false, false};
    struct spread s = points(same, share, censored, 2), z = points(zero, share, censored, 1);
    struct spread none = {0};
    struct spread_axis axis;

    (void)state;
    axis = spread_axis_for(&s, 1, (double)NAN);
    assert_true(axis.low < 5.0 && axis.high > 5.0);
    axis = spread_axis_for(&z, 1, (double)NAN);
    assert_true(axis.low == 0.0 && axis.high > 0.0);
    axis = spread_axis_for(&none, 1, (double)NAN);
    assert_true(axis.low < axis.high);
    axis = spread_axis_for(NULL, 0, (double)NAN);
    assert_true(axis.low < axis.high);
}

static void axis_holds_a_near_limit_and_leaves_a_far_one(void **state)
{
    double value[] = {100.0, 200.0}, share[] = {0.5, 0.5};
    bool censored[] = {false, false};
    struct spread s = points(value, share, censored, 2);

    (void)state;
    assert_true(spread_axis_for(&s, 1, 280.0).high > 280.0);
    assert_true(spread_axis_for(&s, 1, 5000.0).high < 300.0);
    assert_true(spread_axis_for(&s, 1, 20.0).low <= 20.0);
}

static void axis_leaves_out_what_would_flatten_the_rest(void **state)
{
    double near[] = {100.0, 110.0}, nearer[] = {90.0, 95.0}, far[] = {9000.0, 9001.0};
    double share[] = {0.5, 0.5};
    bool censored[] = {false, false};
    struct spread all[] = {points(near, share, censored, 2), points(nearer, share, censored, 2),
                           points(far, share, censored, 2)};
    double middles[] = {9000.0, 100.0, 90.0};

    (void)state;
    assert_true(spread_axis_for(all, 3, (double)NAN).high < 200.0);
    assert_near(spread_typical(middles, 3), 100.0, 0.0, "lower median of three");
    assert_true(spread_far(9000.0, 100.0));
    assert_false(spread_far(800.0, 100.0));
    assert_false(spread_far(9000.0, 0.0)); /* nothing is far from nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_one_strategy_of_the_table),
        cmocka_unit_test(bounds_without_a_share_get_what_is_left),
        cmocka_unit_test(finished_and_other_futures_of_one_row_are_parted),
        cmocka_unit_test(finished_shares_are_kept_where_bounds_have_none),
        cmocka_unit_test(bins_hold_every_share_once),
        cmocka_unit_test(density_of_a_normal_sample),
        cmocka_unit_test(no_width_no_density),
        cmocka_unit_test(axis_is_never_empty),
        cmocka_unit_test(axis_holds_a_near_limit_and_leaves_a_far_one),
        cmocka_unit_test(axis_leaves_out_what_would_flatten_the_rest)};

    return cmocka_run_group_tests_name("spread", tests, NULL, NULL);
}
