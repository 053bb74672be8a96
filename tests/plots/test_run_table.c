/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/console/run_table.h"
#include "tests/support/sample_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE ((double)NAN)

struct bench {
    struct sample_study study;
    struct diagnostics *d;
    char *bytes;
};

static int set_up(void **state)
{
    static struct bench b;
    const struct sample_strategy strategies[] = {
        {"on-demand", 3300.0, 0.1, 60.0, 0.1, 0.0, 0.0, 0.0},
        {"spot", 1500.0, 0.1, 80.0, 0.1, 0.0, 1.0, 0.0}};
    const struct sample_options options = {
        .worlds = 1000, .budget = 2500.0, .deadline_h = 96.0, .horizon_h = 1000.0};

    b.bytes = NULL;
    b.d = diagnostics_new();
    *state = &b;
    return sample_study_init(&b.study, strategies, 2, &options) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    free(b->bytes);
    diagnostics_free(b->d);
    sample_study_release(&b->study);
    return 0;
}

static const char *write_table(struct bench *b, size_t width, bool ascii)
{
    struct terminal_style style = {width, ascii};
    size_t length;
    FILE *f;

    free(b->bytes);
    b->bytes = NULL;
    f = open_memstream(&b->bytes, &length);
    assert_non_null(f);
    assert_true(run_table_write(&b->study.frame, &b->study.tables, &style, f, b->d));
    assert_int_equal(fclose(f), 0);
    return b->bytes;
}

/* Every cell that the table shows, set to a known number. */
static void set_all(struct bench *b)
{
    struct sample_study *s = &b->study;

    sample_set(s, "on-demand", "cost_usd", "p50", 3310.4);
    sample_set(s, "on-demand", "cost_usd", "p90", 3617.0);
    sample_set(s, "spot", "cost_usd", "p50", 12431.0);
    sample_set(s, "spot", "cost_usd", "p90", 12600.0);
    sample_set(s, "on-demand", "time_to_train_h", "p50", 58.3);
    sample_set(s, "on-demand", "time_to_train_h", "p90", 66.6);
    sample_set(s, "spot", "time_to_train_h", "p50", 84.5);
    sample_set(s, "spot", "time_to_train_h", "p90", 97.0);
    sample_set(s, "on-demand", "over_budget", "mean", 1.0);
    sample_set(s, "spot", "over_budget", "mean", 0.124);
    sample_set(s, "on-demand", "late", "mean", 0.0);
    sample_set(s, "spot", "late", "mean", 0.004);
    sample_set_pair(s, "spot", "cost_usd", "mean_difference", -912.0);
    sample_set_pair(s, "spot", "cost_usd", "low", -944.0);
    sample_set_pair(s, "spot", "cost_usd", "high", -880.0);
    sample_set_pair(s, "spot", "cost_usd", "win_frac", 0.93);
}

static void the_table_of_a_plain_run(void **state)
{
    struct bench *b = *state;

    set_all(b);
    b->study.frame.chosen = "spot";
    assert_string_equal(
        write_table(b, 120, false),
        "Fine-tune a 7B model in spring\n"
        "Cost in USD, tax excluded; budget 2,500; deadline 4 days; saves, cheaper: against "
        "on-demand\n"
        "\n"
        "                COST    COST            CHEAPER       OVER    TIME    TIME                "
        " "
        "    NOT\n"
        "   STRATEGY      P50     P90     SAVES       IN     BUDGET     P50     P90        LATE    "
        "FINISHED\n"
        "   on-demand   3,310   3,617  baseline        -  all 1,000  2.43 d  2.78 d  0 of 1,000  "
        "0 of 1,000\n"
        "✔  spot       12,430  12,600  912 ± 32     93 %       12 %  3.52 d  4.04 d       < 1 %  "
        "0 of 1,000\n"
        "\n"
        "1,000 simulated futures, seed 7, prices as of 2025-11-30\n"
        "P50: half of the futures are at or below it; P90: 9 in 10\n"
        "saves: mean of all differences, not the difference of the P50s\n"
        "±: the simulation's error (95 %), not the spread of the savings\n"
        "with hindsight the nodes of 'work' would have cost 1,200 to 2,640, after their type and "
        "number, at\n"
        "    the least (mean of the first 200 futures)\n"
        "regret, the mean of what was paid above that: on-demand: 660, P90 990; spot: 300, P90 "
        "450\n");
}

