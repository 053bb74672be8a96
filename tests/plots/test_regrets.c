/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is said of hindsight, each rule from a table in which the claim holds and one in which it
 * does not. */
#include "plots/sentences/regrets.h"
#include "tests/support/sample_study.h"
#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

#define NONE ((double)NAN)

enum { N = 2, WORLDS, ORACLE, NODES, MEAN, P90, COLUMNS };

struct bench {
    struct sample_study study;
    struct study_facts facts;
    struct diagnostics *d;
    struct table *oracle;
    struct regrets regrets;
    struct text said;
};

static struct table *new_table(const char *last)
{
    const struct column columns[COLUMNS] = {{"strategy", "", "", COLUMN_TEXT, -1},
                                            {"workload", "", "", COLUMN_TEXT, -1},
                                            {"n", "", "", COLUMN_INTEGER, -1},
                                            {"worlds", "", "", COLUMN_INTEGER, -1},
                                            {"oracle_mean_usd", "", "", COLUMN_NUMBER, -1},
                                            {"nodes_mean_usd", "", "", COLUMN_NUMBER, -1},
                                            {"regret_mean_usd", "", "", COLUMN_NUMBER, -1},
                                            {last, "", "", COLUMN_NUMBER, -1}};
    return table_new("oracle", columns, COLUMNS);
}

static void add(struct bench *b, const char *strategy, const char *workload, int64_t n,
                double oracle, double nodes, double p90)
{
    size_t row = table_add_row(b->oracle);

    table_set_text(b->oracle, row, 0, strategy);
    table_set_text(b->oracle, row, 1, workload);
    table_set_integer(b->oracle, row, N, n);
    table_set_integer(b->oracle, row, WORLDS, 200);
    table_set_number(b->oracle, row, ORACLE, oracle);
    table_set_number(b->oracle, row, NODES, nodes);
    table_set_number(b->oracle, row, MEAN, nodes - oracle);
    table_set_number(b->oracle, row, P90, p90);
}

/* "spot" is the subject: it stands and has the lowest P50. */
static int set_up(void **state)
{
    static struct bench b;
    const struct sample_strategy strategies[] = {
        {"on-demand", 3300.0, 0.1, 60.0, 0.1, 0.0, 0.0, 0.0},
        {"spot", 1500.0, 0.1, 80.0, 0.1, 0.0, 1.0, 0.0},
        {"other", 2400.0, 0.1, 70.0, 0.1, 0.0, 0.5, 0.0}};
    const struct sample_options options = {
        .worlds = 2000, .budget = NONE, .deadline_h = 96.0, .horizon_h = 1000.0};

    if (!sample_study_init(&b.study, strategies, 3, &options))
        return -1;
    b.d = diagnostics_new();
    b.oracle = new_table("regret_p90_usd");
    text_init(&b.said, 0);
    sample_set(&b.study, "spot", "late", "mean", 0.0);
    *state = &b;
    return study_facts_init(&b.facts, &b.study.frame, &b.study.tables, b.d) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    sample_study_release(&b->study);
    diagnostics_free(b->d);
    table_free(b->oracle);
    text_release(&b->said);
    return 0;
}

static const char *title(struct bench *b)
{
    assert_true(study_facts_init(&b->facts, &b->study.frame, &b->study.tables, b->d));
    assert_true(regrets_read(&b->regrets, &b->facts, b->oracle, 0, b->d));
    text_clear(&b->said);
    title_policies(&b->said, &b->facts, &b->regrets);
    return b->said.data;
}

/* Of several workloads the one that it is about is named. */
static void of_several_workloads_one_is_named(void **state)
{
    struct bench *b = *state;

    add(b, "spot", "train", 200, 80.0, 100.0, 30.0);
    add(b, "spot", "tune", 200, 80.0, 100.0, 30.0);
    assert_non_null(strstr(title(b), "Hindsight could have saved spot on 'train' at most $20 of "
                                     "$100 (mean)"));
    assert_true(regrets_read(&b->regrets, &b->facts, b->oracle, 1, b->d));
    text_clear(&b->said);
    title_policies(&b->said, &b->facts, &b->regrets);
    assert_non_null(strstr(b->said.data, "spot on 'tune' at most $20"));
}

static const char *headline(struct bench *b, size_t index)
{
    assert_true(regrets_read(&b->regrets, &b->facts, b->oracle, index, b->d));
    text_clear(&b->said);
    regrets_headline(&b->said, &b->regrets, &b->facts, 2);
    return b->said.data;
}

static const char *entry(struct bench *b, size_t strategy)
{
    text_clear(&b->said);
    regrets_entry(&b->said, &b->regrets, &b->facts, strategy, 2);
    return b->said.data;
}

