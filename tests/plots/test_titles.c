/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every rule of titles.h, each from a table in which the claim holds and one in which it does not.
 */
#include "tests/support/testing.h"

#include "plots/charts/chart_context.h"
#include "plots/sentences/title_compare.h"
#include "plots/sentences/title_parts.h"
#include "plots/sentences/titles.h"
#include "plots/text/label.h"
#include "tests/support/sample_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NONE ((double)NAN)

struct bench {
    struct sample_study study;
    struct study_facts facts;
    struct diagnostics *d;
    struct text title;
};

/* on-demand, the baseline, "spot" and "safe": all finish, all cheap to reason about. Tests then set
 * the cells that a rule reads. */
static int set_up(void **state)
{
    static struct bench b;
    const struct sample_strategy strategies[] = {
        {"on-demand", 3300.0, 0.1, 60.0, 0.1, 0.0, 0.0, 0.0},
        {"spot", 1500.0, 0.1, 80.0, 0.1, 0.0, 1.0, 0.0},
        {"safe", 2400.0, 0.1, 70.0, 0.1, 0.0, 0.5, 0.0}};
    const struct sample_options options = {
        .worlds = 200, .budget = 2000.0, .deadline_h = 96.0, .horizon_h = 1000.0};

    if (!sample_study_init(&b.study, strategies, 3, &options))
        return -1;
    b.d = diagnostics_new();
    text_init(&b.title, 0);
    *state = &b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    sample_study_release(&b->study);
    diagnostics_free(b->d);
    text_release(&b->title);
    return 0;
}

static const char *render(struct bench *b, void (*title)(struct text *, const struct study_facts *))
{
    assert_true(study_facts_init(&b->facts, &b->study.frame, &b->study.tables, b->d));
    text_clear(&b->title);
    title(&b->title, &b->facts);
    return b->title.data;
}

static void set_cost(struct bench *b, const char *strategy, double p50, double p90)
{
    sample_set(&b->study, strategy, "cost_usd", "p50", p50);
    sample_set(&b->study, strategy, "cost_usd", "p50_low", p50 - 10.0);
    sample_set(&b->study, strategy, "cost_usd", "p50_high", p50 + 10.0);
    sample_set(&b->study, strategy, "cost_usd", "p90", p90);
}

static void set_pair(struct bench *b, const char *strategy, const char *metric, double mean,
                     double half, double win)
{
    sample_set_pair(&b->study, strategy, metric, "mean_difference", mean);
    sample_set_pair(&b->study, strategy, metric, "low", mean - half);
    sample_set_pair(&b->study, strategy, metric, "high", mean + half);
    sample_set_pair(&b->study, strategy, metric, "win_frac", win);
    sample_set_pair(&b->study, strategy, metric, "tie_frac", 0.0);
}

static void set_unfinished(struct bench *b, const char *strategy, double worlds)
{
    sample_set(&b->study, strategy, "cost_usd", "censored", worlds);
    sample_set(&b->study, strategy, "time_to_train_h", "censored", worlds);
}

/* Names are kept while a page has room for them, and stay apart where it has not. */
static void long_names_are_kept_while_there_is_room(void **state)
{
    struct bench *b = *state;
    const char *const name = "3 reserved, on-demand after 4 h";

    render(b, title_cost);
    b->facts.strategy[1].name = name;
    b->facts.strategy[2].name = "4 reserved, spot after 4 h";
    assert_string_equal(title_name(&b->facts, 1).text, name);
    b->facts.strategy[1].name = "the capacity that is reserved in us-east-1a, then on demand";
    b->facts.strategy[2].name = "the capacity that is reserved in us-east-1b, then on demand";
    assert_true(label_width(title_name(&b->facts, 1).text, true) <= 20.0);
    assert_string_not_equal(title_name(&b->facts, 1).text, title_name(&b->facts, 2).text);
}

/* ---- cost ---- */

static void cost_says_the_chance_within_the_budget(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "spot", "over_budget", "mean", 0.07);
    assert_string_equal(render(b, title_cost),
                        "spot keeps within the $2,000 budget in 93 of 100 futures");
    sample_set(&b->study, "spot", "over_budget", "mean", 0.0);
    assert_string_equal(render(b, title_cost),
                        "spot keeps within the $2,000 budget in all 200 futures");
    sample_set(&b->study, "spot", "over_budget", "mean", 1.0);
    assert_string_equal(render(b, title_cost),
                        "spot keeps within the $2,000 budget in none of 200 futures");
}

/* 1 of 200 worlds is unfinished and not yet over the budget: 7 % over may be 7.5 %. */
static void cost_counts_unfinished_futures_against_the_budget(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "spot", "over_budget", "mean", 0.07);
    sample_set(&b->study, "spot", "over_budget", "censored", 1.0);
    set_unfinished(b, "spot", 1.0);
    assert_string_equal(render(b, title_cost),
                        "spot keeps within the $2,000 budget in at least 92 of 100 futures");
}

