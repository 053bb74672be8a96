/* SPDX-License-Identifier: GPL-3.0-or-later
 * Coverage over time: exact reference values, and hours taken together against hours one by one. */
#include "tests/support/coverage_scene.h"
#include "tests/support/draws.h"
#include "tests/support/testing.h"

#include <stdlib.h>
#include <string.h>

static int set_up(void **state)
{
    static struct coverage_scene scene;
    scene_init(&scene);
    *state = &scene;
    return 0;
}

static int tear_down(void **state)
{
    scene_release(*state);
    return 0;
}

static void run(struct coverage_scene *s, const struct coverage_change *changes, size_t count,
                const struct coverage_span *span, struct coverage_sums *sums)
{
    struct coverage_run *r = coverage_run_new(s->coverage);
    assert_non_null(r);
    coverage_sums_clear(sums);
    assert_int_equal(coverage_run(r, changes, count, span, coverage_sums_add, sums),
                     COVERAGE_RUN_DONE);
    assert_false(sums->overflow);
    coverage_run_free(r);
}

/* ---- newsvendor: 24 hours, 8 of them at 2, 8 at 10, 8 at 5; r = 6, p = 10 ------------------ */

static const struct coverage_change day[] = {
    {0, 0, 2}, {8 * HOUR_US, 0, 8}, {16 * HOUR_US, 0, -5}, {24 * HOUR_US, 0, -5}};
static const struct coverage_span day_span = {.to_us = 24 * HOUR_US};
static const int64_t day_costs[] = {1360, 1264, 1168, 1152, 1136, 1120,
                                    1184, 1248, 1312, 1376, 1440};

static void test_newsvendor_reserved(void **state)
{
    struct coverage_scene *s = *state;
    struct coverage_sums sums;
    scene_use(s, "p4d.24xlarge", 0, 10);
    scene_reserve(s, "p4d.24xlarge", 0, 6);
    for (int64_t q = 0; q <= 10; q++) {
        commitment_set_reserved(&s->commitments[0], q, 0, 6 * MONEY_UNIT);
        scene_build(s);
        assert_true(coverage_sums_init(&sums, s->coverage));
        run(s, day, 4, &day_span, &sums);
        assert_int_equal(sums.total, day_costs[q] * MONEY_UNIT);
        assert_int_equal(sums.paid, q * 6 * 24 * MONEY_UNIT);
        coverage_sums_release(&sums);
    }
}

static void test_newsvendor_savings_plan(void **state)
{
    struct coverage_scene *s = *state;
    struct coverage_sums sums;
    scene_use(s, "p4d.24xlarge", 0, 10);
    scene_rate(s, 0, scene_compute_plan(s, 0), 6);
    for (int64_t q = 0; q <= 10; q++) {
        commitment_set_savings_plan(&s->commitments[0], q * 6 * MONEY_UNIT);
        scene_build(s);
        assert_true(coverage_sums_init(&sums, s->coverage));
        run(s, day, 4, &day_span, &sums);
        assert_int_equal(sums.total, day_costs[q] * MONEY_UNIT);
        coverage_sums_release(&sums);
    }
}

/* ---- against the clock, hour by hour --------------------------------------------------------- */

enum { CHANGES = 40, RUN_GROUPS = 4, RUN_COMMITMENTS = 5 };

struct plain {
    struct coverage_scene *scene;
    const struct coverage_change *changes;
    const struct coverage_span *span;
    struct coverage_sums *sums;
};

static int64_t running_us(const struct plain *p, uint32_t slot, int64_t from_us, int64_t to_us)
{
    int64_t us = 0;
    for (size_t i = 0; i < CHANGES; i++) {
        const struct coverage_change *c = &p->changes[i];
        if (c->slot == slot && c->at_us < to_us) {
            us += c->delta * (to_us - (c->at_us > from_us ? c->at_us : from_us));
        }
    }
    return us;
}

static void run_plainly(const struct plain *p)
{
    coverage_sums_clear(p->sums);
    int64_t phase_us = p->span->start_unix_s % 3600 * MICROSECONDS;
    int64_t from_us = p->span->from_us;
    while (from_us < p->span->to_us) {
        int64_t to_us = ((from_us + phase_us) / HOUR_US + 1) * HOUR_US - phase_us;
        int64_t us[SCENE_GROUPS];
        to_us = to_us < p->span->to_us ? to_us : p->span->to_us;
        for (uint32_t i = 0; i < coverage_slots(p->scene->coverage); i++) {
            us[i] = running_us(p, i, from_us, to_us);
        }
        coverage_sums_add(p->sums,
                          coverage_match(p->scene->coverage, p->scene->work, us, from_us, to_us));
        from_us = to_us;
    }
}

