/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/facts/study_facts.h"
#include "tests/support/sample_study.h"

#include <math.h>

static int set_up(void **state)
{
    static struct sample_study s;

    *state = &s;
    return sample_study_real(&s) ? 0 : -1;
}

static int tear_down(void **state)
{
    sample_study_release(*state);
    return 0;
}

static struct study_facts read(struct sample_study *s)
{
    struct diagnostics *d = diagnostics_new();
    struct study_facts f;

    assert_true(study_facts_init(&f, &s->frame, &s->tables, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 0);
    diagnostics_free(d);
    return f;
}

static void gathers_what_the_tables_say(void **state)
{
    struct sample_study *s = *state;
    struct study_facts f;

    sample_set(s, "spot with fallback", "cost_usd", "p50", 2111.0);
    sample_set(s, "spot with fallback", "cost_usd", "p50_low", 2100.0);
    sample_set(s, "spot with fallback", "time_to_train_h", "p90", 85.0);
    sample_set(s, "spot with fallback", "over_budget", "mean", 0.17);
    sample_set(s, "spot with fallback", "late", "mean", 0.03);
    sample_set(s, "spot with fallback", "obligation_usd", "p50", 120000.0);
    sample_set_pair(s, "spot with fallback", "cost_usd", "win_frac", 0.93);
    f = read(s);
    assert_int_equal(f.count, 4);
    assert_int_equal(f.baseline, 0);
    assert_near(f.strategy[2].cost.p50.value, 2111.0, 0.0, "p50");
    assert_near(f.strategy[2].cost.p50.low, 2100.0, 0.0, "p50_low");
    assert_near(f.strategy[2].time.p90.value, 85.0, 0.0, "p90 of time");
    assert_near(f.strategy[2].over_budget.at_least, 0.17, 0.0, "over");
    assert_near(f.strategy[2].late.at_least, 0.03, 0.0, "late");
    assert_near(f.strategy[2].obligation, 120000.0, 0.0, "obligation");
    assert_near(f.strategy[2].cost_difference.win_at_least, 0.93, 0.0, "wins");
    assert_int_equal(f.strategy[2].cost_difference.relation, FACT_LESS);
    assert_true(f.has_time && f.has_budget && f.has_late && f.has_obligation);
    assert_near(f.strategy[0].worlds, 2000.0, 0.0, "worlds");
    /* The baseline is compared with nothing. */
    assert_int_equal(f.strategy[0].cost_difference.relation, FACT_UNKNOWN);
}

static void one_percent_unfinished_is_the_limit(void **state)
{
    struct sample_study *s = *state;
    struct study_facts f;

    sample_set(s, "spot with fallback", "cost_usd", "censored", 20.0); /* of 2,000: 1 % */
    f = read(s);
    assert_true(f.strategy[2].stands);
    sample_set(s, "spot with fallback", "cost_usd", "censored", 21.0);
    f = read(s);
    assert_false(f.strategy[2].stands);
    /* Unfinished by its time alone counts as well. */
    sample_set(s, "spot with fallback", "cost_usd", "censored", 0.0);
    sample_set(s, "spot with fallback", "time_to_train_h", "censored", 21.0);
    f = read(s);
    assert_false(f.strategy[2].stands);
    assert_near(f.strategy[2].unfinished, 21.0, 0.0, "unfinished");
}

static void the_subject_is_the_cheapest_that_stands(void **state)
{
    struct sample_study *s = *state;
    struct study_facts f;

    sample_set(s, "spot", "cost_usd", "p50", 10.0); /* the lowest, but 12 % are unfinished */
    sample_set(s, "spot in three zones", "cost_usd", "p50", 1640.0);
    f = read(s);
    assert_int_equal(f.subject, 3);
    sample_set(s, "spot in three zones", "cost_usd", "p50", (double)NAN);
    f = read(s);
    assert_int_equal(f.subject, 2);
}

static void relations_follow_the_interval(void **state)
{
    static const struct {
        double mean, low, high, left_out, tie;
        enum fact_relation relation;
    } rows[] = {{-5, -6, -4, 0, 0, FACT_LESS},
                {5, 4, 6, 0, 0, FACT_MORE},
                {-5, -11, 1, 0, 0, FACT_UNCLEAR},
                {-5, -10, 0, 0, 0, FACT_UNCLEAR}, /* zero at the end is covered */
                {0, 0, 0, 0, 1, FACT_SAME},
                {0, 0, 0, 0, 0.5, FACT_UNCLEAR},
                {-5, -6, -4, 1, 0, FACT_UNKNOWN},
                {(double)NAN, (double)NAN, (double)NAN, 0, 0, FACT_UNKNOWN},
                {-5, (double)NAN, (double)NAN, 0, 0, FACT_UNKNOWN}};
    struct sample_study *s = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct study_facts f;
        sample_set_pair(s, "spot with fallback", "cost_usd", "mean_difference", rows[i].mean);
        sample_set_pair(s, "spot with fallback", "cost_usd", "low", rows[i].low);
        sample_set_pair(s, "spot with fallback", "cost_usd", "high", rows[i].high);
        sample_set_pair(s, "spot with fallback", "cost_usd", "left_out", rows[i].left_out);
        sample_set_pair(s, "spot with fallback", "cost_usd", "tie_frac", rows[i].tie);
        f = read(s);
        assert_int_equal(f.strategy[2].cost_difference.relation, rows[i].relation);
    }
}

