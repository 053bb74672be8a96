/* SPDX-License-Identifier: GPL-3.0-or-later
 * The sentence under each chart, where its claim holds and where it does not. */
#include "tests/support/testing.h"

#include "plots/charts/charts.h"
#include "plots/report/report_sentences.h"
#include "tests/support/report_bed.h"
#include "tests/support/text_table.h"

#include <math.h>
#include <string.h>

#define NONE ((double)NAN)
#define SPOT 1

static int set_up(void **state)
{
    static struct report_bed b;

    *state = &b;
    return report_bed_init(&b, NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
    report_bed_release(*state);
    return 0;
}

static const char *say(struct report_bed *b, int subject, const char *chart)
{
    report_bed_compose(b, REPORT_EN, NULL);
    return report_sentence(&b->document, &b->source, subject, chart);
}

static void test_every_chart_has_a_sentence(void **state)
{
    struct report_bed *b = *state;

    for (int l = 0; l < REPORT_LANGUAGES; l++) {
        report_bed_compose(b, (enum report_language)l, NULL);
        for (size_t i = 0; chart_name(i) != NULL; i++) {
            const char *said = report_sentence(&b->document, &b->source, SPOT, chart_name(i));
            if (strcmp(said, report_word((enum report_language)l, WORD_SHOWS_OTHER)) == 0)
                fail_msg("there is no sentence for the chart '%s'", chart_name(i));
        }
    }
}

static void test_cost(void **state)
{
    struct report_bed *b = *state;

    sample_set(&b->study, "spot", "cost_usd", "p50", 3000.0);
    sample_set(&b->study, "spot", "cost_usd", "p95", 4001.0);
    assert_string_equal(say(b, SPOT, "cost"), "“spot”: half of the futures cost at most $3,000, 95 "
                                              "of 100 at most $4,010.");
    sample_set(&b->study, "spot", "cost_usd", "p95", NONE);
    assert_string_equal(
        say(b, SPOT, "cost"),
        "“spot”: half of the futures cost at most $3,000; the worst case is not known.");
    sample_set(&b->study, "spot", "cost_usd", "p50", NONE);
    assert_string_equal(say(b, SPOT, "cost"), "The cost of “spot” is not known.");
    assert_non_null(strstr(say(b, -1, "cost"), "No strategy is finished in enough futures"));
}

/* Hours in which several services are overloaded are the same hours. */
static void test_overload_is_of_one_service(void **state)
{
    struct report_bed *b = *state;
    const char *columns = "strategy:t,workload:t,start_s,end_s,overloaded";

    b->study.tables.services =
        report_bed_keep(b, text_table("services", columns,
                                      "spot,chat,0,3600,1\nspot,chat,3600,7200,1\n"
                                      "spot,search,0,3600,1\nspot,search,3600,7200,0\n"));
    assert_string_equal(say(b, SPOT, "demand"),
                        "In its plan world “spot” is overloaded for 2 hours in its service "
                        "“chat”, the longest of 2.");
    b->study.tables.services = report_bed_keep(
        b, text_table("services", columns, "spot,chat,0,3600,1\nspot,chat,3600,7200,1\n"));
    assert_string_equal(say(b, SPOT, "demand"),
                        "In its plan world “spot” is overloaded for 2 hours in all.");
    /* Nothing is said where nothing is measured. */
    b->study.tables.services =
        report_bed_keep(b, text_table("services", columns, "spot,chat,0,3600,\n"));
    assert_null(strstr(say(b, SPOT, "demand"), "overloaded"));
}

/* A job that runs in one week of nine pays nothing in eight: the mean is no hour's price. */
static void test_week_says_of_how_many_hours(void **state)
{
    struct report_bed *b = *state;

    b->study.tables.hour_of_week = report_bed_keep(
        b, text_table("hour_of_week", "strategy:t,hour_of_week,hours,spend_mean_usd",
                      "spot,1,9,9.76\nspot,2,9,0\n"));
    assert_string_equal(
        say(b, SPOT, "week"),
        "“spot” pays most on Mondays from 01:00 UTC: $9.76 an hour, the mean of the "
        "9 such hours of the plan.");
}

static void test_time(void **state)
{
    struct report_bed *b = *state;
    const char *metric = b->study.frame.time_metric;

    sample_set(&b->study, "spot", metric, "p50", 72.0);
    sample_set(&b->study, "spot", metric, "p90", 84.0);
    sample_set(&b->study, "spot", "late", "mean", 0.07);
    assert_string_equal(say(b, SPOT, "time"), "“spot” is done within 3 days in half of the futures "
                                              "and within 3.5 days in 9 of 10; chance late: 7 %.");
    sample_set(&b->study, "spot", metric, "p90", NONE);
    sample_set(&b->study, "spot", metric, "censored", 48.0);
    assert_string_equal(say(b, SPOT, "time"), "“spot” is not finished in 12 of 100 futures.");
}

static void test_cost_time_by_both_intervals(void **state)
{
    struct report_bed *b = *state;
    const char *metric = b->study.frame.time_metric;

    sample_set_pair(&b->study, "spot", "cost_usd", "low", -100.0);
    sample_set_pair(&b->study, "spot", "cost_usd", "high", -50.0);
    sample_set_pair(&b->study, "spot", metric, "low", 1.0);
    sample_set_pair(&b->study, "spot", metric, "high", 2.0);
    assert_string_equal(say(b, SPOT, "cost-time"),
                        "Against “on-demand”, “spot” is cheaper and is done later.");
    sample_set_pair(&b->study, "spot", "cost_usd", "high", 50.0);
    sample_set_pair(&b->study, "spot", metric, "low", -2.0);
    assert_string_equal(say(b, SPOT, "cost-time"), "Against “on-demand”, “spot” shows no clear "
                                                   "difference in cost and shows no clear "
                                                   "difference in time.");
}

static void test_nodes(void **state)
{
    struct report_bed *b = *state;

    b->source.lines = report_bed_keep(b, text_table("lines", "strategy:t,purchase:t,node_h_plan",
                                                    "spot,spot,64\nspot,on-demand,36\n"));
    assert_string_equal(say(b, SPOT, "nodes"),
                        "In its plan world “spot” runs 64 % of its node-hours on spot.");
    b->source.lines = report_bed_keep(
        b, text_table("lines", "strategy:t,purchase:t,node_h_plan", "spot,on-demand,36\n"));
    assert_string_equal(say(b, SPOT, "nodes"), "In its plan world “spot” runs no node on spot.");
}

static void test_months_and_cash(void **state)
{
    static const char columns[] = "strategy:t,month:t,cost_mean_usd,cash_mean_usd,"
                                  "amortised_mean_usd";
    struct report_bed *b = *state;
    const struct table *own = b->study.tables.monthly;

    b->study.tables.monthly = report_bed_keep(
        b, text_table("monthly", columns, "spot,2026-03,100,900,100\nspot,2026-04,300,0,300\n"));
    assert_string_equal(say(b, SPOT, "months"), "“spot” costs most in 2026-04: $300 (mean).");
    assert_string_equal(say(b, SPOT, "cash"), "“spot” is $800 ahead of its use (mean) at the end "
                                              "of 2026-03, the most at any month's end.");
    b->study.tables.monthly = report_bed_keep(
        b, text_table("monthly", columns, "spot,2026-03,300,100,100\nspot,2026-04,301,301,301\n"));
    assert_string_equal(say(b, SPOT, "months"),
                        "No month of “spot” stands out: at most $301 a month (mean).");
    assert_string_equal(say(b, SPOT, "cash"), "“spot” never pays ahead of its use.");
    b->study.tables.monthly = report_bed_keep(
        b, text_table("monthly", columns, "spot,2026-03,,,\nspot,2026-04,301,301,301\n"));
    assert_string_equal(say(b, SPOT, "months"),
                        report_word(REPORT_EN, WORD_SHOWS_MONTHS)); /* the mean is unknown */
    /* What a commitment costs behind the plan stands with its end, and is no month of it. */
    const struct table *own_categories = b->study.tables.categories;
    b->study.tables.monthly =
        report_bed_keep(b, text_table("monthly", columns,
                                      "spot,2026-03,300,0,0\nspot,2026-04,301.2,0,0\n"
                                      "spot,2026-05,900,0,0\n"));
    b->study.tables.categories =
        report_bed_keep(b, text_table("categories", "strategy:t,month:t,category:t,cost_mean_usd",
                                      "spot,2026-05,commitments-later,900\n"
                                      "safe,2026-04,commitments-later,50\n"));
    assert_string_equal(say(b, SPOT, "months"),
                        "No month of “spot” stands out: at most $302 a month (mean).");
    b->study.tables.categories = own_categories;
    b->study.tables.monthly = own;
}

static void test_plan_world(void **state)
{
    struct report_bed *b = *state;
    const struct table *own = b->study.tables.plan_world;

    b->study.tables.plan_world =
        report_bed_keep(b, text_table("plan_world", "strategy:t,what:t,left_out",
                                      "spot,work,\nspot,interrupted,\nspot,interrupted,\n"));
    assert_string_equal(say(b, SPOT, "plan-world"),
                        "In its plan world “spot” is interrupted 2 times.");
    assert_string_equal(say(b, 0, "plan-world"), report_word(REPORT_EN, WORD_SHOWS_PLAN_WORLD));
    b->study.tables.plan_world = report_bed_keep(
        b, text_table("plan_world", "strategy:t,what:t,left_out", "spot,interrupted,500\n"));
    assert_string_equal(say(b, SPOT, "plan-world"),
                        report_word(REPORT_EN, WORD_SHOWS_PLAN_WORLD)); /* not all is there */
    b->study.tables.plan_world = own;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_every_chart_has_a_sentence),
        TEST(test_cost),
        TEST(test_overload_is_of_one_service),
        TEST(test_week_says_of_how_many_hours),
        TEST(test_time),
        TEST(test_cost_time_by_both_intervals),
        TEST(test_nodes),
        TEST(test_months_and_cash),
        TEST(test_plan_world),
    };

    return cmocka_run_group_tests_name("report_sentences", tests, NULL, NULL);
}
