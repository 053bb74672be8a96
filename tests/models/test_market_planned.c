/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where a planned price comes from: the row named must be the one whose price is used. */
#include "tests/support/testing.h"

#include "engine/civil_time.h"
#include "engine/gsl_errors.h"
#include "models/market/market.h"
#include "models/market/market_keys.h"

#include <string.h>

struct fixture {
    struct arena *arena;
    struct diagnostics *d;
    struct catalogue *catalogue;
    struct assumptions assumptions;
    struct spot_spec spot;
    struct market_spec spec;
    struct market_plan *plan;
    struct inputs *inputs;
    const char *start; /* NULL: 2025-09-01 */
    double horizon_s;  /* 0: a day */
};

/* A plan of f->start that knows prices up to `as_of`. */
static void begin(struct fixture *f, const char *as_of)
{
    f->arena = arena_new(0);
    f->d = diagnostics_new();
    f->catalogue = catalogue_load(NULL, NULL, 0, f->d);
    assert_non_null(f->catalogue);
    f->assumptions = (struct assumptions){.arena = f->arena};
    f->inputs = inputs_new(f->arena);
    struct market_context context = {.catalogue = f->catalogue,
                                     .region = catalogue_region(f->catalogue, "us-east-1"),
                                     .horizon_s = f->horizon_s > 0 ? f->horizon_s : 86400,
                                     .inputs = f->inputs,
                                     .assumptions = &f->assumptions,
                                     .arena = f->arena,
                                     .diagnostics = f->d};
    assert_true(civil_parse(f->start != NULL ? f->start : "2025-09-01", &context.start_unix_s));
    assert_true(civil_parse(as_of, &context.prices_as_of_unix_s));
    f->plan = market_plan_new(&f->spec, context);
    assert_non_null(f->plan);
}

static void end(struct fixture *f)
{
    catalogue_free(f->catalogue);
    diagnostics_free(f->d);
    arena_free(f->arena);
}

static int pool(struct fixture *f, enum purchase purchase)
{
    int index =
        market_plan_pool(f->plan, NULL, "p4d.24xlarge", purchase, (struct place){"plan", 1, 1});
    assert_true(index >= 0);
    return index;
}

static void test_row_is_the_price_in_use(void **state)
{
    (void)state;
    struct fixture f = {0};
    begin(&f, "2025-09-01");
    for (int i = 0; i <= PURCHASE_SPOT; i++) {
        struct dated_price row;
        int index = pool(&f, (enum purchase)i);
        assert_true(market_planned_price_row(f.plan, index, &row));
        assert_near(money_to_double(row.per_hour), market_planned_price_per_hour(f.plan, index),
                    1e-9, purchase_names[i]);
        assert_string_equal(row.layer, "shipped");
        assert_true(row.source[0] != '\0');
    }
    end(&f);
}

/* The cut of June 2025: who knows only what was known in March plans with the older row. */
static void test_row_follows_what_is_known(void **state)
{
    (void)state;
    struct dated_price now, then;
    struct fixture f = {0};
    begin(&f, "2025-09-01");
    assert_true(market_planned_price_row(f.plan, pool(&f, PURCHASE_ON_DEMAND), &now));
    end(&f);
    f = (struct fixture){0};
    begin(&f, "2025-03-01");
    assert_true(market_planned_price_row(f.plan, pool(&f, PURCHASE_ON_DEMAND), &then));
    assert_true(then.from_unix_s < now.from_unix_s);
    assert_true(then.per_hour > now.per_hour);
    end(&f);
}

static void test_stated_price_has_no_row(void **state)
{
    (void)state;
    struct dated_price row;
    struct fixture f = {.spot = spot_spec_default()};
    f.spot.item.name = "p4d.24xlarge";
    f.spot.price = NUMBER_CERTAIN(7.5);
    f.spot.price.given = true;
    f.spec.spot = (struct schema_list){&f.spot, 1};
    begin(&f, "2025-09-01");
    assert_false(market_planned_price_row(f.plan, pool(&f, PURCHASE_SPOT), &row));
    assert_true(market_planned_price_row(f.plan, pool(&f, PURCHASE_ON_DEMAND), &row));
    end(&f);
}

/* Steps from the second price of `begin`'s day on, up to the horizon of 24 h; none of spot. */
static void test_later_prices_are_told(void **state)
{
    (void)state;
    double from_s;
    money_t per_hour;
    struct fixture f = {0};
    begin(&f, "2025-11-30");
    assert_false(
        market_planned_price_step(f.plan, pool(&f, PURCHASE_ON_DEMAND), 0, &from_s, &per_hour));
    assert_false(market_planned_price_step(f.plan, pool(&f, PURCHASE_SPOT), 0, &from_s, &per_hour));
    end(&f);

    /* Over the price cut of 2025-06-05, three days after the start. */
    f = (struct fixture){.start = "2025-06-02", .horizon_s = 10 * 86400.0};
    begin(&f, "2025-11-30");
    int index = pool(&f, PURCHASE_ON_DEMAND);
    assert_true(market_planned_price_step(f.plan, index, 0, &from_s, &per_hour));
    assert_near(from_s, 3 * 86400.0, 0, "2025-06-05");
    assert_true(money_to_double(per_hour) < market_planned_price_per_hour(f.plan, index));
    assert_false(market_planned_price_step(f.plan, index, 1, &from_s, &per_hour));
    end(&f);

    /* The horizon itself is outside. */
    f = (struct fixture){.start = "2025-06-02", .horizon_s = 3 * 86400.0};
    begin(&f, "2025-11-30");
    assert_false(
        market_planned_price_step(f.plan, pool(&f, PURCHASE_ON_DEMAND), 0, &from_s, &per_hour));
    end(&f);
}

static void test_range_of_an_uncertain_price(void **state)
{
    (void)state;
    double low = 0, high = 0;
    struct fixture f = {.spot = spot_spec_default()};
    f.spot.item.name = "p4d.24xlarge";
    f.spec.spot = (struct schema_list){&f.spot, 1};
    f.spot.price = NUMBER_CERTAIN(7.5);
    f.spot.price.given = true;
    begin(&f, "2025-09-01");
    assert_false(market_planned_price_range(f.plan, pool(&f, PURCHASE_SPOT), &low, &high));
    assert_false(market_planned_price_range(f.plan, pool(&f, PURCHASE_ON_DEMAND), &low, &high));
    end(&f);

    begin(&f, "2025-09-01");
    struct distribution d = {.family = DISTRIBUTION_UNIFORM, .p = {10, 20}, .high = 1e6};
    char message[100];
    assert_true(distribution_prepare(&d, NULL, message, sizeof message));
    f.spot.price.input = inputs_add(f.inputs, "price", "", &d);
    assert_true(market_planned_price_range(f.plan, pool(&f, PURCHASE_SPOT), &low, &high));
    assert_near(low, 10.5, 1e-9, "P5 of uniform(10, 20)");
    assert_near(high, 19.5, 1e-9, "P95");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_is_the_price_in_use),
        cmocka_unit_test(test_row_follows_what_is_known),
        cmocka_unit_test(test_stated_price_has_no_row),
        cmocka_unit_test(test_later_prices_are_told),
        cmocka_unit_test(test_range_of_an_uncertain_price),
    };
    gsl_errors_install();
    return cmocka_run_group_tests_name("market_planned", tests, NULL, NULL);
}