static void p50s_differ_only_when_intervals_do_not_touch(void **state)
{
    struct fact_metric a = {.present = true, .min = 1, .max = 9}, b = a;

    (void)state;
    a.p50 = (struct fact_quantile){5, (double)NAN, (double)NAN, 4, 6};
    b.p50 = (struct fact_quantile){8, (double)NAN, (double)NAN, 7, 9};
    assert_int_equal(facts_p50_relation(&a, &b), FACT_LESS);
    assert_int_equal(facts_p50_relation(&b, &a), FACT_MORE);
    b.p50.low = 6;
    assert_int_equal(facts_p50_relation(&a, &b), FACT_UNCLEAR);
    b.p50.low = (double)NAN;
    assert_int_equal(facts_p50_relation(&a, &b), FACT_UNCLEAR);
    a.min = a.max = b.min = b.max = 5.0;
    assert_int_equal(facts_p50_relation(&a, &b), FACT_SAME);
    b.min = b.max = 5.5;
    assert_int_equal(facts_p50_relation(&a, &b), FACT_LESS);
}

static void bounds_stand_in_for_what_is_cut_off(void **state)
{
    struct sample_study *s = *state;
    struct study_facts f;

    sample_set(s, "spot with fallback", "over_budget", "mean", 0.17);
    sample_set(s, "spot with fallback", "over_budget", "censored", 20.0);
    sample_set_pair(s, "spot with fallback", "cost_usd", "win_at_least_frac", 0.9);
    sample_set_pair(s, "spot with fallback", "cost_usd", "win_at_most_frac", 0.95);
    sample_set_pair(s, "spot with fallback", "cost_usd", "win_frac", 0.97);
    f = read(s);
    assert_near(f.strategy[2].over_budget.at_most, 0.18, 1e-12, "20 of 2,000 may still pass it");
    assert_near(f.strategy[2].cost_difference.win_at_least, 0.97, 0.0, "all pairs are known");
    /* The share among known pairs flatters once any is left out. */
    sample_set_pair(s, "spot with fallback", "cost_usd", "left_out", 20.0);
    f = read(s);
    assert_near(f.strategy[2].cost_difference.win_at_least, 0.9, 0.0, "bound");
    assert_near(f.strategy[2].cost_difference.win_at_most, 0.95, 0.0, "bound");
}

/* A table of one pair of strategies with the columns given, for a study of two. */
static struct fact_difference read_pair(const struct column *columns, size_t count,
                                        const double *numbers)
{
    static const char *const texts[] = {"spot with fallback", "on-demand", "all", "cost_usd"};
    struct table *t = table_new("comparison", columns, count);
    struct fact_difference d;
    struct sample_study s;

    assert_non_null(t);
    assert_true(sample_study_real(&s));
    table_add_row(t);
    for (size_t i = 0; i < count; i++) {
        if (i < 4)
            table_set_text(t, 0, i, texts[i]);
        else
            table_set_number(t, 0, i, numbers[i - 4]);
    }
    s.tables.comparison = t;
    d = read(&s).strategy[2].cost_difference;
    table_free(t);
    sample_study_release(&s);
    return d;
}

