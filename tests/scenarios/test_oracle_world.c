/* SPDX-License-Identifier: GPL-3.0-or-later
 * The bound of one world in markets written by hand, where all can be worked out. */
#include "scenarios/study/oracle_world.h"
#include "tests/support/scripted_market_double.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>

#define H     3600.0
#define CLOSE 1e-5

enum { ON_DEMAND, ZONE_A, ZONE_B };

static bool is_free; /* the first hour of what is interrupted */

bool market_first_hour_free(const struct market *m, int pool)
{
    return is_free && m->pools[pool].purchase == PURCHASE_SPOT;
}

/* On-demand at 3 an hour, zone a at 1 and zone b at 0.8. */
struct scene {
    struct scripted_pool pools[3];
    struct training_spec spec;
    struct training_plan plan;
    struct oracle_gang gang;
};

static void up_at(struct scene *s, int zone, size_t count, const struct scripted_step *steps)
{
    for (size_t i = 0; i < count; i++) {
        s->pools[zone].steps[i] = steps[i];
    }
    s->pools[zone].step_count = count;
}
#define UP_AT(s, zone, ...)                                                                        \
    up_at(s, zone, sizeof((struct scripted_step[]){__VA_ARGS__}) / sizeof(struct scripted_step),   \
          (struct scripted_step[]){__VA_ARGS__})

static struct scene scene(double hours, double last_h)
{
    is_free = false;
    struct scene s = {
        .pools = {{.name = "od", .purchase = PURCHASE_ON_DEMAND, .per_hour = 3 * MONEY_UNIT},
                  {.name = "a", .purchase = PURCHASE_SPOT, .per_hour = MONEY_UNIT},
                  {.name = "b", .purchase = PURCHASE_SPOT, .per_hour = MONEY_UNIT / 5 * 4}},
        .spec = {.hours = NUMBER_CERTAIN(hours * H)},
        .plan = {.work = {.nodes = 1}, .speed = SPEED_HOURS},
        .gang = {.last_s = last_h * H,
                 .ticks = (size_t)(last_h * 6),
                 .on_demand = {ON_DEMAND},
                 .on_demand_count = 1,
                 .spot = {ZONE_A},
                 .spot_count = 1}};
    s.spec.boot = variate_constant(0);
    s.spec.checkpoint.restore = s.spec.boot;
    return s;
}

static double bound_of(struct scene *s)
{
    struct study study = {.oracle = {.gangs = &s->gang, .gang_count = 1, .worlds = 1}};
    struct oracle_room *room = oracle_room_new(&study);
    struct market *market = scripted_market_new(s->pools, 3);
    double bound;
    s->plan.spec = &s->spec;
    s->gang.plan = &s->plan;
    assert_non_null(room);
    assert_non_null(market);
    oracle_world(room, market, NULL, &bound);
    market_free(market);
    oracle_room_free(room);
    return bound;
}

/* ---- cases ---- */

static void a_gap_is_waited_for(void **state)
{
    (void)state;
    struct scene s = scene(2, 3);
    UP_AT(&s, ZONE_A, {0, 1}, {H, 0}, {2 * H, 1});
    assert_near(bound_of(&s), 2, CLOSE, "two hours of spot");
    s = scene(2.5, 3); /* on-demand for what is missing */
    UP_AT(&s, ZONE_A, {0, 1}, {H, 0}, {2 * H, 1});
    assert_near(bound_of(&s), 2 + 0.5 * 3, CLOSE, "and half an hour on demand");
    s = scene(3.1, 3);
    UP_AT(&s, ZONE_A, {0, 1}, {H, 0}, {2 * H, 1});
    assert_true(isnan(bound_of(&s)));
}

static void work_goes_on_through_the_notice(void **state)
{
    (void)state;
    struct scene s = scene(2 + 0.1, 3);
    s.pools[ZONE_A].notice_s = 0.1 * H;
    UP_AT(&s, ZONE_A, {0, 1}, {H, 0}, {2 * H, 1});
    assert_near(bound_of(&s), 2.1, CLOSE, "two hours and a notice of spot");
}

