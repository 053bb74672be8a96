/* SPDX-License-Identifier: GPL-3.0-or-later
 * Slides as a script, and the deck that gnuplot draws of it; the latter is skipped without one. */
#include "tests/support/testing.h"

#include "engine/file.h"
#include "plots/charts/gnuplot.h"
#include "plots/report/report_deck.h"
#include "plots/report/report_slides.h"
#include "tests/support/report_bed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Quotes that would end a string of gnuplot, and what it would run then. */
static const char *const hostile[3] = {"on'.system('touch /tmp/fleetcast-evil').'demand",
                                       "`touch /tmp/fleetcast-evil`", "@evil \"x\" $(y)"};

static size_t occurrences(const char *s, const char *what)
{
    size_t count = 0;

    for (const char *at = strstr(s, what); at != NULL; at = strstr(at + 1, what))
        count++;
    return count;
}

static void test_a_long_part_goes_on_under_its_title(void **state)
{
    struct arena *a = arena_new(0);
    struct report_document r;
    struct report_slides s;
    const enum report_word head[] = {WORD_STRATEGY, WORD_WHY};
    struct report_block *grid;
    FILE *data = tmpfile();

    (void)state;
    assert_non_null(data);
    report_document_init(&r, a, REPORT_EN);
    grid = report_add_grid(&r, head, 2);
    for (int i = 0; i < 60; i++) {
        assert_true(report_add_row(&r, grid));
        report_set(&r, grid, 0, "row", (double)i);
    }
    report_slides_init(&s, data, "foot");
    report_slides_begin(&s, "The part");
    report_slides_block(&s, grid);
    report_slides_end(&s);
    assert_false(s.failed);
    assert_true(occurrences(s.gp.data, "'The part'") >= 3);
    assert_int_equal(occurrences(s.gp.data, "'row'"), 60); /* none is lost */
    /* The head stands on each of its pages. */
    assert_int_equal(occurrences(s.gp.data, "'Strategy'"), occurrences(s.gp.data, "'The part'"));
    report_slides_release(&s);
    fclose(data);
    arena_free(a);
}

static void test_deck_of_hostile_names(void **state)
{
    struct report_bed b;
    char folder[] = "/tmp/fleetcast-deck-XXXXXX", path[64], start[5] = "";
    FILE *in;

    (void)state;
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        print_message("skipped: there is no gnuplot\n");
        skip();
    }
    remove("/tmp/fleetcast-evil");
    assert_true(report_bed_init(&b, hostile));
    report_bed_choice(&b, "`touch /tmp/fleetcast-evil`,chosen,1,3500,,,,,,,,\n");
    b.study.frame.scenario = "it's \\ 'all' @here";
    for (int l = 0; l < REPORT_LANGUAGES; l++) {
        strcpy(folder, "/tmp/fleetcast-deck-XXXXXX");
        assert_non_null(mkdtemp(folder));
        report_bed_compose(&b, (enum report_language)l, "cost");
        if (!report_deck_draw(&b.document, &b.study.frame, &b.study.tables, folder, b.d))
            fail_msg("%s", diagnostics_text(b.d, 0, NULL, NULL));
        snprintf(path, sizeof path, "%s/%s", folder, REPORT_DECK_FILE);
        in = fopen(path, "rb");
        assert_non_null(in);
        assert_int_equal(fread(start, 1, 4, in), 4);
        fclose(in);
        assert_string_equal(start, "%PDF");
        assert_true(file_remove_tree(folder, b.d));
    }
    assert_false(file_exists("/tmp/fleetcast-evil"));
    report_bed_release(&b);
}

static void test_without_gnuplot_it_is_an_error(void **state)
{
    struct report_bed b;
    char folder[] = "/tmp/fleetcast-deck-XXXXXX";

    (void)state;
    assert_true(report_bed_init(&b, NULL));
    assert_non_null(mkdtemp(folder));
    report_bed_compose(&b, REPORT_EN, NULL);
    setenv("GNUPLOT", "/nowhere/gnuplot", 1);
    assert_false(report_deck_draw(&b.document, &b.study.frame, &b.study.tables, folder, b.d));
    unsetenv("GNUPLOT");
    assert_true(diagnostics_failed(b.d));
    assert_true(file_remove_tree(folder, b.d));
    report_bed_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_long_part_goes_on_under_its_title),
        cmocka_unit_test(test_deck_of_hostile_names),
        cmocka_unit_test(test_without_gnuplot_it_is_an_error),
    };

    return cmocka_run_group_tests_name("report_deck", tests, NULL, NULL);
}
