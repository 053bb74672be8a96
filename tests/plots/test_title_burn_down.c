/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_burn_down.h"

#include "tests/support/testing.h"

#include <stdlib.h>

/* Three days of a strategy's P50 and P90 of spend against a budget of $4,600. */
struct title_case {
    double p50[3], p90[3];
    bool stands;
    const char *says;
    double worlds;
};

static const struct title_case cases[] = {
    {{500, 900, 1000},
     {900, 2000, 3648.2},
     true,
     "spot leaves at least $951 of the $4,600 budget in 9 of 10 futures",
     10},
    {{500, 900, 1000},
     {900, 4700, 4800},
     true,
     "In 1 of 10 futures spot has used up the $4,600 budget by 4 Mar 2026",
     10},
    {{500, 900, 4601},
     {900, 4700, 4800},
     true,
     "In 5 of 10 futures spot has used up the $4,600 budget by 5 Mar 2026",
     10},
    {{500, 900, 4600},
     {900, 4600, 4600},
     true,
     "spot leaves at least $0 of the $4,600 budget in 9 of 10 futures",
     10},
    {{1, 2, 3},
     {1, 2, 100},
     true,
     "spot leaves $4,500 of the $4,600 budget in the one simulated future",
     1},
    {{1, 2, 3}, {1, 2, 3}, false, "spot does not finish by the horizon in any of 10 futures", 10},
};

static void titles(void **state)
{
    (void)state;
    static double starts[] = {0, 86400, 172800}, ends[] = {86400, 172800, 259200};
    struct chart_frame frame = {.budget = 4600, .currency = "USD", .start_unix_s = 1772409600};
    struct study_facts *f = calloc(1, sizeof *f);
    f->frame = &frame;
    f->count = 1;
    f->subject = -1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct time_course t = {.count = 3,
                                .start_s = starts,
                                .end_s = ends,
                                .p50 = (double *)cases[i].p50,
                                .p90 = (double *)cases[i].p90};
        struct text said;
        f->strategy[0] = (struct strategy_facts){.name = "spot",
                                                 .worlds = cases[i].worlds,
                                                 .unfinished = 10,
                                                 .unfinished_share = 1,
                                                 .stands = cases[i].stands};
        f->strategy[0].cost.present = true;
        text_init(&said, 0);
        title_burn_down(&said, f, 0, &t);
        assert_string_equal(said.data, cases[i].says);
        text_release(&said);
    }
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(titles)};
    return cmocka_run_group_tests_name("title_burn_down", tests, NULL, NULL);
}