static void cost_never_speaks_of_what_is_unfinished(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "safe", "over_budget", "mean", 0.9);
    set_unfinished(b, "spot", 24.0); /* 12 %: cheap, but it does not stand */
    assert_string_equal(render(b, title_cost),
                        "safe keeps within the $2,000 budget in 1 of 10 futures");
    set_unfinished(b, "safe", 4.0);
    sample_set(&b->study, "on-demand", "over_budget", "mean", 1.0);
    assert_string_equal(render(b, title_cost),
                        "on-demand keeps within the $2,000 budget in none of 200 futures");
    set_unfinished(b, "on-demand", 10.0);
    assert_string_equal(render(b, title_cost), "No strategy is sure to finish: the surest, safe, "
                                               "is not finished in 2 of 100 futures");
}

static void nothing_finishes(void **state)
{
    struct bench *b = *state;

    set_unfinished(b, "spot", 200.0);
    set_unfinished(b, "safe", 200.0);
    set_unfinished(b, "on-demand", 200.0);
    assert_string_equal(render(b, title_cost),
                        "No strategy finishes by the horizon in any of 200 futures");
    assert_string_equal(render(b, title_time),
                        "No strategy finishes by the horizon in any of 200 futures");
    assert_string_equal(render(b, title_compare),
                        "No strategy finishes by the horizon in any of 200 futures");
    assert_string_equal(render(b, title_cost_time),
                        "No strategy finishes by the horizon in any of 200 futures");
}

static void an_unknown_p50_does_not_stand(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "spot", "cost_usd", "p50", NONE);
    sample_set(&b->study, "safe", "over_budget", "mean", 0.5);
    assert_string_equal(render(b, title_cost),
                        "safe keeps within the $2,000 budget in 5 of 10 futures");
    /* One between two bounds 1 % apart is as good as known. */
    sample_set(&b->study, "spot", "cost_usd", "p50_at_least", 1500.0);
    sample_set(&b->study, "spot", "cost_usd", "p50_at_most", 1515.0);
    sample_set(&b->study, "spot", "over_budget", "mean", 0.07);
    assert_string_equal(render(b, title_cost),
                        "spot keeps within the $2,000 budget in 93 of 100 futures");
    sample_set(&b->study, "spot", "cost_usd", "p50_at_most", 1516.0);
    assert_string_equal(render(b, title_cost),
                        "safe keeps within the $2,000 budget in 5 of 10 futures");
}

/* The share was counted against each world's own budget, not against the median. */
static void an_uncertain_budget_is_not_one_amount(void **state)
{
    struct bench *b = *state;

    b->study.frame.budget_uncertain = true;
    b->study.frame.budget = 2050.5;
    sample_set(&b->study, "spot", "over_budget", "mean", 0.07);
    assert_string_equal(
        render(b, title_cost),
        "spot keeps within its budget (P50 $2,050.50, uncertain) in 93 of 100 futures");
    /* A certain cost may pass some of the budgets. */
    set_cost(b, "spot", 1500.0, 1500.0);
    sample_set(&b->study, "spot", "cost_usd", "min", 1500.0);
    sample_set(&b->study, "spot", "cost_usd", "max", 1500.0);
    assert_string_equal(
        render(b, title_cost),
        "spot keeps within its budget (P50 $2,050.50, uncertain) in 93 of 100 futures");
}

static void a_stated_budget_is_not_rounded(void **state)
{
    struct bench *b = *state;

    b->study.frame.budget = 61250.0;
    sample_set(&b->study, "spot", "over_budget", "mean", 0.0);
    assert_string_equal(render(b, title_cost),
                        "spot keeps within the $61,250 budget in all 200 futures");
}

static void cost_without_a_budget_says_p90_rounded_up(void **state)
{
    struct bench *b = *state;

    b->study.frame.budget = NONE;
    set_cost(b, "spot", 1500.0, 1702.0);
    assert_string_equal(render(b, title_cost), "spot: 9 in 10 futures cost at most $1,710");
    /* All of them do. */
    sample_set(&b->study, "spot", "cost_usd", "max", 1709.0);
    assert_string_equal(render(b, title_cost), "spot costs at most $1,710 in all 200 futures");
    sample_set(&b->study, "spot", "cost_usd", "max", 2000.0);
    sample_set(&b->study, "spot", "cost_usd", "p90", NONE);
    assert_string_equal(render(b, title_cost), "spot: half of the futures cost at most $1,500");
}

static void a_certain_cost_is_said_as_such(void **state)
{
    struct bench *b = *state;

    set_cost(b, "spot", 1500.0, 1500.0);
    sample_set(&b->study, "spot", "cost_usd", "min", 1500.0);
    sample_set(&b->study, "spot", "cost_usd", "max", 1500.0);
    assert_string_equal(render(b, title_cost), "spot costs $1,500 in every future");
}

