/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a report says, from tables in which a claim holds and from others in which it does not. */
#include "plots/report/report_metric.h"
#include "tests/support/testing.h"

#include "tests/support/report_bed.h"
#include "tests/support/text_table.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define NONE ((double)NAN)

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

static void assert_says(const struct report_bed *b, const char *text)
{
    if (!report_bed_says(b, text))
        fail_msg("the report does not say: %s", text);
}

static void assert_silent(const struct report_bed *b, const char *text)
{
    if (report_bed_says(b, text))
        fail_msg("the report says: %s", text);
}

#define SPOT_CHOSEN                                                                                \
    "on-demand,worse,3,5400,1900,1800,2000,,,,,\n"                                                 \
    "spot,chosen,1,3500,,,,,,,,\n"                                                                 \
    "safe,worse,2,4700,1200,1100,1300,1150,1000,1300,,\n"

static void test_recommends_what_was_chosen(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    report_bed_compose(b, REPORT_EN, NULL);
    assert_string_equal(report_bed_first(b, REPORT_LEAD),
                        "Approve “spot”: nothing is signed ahead; the plan starts on 2 Mar 2026.");
    assert_says(
        b,
        "Second best is “safe”: on fresh futures its cost P80 is $1,150 worse than that of “spot” "
        "(95 % interval $1,000 to $1,300).");
    assert_says(b, "spot (recommended)");
    assert_says(b, "safe (second best)");
    assert_says(b, "Saves against “on-demand”");
    report_bed_compose(b, REPORT_ZH, NULL);
    assert_string_equal(report_bed_first(b, REPORT_LEAD),
                        "请批准“spot”：无需预先签约；计划自 2026年3月2日 开始。");
    assert_says(b, "次优方案为“safe”");
}

static void test_without_a_choice_nothing_is_recommended(void **state)
{
    struct report_bed *b = *state;

    report_bed_compose(b, REPORT_EN, NULL);
    assert_string_equal(report_bed_first(b, REPORT_LEAD),
                        "Nothing is recommended: the scenario does not say what to choose by.");
    assert_says(b, "choose: {minimise: cost_usd.p80}");
    assert_silent(b, "(recommended)");
    assert_silent(b, "Approve");
    assert_says(b, "“spot” saves ");
}

static void test_nothing_eligible(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, "on-demand,breaks-limit,,5400,,,,,,,p_late <= 5 %,0.12\n"
                         "spot,unfinished,,,,,,,,,,\n"
                         "safe,unknown,,,,,,,,,,\n");
    report_bed_compose(b, REPORT_EN, NULL);
    assert_string_equal(report_bed_first(b, REPORT_LEAD),
                        "No strategy can be recommended: none keeps the stated limits and is known "
                        "well enough.");
    assert_says(b, "Why none is recommended");
    assert_says(b, "chance late <= 5 % does not hold: it is 12 %");
    assert_silent(b, "(recommended)");
    assert_silent(b, "Ask for (P80)");
}

/* The table claims what the summary denies. */
static void test_an_unfinished_one_is_not_believed(void **state)
{
    struct report_bed *b = *state;

    sample_set(&b->study, "spot", "cost_usd", "censored", 40.0);
    report_bed_choice(b, SPOT_CHOSEN);
    report_bed_compose(b, REPORT_EN, NULL);
    assert_string_equal(report_bed_first(b, REPORT_LEAD),
                        "Nothing is recommended: choice.csv names a strategy that summary.csv "
                        "shows unfinished.");
    assert_silent(b, "(recommended)");
}

static void test_a_strategy_of_another_study_is_not_recommended(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, "other,chosen,1,3500,,,,,,,,\n");
    report_bed_compose(b, REPORT_EN, NULL);
    assert_silent(b, "(recommended)");
    assert_silent(b, "Approve");
}

/* Judged on fresh futures, where work was cut off: that is not the same as not judged. */
static void test_fresh_futures_that_do_not_end(void **state)
{
    struct report_bed *b = *state;
    struct table *t;

    report_bed_choice(b, SPOT_CHOSEN);
    t = (struct table *)(uintptr_t)b->source.choice;
    table_set_number(t, 1, (size_t)table_find(t, "fresh_worlds"), 100.0);
    table_set_number(t, 1, (size_t)table_find(t, "fresh_value"), NONE);
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b,
                "On 100 fresh futures that took no part in the choice, cost P80 of “spot” is not "
                "known: work is cut off");
    assert_silent(b, "was not judged again");
    table_set_number(t, 1, (size_t)table_find(t, "fresh_worlds"), 0.0);
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "was not judged again");
}

