/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the charts of spot prices and of up times read from their tables, and their titles, each
 * rule from a table in which the claim holds and one in which it does not. */
#include "plots/facts/survival_curves.h"
#include "plots/sentences/title_spot_market.h"
#include "plots/sentences/title_survival.h"
#include "tests/support/sample_market.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    struct spot_paths paths;
    struct survival_pairs *pairs;
    struct diagnostics *d;
    struct arena *arena;
    struct text said;
};

static int set_up(void **state)
{
    static struct bench b;

    b.d = diagnostics_new();
    b.arena = arena_new(0);
    b.pairs = calloc(1, sizeof *b.pairs);
    text_init(&b.said, 4096);
    *state = &b;
    return b.pairs == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    free(b->pairs);
    diagnostics_free(b->d);
    arena_free(b->arena);
    text_release(&b->said);
    return 0;
}

static const char *market_title(struct bench *b, const char *rows, double replication)
{
    struct table *t = text_table("market", SAMPLE_MARKET_COLUMNS, rows);

    assert_true(spot_paths_read(&b->paths, t, replication, "cost_usd", b->arena, b->d));
    text_clear(&b->said);
    title_spot_market(&b->said, &b->paths, "USD");
    table_free(t); /* the title holds no more of it */
    return b->said.data;
}

static void paths_are_of_one_world(void **state)
{
    struct bench *b = *state;
    struct table *t = sample_market_table();
    const struct spot_path *a = &b->paths.path[0];

    assert_true(spot_paths_read(&b->paths, t, 4.0, "cost_usd", b->arena, b->d));
    assert_int_equal(b->paths.count, 2);
    assert_true(b->paths.end_s == 273600);
    assert_string_equal(a->zone, "us-east-1a");
    assert_int_equal(a->count, 4);
    assert_int_equal(a->losses, 2);
    /* Room for all four in the first hour and from the third to the 25th. */
    assert_true(a->room_s == 3600 + 82800 && a->seen_s == 273600);
    assert_true(a->low == 10.5 && a->high == 12);
    assert_true(spot_paths_read(&b->paths, t, 5.0, "cost_usd", b->arena, b->d));
    assert_int_equal(b->paths.count, 0);
    assert_false(spot_paths_read(&b->paths, t, 4.0, "cost_eur", b->arena, b->d));
    table_free(t);
}

static void titles_of_one_pool(void **state)
{
    assert_string_equal(
        market_title(*state, "0,z,p,1,0,10,0.9,1,0\n0,z,p,1,10,20,0.9,0,1\n", 0),
        "Spot in z loses its room for a node once; its price stays at $0.9 an hour");
    assert_string_equal(market_title(*state, "0,z,p,1,0,10,0.9,1,0\n0,z,p,1,10,20,1.2,1,0\n", 0),
                        "Spot in z never loses its room for a node; its price moves between $0.9 "
                        "and $1.20 an hour");
    /* A few nodes fewer are no loss of room for the gang, which was not there. */
    assert_string_equal(market_title(*state, "0,z,p,4,0,10,0.9,3,0\n0,z,p,4,10,20,0.9001,1,2\n", 0),
                        "Spot in z never has room for 4 nodes; its price stays about $0.9 an hour");
}

static void titles_of_several_pools(void **state)
{
    assert_string_equal(
        market_title(*state,
                     "0,y,p,4,0,10,0.5,4,0\n0,y,p,4,10,20,0.5,0,4\n"
                     "0,z,p,4,0,10,0.9,4,0\n",
                     0),
        "Spot loses its room for 4 nodes 0 to 1 times in each of 2 pools; prices lie "
        "between $0.5 and $0.9 an hour");
}

/* Pairs from rows: seen at 1 and 3 hours, the model there. */
static const char *survival_title(struct bench *b, const char *seen, const char *model, double s1,
                                  double m1, double s3, double m3)
{
    char rows[512];
    struct table *t;

    snprintf(rows, sizeof rows,
             "z,p,1,%s,1,%.10g,,,9,9\nz,p,1,%s,3,%.10g,,,9,9\n"
             "z,p,1,%s,1,%.10g,,,,\nz,p,1,%s,3,%.10g,,,,\n",
             seen, s1, seen, s3, model, m1, model, m3);
    t = text_table("survival", SAMPLE_SURVIVAL_COLUMNS, rows);
    assert_true(survival_pairs_read(b->pairs, t, b->d));
    assert_int_equal(b->pairs->count, 1);
    text_clear(&b->said);
    title_survival(&b->said, b->pairs);
    table_free(t);
    return b->said.data;
}

