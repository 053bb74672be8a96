/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_gantt.h"

#include "tests/support/testing.h"

#include <stdlib.h>

struct title_case {
    struct title_gantt of;
    const char *says;
};

static const struct title_case cases[] = {
    {{.jobs = 64, .done = 64, .end_h = 13.42},
     "In its plan world spot does all 64 jobs in 13.5 hours"},
    {{.jobs = 4, .done = 4, .end_h = 240, .last = "fine-tune"},
     "In its plan world spot does all 4 jobs in 10 days, 'fine-tune' last"},
    {{.jobs = 1200, .done = 1200, .end_h = 1.2, .lost = 1},
     "In its plan world spot does all 1,200 jobs in 72 minutes; one attempt lost nodes"},
    {{.jobs = 64, .done = 60, .end_h = 720, .last = "b", .lost = 17},
     "In its plan world spot does 60 of 64 jobs in the end; 17 attempts lost nodes"},
};

static void titles(void **state)
{
    (void)state;
    struct chart_frame frame = {0};
    struct study_facts *f = calloc(1, sizeof *f);
    f->frame = &frame;
    f->count = 1;
    f->strategy[0].name = "spot";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text t;
        text_init(&t, 0);
        title_gantt(&t, f, 0, &cases[i].of);
        assert_string_equal(t.data, cases[i].says);
        text_release(&t);
    }
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(titles)};
    return cmocka_run_group_tests_name("title_gantt", tests, NULL, NULL);
}