static void test_runner_up_that_cannot_be_told(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, "on-demand,worse,3,5400,1900,1800,2000,,,,,\n"
                         "spot,chosen,1,3500,,,,,,,,\n"
                         "safe,level,2,3520,20,-30,70,10,-40,60,,\n");
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "Second best is “safe”; no clear difference to “spot” in cost P80: $10");
    assert_says(b, "Cannot be told from “spot”: “safe”.");
    assert_silent(b, "worse than that of");
}

static void test_runner_up_better_on_fresh_futures(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b,
                      "spot,chosen,1,3500,,,,,,,,\nsafe,level,2,3520,20,-30,70,-90,-140,-40,,\n");
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "the two are to be taken as level");
}

static void test_no_runner_up(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, "spot,chosen,1,3500,,,,,,,,\nsafe,breaks-limit,,,,,,,,,p_late <= 5 %,\n");
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "There is no second best");
    assert_says(b, "chance late <= 5 % is not known to hold");
    assert_says(b, "was not judged again on fresh futures");
}

static void test_no_saving_is_no_claim(void **state)
{
    struct report_bed *b = *state;

    sample_set_pair(&b->study, "spot", "cost_usd", "mean_difference", -10.0);
    sample_set_pair(&b->study, "spot", "cost_usd", "low", -60.0);
    sample_set_pair(&b->study, "spot", "cost_usd", "high", 40.0);
    report_bed_choice(b, SPOT_CHOSEN);
    report_bed_compose(b, REPORT_EN, "compare");
    assert_says(b, "No clear difference in cost between “spot” and “on-demand”");
    assert_silent(b, "“spot” saves");
    assert_string_equal(report_bed_first(b, REPORT_CHART),
                        "No clear difference in cost between “spot” and “on-demand”: the saving is "
                        "-$40 to $60 (95 % interval, which covers zero).");
}

static void test_dearer_than_the_baseline(void **state)
{
    struct report_bed *b = *state;

    sample_set_pair(&b->study, "spot", "cost_usd", "mean_difference", 500.0);
    sample_set_pair(&b->study, "spot", "cost_usd", "low", 400.0);
    sample_set_pair(&b->study, "spot", "cost_usd", "high", 600.0);
    report_bed_choice(b, SPOT_CHOSEN);
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "“spot” costs $500 more on average than “on-demand” (95 % interval $400 to "
                   "$600).");
    assert_says(b, "Costs more than “on-demand”");
    assert_silent(b, "Saves against");
}

static void test_worst_case_that_is_unknown(void **state)
{
    struct report_bed *b = *state;

    sample_set(&b->study, "spot", "cost_usd", "p95", NONE);
    sample_set(&b->study, "spot", "cost_usd", "p80", NONE);
    report_bed_choice(b, SPOT_CHOSEN);
    report_bed_compose(b, REPORT_EN, "cost");
    assert_says(b, "the reserve is not known");
    assert_says(b, "work is cut off at the horizon");
    assert_says(b, "the worst case is not known");
    assert_silent(b, "5 of 100 futures cost more");
}

/* The P95 of five futures is the dearest of them, and bounds nothing. */
static void test_few_futures_have_no_worst_case(void **state)
{
    struct report_bed *b = *state;

    sample_set(&b->study, "spot", "cost_usd", "n", 72.0);
    report_bed_choice(b, SPOT_CHOSEN);
    report_bed_compose(b, REPORT_EN, "cost");
    assert_says(b, "at most 5 of 100 futures cost more");
    sample_set(&b->study, "spot", "cost_usd", "n", 71.0);
    sample_set(&b->study, "spot", "cost_usd", "max", 4900.0);
    report_bed_compose(b, REPORT_EN, "cost");
    assert_says(b, "from only 71 futures, too few to bound it from above; the dearest of them "
                   "costs $4,900");
    assert_says(b, "half of the 71 futures cost at most");
    assert_silent(b, "of 100 futures cost more");
    assert_silent(b, "95 of 100 at most");
}

