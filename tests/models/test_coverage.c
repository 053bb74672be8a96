/* SPDX-License-Identifier: GPL-3.0-or-later
 * One clock hour against the provider's worked examples: Reserved Instances (EC2 user guide, "How
 * Reserved Instances are applied", 2023-06-15), Savings Plans (user guide, "Understanding how
 * Savings Plans apply to your usage", two editions), capacity reservations; then what is refused.
 * Prices of the first are made up: the guide has none. */
#include "tests/support/coverage_scene.h"
#include "tests/support/testing.h"

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

static void assert_hours(double got, double want, const char *what)
{
    assert_near(got, want, 1e-9, what);
}

/* ---- Reserved Instances ------------------------------------------------------------- */

/* R1 to R3: one instance reserved, and instance-hours of usage in one clock hour. */
static void one_reservation(struct coverage_scene *s, double instances, double covered)
{
    size_t g = scene_use(s, "m4.large", instances, 0.10);
    size_t c = scene_reserve(s, "m4.large", 1, 0.06);
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, g, c), covered, "covered");
    assert_hours(scene_on_demand_h(s, g), instances - covered, "on demand");
    assert_int_equal(s->outcome->used[c], DOLLARS(0.06));
    assert_int_equal(s->outcome->unused[c], 0);
    assert_int_equal(scene_total(s), DOLLARS(0.06 + 0.10 * (instances - covered)));
}

static void test_r1(void **state)
{
    one_reservation(*state, 4, 1); /* four instances the whole hour */
}

static void test_r2(void **state)
{
    one_reservation(*state, 4 * 0.25, 1); /* four of 15 minutes, one after the other */
}

static void test_r3(void **state)
{
    one_reservation(*state, 2 * 0.75, 1); /* two at once for 45 minutes */
}

static void test_r4(void **state)
{
    struct coverage_scene *s = *state;
    size_t small = scene_use(s, "t2.small", 2, 0.023);
    size_t c = scene_reserve(s, "t2.medium", 1, 0.02);
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, small, c), 2, "two t2.small");
    s->groups[small].type = "t2.large";
    s->us[small] = HOUR_US;
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, small, c), 0.5, "half a t2.large");
    assert_hours(scene_on_demand_h(s, small), 0.5, "the other half");
}

static void test_r5(void **state)
{
    struct coverage_scene *s = *state;
    size_t m3 = scene_use(s, "m3.large", 4, 0.133);
    size_t m4 = scene_use(s, "m4.xlarge", 2, 0.2);
    size_t c4 = scene_use(s, "c4.xlarge", 1, 0.199);
    s->groups[m4].zone = "us-east-1b";
    s->groups[c4].zone = "us-east-1c";
    size_t zonal = scene_reserve_zone(s, "m3.large", "us-east-1a", 4, 0.09);
    size_t regional = scene_reserve(s, "m4.large", 4, 0.06);
    size_t half = scene_reserve(s, "c4.large", 1, 0.06);
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, m3, zonal), 4, "zonal");
    assert_hours(scene_covered_h(s, m4, regional), 2, "regional");
    assert_hours(scene_covered_h(s, c4, half), 0.5, "half");
    assert_hours(scene_on_demand_h(s, c4), 0.5, "on demand");
    assert_int_equal(scene_on_demand(s), DOLLARS(0.0995));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(s->outcome->unused[i], 0);
    }
}

static void test_r6(void **state)
{
    struct coverage_scene *s = *state;
    size_t xlarge = scene_use(s, "m3.xlarge", 2, 0.266);
    size_t large = scene_use(s, "m3.large", 2, 0.133);
    s->groups[large].zone = "us-east-1b";
    size_t c = scene_reserve(s, "m3.2xlarge", 1, 0.3);
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, large, c), 2, "both large");
    assert_hours(scene_covered_h(s, xlarge, c), 1, "one xlarge");
    assert_int_equal(scene_on_demand(s), DOLLARS(0.266));
    /* 8 of 16 units each: half of the hour's cost */
    assert_int_equal(s->outcome->covers[0].money, DOLLARS(0.15));
    assert_int_equal(s->outcome->covers[1].money, DOLLARS(0.15));
}