/* Which currency the amounts were computed in is said where they are shown in another. */
static void a_converted_run_says_so(void **state)
{
    struct bench *b = *state;

    assert_null(strstr(write_table(b, 120, false), "computed in"));
    b->study.frame.conversion = "computed in CNY, shown in USD at 0.14 (2026-03-01)";
    assert_non_null(strstr(write_table(b, 120, false),
                           "\ncomputed in CNY, shown in USD at 0.14 (2026-03-01)\n"));
}

static void a_narrow_terminal_gets_two_tables(void **state)
{
    struct bench *b = *state;
    const char *text;

    set_all(b);
    text = write_table(b, 80, false);
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1)
        if (strncmp(line, "Cost in", 7) != 0)
            assert_true(strcspn(line, "\n") <= 82); /* ± is two bytes */
    assert_non_null(strstr(strstr(text, "STRATEGY") + 1, "STRATEGY"));
}

static void without_budget_deadline_time_or_baseline_columns_go(void **state)
{
    struct bench *b = *state;
    const char *text;

    sample_set(&b->study, "on-demand", "over_budget", "mean", NONE);
    sample_set(&b->study, "spot", "over_budget", "mean", NONE);
    sample_set(&b->study, "on-demand", "late", "mean", NONE);
    sample_set(&b->study, "spot", "late", "mean", NONE);
    b->study.frame.baseline = NULL;
    b->study.frame.time_metric = NULL;
    text = write_table(b, 120, false);
    assert_null(strstr(text, "BUDGET"));
    assert_null(strstr(text, "LATE"));
    assert_null(strstr(text, "TIME"));
    assert_null(strstr(text, "SAVES"));
    assert_null(strstr(text, "SIGNED"));
    assert_non_null(strstr(text, "FINISHED"));
}

static void what_is_signed_for_has_a_column(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "spot", "obligation_usd", "p50", 488000.0);
    assert_non_null(strstr(write_table(b, 130, false), "SIGNED"));
    assert_non_null(strstr(b->bytes, "488,000"));
}

static void what_is_signed_for_in_vain_is_told(void **state)
{
    static const struct {
        double unused, later;
        const char *says;
    } rows[] = {
        {0.0, 0.0,
         "spot: signs 100,000; none of it unused inside the horizon in the middle "
         "future\n"},
        {27400.0, 0.0,
         "spot: signs 100,000; 27 % of it unused inside the horizon in the middle "
         "future\n"},
        {400.0, 99600.0,
         "spot: signs 100,000; < 1 % of it unused inside the horizon in the middle "
         "future, > 99 % borne after it\n"},
        {0.0, 13300.0,
         "spot: signs 100,000; none of it unused inside the horizon in the middle "
         "future, 13 % borne after it\n"},
        {100000.0, NONE,
         "spot: signs 100,000; 100 % of it unused inside the horizon in the middle "
         "future\n"},
        {NONE, NONE, "spot: signs 100,000\n"},
    };
    struct bench *b = *state;

    assert_null(strstr(write_table(b, 130, false), "signs"));
    sample_set(&b->study, "spot", "obligation_usd", "p50", 100000.0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sample_set(&b->study, "spot", "commitment_unused_usd", "p50", rows[i].unused);
        sample_set(&b->study, "spot", "commitment_later_usd", "p50", rows[i].later);
        if (strstr(write_table(b, 130, false), rows[i].says) == NULL)
            fail_msg("not there: %s\n%s", rows[i].says, b->bytes);
        assert_null(strstr(b->bytes, "on-demand: signs"));
    }
}

/* Whatever the numbers: neither amount nor share of futures of what rests on an assumption. */
static void an_assumed_difference_is_not_weighed(void **state)
{
    struct bench *b = *state;
    const struct chart_pair pairs[] = {{0, 1}};

    assert_null(strstr(write_table(b, 130, false), "assumed"));
    b->study.frame.undecided = pairs;
    b->study.frame.undecided_count = 1;
    (void)write_table(b, 130, false);
    assert_non_null(strstr(b->bytes, " assumed "));
    assert_non_null(strstr(b->bytes, "assumed: the difference rests on a savings-plan rate"));
    assert_non_null(strstr(b->bytes, ": which is the cheaper is not decided"));
}

