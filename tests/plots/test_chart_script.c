/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/charts/chart_script.h"

#include <stdlib.h>
#include <string.h>

struct bench {
    struct chart_script s;
    FILE *data;
    char *bytes;
    size_t length;
};

static int set_up(void **state)
{
    static struct bench b;

    b = (struct bench){.bytes = NULL};
    b.data = open_memstream(&b.bytes, &b.length);
    *state = &b;
    return b.data != NULL && chart_script_init(&b.s, "demo", b.data) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    chart_script_release(&b->s);
    free(b->bytes);
    return 0;
}

static void finish(struct bench *b)
{
    assert_true(chart_script_finish(&b->s));
    assert_int_equal(fclose(b->data), 0);
}

static void data_is_a_csv_with_names_last(void **state)
{
    static const char *const columns[] = {"strategy_number", "cost", "strategy"};
    struct bench *b = *state;

    chart_script_columns(&b->s, columns, 3);
    csv_put_integer(&b->s.csv, 1);
    csv_put_number(&b->s.csv, 2.5);
    chart_script_put_name(&b->s, "a \"b\",\nc");
    chart_script_row_end(&b->s);
    assert_int_equal(b->s.rows, 1);
    finish(b);
    assert_string_equal(b->bytes, "strategy_number,cost,strategy\n1,2.5,\"a \"\"b\"\", c\"\n");
}

static void plot_elements_wait_for_the_settings(void **state)
{
    struct bench *b = *state;
    const char *plot;

    csv_put_integer(&b->s.csv, 1);
    chart_script_row_end(&b->s);
    csv_put_integer(&b->s.csv, 2);
    chart_script_row_end(&b->s);
    chart_script_plot(&b->s, 0, 1, "using 1:2 with lines lc rgb %s", "BLUE");
    chart_script_plot(&b->s, 1, 1, "using 1:3 with lines");
    chart_script_plot(&b->s, 2, 1, "nothing: no rows");
    chart_script_plot(&b->s, 0, 7, "nothing: rows that are not there");
    chart_script_label(&b->s, &(struct chart_label){.text = "it's", .x = 0.5, .y = 0.25});
    chart_script_plot_end(&b->s);
    plot = strstr(b->s.gp.data, "plot ");
    assert_non_null(plot);
    assert_string_equal(plot, "plot 'demo.csv' skip 1 every ::0::1 using 1:2 with lines lc rgb "
                              "BLUE, \\\n     'demo.csv' skip 1 every ::1::1 using 1:3 with "
                              "lines\n");
    assert_non_null(strstr(b->s.gp.data, "set label 1 'it'.Q.'s' at screen 0.5, screen 0.25 left"));
    assert_true(strstr(b->s.gp.data, "set label") < plot);
    finish(b);
}

static void a_plot_without_elements_still_draws_the_page(void **state)
{
    struct bench *b = *state;

    chart_script_plot_end(&b->s);
    assert_string_equal(b->s.gp.data, "plot -1e30 notitle\n");
    finish(b);
}

static void head_fits_the_title_to_the_page(void **state)
{
    struct bench *b = *state;

    chart_script_head(&b->s, "Short and clear", "what is drawn");
    assert_non_null(strstr(b->s.gp.data, "'Short and clear' at screen 0.03, screen 0.935 left "
                                         "font B34"));
    assert_non_null(strstr(b->s.gp.data, "set output 'demo.'.PAGE.PART"));
    assert_near(b->s.top, 0.77, 1e-9, "one line each");
    assert_string_equal(b->s.title, "Short and clear");
    finish(b);
}

static void a_long_title_takes_two_even_lines(void **state)
{
    struct bench *b = *state;

    chart_script_head(&b->s,
                      "spot with fallback in three zones is cheaper than on-demand in 93 of 100 "
                      "futures: P50 $2,110 against $3,310",
                      "what is drawn");
    assert_non_null(strstr(b->s.gp.data, "set label 2 'in 93 of 100 futures: P50 $2,110 against "
                                         "$3,310' at screen 0.03, screen 0.892"));
    assert_true(b->s.top < 0.77);
    finish(b);
}

