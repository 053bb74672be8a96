/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/console/wait_lines.h"

#include "tests/support/testing.h"
#include "tests/support/text_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char rows[] = "od,q,jobs,10,60,\n"
                           "od,q,wait_mean_h,10,0.7,\n"
                           "od,q,wait_p95_h,10,5.5,\n"
                           "od,q,utilisation_frac,10,0.804,\n"
                           "od,train,jobs,0,,\n"
                           "od,all,jobs,10,60,\n"
                           "spot,q,jobs,10,60,\n"
                           "spot,q,wait_mean_h,10,,3.1\n"
                           "spot,q,wait_p95_h,10,,\n"
                           "none,q,wait_mean_h,10,0,\n";

static void told_of_workloads_with_jobs(void **state)
{
    (void)state;
    struct study_facts *f = calloc(1, sizeof *f);
    struct table *t =
        text_table("summary", "strategy:t,workload:t,metric:t,n,p50,p50_at_least", rows);
    const struct terminal_style style = {0, true};
    const char *const names[] = {"od", "spot", "none"};
    char *said = NULL;
    size_t length;
    FILE *out = open_memstream(&said, &length);
    f->count = 3;
    for (size_t i = 0; i < 3; i++) {
        f->strategy[i].name = names[i];
    }
    assert_true(wait_lines(f, t, &style, out));
    fclose(out);
    size_t kept = 0; /* lines may break anywhere */
    for (const char *c = said; *c != '\0'; c++) {
        bool blank = *c == '\n' || *c == ' ';
        if (!blank || (kept > 0 && said[kept - 1] != ' ')) {
            said[kept++] = blank ? ' ' : *c;
        }
    }
    said[kept] = '\0';
    assert_non_null(strstr(said, "jobs of 'q' wait on average"));
    assert_non_null(strstr(said, "od 42.0 min (95 %:"));
    assert_non_null(strstr(said, "80 % used; spot >="));
    assert_non_null(strstr(said, "unknown)"));
    assert_non_null(strstr(said, "none 0 h"));
    assert_null(strstr(said, "train"));
    assert_null(strstr(said, "'all'"));
    free(said);
    table_free(t);
    free(f);
}

static void nothing_of_other_studies(void **state)
{
    (void)state;
    struct study_facts *f = calloc(1, sizeof *f);
    struct table *t = text_table("summary", "strategy:t,workload:t,metric:t,n,p50,p50_at_least",
                                 "od,train,jobs,0,,\nod,train,cost_usd,10,3,\n");
    const struct terminal_style style = {0, true};
    char *said = NULL;
    size_t length;
    FILE *out = open_memstream(&said, &length);
    f->count = 1;
    f->strategy[0].name = "od";
    assert_true(wait_lines(f, t, &style, out));
    fclose(out);
    assert_string_equal(said, "");
    free(said);
    table_free(t);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(told_of_workloads_with_jobs),
                                       cmocka_unit_test(nothing_of_other_studies)};
    return cmocka_run_group_tests_name("wait_lines", tests, NULL, NULL);
}