static void a_difference_that_covers_zero_is_unclear(void **state)
{
    struct bench *b = *state;

    set_all(b);
    sample_set_pair(&b->study, "spot", "cost_usd", "mean_difference", -12.0);
    sample_set_pair(&b->study, "spot", "cost_usd", "low", -52.0);
    sample_set_pair(&b->study, "spot", "cost_usd", "high", 28.0);
    assert_non_null(strstr(write_table(b, 130, false), "unclear: 12 ± 40"));
    assert_non_null(strstr(b->bytes, "unclear: the 95 % interval of that mean covers zero"));
    assert_non_null(strstr(write_table(b, 130, true), "unclear: 12 +- 40"));
}

/* 12 % of the futures of spot are cut off. */
static void cut_off(struct bench *b)
{
    struct sample_study *s = &b->study;

    set_all(b);
    sample_set(s, "spot", "cost_usd", "censored", 120.0);
    sample_set(s, "spot", "time_to_train_h", "censored", 120.0);
    sample_set(s, "spot", "cost_usd", "p50", NONE);
    sample_set(s, "spot", "cost_usd", "p50_at_least", 12345.6);
    sample_set(s, "spot", "cost_usd", "p90", NONE);
    sample_set(s, "spot", "time_to_train_h", "p90", NONE);
    sample_set(s, "spot", "time_to_train_h", "p90_at_least", 1000.0);
    sample_set(s, "spot", "over_budget", "censored", 120.0);
    sample_set_pair(s, "spot", "cost_usd", "mean_difference", NONE);
    sample_set_pair(s, "spot", "cost_usd", "n", 880.0);
    sample_set_pair(s, "spot", "cost_usd", "left_out", 120.0);
    sample_set_pair(s, "spot", "cost_usd", "win_at_least_frac", NONE);
    sample_set_pair(s, "spot", "cost_usd", "win_at_most_frac", NONE);
}

static void unfinished_futures_never_look_cheap(void **state)
{
    struct bench *b = *state;

    cut_off(b);
    write_table(b, 140, false);
    assert_non_null(strstr(b->bytes, ">= 12,340")); /* four digits, rounded down */
    assert_non_null(strstr(b->bytes, "unknown"));
    assert_non_null(strstr(b->bytes, ">= 41.6 d"));
    assert_non_null(strstr(b->bytes, "12 to 25 %")); /* over the budget */
    assert_null(strstr(b->bytes, "93 %"));           /* no wins among the futures that are left */
    assert_non_null(strstr(b->bytes, "\nspot: not finished in 12 of 100 futures; their costs are "
                                     "lower bounds\n"));
}

static void what_is_sure_is_said(void **state)
{
    struct bench *b = *state;

    cut_off(b);
    sample_set(&b->study, "spot", "cost_usd", "p50_at_most", 12395.0);
    sample_set(&b->study, "spot", "cost_usd", "p90_at_least", 12600.1);
    sample_set(&b->study, "spot", "cost_usd", "p90_at_most", 12600.3);
    sample_set_pair(&b->study, "spot", "cost_usd", "win_at_least_frac", 0.87);
    sample_set_pair(&b->study, "spot", "cost_usd", "win_at_most_frac", 0.985);
    write_table(b, 160, false);
    assert_non_null(strstr(b->bytes, "12,340 to 12,400  ")); /* near enough for a range */
    assert_non_null(strstr(b->bytes, "  12,600  "));         /* the same figure */
    assert_non_null(strstr(b->bytes, "  87 to 99 %  "));
    sample_set_pair(&b->study, "spot", "cost_usd", "win_at_most_frac", 1.0);
    assert_non_null(strstr(write_table(b, 160, false), "  >= 87 %  "));
    /* Nothing is known of a plan of which no future is finished. */
    sample_set(&b->study, "spot", "over_budget", "mean", 0.0);
    sample_set(&b->study, "spot", "over_budget", "censored", 1000.0);
    write_table(b, 160, false);
    assert_null(strstr(b->bytes, "0 to 100 %"));
    assert_null(strstr(b->bytes, ">= 0 %"));
}