static void test_r7(void **state)
{
    struct coverage_scene *s = *state;
    enum { A = 1, B = 2 };
    size_t m4 = scene_use(s, "m4.xlarge", 2, 0.2);
    size_t m4_2 = scene_use(s, "m4.2xlarge", 1, 0.4);
    size_t c4 = scene_use(s, "c4.xlarge", 2, 0.199);
    size_t c4_2 = scene_use(s, "c4.2xlarge", 1, 0.398);
    size_t linked = scene_use(s, "m4.xlarge", 2, 0.2);
    for (size_t i = 0; i < 5; i++) {
        s->groups[i].account = i == linked ? B : A;
    }
    size_t of_m4 = scene_reserve(s, "m4.xlarge", 4, 0.12);
    size_t of_c4 = scene_reserve(s, "c4.xlarge", 2, 0.12);
    s->commitments[of_m4].owner = s->commitments[of_c4].owner = A;
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, m4, of_m4), 2, "A's m4.xlarge");
    assert_hours(scene_covered_h(s, m4_2, of_m4), 1, "A's m4.2xlarge");
    assert_hours(scene_on_demand_h(s, linked), 2, "B's on demand");
    assert_hours(scene_covered_h(s, c4, of_c4), 2, "c4.xlarge");
    assert_hours(scene_on_demand_h(s, c4_2), 1, "c4.2xlarge");
}

static void test_r8(void **state)
{
    struct coverage_scene *s = *state;
    enum { A = 1, B = 2, C = 3 };
    size_t in_a = scene_use(s, "m4.xlarge", 1, 0.2);
    size_t in_b = scene_use(s, "m4.xlarge", 1, 0.2);
    s->groups[in_a].account = A;
    s->groups[in_b].account = B;
    s->groups[in_b].zone = "us-east-1b";
    size_t regional = scene_reserve(s, "m4.xlarge", 1, 0.12);
    size_t zonal = scene_reserve_zone(s, "m4.xlarge", "us-east-1a", 1, 0.12);
    s->commitments[regional].owner = A;
    s->commitments[zonal].owner = C;
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, in_a, zonal), 1, "C's zonal for A");
    assert_hours(scene_covered_h(s, in_b, regional), 1, "A's regional for B");
    assert_int_equal(scene_on_demand(s), 0);
}

/* What the guide excludes: other zones, platforms, regions; other sizes of rigid families. */
static void test_no_match(void **state)
{
    struct coverage_scene *s = *state;
    size_t zone = scene_use(s, "m4.large", 1, 0.1);
    size_t windows = scene_use(s, "c4.large", 1, 0.1);
    size_t region = scene_use(s, "r4.large", 1, 0.1);
    size_t size = scene_use(s, "g5.2xlarge", 1, 1.2);
    size_t zonal_size = scene_use(s, "p3.8xlarge", 1, 12);
    s->groups[zone].zone = "us-east-1b";
    s->groups[windows].platform = PLATFORM_WINDOWS;
    s->groups[region].region = "us-east-2";
    scene_reserve_zone(s, "m4.large", "us-east-1a", 1, 0.05);
    scene_reserve(s, "c4.large", 1, 0.05);
    scene_reserve(s, "r4.large", 1, 0.05);
    scene_reserve(s, "g5.xlarge", 2, 0.6);
    scene_reserve_zone(s, "p3.2xlarge", "us-east-1a", 4, 2);
    scene_match(s, 0);
    assert_int_equal(s->outcome->cover_count, 0);
    assert_hours(scene_on_demand_h(s, size), 1, "g5");
    assert_hours(scene_on_demand_h(s, zonal_size), 1, "p3");
    for (size_t i = 0; i < s->commitment_count; i++) {
        assert_int_equal(s->outcome->used[i], 0);
        assert_int_equal(s->outcome->unused[i], s->commitments[i].recurring_per_hour);
    }
    /* Rigid families match their own size; other platforms too. */
    s->groups[size].type = "g5.xlarge";
    s->commitments[1].platform = PLATFORM_WINDOWS;
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, size, 3), 1, "g5.xlarge");
    assert_hours(scene_covered_h(s, windows, 1), 1, "c4.large on Windows");
}

/* ---- Savings Plans --------------------------------------------------------------------- */

