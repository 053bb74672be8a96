/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_utilisation.h"

#include "tests/support/testing.h"

#include <stdlib.h>

struct title_case {
    struct title_utilisation of;
    const char *says;
};

static const struct title_case cases[] = {
    {{.nodes = 16, .used = 0.62, .waiting = 0.4},
     "In its plan world spot uses 62 % of its 16 nodes, and jobs wait in 40 % of the time"},
    {{.nodes = 1, .used = 0.62}, "In its plan world spot uses 62 % of its 1 node"},
    {{.nodes = 1200, .used = 0.999, .waiting = 0.001},
     "In its plan world spot uses > 99 % of its 1,200 nodes, and jobs wait in < 1 % of the time"},
    {{.nodes = 4, .waiting = 0.996},
     "In its plan world spot uses nothing of its 4 nodes, and jobs wait in > 99 % of the time"},
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
        title_utilisation(&t, f, 0, &cases[i].of);
        assert_string_equal(t.data, cases[i].says);
        text_release(&t);
    }
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(titles)};
    return cmocka_run_group_tests_name("title_utilisation", tests, NULL, NULL);
}