static void test_late_and_done_by(void **state)
{
    struct report_bed *b = *state;

    sample_set(&b->study, "spot", b->study.frame.time_metric, "p50", 48.0);
    sample_set(&b->study, "spot", b->study.frame.time_metric, "p90", NONE);
    sample_set(&b->study, "spot", b->study.frame.time_metric, "p90_at_least", 240.0);
    sample_set(&b->study, "spot", "late", "mean", 0.12);
    report_bed_choice(b, SPOT_CHOSEN);
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "4 Mar 2026");
    assert_says(b, "9 of 10 futures (P90): not before 12 Mar 2026");
    assert_says(b, "12 %");
}

/* ---- what is signed ---- */

static struct table *commitments(const char *rows)
{
    static const struct column columns[] = {
        {"strategy", "", "", COLUMN_TEXT, -1}, {"commitment", "", "", COLUMN_INTEGER, -1},
        {"name", "", "", COLUMN_TEXT, -1},     {"start", "", "", COLUMN_TIME, -1},
        {"end", "", "", COLUMN_TIME, -1},      {"signed_usd", "usd", "", COLUMN_NUMBER, -1}};
    struct table *t = table_new("commitments", columns, 6);

    /* Two purchases, the second earlier; a row of all has no number. */
    for (const char *s = rows; t != NULL && *s != '\0'; s++) {
        size_t row = table_add_row(t);
        table_set_text(t, row, 0, "spot");
        table_set_text(t, row, 2, *s == 'a' ? "all" : *s == '1' ? "2 x p4d" : "1 x p5");
        if (*s != 'a')
            table_set_integer(t, row, 1, *s - '0');
        table_set_integer(t, row, 3, *s == '2' ? 1775001600 : 1777593600);
        table_set_integer(t, row, 4, *s == '2' ? 1806537600 : 1809129600);
        table_set_number(t, row, 5, *s == '1' ? 100000.0 : 50000.0);
    }
    return t;
}