/* What win_frac means when pairs are left out is told by the columns beside it. */
static void wins_of_pairs_left_out_need_bounds(void **state)
{
    static const struct column columns[] = {{"strategy", "", "", COLUMN_TEXT, -1},
                                            {"baseline", "", "", COLUMN_TEXT, -1},
                                            {"workload", "", "", COLUMN_TEXT, -1},
                                            {"metric", "", "", COLUMN_TEXT, -1},
                                            {"n", "", "", COLUMN_NUMBER, -1},
                                            {"left_out", "", "", COLUMN_NUMBER, -1},
                                            {"mean_difference", "", "", COLUMN_NUMBER, -1},
                                            {"low", "", "", COLUMN_NUMBER, -1},
                                            {"high", "", "", COLUMN_NUMBER, -1},
                                            {"win_frac", "", "", COLUMN_NUMBER, -1},
                                            {"tie_frac", "", "", COLUMN_NUMBER, -1},
                                            {"difference_at_least", "", "", COLUMN_NUMBER, -1}};
    const double numbers[] = {98, 2, (double)NAN, (double)NAN, (double)NAN, 0.9, 0, -5};
    struct fact_difference d = read_pair(columns, 12, numbers);

    (void)state;
    assert_near(d.win_at_least, 0.9, 0.0, "sure wins of all 100");
    assert_near(d.win_at_most, 0.92, 1e-12, "and the two that are left out");
    d = read_pair(columns, 11, numbers); /* a share among the known pairs: it flatters */
    assert_true(isnan(d.win_at_least) && isnan(d.win_at_most));
}

static void a_quantile_is_near_when_its_bounds_are(void **state)
{
    const struct fact_quantile known = {5.0, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    struct fact_quantile q = {(double)NAN, 1000.0, 1010.0, (double)NAN, (double)NAN};

    (void)state;
    assert_near(facts_near(&known), 5.0, 0.0, "known");
    assert_near(facts_near(&q), 1010.0, 0.0, "1 % apart: the upper, so that nothing looks cheap");
    q.at_most = 1011.0;
    assert_true(isnan(facts_near(&q)));
    q.at_most = (double)NAN;
    assert_true(isnan(facts_near(&q)));
}

static void a_missing_table_or_column_is_named(void **state)
{
    struct sample_study *s = *state;
    struct diagnostics *d = diagnostics_new();
    struct chart_tables tables = {.summary = s->tables.distribution};
    struct study_facts f;

    assert_false(study_facts_init(&f, &s->frame, &tables, d));
    tables.summary = NULL;
    assert_false(study_facts_init(&f, &s->frame, &tables, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 2);
    /* Without a comparison all else is there. */
    tables.summary = s->tables.summary;
    assert_true(study_facts_init(&f, &s->frame, &tables, d));
    assert_int_equal(f.strategy[2].cost_difference.relation, FACT_UNKNOWN);
    diagnostics_free(d);
}

static void a_strategy_without_results_is_just_absent(void **state)
{
    struct sample_study *s = *state;
    struct study_facts f;

    s->names[1] = "never simulated";
    f = read(s);
    assert_false(f.strategy[1].cost.present);
    assert_false(f.strategy[1].stands);
    assert_true(isnan(f.strategy[1].unfinished_share));
}

static void one_deadline_or_several_equal_ones(void **state)
{
    const struct chart_deadline equal[] = {{"a", 96.0}, {"b", 96.0}},
                                two[] = {{"a", 96.0}, {"b", 9}};
    struct chart_frame frame = {.deadlines = equal, .deadline_count = 2};

    (void)state;
    assert_near(facts_single_deadline_h(&frame), 96.0, 0.0, "equal");
    frame.deadlines = two;
    assert_true(isnan(facts_single_deadline_h(&frame)));
    /* One of two workloads has none: no deadline is that of all work. */
    frame.deadline_count = 1;
    frame.workload_count = 2;
    assert_true(isnan(facts_single_deadline_h(&frame)));
    frame.workload_count = 1;
    assert_near(facts_single_deadline_h(&frame), 96.0, 0.0, "the only one");
    frame.deadline_count = 0;
    assert_true(isnan(facts_single_deadline_h(&frame)));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(gathers_what_the_tables_say),
                                       TEST(one_percent_unfinished_is_the_limit),
                                       TEST(the_subject_is_the_cheapest_that_stands),
                                       TEST(relations_follow_the_interval),
                                       TEST(p50s_differ_only_when_intervals_do_not_touch),
                                       TEST(bounds_stand_in_for_what_is_cut_off),
                                       cmocka_unit_test(wins_of_pairs_left_out_need_bounds),
                                       TEST(a_quantile_is_near_when_its_bounds_are),
                                       TEST(a_missing_table_or_column_is_named),
                                       TEST(a_strategy_without_results_is_just_absent),
                                       TEST(one_deadline_or_several_equal_ones)};

    return cmocka_run_group_tests_name("study_facts", tests, NULL, NULL);
}