enum { R5, M5, VCPU, GB, LAMBDA, REQUESTS, USES };

/* 4 r5.4xlarge, one m5.24xlarge on Windows, Fargate, Lambda. Lambda seconds are counted by the
 * thousand, requests by the million: a rate is then a whole number of nano-dollars. */
static void use_example(struct coverage_scene *s, size_t plan, double r5)
{
    static const struct {
        const char *type;
        double amount, on_demand, rate;
    } uses[USES] = {
        {"r5.4xlarge", 4, 1.00, 0.70},         {"m5.24xlarge", 1, 10.00, 8.20},
        {"fargate-vcpu", 400, 0.04, 0.03},     {"fargate-gb", 1600, 0.004, 0.003},
        {"lambda-kgbs", 1500, 0.015, 0.01275}, {"lambda-requests", 1, 0.20, 0.20},
    };
    for (size_t i = 0; i < USES; i++) {
        size_t g = scene_use(s, uses[i].type, i == R5 ? r5 : uses[i].amount, uses[i].on_demand);
        scene_rate(s, g, plan, uses[i].rate);
    }
    s->groups[M5].platform = PLATFORM_WINDOWS;
}

/* To the cent and to the nano-dollar: the parts of a microsecond that a used-up plan leaves on
 * demand are worth less than 3e-9. */
static void assert_total(const struct coverage_scene *s, double want)
{
    assert_near(money_to_double(scene_total(s)), want, 1e-8, "total");
}

static void test_without_commitment(void **state)
{
    struct coverage_scene *s = *state;
    use_example(s, scene_compute_plan(s, 0), 4);
    scene_match(s, 0);
    assert_int_equal(scene_total(s), DOLLARS(59.10));
    assert_int_equal(s->outcome->cover_count, 0);
}

static void test_sp1(void **state)
{
    struct coverage_scene *s = *state;
    use_example(s, scene_compute_plan(s, 50.00), 4);
    scene_match(s, 0);
    assert_int_equal(scene_total(s), DOLLARS(50.00));
    assert_int_equal(scene_on_demand(s), 0);
    assert_int_equal(s->outcome->used[0], DOLLARS(47.125));
    assert_int_equal(s->outcome->unused[0], DOLLARS(2.875));
    assert_int_equal(s->outcome->covers[0].slot, coverage_slot(s->coverage, R5));
    assert_int_equal(s->outcome->covers[5].slot, coverage_slot(s->coverage, REQUESTS));
}

static void test_sp2(void **state)
{
    struct coverage_scene *s = *state;
    use_example(s, scene_compute_plan(s, 2.00), 4);
    scene_match(s, 0);
    assert_near(scene_covered_h(s, R5, 0), 2.857142857, 1e-9, "r5");
    assert_near(scene_on_demand_h(s, R5), 1.142857143, 1e-9, "rest");
    assert_total(s, 2.00 + 1.142857143 + 55.10);
    assert_int_equal((scene_total(s) + 5000000) / 10000000, 5824); /* 58.24 */
    assert_int_equal(s->outcome->used[0], DOLLARS(2.00));
}

static void test_sp3(void **state)
{
    struct coverage_scene *s = *state;
    use_example(s, scene_compute_plan(s, 18.20), 4);
    size_t ri = scene_reserve(s, "r5.4xlarge", 2, 0.55);
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, R5, ri), 2, "r5 reserved");
    assert_hours(scene_covered_h(s, R5, 0), 2, "r5 by the plan");
    assert_hours(scene_covered_h(s, VCPU, 0), 400, "vCPU");
    assert_hours(scene_covered_h(s, GB, 0), 1600, "GB");
    assert_int_equal(scene_on_demand(s), DOLLARS(32.70));
    assert_int_equal(scene_total(s), DOLLARS(50.90 + 2 * 0.55));
    assert_int_equal(s->outcome->unused[0], 0);
}