static void one_future_claims_no_chance(void **state)
{
    struct bench *b = *state;
    static const char *const names[] = {"on-demand", "spot", "safe"};

    for (size_t i = 0; i < 3; i++) {
        sample_set(&b->study, names[i], "cost_usd", "n", 1.0);
        sample_set(&b->study, names[i], "time_to_train_h", "n", 1.0);
    }
    set_cost(b, "spot", 1500.0, 1500.0);
    sample_set(&b->study, "spot", "time_to_train_h", "p50", 80.0);
    assert_string_equal(render(b, title_cost), "spot costs $1,500 in the one simulated future");
    assert_string_equal(render(b, title_compare), "spot costs $1,500 in the one simulated future");
    assert_string_equal(render(b, title_time), "spot takes 3.33 days in the one simulated future");
}

/* ---- time ---- */

static void time_says_the_chance_of_the_deadline(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "spot", "late", "mean", 0.04);
    assert_string_equal(render(b, title_time),
                        "spot meets the deadline of 4 days in 96 of 100 futures");
    sample_set(&b->study, "spot", "late", "mean", 0.86);
    assert_string_equal(render(b, title_time),
                        "spot meets the deadline of 4 days in 14 of 100 futures");
}

static void several_deadlines_are_every_deadline(void **state)
{
    struct bench *b = *state;
    static const struct chart_deadline deadlines[] = {{"a", 96.0}, {"b", 120.0}};

    b->study.frame.deadlines = deadlines;
    b->study.frame.deadline_count = 2;
    sample_set(&b->study, "spot", "late", "mean", 0.04);
    assert_string_equal(render(b, title_time), "spot meets every deadline in 96 of 100 futures");
}

/* It binds one workload of two: the sentence must not read as if it bound all. */
static void a_deadline_of_some_work_is_named(void **state)
{
    struct bench *b = *state;
    static const struct chart_deadline one[] = {{"fine-tune", 96.0}};

    b->study.frame.deadlines = one;
    b->study.frame.workload_count = 2;
    sample_set(&b->study, "spot", "late", "mean", 0.04);
    assert_string_equal(render(b, title_time), "spot meets the deadline of 'fine-tune', 4 days, in "
                                               "96 of 100 futures");
}

/* The longest takes less than three days, so the chart is in hours: the deadline is, too. */
static void times_are_in_the_unit_of_the_chart(void **state)
{
    static const char *const names[] = {"on-demand", "spot", "safe"};
    struct bench *b = *state;

    for (size_t i = 0; i < 3; i++) {
        sample_set(&b->study, names[i], "time_to_train_h", "p50", 50.0);
        sample_set(&b->study, names[i], "time_to_train_h", "p90", 63.0);
        sample_set(&b->study, names[i], "late", "mean", 0.04);
    }
    assert_string_equal(render(b, title_time),
                        "spot meets the deadline of 96 hours in 96 of 100 futures");
}

static void time_without_a_deadline_says_p90_rounded_up(void **state)
{
    struct bench *b = *state;

    sample_set(&b->study, "spot", "late", "mean", NONE);
    sample_set(&b->study, "spot", "time_to_train_h", "p90", 85.0); /* 3.54 days */
    assert_string_equal(render(b, title_time), "spot finishes within 3.55 days in 9 of 10 futures");
    sample_set(&b->study, "spot", "time_to_train_h", "max", 85.1);
    assert_string_equal(render(b, title_time), "spot finishes within 3.55 days in all 200 futures");
    sample_set(&b->study, "spot", "time_to_train_h", "min", 80.0);
    sample_set(&b->study, "spot", "time_to_train_h", "max", 80.0);
    assert_string_equal(render(b, title_time), "spot takes 3.33 days in every future");
}

/* ---- compare ---- */

static void compare_needs_the_interval_below_zero(void **state)
{
    struct bench *b = *state;

    set_cost(b, "spot", 1500.0, 1700.0);
    set_cost(b, "on-demand", 3310.0, 3500.0);
    set_pair(b, "spot", "cost_usd", -1800.0, 50.0, 0.93);
    set_pair(b, "safe", "cost_usd", -900.0, 50.0, 0.8);
    assert_string_equal(render(b, title_compare), "spot is cheaper than on-demand in 93 of 100 "
                                                  "futures: P50 $1,500 against $3,310");
    /* The interval of spot covers zero: the other clear saver is named. */
    set_pair(b, "spot", "cost_usd", -1800.0, 1900.0, 0.93);
    set_cost(b, "safe", 2400.0, 2600.0);
    assert_string_equal(render(b, title_compare), "safe is cheaper than on-demand in 8 of 10 "
                                                  "futures: P50 $2,400 against $3,310");
    /* No interval is below zero: no claim, whatever the P50s. */
    set_pair(b, "safe", "cost_usd", -900.0, 901.0, 0.8);
    assert_string_equal(render(b, title_compare),
                        "No clear difference in cost between spot and on-demand");
}