static void draw_scene(uint64_t *random, struct coverage_scene *s)
{
    static const char *const types[] = {"m4.large", "m4.xlarge", "m4.4xlarge", "g5.xlarge"};
    s->group_count = s->commitment_count = 0;
    for (size_t i = 0; i < RUN_GROUPS; i++) {
        scene_use(s, types[i], 0, 0.01 + 40 * draw_uniform(random));
    }
    for (size_t i = 0; i < RUN_COMMITMENTS; i++) {
        size_t c;
        double amount = 30 * draw_uniform(random);
        switch (draw_below(random, 4)) {
        case 0:
            c = scene_reserve_zone(s, types[draw_below(random, 4)], "us-east-1a",
                                   draw_below(random, 4), amount);
            break;
        case 1:
            c = scene_reserve(s, types[draw_below(random, 4)], draw_below(random, 6), amount);
            /* an hour that is no whole number of nano-units */
            s->commitments[c].upfront = draw_amount(random, 1000000 * MONEY_UNIT);
            break;
        case 2:
            c = scene_instance_plan(s, "m4", amount);
            break;
        default:
            c = scene_compute_plan(s, amount);
        }
        for (size_t g = 0; g < RUN_GROUPS; g++) {
            s->rates[g][c] = 1 + draw_below(random, s->groups[g].on_demand_per_hour);
        }
        int64_t start_us = draw_below(random, 150 * HOUR_US);
        s->commitments[c].start_us =
            draw_below(random, 2) ? start_us / HOUR_US * HOUR_US : start_us;
        s->commitments[c].end_us =
            s->commitments[c].start_us +
            (draw_below(random, 2) ? 8760 * HOUR_US : 1 + draw_below(random, 100 * HOUR_US));
    }
    scene_build(s);
}

/* Comes and goes, never below zero: each launch has its end. */
static void draw_changes(uint64_t *random, struct coverage_change *changes, int64_t to_us)
{
    for (size_t i = 0; i < CHANGES; i += 2) {
        uint32_t slot = (uint32_t)draw_below(random, RUN_GROUPS);
        int32_t count = (int32_t)draw_below(random, 5);
        int64_t at_us = draw_below(random, to_us);
        int64_t end_us = at_us + draw_length(random, 2 * to_us);
        if (draw_below(random, 3) == 0) {
            at_us = at_us / HOUR_US * HOUR_US;
        }
        changes[i] = (struct coverage_change){at_us, slot, count};
        changes[i + 1] = (struct coverage_change){end_us, slot, -count};
    }
    coverage_changes_sort(changes, CHANGES);
}

static void assert_same_sums(const struct coverage_sums *a, const struct coverage_sums *b)
{
    assert_int_equal(a->total, b->total);
    assert_int_equal(a->paid, b->paid);
    for (size_t i = 0; i < a->commitments; i++) {
        assert_int_equal(a->used[i], b->used[i]);
        assert_int_equal(a->unused[i], b->unused[i]);
    }
    for (size_t i = 0; i < a->slots; i++) {
        assert_int_equal(a->covered_us[i], b->covered_us[i]);
        assert_int_equal(a->covered[i], b->covered[i]);
        assert_int_equal(a->on_demand_us[i], b->on_demand_us[i]);
        assert_int_equal(a->on_demand[i], b->on_demand[i]);
    }
}

static void test_equal_hours_are_their_sum(void **state)
{
    struct coverage_scene *s = *state;
    uint64_t random = 21;
    struct coverage_change changes[CHANGES];
    for (int n = 0; n < 1500; n++) {
        struct coverage_sums together, single;
        draw_scene(&random, s);
        assert_true(coverage_sums_init(&together, s->coverage));
        assert_true(coverage_sums_init(&single, s->coverage));
        int64_t to_us = 1 + draw_below(&random, 200 * HOUR_US);
        int64_t cuts[] = {to_us / 3, to_us / 2 / HOUR_US * HOUR_US};
        struct coverage_span span = {.from_us = draw_below(&random, 3) ? 0 : to_us / 5,
                                     .to_us = to_us,
                                     .start_unix_s = draw_below(&random, 2) * 1234,
                                     .cut_us = cuts,
                                     .cut_count = (size_t)draw_below(&random, 3)};
        draw_changes(&random, changes, to_us);
        run(s, changes, CHANGES, &span, &together);
        struct plain p = {s, changes, &span, &single};
        run_plainly(&p);
        assert_same_sums(&together, &single);
        money_t amortised = 0;
        for (size_t i = 0; i < s->commitment_count; i++) {
            money_t part = commitment_amortised(&s->commitments[i], span.from_us, span.to_us);
            assert_int_equal(together.used[i] + together.unused[i], part);
            amortised += part;
        }
        assert_int_equal(together.paid, amortised);
        coverage_sums_release(&together);
        coverage_sums_release(&single);
    }
}