static void test_sp4(void **state)
{
    struct coverage_scene *s = *state;
    use_example(s, scene_compute_plan(s, 16.80), 4);
    size_t r5 = scene_instance_plan(s, "r5", 3.00);
    scene_rate(s, R5, r5, 0.60);
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, R5, r5), 4, "r5");
    assert_int_equal(s->outcome->used[r5], DOLLARS(2.40));
    assert_int_equal(s->outcome->unused[r5], DOLLARS(0.60));
    assert_int_equal(s->outcome->used[0], DOLLARS(16.80));
    assert_int_equal(s->outcome->unused[0], 0);
    assert_int_equal(scene_on_demand(s), DOLLARS(32.70));
    assert_int_equal(scene_total(s), DOLLARS(52.50));
}

/* The older edition of the page. */
enum { C5_9, C5_24, OLD_VCPU, OLD_GB };

static void older_example(struct coverage_scene *s, double commitment)
{
    size_t plan = scene_compute_plan(s, commitment);
    scene_rate(s, scene_use(s, "c5.9xlarge", 1, 4.00), plan, 2.00);
    scene_rate(s, scene_use(s, "c5.24xlarge", 1, 10.00), plan, 8.00);
    scene_rate(s, scene_use(s, "fargate-vcpu", 10, 1.50), plan, 1.00);
    scene_rate(s, scene_use(s, "fargate-gb", 5, 2.00), plan, 1.00);
    s->groups[C5_24].platform = PLATFORM_WINDOWS;
    scene_match(s, 0);
}

static void test_older_edition(void **state)
{
    struct coverage_scene *s = *state;
    older_example(s, 25.00);
    assert_int_equal(scene_total(s), DOLLARS(25.00));
    assert_int_equal(s->outcome->unused[0], 0);
    assert_int_equal(scene_on_demand(s), 0);
}

static void test_older_edition_on_demand(void **state)
{
    struct coverage_scene *s = *state;
    older_example(s, 0);
    assert_int_equal(scene_total(s), DOLLARS(39.00));
}

static void test_sp5(void **state)
{
    struct coverage_scene *s = *state;
    older_example(s, 10.00);
    static const size_t order[] = {OLD_GB, C5_9, OLD_VCPU};
    assert_int_equal(s->outcome->cover_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(s->outcome->covers[i].slot, coverage_slot(s->coverage, order[i]));
    }
    assert_hours(scene_covered_h(s, OLD_VCPU, 0), 3, "vCPU");
    assert_int_equal(scene_on_demand(s), DOLLARS(20.50));
    assert_int_equal(scene_total(s), DOLLARS(30.50));
}

/* The older edition with its EC2 Instance Savings Plan rates: family and region, any platform. */
static void test_instance_plan_before_compute_plan(void **state)
{
    struct coverage_scene *s = *state;
    size_t compute = scene_compute_plan(s, 5.00), c5 = scene_instance_plan(s, "c5", 2.20);
    size_t small = scene_use(s, "c5.9xlarge", 1, 4.00);
    size_t large = scene_use(s, "c5.24xlarge", 1, 10.00);
    s->groups[large].platform = PLATFORM_WINDOWS;
    scene_rate(s, small, compute, 2.00), scene_rate(s, small, c5, 1.00);
    scene_rate(s, large, compute, 8.00), scene_rate(s, large, c5, 6.00);
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, small, c5), 1, "75 % first");
    assert_hours(scene_covered_h(s, large, c5), 0.2, "40 %: the rest of the plan");
    assert_hours(scene_covered_h(s, large, compute), 0.625, "then the Compute Savings Plan");
    assert_int_equal(scene_on_demand(s), DOLLARS(1.75));
}

/* Equal percentages in unequal decimals: 25 % of 0.04 and of 0.004, of thirds and of sevenths. */
static void test_ties_of_percentages(void **state)
{
    struct coverage_scene *s = *state;
    size_t plan = scene_compute_plan(s, 1.0);
    static const double prices[] = {3.0, 0.3, 0.00021, 9.9, 0.000000012};
    for (size_t i = 0; i < 5; i++) {
        scene_rate(s, scene_use(s, "x1.large", 0.01, prices[i]), plan, prices[i] * 2 / 3);
    }
    scene_match(s, 0);
    static const size_t by_rate[] = {4, 2, 1, 0, 3};
    assert_int_equal(s->outcome->cover_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(s->outcome->covers[i].slot, coverage_slot(s->coverage, by_rate[i]));
    }
}