/* A mean saving by a few very cheap futures: fewer than half of them are cheaper. */
static void compare_says_when_most_futures_are_dearer(void **state)
{
    struct bench *b = *state;

    set_pair(b, "spot", "cost_usd", -80.0, 20.0, 0.4);
    set_pair(b, "safe", "cost_usd", 50.0, 20.0, 0.4);
    assert_string_equal(
        render(b, title_compare),
        "spot saves $80 on average against on-demand, but is cheaper in only 4 of 10 futures");
}

static void compare_lets_the_baseline_win_only_against_all(void **state)
{
    struct bench *b = *state;

    set_cost(b, "on-demand", 1000.0, 1100.0);
    set_pair(b, "spot", "cost_usd", 500.0, 50.0, 0.1);
    set_pair(b, "safe", "cost_usd", 1400.0, 50.0, 0.0);
    assert_string_equal(
        render(b, title_compare),
        "No strategy is cheaper than on-demand: the next, spot, costs $500 more on average");
    set_unfinished(b, "safe", 50.0);
    assert_string_equal(render(b, title_compare),
                        "No strategy that finishes is cheaper than on-demand: the next, spot, "
                        "costs $500 more on average");
    /* One of them cannot be compared: the sentence about all is not said. */
    set_unfinished(b, "safe", 0.0);
    sample_set_pair(&b->study, "safe", "cost_usd", "left_out", 1.0);
    set_cost(b, "safe", 1005.0, 1100.0);
    assert_string_equal(render(b, title_compare),
                        "No clear difference in P50 cost between on-demand and safe");
}

/* One pair of 200 is left out, and of wins only bounds are known. */
static void leave_out(struct bench *b, const char *strategy, double win_at_least,
                      double win_at_most)
{
    sample_set_pair(&b->study, strategy, "cost_usd", "n", 199.0);
    sample_set_pair(&b->study, strategy, "cost_usd", "left_out", 1.0);
    sample_set_pair(&b->study, strategy, "cost_usd", "win_frac", NONE);
    sample_set_pair(&b->study, strategy, "cost_usd", "win_at_least_frac", win_at_least);
    sample_set_pair(&b->study, strategy, "cost_usd", "win_at_most_frac", win_at_most);
}

static void compare_by_sure_wins(void **state)
{
    struct bench *b = *state;

    set_cost(b, "spot", 1500.0, 1700.0);
    set_cost(b, "on-demand", 3310.0, 3500.0);
    leave_out(b, "spot", 0.975, 0.98);
    assert_string_equal(render(b, title_compare),
                        "spot is cheaper than on-demand in at least 97 of "
                        "100 futures: P50 $1,500 against $3,310");
    /* Not sure of half of the futures, or of the P50. */
    leave_out(b, "spot", 0.495, 0.98);
    assert_null(strstr(render(b, title_compare), "is cheaper than"));
    leave_out(b, "spot", 0.975, 0.98);
    set_cost(b, "on-demand", 1515.0, 3500.0);
    assert_null(strstr(render(b, title_compare), "is cheaper than"));
}

static void compare_by_p50_when_pairs_are_missing(void **state)
{
    struct bench *b = *state;

    leave_out(b, "spot", NONE, NONE);
    set_cost(b, "spot", 1500.0, 1700.0);
    set_cost(b, "safe", 2400.0, 2600.0);
    assert_string_equal(render(b, title_compare),
                        "spot has the lowest P50 cost: $1,500 against $2,400 for safe");
    set_cost(b, "safe", 1515.0, 2600.0); /* the intervals touch */
    assert_string_equal(render(b, title_compare),
                        "No clear difference in P50 cost between spot and safe");
    set_cost(b, "safe", 2400.0, 2600.0);
    sample_set(&b->study, "spot", "cost_usd", "p50_high", NONE); /* an open end is not clear */
    assert_string_equal(render(b, title_compare),
                        "No clear difference in P50 cost between spot and safe");
}

static void compare_of_the_only_one_that_finishes(void **state)
{
    struct bench *b = *state;

    set_unfinished(b, "spot", 50.0);
    set_unfinished(b, "on-demand", 50.0);
    assert_string_equal(render(b, title_compare),
                        "Only safe finishes in at least 99 of 100 futures");
}

static void the_same_cost_is_said(void **state)
{
    struct bench *b = *state;

    set_pair(b, "spot", "cost_usd", 0.0, 0.0, 0.0);
    sample_set_pair(&b->study, "spot", "cost_usd", "tie_frac", 1.0);
    set_pair(b, "safe", "cost_usd", 50.0, 20.0, 0.4);
    assert_string_equal(render(b, title_compare),
                        "spot and on-demand cost the same in every future");
}

/* ---- cost against time: one row per pair of relations ---- */

struct pair_row {
    const char *title;
    double cost, cost_half, time, time_half;
};