/* ---- outcomes as they come ----------------------------------------------------------------------
 */

struct seen {
    int64_t at_us, edges[64];
    size_t count;
};

static void see(void *context, const struct coverage_outcome *o)
{
    struct seen *seen = context;
    assert_int_equal(o->from_us, seen->at_us);
    assert_true(o->to_us > o->from_us);
    assert_true(seen->count < 64);
    seen->edges[seen->count++] = o->to_us;
    seen->at_us = o->to_us;
}

/* From half past an hour to a quarter past one, a change, a cut on an hour and one within. */
static void test_where_outcomes_end(void **state)
{
    struct coverage_scene *s = *state;
    static const int64_t quarter = HOUR_US / 4;
    scene_use(s, "m4.large", 0, 1);
    scene_reserve(s, "m4.large", 1, 1);
    s->commitments[0].start_us = 42 * quarter; /* on a full hour: quarters count from half past */
    s->commitments[0].end_us = 8760 * HOUR_US;
    scene_build(s);
    struct coverage_run *r = coverage_run_new(s->coverage);
    static const struct coverage_change changes[] = {{15 * quarter, 0, 1}, {75 * quarter, 0, -1}};
    static const int64_t cuts[] = {30 * quarter, 57 * quarter};
    const struct coverage_span span = {
        .to_us = 91 * quarter, .start_unix_s = 1800, .cut_us = cuts, .cut_count = 2};
    struct seen seen = {0};
    assert_int_equal(coverage_run(r, changes, 2, &span, see, &seen), COVERAGE_RUN_DONE);
    static const int64_t want[] = {2, 14, 18, 30, 42, 58, 74, 78, 90, 91};
    assert_int_equal(seen.count, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < seen.count; i++) {
        assert_int_equal(seen.edges[i], want[i] * quarter);
    }
    coverage_run_free(r);
}

static void test_wrong_changes(void **state)
{
    struct coverage_scene *s = *state;
    scene_use(s, "m4.large", 0, 1);
    scene_build(s);
    struct coverage_run *r = coverage_run_new(s->coverage);
    struct coverage_sums sums;
    assert_true(coverage_sums_init(&sums, s->coverage));
    const struct coverage_span span = {.to_us = 10 * HOUR_US};
    const struct coverage_change below[] = {{5, 0, -1}};
    assert_int_equal(coverage_run(r, below, 1, &span, coverage_sums_add, &sums),
                     COVERAGE_RUN_NEGATIVE);
    /* at one instant the order does not matter */
    const struct coverage_change swapped[] = {{0, 0, 2}, {5, 0, -3}, {5, 0, 1}};
    assert_int_equal(coverage_run(r, swapped, 3, &span, coverage_sums_add, &sums),
                     COVERAGE_RUN_DONE);
    const struct coverage_change many[] = {{5, 0, COVERAGE_RUNNING_MAX + 1}};
    assert_int_equal(coverage_run(r, many, 1, &span, coverage_sums_add, &sums),
                     COVERAGE_RUN_TOO_MUCH);
    coverage_run_free(r);
    coverage_sums_release(&sums);
}

static void test_overflow(void **state)
{
    struct coverage_scene *s = *state;
    scene_use(s, "m4.large", 0, 1);
    s->groups[0].on_demand_per_hour = 1000000 * MONEY_UNIT;
    scene_build(s);
    struct coverage_run *r = coverage_run_new(s->coverage);
    struct coverage_sums sums;
    assert_true(coverage_sums_init(&sums, s->coverage));
    const struct coverage_span span = {.to_us = 26280 * HOUR_US};
    const struct coverage_change many[] = {{0, 0, 1000}};
    assert_int_equal(coverage_run(r, many, 1, &span, coverage_sums_add, &sums),
                     COVERAGE_RUN_OVERFLOW);
    coverage_run_free(r);
    coverage_sums_release(&sums);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_newsvendor_reserved),
        CASE(test_newsvendor_savings_plan),
        CASE(test_equal_hours_are_their_sum),
        CASE(test_where_outcomes_end),
        CASE(test_wrong_changes),
        CASE(test_overflow),
    };
    return cmocka_run_group_tests_name("coverage_run", tests, NULL, NULL);
}