static void titles_of_up_times(void **state)
{
    assert_string_equal(survival_title(*state, "trace", "fitted", 0.5, 0.52, 0.2, 0.265),
                        "The fitted model follows the trace: at most 7 points apart");
    assert_string_equal(
        survival_title(*state, "trace", "fitted", 0.5, 0.52, 0.23, 0.41),
        "23 % of up times in z last longer than 3 hours; the fitted model says 41 %");
    assert_string_equal(survival_title(*state, "simulated", "planned", 0.5, 0.5, 0.2, 0.2),
                        "Losses come about as evenly as planned with: at most 1 point apart");
    assert_string_equal(
        survival_title(*state, "trace", "fitted", 1.0, 0.31, 0.5, 0.3),
        "100 % of up times in z last longer than 60 minutes; the fitted model says 31 %");
    assert_string_equal(
        survival_title(*state, "trace", "fitted", 0.6, 0.5, 0.0, 0.3),
        "0 % of up times in z last longer than 3 hours; the fitted model says 30 %");
    assert_string_equal(survival_title(*state, "simulated", "planned", 0.4, 0.7, 0.2, 0.2),
                        "40 % of up times in z last longer than 60 minutes; planning counts with "
                        "70 %");
}

/* A pool with hardly an up time is not judged, also beside another. */
static void few_up_times_say_little(void **state)
{
    struct bench *b = *state;
    const char *rows[] = {"a,p,1,trace,1,1,,,3,3\na,p,1,fitted,1,0.3,,,,\n",
                          "a,p,1,trace,1,1,,,3,3\na,p,1,fitted,1,0.3,,,,\n"
                          "b,p,1,trace,1,0.5,,,9,9\nb,p,1,fitted,1,0.8,,,,\n"};
    const char *said[] = {"At most 3 up times seen in a pool: too few to judge the model by",
                          "50 % of up times in b last longer than 60 minutes; the fitted model "
                          "says 80 %"};

    for (size_t i = 0; i < 2; i++) {
        struct table *t = text_table("survival", SAMPLE_SURVIVAL_COLUMNS, rows[i]);
        assert_true(survival_pairs_read(b->pairs, t, b->d));
        text_clear(&b->said);
        title_survival(&b->said, b->pairs);
        assert_string_equal(b->said.data, said[i]);
        table_free(t);
    }
}

static void one_curve_alone_is_no_pair(void **state)
{
    struct bench *b = *state;
    struct table *t = text_table("survival", SAMPLE_SURVIVAL_COLUMNS, "z,p,1,trace,1,0.5,,,9,9\n");

    assert_true(survival_pairs_read(b->pairs, t, b->d));
    assert_int_equal(b->pairs->count, 0);
    table_free(t);
}

/* Of five pools three are shown, and the others counted. */
static void more_pools_than_places_are_counted(void **state)
{
    struct bench *b = *state;
    struct table *t = text_table("survival", SAMPLE_SURVIVAL_COLUMNS,
                                 "a,p,1,trace,1,0.5,,,9,9\na,p,1,fitted,1,0.5,,,9,9\n"
                                 "b,p,1,trace,1,0.5,,,9,9\nb,p,1,fitted,1,0.5,,,9,9\n"
                                 "c,p,1,trace,1,0.5,,,9,9\nc,p,1,fitted,1,0.5,,,9,9\n"
                                 "d,p,1,trace,1,0.5,,,9,9\nd,p,1,fitted,1,0.5,,,9,9\n"
                                 "e,p,1,trace,1,0.5,,,9,9\ne,p,1,fitted,1,0.5,,,9,9\n");

    assert_true(survival_pairs_read(b->pairs, t, b->d));
    assert_int_equal(b->pairs->count, 3);
    assert_int_equal(b->pairs->of, 5);
    assert_string_equal(b->pairs->pair[2].zone, "c");
    table_free(t);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(paths_are_of_one_world),
        TEST(titles_of_one_pool),
        TEST(titles_of_several_pools),
        TEST(titles_of_up_times),
        TEST(few_up_times_say_little),
        TEST(one_curve_alone_is_no_pair),
        TEST(more_pools_than_places_are_counted),
    };
    return cmocka_run_group_tests_name("spot_charts", tests, NULL, NULL);
}
