/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/text/font_coverage.h"
#include "tests/support/testing.h"

#include <stdlib.h>
#include <string.h>

static const char list[] = ":charset=20-7e ac00-d7a3\n\n:charset=\n:charset=e48 5f62\n";

struct row {
    const char *name, *list, *in, *out;
    size_t masked;
};

static const struct row rows[] = {
    {"Latin, Greek and Cyrillic are in any font", list, "a\xc3\xa9 \xce\xbb \xd0\xaf", NULL, 0},
    {"a range", list, "\xea\xb0\x80\xed\x9e\xa3", NULL, 0},
    {"behind a range", list, "\xed\x9e\xa4", "\xe2\x96\xa1", 1},
    {"single characters", list, "\xe0\xb9\x88\xe5\xbd\xa2", NULL, 0},
    {"what no font has", list, "x\xe0\xb9\x80y\xe6\x97\xa5", "x\xe2\x96\xa1y\xe2\x96\xa1", 2},
    {"above the basic plane", list, "\xf0\x9f\x9a\x80", "\xe2\x96\xa1", 1},
    {"a joiner draws nothing", list, "a\xe2\x80\x8d", NULL, 0},
    {"the box itself", list, "\xe2\x96\xa1", NULL, 0},
    {"no list, nothing is known", "", "\xe6\x97\xa5", NULL, 0},
    {"a list without a font", ":charset=\n", "\xe6\x97\xa5", NULL, 0},
    {"a list that is none", "a=zz\n-=--\n=-", "\xe6\x97\xa5", NULL, 0},
    {"backwards and beyond", ":charset=7e-20 61-ffffffffffffffffff\n", "\xe6\x97\xa5", NULL, 0},
};

static void masks(void **state)
{
    const struct row *r = *state;
    struct font_coverage *c = malloc(sizeof *c);
    struct text out;

    assert_non_null(c);
    text_init(&out, 0);
    font_coverage_parse(c, r->list);
    assert_int_equal(font_coverage_mask(c, &out, r->in, strlen(r->in)), r->masked);
    assert_string_equal(out.data, r->out == NULL ? r->in : r->out);
    text_release(&out);
    free(c);
}

static void knows_what_any_font_has(void **state)
{
    static const char han[] = "a\xe6\x97\xa5";

    (void)state;
    assert_true(font_coverage_any_font("spot \xe2\x80\xa6 \xc2\xb7 \xd0\xaf", 13));
    assert_false(font_coverage_any_font(han, sizeof han - 1));
    assert_true(font_coverage_any_font("", 0));
}

/* Without fc-list nothing is known and nothing is exchanged; with it, some font has Latin. */
static void asks_the_machine(void **state)
{
    struct font_coverage *c = malloc(sizeof *c);
    char *path = strdup(getenv("PATH"));

    (void)state;
    assert_non_null(c);
    font_coverage_of_machine(c);
    if (c->known)
        assert_true((c->bits['a' / 8] >> 'a' % 8 & 1) != 0);
    setenv("PATH", "/nonexistent", 1);
    font_coverage_of_machine(c);
    assert_false(c->known);
    setenv("PATH", path, 1);
    free(path);
    free(c);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof rows[0] };
    const struct CMUnitTest own[] = {cmocka_unit_test(knows_what_any_font_has),
                                     cmocka_unit_test(asks_the_machine)};
    struct CMUnitTest tests[sizeof own / sizeof own[0] + ROWS];
    size_t n = sizeof own / sizeof own[0];
    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < ROWS; i++)
        tests[n++] = (struct CMUnitTest){
            .name = rows[i].name, .test_func = masks, .initial_state = (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("font_coverage", tests, n, NULL, NULL);
}