/* There is nothing to estimate, so nothing has an error. */
static void one_future_has_a_difference_without_an_error(void **state)
{
    struct bench *b = *state;

    set_all(b);
    sample_set_pair(&b->study, "spot", "cost_usd", "n", 1.0);
    sample_set_pair(&b->study, "spot", "cost_usd", "mean_difference", -912.4);
    sample_set_pair(&b->study, "spot", "cost_usd", "low", NONE);
    sample_set_pair(&b->study, "spot", "cost_usd", "high", NONE);
    sample_set_pair(&b->study, "spot", "cost_usd", "win_frac", 1.0);
    write_table(b, 160, false);
    assert_non_null(strstr(b->bytes, "  912  "));
    assert_non_null(strstr(b->bytes, "  1 of 1  "));
    assert_null(strstr(b->bytes, "unknown"));
    assert_null(strstr(b->bytes, "±"));
    assert_null(strstr(b->bytes, "saves: mean"));
}

static void head_of(struct bench *b, const char *wanted)
{
    const char *text = write_table(b, 160, false);

    if (strstr(text, wanted) == NULL)
        fail_msg("'%s' is not in:\n%s", wanted, text);
}

static void budget_and_deadlines_are_told_as_they_are(void **state)
{
    static const struct chart_deadline two[] = {{"a", 96.0}, {"b", 180.0}};
    struct bench *b = *state;

    set_all(b);
    b->study.frame.budget = 20000.5;
    head_of(b, "; budget 20,000.50; deadline 4 days; ");
    b->study.frame.budget = 20000.0;
    b->study.frame.budget_uncertain = true;
    b->study.frame.deadlines = two;
    b->study.frame.deadline_count = 2;
    head_of(b, "; budget P50 20,000 (uncertain); deadline of a 4 days, of b 7.5 days; ");
    b->study.frame.deadline_count = 1; /* the other workload has none */
    b->study.frame.workload_count = 2;
    head_of(b, "; deadline of a 4 days; ");
}

static void many_unfinished_are_named_by_five(void **state)
{
    static const struct sample_strategy one = {"s", 10.0, 0.1, 60.0, 0.1, 0.5, 0.0, 0.0};
    struct sample_strategy eight[8];
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const struct sample_options options = {
        .worlds = 40, .budget = NONE, .deadline_h = NONE, .horizon_h = 1000.0};
    struct bench *b = *state;

    sample_study_release(&b->study);
    for (size_t i = 0; i < 8; i++) {
        eight[i] = one;
        eight[i].name = names[i];
    }
    assert_true(sample_study_init(&b->study, eight, 8, &options));
    write_table(b, 130, false);
    assert_non_null(strstr(b->bytes, "\ne: not finished"));
    assert_null(strstr(b->bytes, "\nf: not finished"));
    assert_non_null(strstr(b->bytes, "\nand 3 more strategies with unfinished futures\n"));
}

/* A row of the summary that the sample has not. */
static void add_metric(struct bench *b, const char *strategy, const char *metric, double each)
{
    struct table *t = b->study.owned[0];
    static const char *const numbers[] = {"mean", "p50", "p90"};
    const size_t row = table_add_row(t);

    table_set_text(t, row, (size_t)table_find(t, "strategy"), strategy);
    table_set_text(t, row, (size_t)table_find(t, "workload"), "all");
    table_set_text(t, row, (size_t)table_find(t, "metric"), metric);
    table_set_integer(t, row, (size_t)table_find(t, "n"), 200);
    table_set_integer(t, row, (size_t)table_find(t, "censored"), 0);
    for (size_t i = 0; i < 3; i++)
        table_set_number(t, row, (size_t)table_find(t, numbers[i]), each);
}

static void latency_with_overload_in_it_has_a_star(void **state)
{
    struct bench *b = *state;

    add_metric(b, "on-demand", "latency_p95_s", 1.25);
    add_metric(b, "spot", "latency_p95_s", 25.9);
    add_metric(b, "on-demand", "overloaded_h", 0.0);
    write_table(b, 200, false);
    assert_non_null(strstr(b->bytes, "LATENCY"));
    assert_non_null(strstr(b->bytes, "1.25 s"));
    assert_null(strchr(b->bytes, '*'));
    add_metric(b, "spot", "overloaded_h", 1.234);
    write_table(b, 200, false);
    assert_non_null(strstr(b->bytes, "25.9 s*"));
    assert_null(strstr(b->bytes, "1.25 s*"));
    assert_non_null(strstr(b->bytes, "no steady state: 1.3 h a future on average"));
}

/* Too few requests answered are named though no strategy answers more: a cost of nothing looks
 * cheap. The last percent is let pass. */
