/* SPDX-License-Identifier: GPL-3.0-or-later
 * `fleetcast report` from outside: where it writes, what it replaces, what it refuses. */
#include "tests/support/testing.h"

#include "tests/support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void test_beside_the_tables_by_default(void **state)
{
    struct program p;
    program_expect_code(*state, "run plan.yaml --no-charts -q -o out", 0);
    program_expect(&p, *state, "report out", 0);
    assert_string_equal(p.out, "Report: out/report.html\n");
    program_release(&p);
    char *html = program_text(*state, "out/report.html");
    assert_holds(html, "Nothing is recommended: the scenario does not say what to choose by.");
    assert_holds(html, "No chart is drawn in this directory: fleetcast plot draws them.");
    assert_lacks(html, "<script");
    free(html);
    /* Written again, and the directory can still be replaced by a run. */
    program_expect_code(*state, "report out --lang zh -q", 0);
    html = program_text(*state, "out/report.html");
    assert_holds(html, "未作推荐");
    free(html);
    program_expect_code(*state, "run plan.yaml --no-charts -q -o out", 0);
    assert_false(program_exists(*state, "out/report.html"));
}

static void test_the_choice_of_the_run(void **state)
{
    struct program p;
    program_file(*state, "choose.yaml", "choose: {minimise: cost_usd.p80}\n");
    program_expect_code(*state, "run plan.yaml choose.yaml --no-charts -q -o out", 0);
    program_expect(&p, *state, "report out --format md -o -", 0);
    assert_holds(p.out, "<!-- fleetcast report -->\n# ");
    assert_holds(p.out, "**Approve “");
    assert_holds(p.out, "Ask for (P80)");
    assert_holds(p.out, "Chance over budget");
    assert_holds(p.out, "scenario hash");
    program_release(&p);
}

static void test_the_ending_says_the_format(void **state)
{
    program_expect_code(*state, "run plan.yaml --no-charts -q -o out", 0);
    program_expect_code(*state, "report out -q -o paper.md", 0);
    char *md = program_text(*state, "paper.md");
    assert_holds(md, "<!-- fleetcast report -->");
    free(md);
}

static void test_what_is_not_ours_stays(void **state)
{
    struct program p;
    program_expect_code(*state, "run plan.yaml --no-charts -q -o out", 0);
    program_file(*state, "thesis.html", "<html>precious</html>");
    program_file(*state, "thesis.pdf", "%PDF-1.5 precious");
    program_expect(&p, *state, "report out -o thesis.html", 2);
    assert_holds(p.err, "'thesis.html' is there and is no report of fleetcast");
    program_release(&p);
    program_expect(&p, *state, "report out -o thesis.pdf", 2);
    assert_holds(p.err, "'thesis.pdf' is there; expected a new file");
    program_release(&p);
    char *text = program_text(*state, "thesis.html");
    assert_string_equal(text, "<html>precious</html>");
    free(text);
}

static void test_what_is_no_result(void **state)
{
    struct program p;
    program_expect(&p, *state, "report plan.yaml", 2);
    assert_holds(p.err, "is not a result directory of fleetcast");
    program_release(&p);
    program_expect(&p, *state, "report out --format docx", 2);
    assert_holds(p.err, "'docx' will not do; expected one of html, md, pdf, xlsx");
    program_release(&p);
    program_expect(&p, *state, "report out --lang de", 2);
    assert_holds(p.err, "'de' will not do; expected one of en, zh");
    program_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_CASE(test_beside_the_tables_by_default),
        PROGRAM_CASE(test_the_choice_of_the_run),
        PROGRAM_CASE(test_the_ending_says_the_format),
        PROGRAM_CASE(test_what_is_not_ours_stays),
        PROGRAM_CASE(test_what_is_no_result),
    };

    return cmocka_run_group_tests_name("cli_report", tests, NULL, NULL);
}
