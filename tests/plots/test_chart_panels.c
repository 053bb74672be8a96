/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/charts/chart_panels.h"

static const struct chart_shown three = {.count = 3, .index = {0, 1, 2}, .of = 3};

static struct study_facts facts(bool a, bool b, bool c)
{
    struct study_facts f = {.count = 3};

    f.strategy[0].stands = a;
    f.strategy[1].stands = b;
    f.strategy[2].stands = c;
    return f;
}

static void panels_share_an_axis_while_they_can(void **state)
{
    const double end_s[] = {100.0, 200.0, 390.0};
    struct study_facts f = facts(true, true, true);
    struct chart_panel_ends ends = chart_panels_ends(&f, &three, end_s);

    (void)state;
    assert_false(ends.own);
    for (size_t i = 0; i < 3; i++)
        assert_near(ends.x_high_s[i], 1.03 * 390.0, 1e-9, "the latest end");
}

/* One slow strategy does not squeeze the others into a corner. */
static void panels_far_apart_end_with_their_own(void **state)
{
    const double end_s[] = {100.0, 0.0, 2000.0};
    struct study_facts f = facts(true, true, true);
    struct chart_panel_ends ends = chart_panels_ends(&f, &three, end_s);
    struct text subtitle;

    (void)state;
    assert_true(ends.own);
    assert_near(ends.x_high_s[0], 103.0, 1e-9, "its own");
    assert_near(ends.x_high_s[2], 2060.0, 1e-9, "its own");
    assert_true(ends.x_high_s[1] > 0.0); /* nothing is there, but an axis */
    text_init(&subtitle, 0);
    text_add(&subtitle, "Spend");
    chart_panels_say_ends(&subtitle, &ends);
    assert_string_equal(subtitle.data, "Spend; each panel has its own time axis");
    text_release(&subtitle);
}

/* What does not stand runs off the page and moves no other panel. */
static void unfinished_strategies_run_off(void **state)
{
    const double end_s[] = {100.0, 120.0, 5000.0};
    struct study_facts f = facts(true, true, false);
    struct chart_panel_ends ends = chart_panels_ends(&f, &three, end_s);

    (void)state;
    assert_false(ends.own);
    assert_near(ends.x_high_s[2], 1.03 * 240.0, 1e-9, "twice the end of what stands");
    f = facts(false, false, false);
    ends = chart_panels_ends(&f, &three, end_s);
    assert_near(ends.x_high_s[0], 1.03 * 5000.0, 1e-9, "nobody stands");
    ends = chart_panels_ends(&f, &three, (const double[]){0.0, 0.0, 0.0});
    assert_true(ends.x_high_s[0] > 0.0);
}

/* Labels neither write over each other nor into the next panel, in the broader language too. */
static void labels_of_ticks_do_not_collide(void **state)
{
    struct ticks months = {.count = 3,
                           .tick = {{0.0, "Dec 2025"}, {2.0, "Feb 2026"}, {4.0, "Apr"}}};
    struct chart_script s = {.language = REPORT_EN};
    struct chart_panels p = {.columns = 3, .left = 0.105, .right = 0.97};
    struct ticks t = months;

    (void)state;
    chart_panels_thin(&s, &p, &t, -0.6, 5.6, false);
    assert_string_equal(t.tick[1].label, "Feb 2026");
    assert_string_equal(t.tick[2].label, "Apr");
    t = months;
    s.language = REPORT_ZH;
    chart_panels_thin(&s, &p, &t, -0.6, 5.6, false);
    assert_string_equal(t.tick[0].label, "Dec 2025");
    assert_string_equal(t.tick[1].label, "");
    assert_string_equal(t.tick[2].label, "Apr");
    t = (struct ticks){.count = 2, .tick = {{0.0, "2 Mar"}, {9.6, "12 Mar"}}};
    chart_panels_thin(&s, &p, &t, 0.0, 10.0, false);
    assert_string_equal(t.tick[1].label, "");
    snprintf(t.tick[1].label, sizeof t.tick[1].label, "12 Mar");
    chart_panels_thin(&s, &p, &t, 0.0, 10.0, true);
    assert_string_equal(t.tick[1].label, "12 Mar");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(labels_of_ticks_do_not_collide),
                                       cmocka_unit_test(panels_share_an_axis_while_they_can),
                                       cmocka_unit_test(panels_far_apart_end_with_their_own),
                                       cmocka_unit_test(unfinished_strategies_run_off)};

    return cmocka_run_group_tests_name("chart_panels", tests, NULL, NULL);
}