/* Clear by the numbers, but they rest on an assumed rate: no winner, in whatever way the two meet.
 */
static void an_assumed_difference_names_no_winner(void **state)
{
    struct bench *b = *state;
    const struct chart_pair with_baseline[] = {{0, 1}, {0, 2}}, others[] = {{1, 2}};

    set_pair(b, "spot", "cost_usd", -1800.0, 100.0, 0.97);
    set_pair(b, "safe", "cost_usd", -900.0, 100.0, 0.9);
    assert_non_null(strstr(render(b, title_compare), "is cheaper than on-demand"));
    b->study.frame.undecided = with_baseline;
    b->study.frame.undecided_count = 2;
    assert_string_equal(render(b, title_compare),
                        "Between spot and on-demand the cheaper is not decided: a rate is assumed");
    assert_string_equal(render(b, title_cost_time),
                        "Between spot and on-demand the cheaper is not decided: a rate is assumed");
    /* one that is not in doubt may still be named */
    b->study.frame.undecided_count = 1;
    assert_non_null(strstr(render(b, title_compare), "safe is cheaper than on-demand"));
    /* without pairs, by P50 */
    b->study.frame.baseline = NULL;
    set_cost(b, "spot", 1500.0, 1600.0);
    set_cost(b, "safe", 2400.0, 2500.0);
    set_cost(b, "on-demand", 3300.0, 3400.0);
    b->study.frame.undecided_count = 0;
    assert_non_null(strstr(render(b, title_compare), "spot has the lowest P50 cost"));
    b->study.frame.undecided = others;
    b->study.frame.undecided_count = 1;
    assert_string_equal(render(b, title_compare),
                        "Between spot and safe the cheaper is not decided: a rate is assumed");
}

static void cost_time_sentence_is(void **state)
{
    const struct pair_row *r = *state;
    void *fresh = NULL;
    struct bench *b;

    assert_int_equal(set_up(&fresh), 0);
    b = fresh;
    b->study.frame.strategy_count = 2;
    set_cost(b, "spot", 1500.0, 1700.0);
    set_cost(b, "on-demand", r->cost < 0.0 ? 3310.0 : 1400.0, 3500.0);
    set_pair(b, "spot", "cost_usd", r->cost, r->cost_half, 0.7);
    set_pair(b, "spot", "time_to_train_h", r->time, r->time_half, 0.7);
    if (r->cost == 0.0 && r->cost_half == 0.0)
        sample_set_pair(&b->study, "spot", "cost_usd", "tie_frac", 1.0);
    if (r->time == 0.0 && r->time_half == 0.0)
        sample_set_pair(&b->study, "spot", "time_to_train_h", "tie_frac", 1.0);
    assert_string_equal(render(b, title_cost_time), r->title);
    tear_down(&fresh);
}

static const struct pair_row pair_rows[] = {
    {"spot is cheaper and faster than on-demand: P50 $1,500 against $3,310", -90, 9, -5, 1},
    {"spot is cheaper than on-demand but slower: P50 $1,500 against $3,310", -90, 9, 5, 1},
    {"spot is cheaper than on-demand and takes as long: P50 $1,500 against $3,310", -90, 9, 0, 0},
    {"spot is cheaper than on-demand, with no clear difference in time: P50 $1,500 against $3,310",
     -90, 9, 5, 6},
    {"spot is faster than on-demand but costs more", 90, 9, -5, 1},
    {"on-demand is cheaper and faster than spot", 90, 9, 5, 1},
    {"on-demand is cheaper than spot and takes as long", 90, 9, 0, 0},
    {"on-demand is cheaper than spot, with no clear difference in time", 90, 9, -5, 6},
    {"spot is faster than on-demand at the same cost", 0, 0, -5, 1},
    {"on-demand is faster than spot at the same cost", 0, 0, 5, 1},
    {"spot and on-demand cost and take the same in every future", 0, 0, 0, 0},
    {"spot costs the same as on-demand, with no clear difference in time", 0, 0, 5, 6},
    {"spot is faster than on-demand, with no clear difference in cost", 90, 99, -5, 1},
    {"on-demand is faster than spot, with no clear difference in cost", 90, 99, 5, 1},
    {"spot takes as long as on-demand, with no clear difference in cost", 90, 99, 0, 0},
    {"No clear difference between spot and on-demand in cost or time", 90, 99, 5, 6}};

static void cost_time_without_pairs_states_p50(void **state)
{
    struct bench *b = *state;

    set_cost(b, "spot", 1500.0, 1700.0);
    sample_set(&b->study, "spot", "time_to_train_h", "p50", 80.0);
    sample_set_pair(&b->study, "spot", "time_to_train_h", "left_out", 3.0);
    sample_set_pair(&b->study, "spot", "cost_usd", "left_out", 3.0);
    assert_string_equal(render(b, title_cost_time), "spot: P50 $1,500 and 3.33 days");
}