static void test_sign_what_until_and_by_when(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.commitments = report_bed_keep(b, commitments("1"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_string_equal(report_bed_first(b, REPORT_LEAD),
                        "Sign 2 x p4d by 1 May 2026: $100k in all, to 1 May 2027; and run “spot”.");
    b->source.commitments = report_bed_keep(b, commitments("12a"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_string_equal(
        report_bed_first(b, REPORT_LEAD),
        "Sign 2 commitments by 1 Apr 2026: $150k in all, to 1 May 2027; and run “spot”.");
    assert_says(b, "1 x p5");
    report_bed_compose(b, REPORT_ZH, NULL);
    assert_string_equal(report_bed_first(b, REPORT_LEAD),
                        "请在 2026年4月1日 前签约：2 项承诺，合计 15 万美元，有效期至 "
                        "2027年5月1日；并按“spot”执行。");
}

/* What others are stated to take over is in no cost: who signs is told how much that is, and that
 * the saving hangs on it. An obligation that is no commitment leaves the amount unknown. */
static void test_what_reuse_leaves_out_is_said(void **state)
{
    struct report_bed *b = *state;
    const char *columns =
        "strategy:t,commitment,name:t,signed_usd,used_mean_usd,unused_mean_usd,later_mean_usd";

    report_bed_choice(b, SPOT_CHOSEN);
    sample_set(&b->study, "spot", "obligation_usd", "mean", 9000.0);
    b->source.commitments = report_bed_keep(
        b, text_table("commitments", columns,
                      "spot,1,2 x p4d,6000,1000,500,900\nspot,2,1 x p5,4000,700,200,1700\n"
                      "spot,,all,10000,1700,700,2600\nsafe,1,other,5,1,1,1\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "The cost leaves out $4,000 of what is signed (mean)");
    assert_says(b, "$4,000 is more than the $");
    report_bed_compose(b, REPORT_ZH, NULL);
    assert_says(b, "超过相对");
    sample_set(&b->study, "spot", "obligation_usd", "mean", 5100.0);
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "The cost leaves out $100 of what is signed (mean)");
    assert_silent(b, "more than the $");
    sample_set(&b->study, "spot", "obligation_usd", "mean", 5000.0);
    report_bed_compose(b, REPORT_EN, NULL);
    assert_silent(b, "The cost leaves out");
    sample_set(&b->study, "spot", "obligation_usd", "mean", 90000.0);
    report_bed_compose(b, REPORT_EN, NULL);
    assert_silent(b, "The cost leaves out");
}

/* ---- cash ---- */

#define QUARTERS                                                                                   \
    "strategy:t,quarter:t,first_month:t,last_month:t,cash_mean_usd,cash_p10_usd,cash_p90_usd"

static void test_cash_against_the_budget(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.quarters =
        report_bed_keep(b, text_table("quarters", QUARTERS,
                                      "spot,FY2026 Q1,2026-03,2026-03,2000,1500,2500\n"
                                      "spot,FY2026 Q2,2026-04,2026-06,1000,500,1500\n"
                                      "safe,FY2026 Q1,2026-03,2026-03,9000,9000,9000\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "FY2026 Q2 (2026-04 to 2026-06)");
    assert_says(b, "On average $3,000 of the $6,000 budget is paid; $3,000 is left.");
    b->study.frame.budget = 2500.0;
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "On average $3,000 is paid, $500 more than the $2,500 budget.");
    b->study.frame.budget = NONE;
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "On average $3,000 is paid in all. No budget is stated.");
    assert_silent(b, "Left of budget");
}

static void test_cash_that_is_unknown(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.quarters =
        report_bed_keep(b, text_table("quarters", QUARTERS,
                                      "spot,FY2026 Q1,2026-03,2026-03,2000,1500,2500\n"
                                      "spot,FY2026 Q2,2026-04,2026-06,,500,1500\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "The total is not known: work is cut off at the horizon.");
    assert_silent(b, "budget is paid");
}

/* ---- what carries the decision ---- */

#define THRESHOLDS                                                                                 \
    "input:t,unit:t,now,other:t,threshold,threshold_low,threshold_high,direction:t,from,to,"       \
    "outcome:t,known_from,known_to"
#define SENSITIVITY                                                                                \
    "strategy:t,metric:t,metric_unit:t,input:t,input_unit:t,rank_correlation,"                     \
    "rank_correlation_low,rank_correlation_high,input_p10,input_p50,input_p90,metric_when_low,"    \
    "metric_when_high"

/* Existing commitments are sunk; without any there is no word of it. */
static void test_what_is_sunk(void **state)
{
    static const char *const names[] = {"two old nodes", "a plan", "third", "fourth"};
    struct report_bed *b = *state;

    report_bed_compose(b, REPORT_EN, NULL);
    assert_silent(b, "Sunk");
    b->source.sunk = 1890.0;
    b->source.sunk_names = names;
    b->source.sunk_count = 4;
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "Sunk, and in none of the costs: $1,890 inside the horizon for existing "
                   "commitments of the account (4: two old nodes, a plan, third, …)");
    b->source.sunk = (double)NAN;
    report_bed_compose(b, REPORT_EN, NULL);
    assert_silent(b, "Sunk");
}

static void test_what_was_not_computed(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "The values at which the choice turns were not computed: fleetcast thresholds "
                   "DIR finds them and writes thresholds.csv.");
    b->source.folder = "'my results'";
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "fleetcast thresholds 'my results' finds them");
    assert_says(b, "How much each input matters was not computed");
    b->source.sensitivity = report_bed_keep(b, text_table("sensitivity", SENSITIVITY, ""));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "The scenario states every input as one number");
}

static void test_three_that_carry(void **state)
{
    struct report_bed *b = *state;
    const struct report_block *grid = NULL;

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.thresholds =
        report_bed_keep(b, text_table("thresholds", THRESHOLDS,
                                      "rate,,3,safe,5,4.5,5.5,above,0,10,flips,0,10\n"
                                      "price,usd,10,on-demand,9.5,,,below,0,20,flips,0,20\n"
                                      "mfu,frac,0.4,on-demand,,,,,0.2,0.6,ahead,0.2,0.6\n"));
    b->source.sensitivity = report_bed_keep(
        b, text_table("sensitivity", SENSITIVITY,
                      "spot,cost_usd,usd,mfu,frac,-0.8,-0.85,-0.7,0.35,0.4,0.45,4000,2500\n"
                      "spot,cost_usd,usd,boot,s,0.05,-0.05,0.15,100,120,140,3000,3010\n"
                      "safe,cost_usd,usd,other,s,0.9,0.8,0.95,1,2,3,3000,3010\n"
                      "spot,time_to_train_h,h,slow,s,0.9,0.8,0.95,1,2,3,3000,3010\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "below $9.50, to “on-demand”");
    assert_says(b, "above 5 (4.5 to 5.5), to “safe”");
    assert_says(b, "nowhere from 20 % to 60 %");
    assert_says(b, "$4,000, $2,500 (rank correlation -0.80)");
    assert_silent(b, "boot"); /* not told from none */
    assert_silent(b, "slow");
    for (const struct report_block *k = b->document.first; k != NULL; k = k->next) {
        if (k->kind == REPORT_GRID && k->rows == 3 && strcmp(k->cells[0].text, "price") == 0)
            grid = k;
    }
    assert_non_null(grid); /* the nearest turning point comes first: 0.5 of 20 against 2 of 10 */
    assert_string_equal(grid->cells[4].text, "rate");
}

/* Signed nodes cost the same in every future: no correlation, and none is made up. */
static void test_a_cost_without_an_order_has_no_correlation(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.thresholds =
        report_bed_keep(b, text_table("thresholds", THRESHOLDS,
                                      "hours,s,230,on-demand,187,,,below,127,331,flips,127,331\n"));
    b->source.sensitivity =
        report_bed_keep(b, text_table("sensitivity", SENSITIVITY,
                                      "spot,cost_usd,usd,hours,s,,,,139,229,321,4000,4000\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "$4,000, $4,000");
    assert_silent(b, "rank correlation");
    assert_silent(b, "nan");
}

/* What was searched for another strategy is not said of this one; what could not be is not
 * "nowhere". */
static void test_thresholds_of_another_choice(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.thresholds =
        report_bed_keep(b, text_table("thresholds", THRESHOLDS ",chosen:t",
                                      "rate,,3,on-demand,5,4.5,5.5,above,0,10,flips,0,10,safe\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_silent(b, "above 5");
    b->source.thresholds =
        report_bed_keep(b, text_table("thresholds", THRESHOLDS ",chosen:t",
                                      "mfu,frac,0.4,on-demand,,,,,,,unknown,,,spot\n"));
    b->source.sensitivity = report_bed_keep(
        b, text_table("sensitivity", SENSITIVITY,
                      "spot,cost_usd,usd,mfu,frac,-0.8,-0.85,-0.7,0.35,0.4,0.45,4000,2500\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "not searched");
    assert_silent(b, "nowhere from");
}

/* What the table of thresholds does not know, the page does not claim. */
static void test_nowhere_is_said_of_what_is_known(void **state)
{
    struct report_bed *b = *state;
    static const struct {
        const char *row, *says;
    } cases[] = {
        {"mfu,frac,0.4,,,,,,,,unknown,,\n", "not searched"},
        {"mfu,frac,0.4,safe,,,,,0.2,0.6,unknown,,\n", "not known"},
        {"mfu,frac,0.4,safe,,,,,0.2,0.6,ahead,0.3,0.5\n", "nowhere from 30 % to 50 %"},
        {"mfu,frac,0.4,safe,,,,,0.2,0.6,behind,0.3,0.6\n", "“safe” is ahead from 30 % to 60 %"},
        /* it breaks a limit: the choice does not turn to it */
        {"mfu,frac,0.4,on-demand,0.3,,,below,0.2,0.6,flips,0.2,0.6\n"
         "mfu,frac,0.4,safe,,,,,0.2,0.6,ahead,0.2,0.6\n",
         "nowhere from 20 % to 60 %"}};

    report_bed_choice(b, "on-demand,breaks-limit,,5400,,,,,,,p_late <= 5 %,0.12\n"
                         "spot,chosen,1,3500,,,,,,,,\n"
                         "safe,worse,2,4700,1200,1100,1300,1150,1000,1300,,\n");
    b->source.sensitivity = report_bed_keep(
        b, text_table("sensitivity", SENSITIVITY,
                      "spot,cost_usd,usd,mfu,frac,-0.8,-0.85,-0.7,0.35,0.4,0.45,4000,2500\n"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        b->source.thresholds =
            report_bed_keep(b, text_table("thresholds", THRESHOLDS, cases[i].row));
        report_bed_compose(b, REPORT_EN, NULL);
        assert_says(b, cases[i].says);
        if (strncmp(cases[i].says, "nowhere", 7) != 0)
            assert_silent(b, "nowhere");
        assert_silent(b, "unknown to unknown");
    }
    /* who can be chosen was asked at every value: it keeps the limit there */
    b->source.thresholds = report_bed_keep(
        b, text_table("thresholds", THRESHOLDS ",cause:t",
                      "mfu,frac,0.4,on-demand,0.45,0.44,0.47,above,0.2,0.6,flips,0.2,0.6,"
                      "eligibility\n"
                      "mfu,frac,0.4,safe,,,,,0.2,0.6,ahead,0.2,0.6,\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "above 45 % (44 % to 47 %), to “on-demand”");
}

/* That nothing is worth more is true only where every strategy could be chosen. */
static void test_information_says_among_whom(void **state)
{
    struct report_bed *b = *state;
    const char *columns = "input:t,metric:t,unit:t,value,value_low,value_high,worlds,strategies";

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.information = report_bed_keep(
        b, text_table("information", columns, "all,cost_usd,usd,120,100,140,400,3\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "no study of the inputs is worth more");
    b->source.information = report_bed_keep(
        b, text_table("information", columns, "all,cost_usd,usd,120,100,140,400,2\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "among the 2 strategies that can be chosen now would save $120 on average");
    assert_silent(b, "no study of the inputs is worth more");
    assert_silent(b, "Of single inputs");
}

/* An input may carry the choice without moving the cost of what is chosen. */
static void test_information_of_one_input(void **state)
{
    struct report_bed *b = *state;
    const char *columns = "input:t,metric:t,unit:t,value,value_low,value_high,worlds,strategies";

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.information = report_bed_keep(
        b,
        text_table("information", columns,
                   "all,cost_usd,usd,120,100,140,400,3\nworkloads.w.mfu,cost_usd,usd,60,50,70,400,"
                   "3\nworkloads.w.hours,cost_usd,usd,80,-5,165,400,3\n"
                   "workloads.w.boot,cost_usd,usd,40,30,50,400,3\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "Of single inputs “w.mfu” is worth most to know: $60 on average (95 % interval "
                   "$50 to $70).");
}

#define LIMITS "strategy:t,limit:t,status:t,unit:t,value"

static void test_broken_limits_stand_on_the_page(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.limits =
        report_bed_keep(b, text_table("limits", LIMITS,
                                      "spot,cost_usd.p90 <= 9000 USD,kept,usd,5000\n"
                                      "spot,p_over_budget <= 20 %,broken,,0.233333\n"
                                      "spot,time_to_train_h.p90 <= 10d,broken,h,424.6\n"
                                      "spot,time_to_train_h.p99 <= 30d,unknown,h,\n"
                                      "safe,p_late <= 5 %,broken,,0.5\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "chance over budget <= 20 % does not hold for “spot”, it is 23.3 %.");
    assert_says(b, "time P90 <= 10d does not hold for “spot”, it is 17.7 days.");
    assert_says(b, "whether it keeps the scenario's limit time P99 <= 30d");
    assert_silent(b, "9000 USD");
    assert_silent(b, "chance late <= 5 % does");
}

/* One page, one currency: the choice was made in the one of the computation. */
static void test_the_choice_in_the_currency_of_the_page(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.price_currency = "CNY";
    b->source.rate = 0.5;
    for (size_t row = 0; row < table_rows(b->source.choice); row++) {
        struct table *t = (struct table *)(uintptr_t)b->source.choice;
        table_set_text(t, row, (size_t)table_find(t, "objective"), "minimise cost_cny.p80");
        table_set_text(t, row, (size_t)table_find(t, "unit"), "cny");
    }
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b,
                "Second best is “safe”: on fresh futures its cost P80 is $575 worse than that of "
                "“spot” (95 % interval $500 to $650).");
    assert_says(b, "$600 worse ($550 to $650)");
    for (size_t row = 0; row < table_rows(b->source.choice); row++) {
        struct table *t = (struct table *)(uintptr_t)b->source.choice;
        table_set_text(t, row, (size_t)table_find(t, "objective"), "minimise cost_cny");
    }
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "its mean cost is $575 worse");
    for (size_t row = 0; row < table_rows(b->source.choice); row++) {
        struct table *t = (struct table *)(uintptr_t)b->source.choice;
        table_set_text(t, row, (size_t)table_find(t, "objective"), "minimise cost_cny.p80");
    }
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "Objective: the least cost P80.");
    assert_silent(b, "CNY");
    assert_silent(b, "cny");
}

/* Hours beside days, or an amount without its currency, would mislead. */
static void test_a_broken_condition_has_its_unit(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, "on-demand,breaks-limit,,5400,,,,,,,time_to_train_h.p90 <= 10d,424.6\n"
                         "spot,breaks-limit,,5400,,,,,,,obligation_usd <= 10000 USD,11104\n"
                         "safe,breaks-limit,,5400,,,,,,,fine-tune:p_late <= 0.05,0.12\n");
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "time P90 <= 10d does not hold: it is 17.7 days");
    assert_says(b, "signed obligation (mean) <= 10000 USD does not hold: it is $11,100");
    assert_says(b, "chance late of “fine-tune” <= 0.05 does not hold: it is 12 %");
}

/* What is chosen by is said in words of the report's language; what has none stands as written. */
static void test_metrics_have_words(void **state)
{
    struct report_bed *b = *state;
    static const struct {
        const char *text, *en, *zh;
    } rows[] = {
        {"cost_usd", "mean cost", "平均费用"},
        {"cost_usd.p80", "cost P80", "费用 P80"},
        {"time_to_train_h.mean", "mean time", "平均用时"},
        {"per_million_tokens_usd", "cost per million tokens (mean)", "每百万词元费用（均值）"},
        {"latency_p99_s.p90", "P99 latency (P90)", "P99 延迟（P90）"},
        {"web:ttft_p95_s.p50", "P95 time to first token (P50) of “web”",
         "“web”的 P95 首词元时间（P50）"},
        {"p_late", "chance late", "逾期概率"},
        {"p_late.p90", "p_late.p90", "p_late.p90"},
        {"latency_p99_s.max", "latency_p99_s.max", "latency_p99_s.max"},
        {"per_million_tokens_cny", "per_million_tokens_cny", "per_million_tokens_cny"},
        {"no_such_metric.p50", "no_such_metric.p50", "no_such_metric.p50"},
    };
    report_bed_compose(b, REPORT_EN, NULL);
    struct report_document *r = &b->document;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        r->language = REPORT_EN;
        assert_string_equal(report_metric(r, &b->source, rows[i].text), rows[i].en);
        r->language = REPORT_ZH;
        assert_string_equal(report_metric(r, &b->source, rows[i].text), rows[i].zh);
    }
    r->language = REPORT_EN;
    assert_string_equal(report_condition(r, &b->source, "latency_p99_s.p90 <= 2s"),
                        "P99 latency (P90) <= 2s");
    assert_string_equal(report_condition(r, &b->source, "serve_at_least"), "serve_at_least");
    assert_string_equal(report_condition(r, &b->source, "wait_mean_h<6h"), "mean wait (mean) <6h");
}

/* "It is 90 %" beside ">= 90 % does not hold" reads as a mistake. */
static void test_a_value_rounded_to_its_limit_says_so(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, "on-demand,breaks-limit,,5400,,,,,,,slo_attained_frac >= 90 %,0.8999999\n"
                         "spot,breaks-limit,,5400,,,,,,,obligation_usd <= 10000 USD,10001\n"
                         "safe,breaks-limit,,5400,,,,,,,time_to_train_h.p90 >= 10h,9.99999\n");
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "requests within the objective (mean) >= 90 % does not hold: it is "
                   "just under 90 %");
    assert_says(b, "signed obligation (mean) <= 10000 USD does not hold: it is just over "
                   "$10,000");
    assert_says(b, "time P90 >= 10h does not hold: it is just under 10 h");
}

/* What is signed and reused later costs less than it takes in cash. */
static void test_cash_above_the_cost_is_said(void **state)
{
    struct report_bed *b = *state;
    const char *columns = "strategy:t,quarter:t,first_month:t,last_month:t,cash_mean_usd,"
                          "cash_p10_usd,cash_p90_usd";

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.quarters =
        report_bed_keep(b, text_table("quarters", columns,
                                      "spot,FY2026 Q1,2026-03,2026-03,9000,9000,9000\n"
                                      "spot,FY2026 Q2,2026-04,2026-04,1e-10,0,1e-9\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "More cash is needed than the cost tells: $9,000 is paid inside the plan");
    assert_silent(b, "0000000");
    b->source.quarters = report_bed_keep(
        b, text_table("quarters", columns, "spot,FY2026 Q1,2026-03,2026-03,1000,1000,1000\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_silent(b, "More cash");
}

/* The total is the last row of the grid: the two are rounded alike. */
static void test_what_is_left_is_one_figure(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.quarters = report_bed_keep(
        b, text_table("quarters",
                      "strategy:t,quarter:t,first_month:t,last_month:t,cash_mean_usd,"
                      "cash_p10_usd,cash_p90_usd",
                      "spot,FY2026 Q1,2026-03,2026-03,1234.6,1000,2000\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "$4,770 is left.");
    assert_says(b, "$4,770");
    assert_silent(b, "$4,760");
}

static void test_no_input_that_matters(void **state)
{
    struct report_bed *b = *state;

    report_bed_choice(b, SPOT_CHOSEN);
    b->source.sensitivity = report_bed_keep(
        b, text_table("sensitivity", SENSITIVITY,
                      "spot,cost_usd,usd,boot,s,0.05,-0.05,0.15,100,120,140,3000,3010\n"));
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(
        b, "No uncertain input has an effect on the cost of “spot” that can be told from none.");
}

/* ---- prices ---- */

static void test_price_age(void **state)
{
    struct report_bed *b = *state;
    const struct report_price prices[] = {
        {"p4d.24xlarge", "a", "on-demand", 21.96, "2025-06-05", "2025-11-30", "list"},
        {"p4d.24xlarge", "a", "spot", 9.0, "", "", "the scenario"}};

    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "are stated by the scenario and have no date");
    b->source.prices = prices;
    b->source.price_count = 2;
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "Prices as of 2 Mar 2026; the oldest of the prices of nodes was last seen on "
                   "30 Nov 2025, 92 days before the plan starts.");
}

static void test_register_and_identity(void **state)
{
    struct report_bed *b = *state;
    const struct report_assumption assumed[] = {{"capacity", "always", "the program", true}};
    const char *const left_out[] = {"a", "b", "c", "d", "e"};

    b->source.assumptions = assumed;
    b->source.assumption_count = 1;
    b->source.not_modelled = left_out;
    b->source.not_modelled_count = 5;
    b->source.partial = true;
    report_bed_compose(b, REPORT_EN, NULL);
    assert_says(b, "the program (extrapolated)");
    assert_says(b, "1 more are listed behind the charts.");
    assert_says(b, "scenario hash 17fc");
    assert_says(b, "the run was interrupted");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_recommends_what_was_chosen),
        TEST(test_without_a_choice_nothing_is_recommended),
        TEST(test_nothing_eligible),
        TEST(test_an_unfinished_one_is_not_believed),
        TEST(test_a_strategy_of_another_study_is_not_recommended),
        TEST(test_fresh_futures_that_do_not_end),
        TEST(test_runner_up_that_cannot_be_told),
        TEST(test_runner_up_better_on_fresh_futures),
        TEST(test_no_runner_up),
        TEST(test_no_saving_is_no_claim),
        TEST(test_dearer_than_the_baseline),
        TEST(test_worst_case_that_is_unknown),
        TEST(test_few_futures_have_no_worst_case),
        TEST(test_late_and_done_by),
        TEST(test_sign_what_until_and_by_when),
        TEST(test_what_reuse_leaves_out_is_said),
        TEST(test_cash_against_the_budget),
        TEST(test_cash_that_is_unknown),
        TEST(test_what_was_not_computed),
        TEST(test_what_is_sunk),
        TEST(test_three_that_carry),
        TEST(test_a_cost_without_an_order_has_no_correlation),
        TEST(test_thresholds_of_another_choice),
        TEST(test_no_input_that_matters),
        TEST(test_nowhere_is_said_of_what_is_known),
        TEST(test_information_says_among_whom),
        TEST(test_information_of_one_input),
        TEST(test_broken_limits_stand_on_the_page),
        TEST(test_a_broken_condition_has_its_unit),
        TEST(test_metrics_have_words),
        TEST(test_a_value_rounded_to_its_limit_says_so),
        TEST(test_the_choice_in_the_currency_of_the_page),
        TEST(test_cash_above_the_cost_is_said),
        TEST(test_what_is_left_is_one_figure),
        TEST(test_price_age),
        TEST(test_register_and_identity),
    };

    return cmocka_run_group_tests_name("report_page", tests, NULL, NULL);
}