/* ---- titles ---- */

static void the_title_says_what_could_have_been_saved(void **state)
{
    struct bench *b = *state;

    add(b, "spot", "a", 200, 1387.0, 1500.0, 150.0);
    assert_string_equal(title(b), "Hindsight could have saved spot at most $113 of $1,500 (mean); "
                                  "it is late in none of 2,000 futures");
    sample_set(&b->study, "spot", "late", "mean", 0.25);
    assert_string_equal(title(b), "Hindsight could have saved spot at most $113 of $1,500 (mean); "
                                  "it is late in 25 of 100 futures");
    table_set_integer(b->oracle, 0, N, 150);
    assert_string_equal(title(b), "Hindsight could have saved spot at most $113 of $1,500 (mean), "
                                  "where it is in time");
}

static void the_title_says_little_of_little(void **state)
{
    struct bench *b = *state;

    add(b, "spot", "a", 200, 1486.0, 1500.0, 20.0);
    assert_string_equal(title(b), "Hindsight could have saved spot less than 1 % (mean); it is "
                                  "late in none of 2,000 futures");
    table_set_number(b->oracle, 0, MEAN, 15.0);
    assert_non_null(strstr(title(b), "at most $15 of $1,500"));
}

static void the_title_does_not_speak_of_who_is_not_compared(void **state)
{
    struct bench *b = *state;

    add(b, "other", "a", 200, 1000.0, 2400.0, 1500.0);
    assert_string_equal(title(b), "What spot could have saved with hindsight is not known");
    add(b, "spot", "a", 0, NONE, NONE, NONE);
    assert_string_equal(title(b), "What spot could have saved with hindsight is not known");
}

static void the_title_says_when_nobody_stands(void **state)
{
    static const char *const all[] = {"on-demand", "spot", "other"};
    struct bench *b = *state;

    add(b, "spot", "a", 200, 1387.0, 1500.0, 150.0);
    for (size_t i = 0; i < 3; i++) {
        sample_set(&b->study, all[i], "cost_usd", "censored", 200.0);
        sample_set(&b->study, all[i], "time_to_train_h", "censored", 200.0);
    }
    assert_non_null(strstr(title(b), "No strategy is sure to finish"));
}

/* ---- lines ---- */

static void lines_by_workload(void **state)
{
    struct bench *b = *state;

    add(b, "on-demand", "a", 200, 70.0, 140.0, 80.0);
    add(b, "spot", "a", 80, 40.0, 45.5, 7.0);
    add(b, "on-demand", "b", 190, 7.0, 14.0, 8.0);
    add(b, "other", "b", 190, 9.0, 14.0, 8.0);
    add(b, "spot", "b", 0, NONE, NONE, NONE);
    assert_string_equal(headline(b, 0), "with hindsight the nodes of 'a' would have cost 70.00 at "
                                        "the least (mean of the first 200 futures)");
    assert_string_equal(entry(b, 0), "on-demand: 70.00, P90 80.00");
    assert_string_equal(entry(b, 1), "spot: 5.50, P90 7.00 (40 % in time)");
    assert_string_equal(headline(b, 1),
                        "with hindsight the nodes of 'b' would have cost 7.00 to 9.00, after their "
                        "type and number, at the least (mean of 190 of the first 200 futures)");
    assert_string_equal(entry(b, 1), "spot: never in time");
    assert_false(regrets_read(&b->regrets, &b->facts, b->oracle, 2, b->d));
    assert_false(diagnostics_failed(b->d));
}

static void nobody_in_time(void **state)
{
    struct bench *b = *state;

    add(b, "spot", "a", 0, NONE, NONE, NONE);
    assert_string_equal(headline(b, 0), "with hindsight: no strategy did 'a' in time in any of the "
                                        "first 200 futures");
}

static void no_table_and_wrong_ones(void **state)
{
    struct bench *b = *state;
    struct table *wrong = new_table("something");

    assert_false(regrets_read(&b->regrets, &b->facts, NULL, 0, b->d));
    assert_false(regrets_read(&b->regrets, &b->facts, b->oracle, 0, b->d));
    assert_false(diagnostics_failed(b->d));
    table_add_row(wrong);
    assert_false(regrets_read(&b->regrets, &b->facts, wrong, 0, b->d));
    assert_true(diagnostics_failed(b->d));
    table_free(wrong);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(of_several_workloads_one_is_named),
        TEST(the_title_says_what_could_have_been_saved),
        TEST(the_title_says_little_of_little),
        TEST(the_title_does_not_speak_of_who_is_not_compared),
        TEST(the_title_says_when_nobody_stands),
        TEST(lines_by_workload),
        TEST(nobody_in_time),
        TEST(no_table_and_wrong_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