/* ---- spend ---- */

struct course {
    struct time_course t;
    double start_s[3], end_s[3], plan[3], p10[3], p25[3], p50[3], p75[3], p90[3];
};

/* Three days; `last` is where each quantile ends, reached on the third day. */
static const char *spend(struct bench *b, struct course *c, const double last[5])
{
    double *quantiles[] = {c->p10, c->p25, c->p50, c->p75, c->p90};

    c->t = (struct time_course){3,      c->start_s, c->end_s, c->plan, c->p10,
                                c->p25, c->p50,     c->p75,   c->p90};
    for (size_t k = 0; k < 3; k++) {
        c->start_s[k] = 86400.0 * (double)k;
        c->end_s[k] = c->start_s[k] + 86400.0;
        for (size_t q = 0; q < 5; q++)
            quantiles[q][k] = last[q] * (double)(k + 1) / 3.0;
    }
    assert_true(study_facts_init(&b->facts, &b->study.frame, &b->study.tables, b->d));
    text_clear(&b->title);
    title_spend(&b->title, &b->facts, 1, &c->t);
    return b->title.data;
}

static void spend_says_who_passes_the_budget_and_when(void **state)
{
    struct bench *b = *state;
    struct course c;

    sample_set(&b->study, "spot", "over_budget", "mean", 0.12);
    assert_string_equal(spend(b, &c, (double[]){1000, 1200, 1500, 1800, 2100}),
                        "1 in 10 futures of spot pass the $2,000 budget by 4 Mar 2026");
    /* The quantile is of the futures in the timeline; of all, fewer pass it. */
    sample_set(&b->study, "spot", "over_budget", "mean", 0.08);
    assert_string_equal(spend(b, &c, (double[]){1000, 1200, 1500, 1800, 2100}),
                        "spot stays within the $2,000 budget in 92 of 100 futures");
    /* The median passes it on the second day already: 3,300 × 2/3 > 2,000. */
    sample_set(&b->study, "spot", "over_budget", "mean", 0.9);
    assert_string_equal(spend(b, &c, (double[]){1000, 1200, 3300, 3400, 3500}),
                        "Half of the futures of spot pass the $2,000 budget by 3 Mar 2026");
    assert_string_equal(spend(b, &c, (double[]){2001, 2200, 3300, 3400, 3500}),
                        "9 in 10 futures of spot pass the $2,000 budget by 4 Mar 2026");
    /* All of them do, if not by that day. */
    sample_set(&b->study, "spot", "over_budget", "mean", 1.0);
    assert_string_equal(
        spend(b, &c, (double[]){2001, 2200, 3300, 3400, 3500}),
        "spot passes the $2,000 budget in all 200 futures: in 9 of 10 by 4 Mar 2026");
}

static void spend_within_the_budget(void **state)
{
    struct bench *b = *state;
    struct course c;

    sample_set(&b->study, "spot", "over_budget", "mean", 0.05);
    assert_string_equal(spend(b, &c, (double[]){1000, 1200, 1500, 1800, 2000}),
                        "spot stays within the $2,000 budget in 95 of 100 futures");
    sample_set(&b->study, "spot", "over_budget", "mean", 0.0);
    assert_string_equal(spend(b, &c, (double[]){1000, 1200, 1500, 1800, 2000}),
                        "spot stays within the $2,000 budget in all 200 futures");
    /* What it signs for goes beyond what it spends by the horizon. */
    sample_set(&b->study, "spot", "over_budget", "mean", 1.0);
    sample_set(&b->study, "spot", "obligation_usd", "p50", 5000.0);
    set_cost(b, "spot", 1500.0, 1700.0);
    assert_string_equal(spend(b, &c, (double[]){1000, 1200, 1500, 1800, 2000}),
                        "spot spends $1,500 by 4 Mar 2026 (P50); with all it signs for, over the "
                        "$2,000 budget in all 200 futures");
}

/* Paid upfront for years of which most are reused: the budget, which is for the cost, is kept. */
static void spend_beyond_the_cost(void **state)
{
    struct bench *b = *state;
    struct course c;

    sample_set(&b->study, "spot", "over_budget", "mean", 0.0);
    sample_set(&b->study, "spot", "obligation_usd", "p50", 4290.0);
    set_cost(b, "spot", 4290.0, 4290.0); /* of what is paid, in this sample */
    set_cost(b, "safe", 5000.0, 5000.0);
    set_cost(b, "on-demand", 5000.0, 5000.0);
    assert_string_equal(spend(b, &c, (double[]){4290, 4290, 4290, 4290, 4290}),
                        "spot pays $4,290 (P50); its cost, less reuse, is within the $2,000 budget "
                        "in all 200 futures");
}

