/* SPDX-License-Identifier: GPL-3.0-or-later
 * The title of a sweep's chart: each rule from a table in which the claim holds, and one in which
 * it does not. */
#include "plots/facts/sweep_page.h"

#include "tests/support/testing.h"
#include "tests/support/text_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ONE_PATH                                                                                   \
    "point,strategies.spot.nodes:t,strategy:t,workload:t,metric:t,mean,p10,p50,p90,p50_low,"       \
    "p50_high"
#define TWO_PATHS                                                                                  \
    "point,a.b:t,c.d.e:t,strategy:t,workload:t,metric:t,mean,p10,p50,p90,p50_low,p50_high"

struct rows {
    char text[8192];
    size_t length;
};

/* P50 with 10 on each side. */
static void add(struct rows *r, const char *point, const char *strategy, double p50)
{
    r->length += (size_t)snprintf(r->text + r->length, sizeof r->text - r->length,
                                  "%s,%s,all,cost_usd,,%g,%g,%g,%g,%g\n", point, strategy, p50 - 50,
                                  p50, p50 + 50, p50 - 10, p50 + 10);
}

static void unfinished(struct rows *r, const char *point, const char *strategy)
{
    r->length += (size_t)snprintf(r->text + r->length, sizeof r->text - r->length,
                                  "%s,%s,all,finished,0.9,,,,,\n", point, strategy);
}

static void assert_title(const struct rows *r, const char *columns, const char *want)
{
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct table *t = text_table("sweep", columns, r->text);
    struct sweep_page p;
    struct text title;

    text_init(&title, 4096);
    assert_true(sweep_page_read(&p, t, "cost_usd", a, d));
    title_sweep(&title, &p, "USD");
    assert_string_equal(title.data, want);
    text_release(&title);
    table_free(t);
    diagnostics_free(d);
    arena_free(a);
}

static void one_strategy(void **state)
{
    (void)state;
    struct rows r = {"", 0};
    add(&r, "0,2", "spot", 5000);
    add(&r, "1,8", "spot", 4000);
    assert_title(&r, ONE_PATH, "Cost of spot: P50 $5,000 at spot.nodes = 2, $4,000 at 8");
}

static void one_path(void **state)
{
    (void)state;
    struct rows r = {"", 0};
    add(&r, "0,2", "spot", 1000);
    add(&r, "0,2", "od", 2000);
    add(&r, "1,4", "spot", 1500);
    add(&r, "1,4", "od", 2000);
    struct rows everywhere = r, change = r, level = r, cut = r;
    assert_title(&everywhere, ONE_PATH, "spot has the lowest P50 cost at all 2 points");
    add(&change, "2,8", "spot", 2500);
    add(&change, "2,8", "od", 2000);
    assert_title(&change, ONE_PATH,
                 "spot has the lowest P50 cost up to spot.nodes = 4, od from 8 on");
    /* Intervals of 10 on either side touch at a difference of 20. */
    add(&level, "2,8", "spot", 2020);
    add(&level, "2,8", "od", 2000);
    assert_title(&level, ONE_PATH,
                 "spot has the lowest P50 cost at 2 of 3 points, with no clear difference at the "
                 "others");
    /* Cheaper, but not finished in one of ten futures. */
    add(&cut, "2,8", "spot", 100);
    unfinished(&cut, "2,8", "spot");
    add(&cut, "2,8", "od", 2000);
    assert_title(
        &cut, ONE_PATH,
        "spot has the lowest P50 cost up to spot.nodes = 4, od from 8 on, of those known to "
        "finish");
}

static void nothing_clear(void **state)
{
    (void)state;
    struct rows r = {"", 0};
    add(&r, "0,2", "spot", 2001);
    add(&r, "0,2", "od", 2000);
    assert_title(&r, ONE_PATH, "No clear difference in P50 cost at any of 1 points");
}

static void two_paths(void **state)
{
    (void)state;
    struct rows r = {"", 0};
    const double spot[] = {1000, 1500, 2500, 2000};
    static const char *const points[] = {"0,x,1h", "1,x,2h", "2,y,1h", "3,y,2h"};
    for (size_t i = 0; i < 4; i++) {
        add(&r, points[i], "spot", spot[i]);
        add(&r, points[i], "od", 2000);
    }
    assert_title(
        &r, TWO_PATHS,
        "spot has the lowest P50 cost at 2 of 4 points, od at 1; no clear difference at 1");
}

/* Numbers of one unit lie at their values, all else side by side. */
static void where_values_lie(void **state)
{
    (void)state;
    struct rows numbers = {"", 0}, mixed = {"", 0};
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct sweep_page p;
    add(&numbers, "0,2 h", "od", 1);
    add(&numbers, "1,8 h", "od", 1);
    add(&mixed, "0,2 h", "od", 1);
    add(&mixed, "1,90 min", "od", 1);
    struct table *t = text_table("sweep", ONE_PATH, numbers.text);
    assert_true(sweep_page_read(&p, t, "cost_usd", a, d));
    assert_true(p.path[0].numeric && p.path[0].at[1] == 8);
    assert_string_equal(p.path[0].unit, "h");
    table_free(t);
    t = text_table("sweep", ONE_PATH, mixed.text);
    assert_true(sweep_page_read(&p, t, "cost_usd", a, d));
    assert_true(!p.path[0].numeric && p.path[0].at[1] == 1);
    table_free(t);
    assert_false(sweep_page_read(&p, NULL, "cost_usd", a, d));
    assert_false(diagnostics_failed(d));
    diagnostics_free(d);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_strategy),     cmocka_unit_test(one_path),
        cmocka_unit_test(nothing_clear),    cmocka_unit_test(two_paths),
        cmocka_unit_test(where_values_lie),
    };
    return cmocka_run_group_tests_name("sweep_page", tests, NULL, NULL);
}
