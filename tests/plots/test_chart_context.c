/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/charts/chart_context.h"
#include "plots/charts/chart_legend.h"
#include "plots/charts/spend_fan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `count` strategies that stand, with falling P50s; the first is the baseline and the dearest. */
static void make(struct study_facts *f, struct chart_frame *frame, size_t count)
{
    static char names[CHART_STRATEGIES_MAX][8];

    *frame = (struct chart_frame){.currency = "USD", .replications = 1000, .seed = 1};
    *f = (struct study_facts){.frame = frame, .count = count, .baseline = 0, .subject = -1};
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "s%zu", i);
        f->strategy[i] = (struct strategy_facts){.name = names[i], .stands = true};
        f->strategy[i].cost.present = true;
        f->strategy[i].cost.p50.value = 100.0 - (double)i;
    }
}

static void all_are_shown_while_there_is_room(void **state)
{
    struct chart_frame frame;
    struct study_facts f;
    struct chart_shown shown;

    (void)state;
    make(&f, &frame, 8);
    f.strategy[3].cost.present = false; /* never simulated */
    shown = chart_shown_pick(&f, CHART_SERIES_MAX);
    assert_int_equal(shown.count, 7);
    assert_int_equal(shown.of, 7);
    assert_int_equal(shown.index[3], 4);
}