static void spend_of_what_never_finishes(void **state)
{
    struct bench *b = *state;
    struct course c;

    sample_set(&b->study, "spot", "over_budget", "mean", 0.0);
    set_unfinished(b, "spot", 200.0);
    set_unfinished(b, "safe", 200.0);
    set_unfinished(b, "on-demand", 200.0);
    assert_string_equal(spend(b, &c, (double[]){1000, 1200, 1500, 1800, 1900}),
                        "No strategy finishes by the horizon in any of 200 futures");
    b->study.frame.strategy_count = 1;
    assert_string_equal(render(b, title_cost),
                        "on-demand does not finish by the horizon in any of 200 futures");
}

/* Each world has its own budget: no day can be named. */
static void spend_against_an_uncertain_budget(void **state)
{
    struct bench *b = *state;
    struct course c;

    b->study.frame.budget_uncertain = true;
    sample_set(&b->study, "spot", "over_budget", "mean", 0.3);
    assert_string_equal(spend(b, &c, (double[]){1000, 1200, 1500, 1800, 2100}),
                        "spot stays within its budget (P50 $2,000, uncertain) in 7 of 10 futures");
}

static void spend_without_a_budget(void **state)
{
    struct bench *b = *state;
    struct course c;

    b->study.frame.budget = NONE;
    sample_set(&b->study, "spot", "over_budget", "mean", NONE);
    /* The figures are of all futures, not of those in the timeline alone. */
    set_cost(b, "spot", 1500.0, 1902.0);
    sample_set(&b->study, "spot", "cost_usd", "p10", 1004.0);
    assert_string_equal(spend(b, &c, (double[]){904, 1200, 1500, 1800, 1902}),
                        "spot spends $1,500 by 4 Mar 2026 (P50); 8 in 10 futures lie between "
                        "$1,000 and $1,910");
    /* No spread that can be seen. */
    sample_set(&b->study, "spot", "cost_usd", "p10", 1499.9);
    sample_set(&b->study, "spot", "cost_usd", "p90", 1500.1);
    assert_string_equal(spend(b, &c, (double[]){1500, 1500, 1500, 1500, 1500}),
                        "spot spends $1,500 by 4 Mar 2026 (P50)");
}

/* ---- nodes ---- */

static const char *nodes(struct bench *b, const struct title_nodes *n)
{
    assert_true(study_facts_init(&b->facts, &b->study.frame, &b->study.tables, b->d));
    text_clear(&b->title);
    title_nodes(&b->title, &b->facts, n);
    return b->title.data;
}

static void nodes_name_the_share_of_spot(void **state)
{
    struct bench *b = *state;
    struct title_nodes n[3] = {{240.0, 0.0, 0.0}, {36.0, 64.0, 0.0}, {80.0, 20.0, 0.0}};

    assert_string_equal(nodes(b, n), "spot buys 64 % of its node hours on spot in the plan world");
    /* Unfinished: one that stands is named instead. */
    set_unfinished(b, "spot", 24.0);
    assert_string_equal(nodes(b, n), "safe buys 20 % of its node hours on spot in the plan world");
    n[2] = (struct title_nodes){0.0, 20.0, 0.0};
    assert_string_equal(nodes(b, n), "safe runs on spot nodes alone in the plan world");
    /* Only one that does not stand uses spot. */
    n[2] = (struct title_nodes){10.0, 0.0, 0.0};
    assert_string_equal(nodes(b, n), "safe runs no node on spot in the plan world");
    n[1] = (struct title_nodes){10.0, 0.0, 0.0};
    assert_string_equal(nodes(b, n), "No node runs on spot in the plan world");
    n[0] = n[1] = n[2] = (struct title_nodes){0.0, 0.0, 0.0};
    assert_string_equal(nodes(b, n), "No node runs in the plan world");
    set_unfinished(b, "safe", 24.0);
    set_unfinished(b, "on-demand", 30.0);
    n[1] = (struct title_nodes){0.0, 20.0, 0.0};
    assert_non_null(strstr(nodes(b, n), "No strategy is sure to finish"));
}

/* ---- names ---- */