/* Spot that goes and comes within a tick counts as there in all of it: never too dear. */
static void a_tick_counts_as_a_whole(void **state)
{
    (void)state;
    struct scene s = scene(2, 2);
    UP_AT(&s, ZONE_A, {0, 1}, {H + 100, 0}, {H + 200, 1});
    assert_near(bound_of(&s), 2, CLOSE, "no gap is seen");
    UP_AT(&s, ZONE_A, {0, 1}, {H + 100, 0}, {H + 600, 1});
    assert_near(bound_of(&s), 2, CLOSE, "nor from tick to tick");
    UP_AT(&s, ZONE_A, {0, 1}, {H, 0}, {H + 600, 1});
    assert_near(bound_of(&s), 2 + (3 - 1) / 6.0, CLOSE, "a whole tick is");
}

static void zones_follow_each_other(void **state)
{
    (void)state;
    struct scene s = scene(2 - 1 / 6.0, 2);
    s.spec.boot = variate_constant(600);
    s.gang.spot[1] = ZONE_B;
    s.gang.spot_count = 2;
    UP_AT(&s, ZONE_A, {0, 1}, {H, 0});
    UP_AT(&s, ZONE_B, {0, 0}, {H, 1});
    /* Ten minutes of boot at the start; the second boots beside the first, and is paid for it. */
    assert_near(bound_of(&s), 1 + 0.8 + 0.8 / 6, CLOSE, "an hour in each");
}

static void a_gang_needs_all_its_nodes(void **state)
{
    (void)state;
    struct scene s = scene(2, 3);
    s.plan.work.nodes = 4;
    UP_AT(&s, ZONE_A, {0, 4}, {H, 3}, {2 * H, 9});
    assert_near(bound_of(&s), 4 * 2, CLOSE, "four nodes, two hours");
    s.gang.last_s = 2 * H;
    s.gang.ticks = 12;
    assert_near(bound_of(&s), 4 * (1 + 3), CLOSE, "three do not do");
}

/* Of what is launched an hour before it is taken away, all is free but who stays. */
static void the_first_hour_may_be_free(void **state)
{
    (void)state;
    struct scene s = scene(1, 1 + 5 / 6.0);
    is_free = true;
    UP_AT(&s, ZONE_A, {0, 1}, {1.5 * H, 0});
    assert_near(bound_of(&s), 0, CLOSE, "all of it");
    s.plan.work.nodes = 4;
    UP_AT(&s, ZONE_A, {0, 4}, {1.5 * H, 3});
    assert_near(bound_of(&s), 3, CLOSE, "one of four");
    UP_AT(&s, ZONE_A, {0, 4}, {1.5 * H, 3}, {5400 + 600, 1});
    assert_near(bound_of(&s), 1, CLOSE, "three go within the hour");
    s.pools[ZONE_A].hazard_per_s = 1e-5;
    assert_true(isnan(bound_of(&s)));
    is_free = false;
    assert_near(bound_of(&s), 4, CLOSE, "none");
}

static void nothing_before_it_is_submitted(void **state)
{
    (void)state;
    struct scene s = scene(1, 2);
    UP_AT(&s, ZONE_A, {0, 1}, {H / 2, 0});
    assert_near(bound_of(&s), 0.5 + 0.5 * 3, CLOSE, "half an hour of spot");
    s.plan.work.submit_s = H / 2;
    assert_near(bound_of(&s), 3, CLOSE, "too late for it");
    s.plan.work.submit_s = 2 * H;
    assert_true(isnan(bound_of(&s)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_is_waited_for),
        cmocka_unit_test(work_goes_on_through_the_notice),
        cmocka_unit_test(a_tick_counts_as_a_whole),
        cmocka_unit_test(zones_follow_each_other),
        cmocka_unit_test(a_gang_needs_all_its_nodes),
        cmocka_unit_test(the_first_hour_may_be_free),
        cmocka_unit_test(nothing_before_it_is_submitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