static void of_many_the_baseline_the_chosen_and_the_cheapest(void **state)
{
    static const size_t wanted[] = {0, 5, 14, 15, 16, 17, 18, 19};
    struct chart_frame frame;
    struct study_facts f;
    struct chart_shown shown;

    (void)state;
    make(&f, &frame, 20);
    frame.chosen = "s5";
    shown = chart_shown_pick(&f, CHART_SERIES_MAX);
    assert_int_equal(shown.of, 20);
    assert_int_equal(shown.count, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(shown.index[i], wanted[i]);
    /* An unfinished strategy gives its place to one that stands, however cheap it looks. */
    f.strategy[19].stands = false;
    f.strategy[19].cost.p50.value = (double)NAN;
    shown = chart_shown_pick(&f, CHART_SERIES_MAX);
    assert_int_equal(shown.index[7], 18);
    assert_int_equal(shown.index[2], 13);
    shown = chart_shown_pick(&f, 2);
    assert_int_equal(shown.count, 2);
    assert_int_equal(shown.index[0], 0);
    assert_int_equal(shown.index[1], 5);
}

/* Lowest screen y of the labels of a script. */
static double lowest_label(const char *gp)
{
    double lowest = 1.0, y;

    for (const char *s = gp; (s = strstr(s, ", screen ")) != NULL; s++) {
        if (sscanf(s, ", screen %lf left", &y) == 1)
            lowest = fmin(lowest, y);
    }
    return lowest;
}

/* However many strategies, and however long their names: the column of a legend ends above the
 * foot, and names that differ look different. */
static void a_legend_ends_above_the_foot(void **state)
{
    static const char *const names[] = {"3 reserved, on-demand after 4 h",
                                        "3 reserved, on-demand after 8 h",
                                        "4 reserved, spot on top of them",
                                        "target tracking at 60 %, P4d",
                                        "always one of P4d",
                                        "a",
                                        "b",
                                        "c"};
    struct chart_legend_entry entries[CHART_SERIES_MAX];
    struct chart_frame frame;
    struct study_facts f;

    (void)state;
    for (size_t i = 0; i < CHART_SERIES_MAX; i++)
        entries[i] = (struct chart_legend_entry){{"one fact", "another", "the last"}, false};
    for (size_t count = 1; count <= CHART_SERIES_MAX; count++) {
        FILE *data = tmpfile();
        struct chart_context c = {.facts = &f};
        struct chart_script s;
        make(&f, &frame, count);
        for (size_t i = 0; i < count; i++)
            f.strategy[i].name = names[i];
        c.shown = chart_shown_pick(&f, CHART_SERIES_MAX);
        assert_non_null(data);
        assert_true(chart_script_init(&s, "demo", data));
        s.top = 0.705; /* two lines of title, two of subtitle */
        chart_legend(&s, &c, entries, true);
        if (lowest_label(s.gp.data) < 0.065)
            fail_msg("%zu strategies: %g", count, lowest_label(s.gp.data));
        if (count >= 2 && count <= 3) {
            assert_non_null(strstr(s.gp.data, "'on-demand after 4 h'"));
            assert_non_null(strstr(s.gp.data, "'on-demand after 8 h'"));
        }
        assert_true(chart_script_finish(&s));
        chart_script_release(&s);
        fclose(data);
    }
}

static void an_uncertain_budget_is_named_by_its_median(void **state)
{
    struct chart_frame frame = {.currency = "USD", .budget = 61250.0};

    (void)state;
    assert_string_equal(chart_budget(&frame).text, "$61,250");
    frame.budget_uncertain = true;
    assert_string_equal(chart_budget(&frame).text, "P50 $61,250");
}

static void unfinished_futures_are_told_in_few_words(void **state)
{
    struct strategy_facts s = {.worlds = 2000.0, .unfinished = 240.0, .unfinished_share = 0.12};

    (void)state;
    assert_string_equal(chart_unfinished(&s).text, "12 % not finished");
    s.unfinished = 2.0;
    s.unfinished_share = 0.001;
    assert_string_equal(chart_unfinished(&s).text, "< 1 % not finished");
    s.unfinished = s.unfinished_share = 0.0;
    assert_string_equal(chart_unfinished(&s).text, "");
}

static void a_time_axis_ends_where_work_does(void **state)
{
    (void)state;
    assert_near(chart_time_end(5.0, 60.0), 10.0, 0.0, "the unfinished run off");
    assert_near(chart_time_end(5.0, 7.0), 7.0, 0.0, "all fit");
    assert_near(chart_time_end(0.0, 60.0), 60.0, 0.0, "nothing stands");
}

struct page {
    struct chart_script s;
    FILE *data;
    char *bytes;
    size_t length;
};

static int set_up(void **state)
{
    static struct page p;

    p = (struct page){.bytes = NULL};
    p.data = open_memstream(&p.bytes, &p.length);
    *state = &p;
    return p.data != NULL && chart_script_init(&p.s, "demo", p.data) ? 0 : -1;
}

static int tear_down(void **state)
{
    struct page *p = *state;
    bool ok = chart_script_finish(&p->s);

    chart_script_release(&p->s);
    fclose(p->data);
    free(p->bytes);
    return ok ? 0 : -1;
}

static void limits_off_the_axis_are_told_at_its_edge(void **state)
{
    struct page *p = *state;

    chart_limit_x(&p->s, 0.0, 100.0, 60.0, "Budget $60");
    assert_non_null(strstr(p->s.gp.data, "set arrow 2 from first 60, graph 0 to first 60"));
    chart_limit_x(&p->s, 0.0, 100.0, 6000.0, "Budget $6,000");
    assert_non_null(strstr(p->s.gp.data, "'Budget $6,000 →' at graph 1, graph 1.045 right"));
    chart_limit_x(&p->s, 1000.0, 1100.0, 6.0, "Budget $6");
    assert_non_null(strstr(p->s.gp.data, "'← Budget $6' at graph 0, graph 1.045 left"));
    chart_limit_y(&p->s, 0.0, 100.0, 6000.0, "Budget $6,000", CHART_LEFT);
    assert_non_null(strstr(p->s.gp.data, "'Budget $6,000 ↑' at graph 0.01, graph 0.97"));
    assert_null(strstr(p->s.gp.data, "first 6000"));
}

static void the_subtitle_says_what_is_left_out(void **state)
{
    struct page *p = *state;
    struct chart_frame frame;
    struct study_facts f;
    struct chart_context c = {.facts = &f, .shown = {.of = 20}};

    make(&f, &frame, 20);
    frame.note = "partial run";
    frame.scenario = "A study";
    chart_begin(&p->s, &c, 8, "Title", "What");
    assert_non_null(strstr(p->s.gp.data, "'What; 8 of 20 strategies: the baseline and lowest P50 "
                                         "cost; partial run'"));
    assert_non_null(strstr(p->s.gp.data, "'A study  ·  1,000 simulated futures, seed 1  ·  USD, "
                                         "tax excluded'"));
}

static void curves_of_a_part_say_so(void **state)
{
    struct chart_frame frame = {.replications = 2000, .timeline_replications = 1000};
    struct text said;

    (void)state;
    text_init(&said, 200);
    chart_add_curves(&said, &frame);
    assert_string_equal(said.data, "; curves: the first 1,000 futures");
    text_clear(&said);
    frame.timeline_replications = 2000;
    chart_add_curves(&said, &frame);
    frame.timeline_replications = 0; /* all */
    chart_add_curves(&said, &frame);
    assert_int_equal(said.length, 0);
    text_release(&said);
}

/* 1,000 of budget; P90 spends 1,200; a P50 that is unknown is neither used up nor untouched. */
static void what_is_unknown_is_not_used_up(void **state)
{
    struct page *p = *state;
    double start[] = {0, 60}, end[] = {60, 120}, low[] = {100, 200}, middle[] = {400, (double)NAN},
           high[] = {900, 1200};
    struct time_course t = {.count = 2,
                            .start_s = start,
                            .end_s = end,
                            .p10 = low,
                            .p25 = low,
                            .p50 = middle,
                            .p75 = high,
                            .p90 = high};
    struct chart_frame frame;
    struct study_facts f;
    struct chart_context c = {.facts = &f};

    make(&f, &frame, 1);
    spend_fan(&p->s, &c, &t, 0, chart_series_style(0), 1e9, 1000.0);
    spend_fan(&p->s, &c, &t, 0, chart_series_style(0), 59.0, (double)NAN);
    assert_int_equal(p->s.rows, 3 + 2);
    assert_true(chart_script_finish(&p->s) && fflush(p->data) == 0);
    assert_string_equal(p->bytes, "1,0,1000,1000,1000,1000,1000,s0\n"
                                  "1,60,100,100,600,900,900,s0\n"
                                  "1,120,0,0,,800,800,s0\n"
                                  "1,0,0,0,0,0,0,s0\n"
                                  "1,60,100,100,400,900,900,s0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_shown_while_there_is_room),
        cmocka_unit_test(of_many_the_baseline_the_chosen_and_the_cheapest),
        cmocka_unit_test(a_legend_ends_above_the_foot),
        cmocka_unit_test(an_uncertain_budget_is_named_by_its_median),
        cmocka_unit_test(unfinished_futures_are_told_in_few_words),
        cmocka_unit_test(a_time_axis_ends_where_work_does),
        cmocka_unit_test_setup_teardown(limits_off_the_axis_are_told_at_its_edge, set_up,
                                        tear_down),
        cmocka_unit_test(curves_of_a_part_say_so),
        cmocka_unit_test_setup_teardown(what_is_unknown_is_not_used_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_subtitle_says_what_is_left_out, set_up, tear_down)};

    return cmocka_run_group_tests_name("chart_context", tests, NULL, NULL);
}
