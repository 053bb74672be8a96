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
};

/* A plan of 2025-09-01 that knows prices up to `as_of`. */
static void begin(struct fixture *f, const char *as_of)
{
    f->arena = arena_new(0);
    f->d = diagnostics_new();
    f->catalogue = catalogue_load(NULL, NULL, 0, f->d);
    assert_non_null(f->catalogue);
    f->assumptions = (struct assumptions){.arena = f->arena};
    struct market_context context = {.catalogue = f->catalogue,
                                     .region = catalogue_region(f->catalogue, "us-east-1"),
                                     .horizon_s = 86400,
                                     .inputs = inputs_new(f->arena),
                                     .assumptions = &f->assumptions,
                                     .arena = f->arena,
                                     .diagnostics = f->d};
    assert_true(civil_parse("2025-09-01", &context.start_unix_s));
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
    for (int i = 0; i < PURCHASE_COUNT; i++) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_row_is_the_price_in_use),
        cmocka_unit_test(test_row_follows_what_is_known),
        cmocka_unit_test(test_stated_price_has_no_row),
    };
    gsl_errors_install();
    return cmocka_run_group_tests_name("market_planned", tests, NULL, NULL);
}