static void test_owner_first(void **state)
{
    struct coverage_scene *s = *state;
    size_t plan = scene_compute_plan(s, 1.0);
    size_t other = scene_use(s, "m5.large", 1, 1.0), own = scene_use(s, "r5.large", 1, 1.0);
    scene_rate(s, other, plan, 0.5), scene_rate(s, own, plan, 0.8);
    s->groups[other].account = 7;
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, own, plan), 1, "the owner's, at a lower saving");
    assert_hours(scene_covered_h(s, other, plan), 0.4, "then the other's");
}

/* ---- capacity reservations ---------------------------------------------------------------- */

/* 20 reserved, 15 run: 15 instances and 5 idle are paid; discounts go to running ones first, zonal
 * ones to none (EC2 user guide, "Capacity Reservation pricing and billing"). */
static void test_capacity_reservation(void **state)
{
    struct coverage_scene *s = *state;
    size_t running = scene_use(s, "m4.large", 15, 0.10), idle = scene_use(s, "m4.large", 5, 0.10);
    s->groups[running].use = USE_IN_RESERVATION;
    s->groups[idle].use = USE_IDLE;
    struct commitment held = {.name = "held",
                              .kind = COMMITMENT_CAPACITY_RESERVATION,
                              .type = "m4.large",
                              .region = "us-east-1",
                              .zone = "us-east-1a",
                              .end_us = 100 * HOUR_US};
    commitment_set_capacity_reservation(&held, 20, DOLLARS(0.10));
    s->commitments[s->commitment_count++] = held;
    scene_match(s, 0);
    assert_int_equal(scene_total(s), DOLLARS(2.00));
    size_t zonal = scene_reserve_zone(s, "m4.large", "us-east-1a", 3, 0.06);
    size_t regional = scene_reserve(s, "m4.large", 17, 0.06);
    scene_match(s, 0);
    assert_int_equal(s->outcome->used[zonal], 0);
    assert_hours(scene_covered_h(s, running, regional), 15, "running first");
    assert_hours(scene_covered_h(s, idle, regional), 2, "then idle");
    assert_int_equal(scene_on_demand(s), DOLLARS(0.30));
}

/* ---- edges of a term ------------------------------------------------------------------------ */