static void long_names_stay_apart(void **state)
{
    struct bench *b = *state;
    struct text one, two;

    b->study.names[0] = "spot-with-fallback-in-three-zones-AAAAAAAA-p4d.24xlarge-by-16";
    b->study.names[1] = "spot-with-fallback-in-three-zones-BBBBBBBB-p4d.24xlarge-by-16";
    b->study.frame.baseline = b->study.names[0];
    assert_true(study_facts_init(&b->facts, &b->study.frame, &b->study.tables, b->d));
    text_init(&one, 0);
    text_init(&two, 0);
    facts_name(&one, &b->facts, 0, 12.0, false);
    facts_name(&two, &b->facts, 1, 12.0, false);
    assert_string_not_equal(one.data, two.data);
    assert_string_equal(one.data + one.length - 3, " #1");
    assert_string_equal(two.data + two.length - 3, " #2");
    text_release(&one);
    text_release(&two);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
#define COUNT(array)   (sizeof(array) / sizeof(array)[0])

/* The title is about what was chosen, as far as pairs tell of it and it finishes. */
static void compare_speaks_of_what_was_chosen(void **state)
{
    struct bench *b = *state;

    set_cost(b, "spot", 1500.0, 1600.0);
    set_cost(b, "safe", 2400.0, 2500.0);
    set_cost(b, "on-demand", 3300.0, 3400.0);
    set_pair(b, "spot", "cost_usd", -1800.0, 30.0, 0.99);
    set_pair(b, "safe", "cost_usd", -900.0, 30.0, 0.93);
    b->study.frame.chosen = "safe";
    assert_string_equal(
        render(b, title_compare),
        "safe (chosen) is cheaper than on-demand in 93 of 100 futures: P50 $2,400 against $3,300");
    set_pair(b, "safe", "cost_usd", 20.0, 30.0, 0.4);
    assert_string_equal(render(b, title_compare),
                        "No clear difference in cost between safe (chosen) and on-demand");
    set_pair(b, "safe", "cost_usd", 80.0, 30.0, 0.2);
    assert_string_equal(render(b, title_compare),
                        "safe (chosen) costs $80 more on average than on-demand");
    /* Whoever chose it: what does not finish is not marked. */
    set_unfinished(b, "safe", 24.0);
    assert_null(strstr(render(b, title_compare), "chosen"));
    assert_int_equal(b->facts.chosen, -1);
    b->study.frame.chosen = "nobody";
    assert_null(strstr(render(b, title_compare), "chosen"));
}

static const char *choice_words(struct bench *b)
{
    render(b, title_compare);
    text_clear(&b->title);
    chart_add_choice(&b->title, &b->facts);
    return b->title.data;
}

/* Those that cannot be told from the choice are named, and nobody is without one. */
static void subtitles_name_the_choice_and_what_is_level(void **state)
{
    struct bench *b = *state;

    b->study.frame.level = UINT64_C(1) << 1;
    assert_string_equal(choice_words(b), "");
    b->study.frame.chosen = "safe";
    assert_string_equal(choice_words(b), "; chosen: safe, from which spot cannot be told");
    set_unfinished(b, "spot", 24.0);
    assert_string_equal(choice_words(b), "; chosen: safe");
}

int main(void)
{
    const struct CMUnitTest fixed[] = {TEST(long_names_are_kept_while_there_is_room),
                                       TEST(cost_says_the_chance_within_the_budget),
                                       TEST(cost_counts_unfinished_futures_against_the_budget),
                                       TEST(cost_never_speaks_of_what_is_unfinished),
                                       TEST(nothing_finishes),
                                       TEST(an_unknown_p50_does_not_stand),
                                       TEST(an_uncertain_budget_is_not_one_amount),
                                       TEST(a_stated_budget_is_not_rounded),
                                       TEST(a_deadline_of_some_work_is_named),
                                       TEST(times_are_in_the_unit_of_the_chart),
                                       TEST(compare_by_sure_wins),
                                       TEST(compare_speaks_of_what_was_chosen),
                                       TEST(subtitles_name_the_choice_and_what_is_level),
                                       TEST(cost_without_a_budget_says_p90_rounded_up),
                                       TEST(a_certain_cost_is_said_as_such),
                                       TEST(one_future_claims_no_chance),
                                       TEST(time_says_the_chance_of_the_deadline),
                                       TEST(several_deadlines_are_every_deadline),
                                       TEST(time_without_a_deadline_says_p90_rounded_up),
                                       TEST(compare_needs_the_interval_below_zero),
                                       TEST(compare_says_when_most_futures_are_dearer),
                                       TEST(compare_lets_the_baseline_win_only_against_all),
                                       TEST(compare_by_p50_when_pairs_are_missing),
                                       TEST(compare_of_the_only_one_that_finishes),
                                       TEST(the_same_cost_is_said),
                                       TEST(an_assumed_difference_names_no_winner),
                                       TEST(cost_time_without_pairs_states_p50),
                                       TEST(spend_says_who_passes_the_budget_and_when),
                                       TEST(spend_within_the_budget),
                                       TEST(spend_beyond_the_cost),
                                       TEST(spend_of_what_never_finishes),
                                       TEST(spend_against_an_uncertain_budget),
                                       TEST(spend_without_a_budget),
                                       TEST(nodes_name_the_share_of_spot),
                                       TEST(long_names_stay_apart)};
    struct CMUnitTest tests[COUNT(fixed) + COUNT(pair_rows)];

    memcpy(tests, fixed, sizeof fixed);
    for (size_t i = 0; i < COUNT(pair_rows); i++)
        tests[COUNT(fixed) + i] = (struct CMUnitTest){pair_rows[i].title, cost_time_sentence_is,
                                                      NULL, NULL, (void *)(uintptr_t)&pair_rows[i]};
    return _cmocka_run_group_tests("titles", tests, COUNT(tests), NULL, NULL);
}