/* A comma in a name is no end of a clause. */
static void a_title_does_not_break_in_a_name(void **state)
{
    struct bench *b = *state;
    static const char *const names[] = {"G5, target tracking", "G5, SkyServe"};

    b->s.names = names;
    b->s.name_count = 2;
    chart_script_head(
        &b->s,
        "G5, SkyServe (chosen) is cheaper than G5, target tracking in all 60 futures: "
        "P50 $47.49 against $75.76",
        "what is drawn");
    assert_non_null(strstr(b->s.gp.data, "G5, target tracking"));
    finish(b);
}

/* "later" is a word of ours, and the second line of a name of the user's. */
static void names_are_no_words(void **state)
{
    struct bench *b = *state;

    b->s.language = REPORT_ZH;
    chart_script_label(&b->s, &(struct chart_label){.text = "later", .name = true});
    assert_non_null(strstr(b->s.gp.data, "'later'"));
    chart_script_label(&b->s, &(struct chart_label){.text = "later"});
    assert_null(strstr(strstr(b->s.gp.data, "set label 2"), "later"));
    /* Of a key, and of a strategy that is called so. */
    static const char *const names[] = {"spot"};
    b->s.names = names;
    b->s.name_count = 1;
    chart_script_label(&b->s, &(struct chart_label){.text = "spot"});
    chart_script_label(&b->s, &(struct chart_label){.text = "spot", .word = true});
    assert_non_null(strstr(b->s.gp.data, "set label 3 'spot'"));
    assert_null(strstr(strstr(b->s.gp.data, "set label 4"), "spot"));
    finish(b);
}

static void a_dashed_line_differs_in_width(void **state)
{
    struct bench *b = *state;

    chart_script_line(&b->s, &(struct chart_line){.x2 = 1.0, .dash = "(12,7)"});
    chart_script_line(&b->s, &(struct chart_line){.x2 = 1.0, .head = true});
    assert_non_null(strstr(b->s.gp.data, "set arrow 1 from screen 0, screen 0 to screen 1, "
                                         "screen 0 nohead lc rgb INK lw 2.4*W dt (12,7) front"));
    assert_non_null(strstr(b->s.gp.data, "set arrow 2 "));
    assert_non_null(strstr(b->s.gp.data, "lw 2.5*W dt solid front"));
    finish(b);
}

static void ticks_are_written_with_percent_signs_doubled(void **state)
{
    struct ticks t = {.count = 2, .tick = {{0.0, "0 %"}, {0.5, "50 %"}}}, none = {.count = 0};
    struct bench *b = *state;

    chart_script_ticks(&b->s, "y", &t);
    chart_script_ticks(&b->s, "x", &none);
    assert_string_equal(b->s.gp.data, "set ytics ('0 %%' 0, '50 %%' 0.5)\nunset xtics\n");
    finish(b);
}

static void too_much_is_an_error_not_a_cut(void **state)
{
    struct bench *b = *state;

    for (int i = 0; i < 70000; i++)
        chart_script_add(&b->s,
                         "# sixty-four bytes of comment, again and again, to the very end..\n");
    assert_false(chart_script_finish(&b->s));
    fclose(b->data);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(data_is_a_csv_with_names_last),
                                       TEST(plot_elements_wait_for_the_settings),
                                       TEST(a_plot_without_elements_still_draws_the_page),
                                       TEST(head_fits_the_title_to_the_page),
                                       TEST(a_long_title_takes_two_even_lines),
                                       TEST(a_title_does_not_break_in_a_name),
                                       TEST(names_are_no_words),
                                       TEST(a_dashed_line_differs_in_width),
                                       TEST(ticks_are_written_with_percent_signs_doubled),
                                       TEST(too_much_is_an_error_not_a_cut)};

    return cmocka_run_group_tests_name("chart_script", tests, NULL, NULL);
}