static void test_in_force(void **state)
{
    struct coverage_scene *s = *state;
    size_t g = scene_use(s, "m4.large", 2, 0.10);
    size_t c = scene_reserve(s, "m4.large", 1, 0.06);
    s->commitments[c].start_us = HOUR_US / 2;
    s->commitments[c].end_us = HOUR_US / 2 + 8760 * HOUR_US;
    static const struct {
        int64_t hour;
        double covered;
    } rows[] = {{-1, 0}, {0, 0.5}, {1, 1}, {8759, 1}, {8760, 0.5}, {8761, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        scene_match(s, rows[i].hour * HOUR_US);
        assert_hours(scene_covered_h(s, g, c), rows[i].covered, "covered");
        assert_int_equal(s->outcome->used[c], DOLLARS(0.06 * rows[i].covered));
        assert_int_equal(s->outcome->unused[c], 0);
    }
}

/* A plan of a nano-dollar an hour cannot buy a microsecond; nothing is lost. */
static void test_less_than_a_microsecond(void **state)
{
    struct coverage_scene *s = *state;
    size_t plan = scene_compute_plan(s, 1e-9);
    scene_rate(s, scene_use(s, "p5.48xlarge", 1, 100), plan, 60);
    scene_match(s, 0);
    assert_int_equal(s->outcome->cover_count, 0);
    assert_int_equal(s->outcome->unused[plan], 1);
    s->commitments[plan].hourly = 0;
    commitment_set_savings_plan(&s->commitments[plan], DOLLARS(0.000001));
    scene_rate(s, scene_use(s, "c5.large", 0.00001, 0.1), plan, 0.05);
    scene_match(s, 0);
    assert_int_equal(s->outcome->cover_count, 2);
    assert_int_equal(s->outcome->unused[plan], 0);
    assert_int_equal(s->outcome->covers[0].money + s->outcome->covers[1].money, 1000);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refused(struct coverage_scene *s, const char *message)
{
    for (size_t g = 0; g < s->group_count; g++) {
        s->groups[g].plan_rates = s->rates[g];
    }
    assert_null(coverage_new(s->groups, s->group_count, s->commitments, s->commitment_count,
                             (struct place){0}, s->diagnostics));
    assert_int_equal(diagnostics_count(s->diagnostics, DIAGNOSTIC_ERROR), 1);
    assert_string_equal(diagnostics_text(s->diagnostics, 0, NULL, NULL), message);
}

static void test_no_price(void **state)
{
    struct coverage_scene *s = *state;
    scene_use(s, "p5e.48xlarge", 1, 0);
    refused(s, "no on-demand price for 'p5e.48xlarge' in 'us-east-1'; expected one above 0");
}

static void test_no_rate(void **state)
{
    struct coverage_scene *s = *state;
    scene_use(s, "p5.48xlarge", 1, 55);
    size_t plan = scene_compute_plan(s, 1);
    s->rates[0][plan] = 0;
    refused(s, "no savings-plan rate for 'p5.48xlarge' in 'us-east-1' under 'plan'; expected one, "
               "or that the plan does not apply to it");
}

static void test_no_factor(void **state)
{
    struct coverage_scene *s = *state;
    scene_use(s, "m5.7large", 1, 1);
    scene_reserve(s, "m5.large", 1, 1);
    refused(s, "the size '7large' of 'm5.7large' has no normalisation factor");
}

static void test_no_factor_of_a_commitment(void **state)
{
    struct coverage_scene *s = *state;
    scene_use(s, "m5.large", 1, 1);
    scene_reserve(s, "m5.7large", 1, 1);
    refused(s, "the size '7large' of 'm5.7large' has no normalisation factor");
}

/* Sizes without a factor are no matter where no factor is needed. */
static void test_factor_not_needed(void **state)
{
    struct coverage_scene *s = *state;
    size_t g = scene_use(s, "g4dn.metal", 1, 7.824);
    scene_use(s, "m7i.metal", 1, 1);
    size_t c = scene_reserve(s, "g4dn.metal", 1, 4.9);
    scene_match(s, 0);
    assert_hours(scene_covered_h(s, g, c), 1, "g4dn.metal");
}

static void test_wrong_commitment(void **state)
{
    struct coverage_scene *s = *state;
    scene_reserve(s, "m5.large", 1, 1);
    s->commitments[0].region = NULL;
    refused(s, "the commitment 'm5.large' (regional reserved instances) names no region");
}

static void test_too_many(void **state)
{
    struct coverage_scene *s = *state;
    assert_null(
        coverage_new(s->groups, 10001, s->commitments, 0, (struct place){0}, s->diagnostics));
    assert_null(
        coverage_new(s->groups, 9000, s->commitments, 9000, (struct place){0}, s->diagnostics));
    assert_int_equal(diagnostics_count(s->diagnostics, DIAGNOSTIC_ERROR), 2);
}

static void test_nothing_at_all(void **state)
{
    struct coverage_scene *s = *state;
    scene_match(s, 0);
    assert_int_equal(scene_total(s), 0);
    const int64_t *edges;
    assert_int_equal(coverage_edges(s->coverage, &edges), 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_r1),
        CASE(test_r2),
        CASE(test_r3),
        CASE(test_r4),
        CASE(test_r5),
        CASE(test_r6),
        CASE(test_r7),
        CASE(test_r8),
        CASE(test_no_match),
        CASE(test_without_commitment),
        CASE(test_sp1),
        CASE(test_sp2),
        CASE(test_sp3),
        CASE(test_sp4),
        CASE(test_older_edition),
        CASE(test_older_edition_on_demand),
        CASE(test_sp5),
        CASE(test_instance_plan_before_compute_plan),
        CASE(test_ties_of_percentages),
        CASE(test_owner_first),
        CASE(test_capacity_reservation),
        CASE(test_in_force),
        CASE(test_less_than_a_microsecond),
        CASE(test_no_price),
        CASE(test_no_rate),
        CASE(test_no_factor),
        CASE(test_no_factor_of_a_commitment),
        CASE(test_factor_not_needed),
        CASE(test_wrong_commitment),
        CASE(test_too_many),
        CASE(test_nothing_at_all),
    };
    return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