static void requests_that_nobody_answers_are_named(void **state)
{
    struct bench *b = *state;

    add_metric(b, "on-demand", "requests", 1000.0);
    add_metric(b, "on-demand", "requests_served", 991.0);
    add_metric(b, "spot", "requests", 1000.0);
    add_metric(b, "spot", "requests_served", 985.0);
    write_table(b, 200, false);
    assert_null(strstr(b->bytes, "on-demand: leaves"));
    assert_non_null(strstr(b->bytes, "spot: leaves 1.5 % of the requests unanswered\n"));
}

static void requests_that_others_answer_are_named(void **state)
{
    struct bench *b = *state;

    add_metric(b, "on-demand", "requests", 1000.0);
    add_metric(b, "on-demand", "requests_served", 980.0);
    add_metric(b, "spot", "requests", 1000.0);
    add_metric(b, "spot", "requests_served", 0.0);
    write_table(b, 200, false);
    assert_non_null(strstr(b->bytes, "on-demand: leaves 2 % of the requests unanswered\n"));
    assert_non_null(
        strstr(b->bytes, "spot: leaves 100 % of the requests unanswered, others fewer"));
}

/* Of nodes that services share the share is of node-hours, and reads like one of requests. */
static void served_of_nodes_is_told_from_requests(void **state)
{
    struct bench *b = *state;

    add_metric(b, "spot", "served_frac", 0.986);
    write_table(b, 200, false);
    assert_non_null(strstr(b->bytes, "SERVED"));
    assert_null(strstr(b->bytes, "served: of the node-hours"));
    add_metric(b, "spot", "requests", 1000.0);
    write_table(b, 200, false);
    assert_non_null(strstr(b->bytes, "served: of the node-hours that are needed"));
}

static void names_cannot_drive_the_terminal(void **state)
{
    struct bench *b = *state;

    b->study.frame.scenario = "x\x1b]0;title\x07y";
    b->study.frame.note = "partial run";
    write_table(b, 120, false);
    assert_null(strchr(b->bytes, 0x1b));
    assert_null(strchr(b->bytes, 0x07));
    assert_non_null(strstr(b->bytes, "partial run"));
}

static void a_missing_column_is_an_error(void **state)
{
    struct bench *b = *state;
    struct terminal_style style = {120, false};

    b->study.tables.summary = b->study.tables.timeline;
    assert_false(run_table_write(&b->study.frame, &b->study.tables, &style, stdout, b->d));
    assert_int_equal(diagnostics_count(b->d, DIAGNOSTIC_ERROR), 1);
}

static void a_full_disk_is_a_failure(void **state)
{
    struct bench *b = *state;
    struct terminal_style style = {120, false};
    FILE *f = fopen("/dev/full", "w");

    assert_non_null(f);
    setvbuf(f, NULL, _IONBF, 0);
    assert_false(run_table_write(&b->study.frame, &b->study.tables, &style, f, b->d));
    fclose(f);
    assert_int_equal(diagnostics_count(b->d, DIAGNOSTIC_FAILURE), 1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(the_table_of_a_plain_run),
                                       TEST(a_converted_run_says_so),
                                       TEST(a_narrow_terminal_gets_two_tables),
                                       TEST(without_budget_deadline_time_or_baseline_columns_go),
                                       TEST(what_is_signed_for_has_a_column),
                                       TEST(what_is_signed_for_in_vain_is_told),
                                       TEST(a_difference_that_covers_zero_is_unclear),
                                       TEST(an_assumed_difference_is_not_weighed),
                                       TEST(unfinished_futures_never_look_cheap),
                                       TEST(what_is_sure_is_said),
                                       TEST(one_future_has_a_difference_without_an_error),
                                       TEST(budget_and_deadlines_are_told_as_they_are),
                                       TEST(many_unfinished_are_named_by_five),
                                       TEST(latency_with_overload_in_it_has_a_star),
                                       TEST(requests_that_nobody_answers_are_named),
                                       TEST(requests_that_others_answer_are_named),
                                       TEST(served_of_nodes_is_told_from_requests),
                                       TEST(names_cannot_drive_the_terminal),
                                       TEST(a_missing_column_is_an_error),
                                       TEST(a_full_disk_is_a_failure)};

    return cmocka_run_group_tests_name("run_table", tests, NULL, NULL);
}
