/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pools as strategies meet them: plan, worlds, prices, and the invariants "one world for all
 * strategies" and "nobody peeks". Uses the shipped catalogue; prices are compared with what it
 * says, not with numbers copied here. */
#include "tests/support/testing.h"

#include "engine/civil_time.h"
#include "engine/gsl_errors.h"
#include "models/market/crossing.h"
#include "models/market/market.h"
#include "models/market/market_keys.h"
#include "models/market/spot_prior.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR 3600.0
#define DAY  86400.0
#define STEP 600.0

static const struct place here = {"plan.yaml", 3, 1};

/* ---- a scenario's worth of context ------------------------------------------------------------
 */

static struct catalogue *catalogue; /* read only, loaded once */

enum { ENTRIES = 4 };
struct fixture {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct inputs *inputs;
    struct assumptions assumptions;
    struct spot_spec spot[ENTRIES];
    struct on_demand_spec on_demand[ENTRIES];
    struct market_spec spec;
    struct market_context context;
    struct market_plan *plan;
};

static void fixture_init(struct fixture *f)
{
    *f = (struct fixture){.arena = arena_new(0), .diagnostics = diagnostics_new()};
    f->inputs = inputs_new(f->arena);
    f->assumptions.arena = f->arena;
    f->spec.spot.items = f->spot;
    f->spec.on_demand.items = f->on_demand;
    f->context = (struct market_context){
        .catalogue = catalogue,
        .region = catalogue_region(catalogue, "us-east-1"),
        .horizon_s = 30.0 * DAY,
        .inputs = f->inputs,
        .assumptions = &f->assumptions,
        .arena = f->arena,
        .diagnostics = f->diagnostics,
    };
    civil_parse("2026-03-02", &f->context.start_unix_s);
    f->context.prices_as_of_unix_s = f->context.start_unix_s;
}

static void fixture_release(struct fixture *f)
{
    diagnostics_free(f->diagnostics);
    arena_free(f->arena);
}

static struct number given(double value)
{
    struct number n = NUMBER_CERTAIN(value);
    n.given = true;
    return n;
}

static struct number uncertain(struct fixture *f, const char *name, double a, double b)
{
    struct distribution d = {.family = DISTRIBUTION_UNIFORM,
                             .p = {a, b},
                             .low = -(double)INFINITY,
                             .high = (double)INFINITY};
    char message[100];
    assert_true(distribution_prepare(&d, NULL, message, sizeof message));
    struct number n = given(0.5 * (a + b));
    n.input = inputs_add(f->inputs, name, "", &d);
    assert_true(n.input >= 0);
    return n;
}

static struct spot_spec *add_spot(struct fixture *f, const char *name)
{
    struct spot_spec *s = &f->spot[f->spec.spot.count++];
    *s = spot_spec_default();
    s->item = (struct schema_item){name, {"plan.yaml", (int)f->spec.spot.count, 3}};
    return s;
}

static struct on_demand_spec *add_on_demand(struct fixture *f, const char *name)
{
    struct on_demand_spec *s = &f->on_demand[f->spec.on_demand.count++];
    *s = on_demand_spec_default();
    s->item = (struct schema_item){name, {"plan.yaml", 20 + (int)f->spec.on_demand.count, 3}};
    return s;
}

static int add_pool(struct fixture *f, const char *zone, const char *type, enum purchase purchase)
{
    if (f->plan == NULL) {
        f->plan = market_plan_new(&f->spec, f->context);
        assert_non_null(f->plan);
    }
    return market_plan_pool(f->plan, zone, type, purchase, here);
}

/* A pool that must exist. */
static int pool(struct fixture *f, const char *zone, const char *type, enum purchase purchase)
{
    int index = add_pool(f, zone, type, purchase);
    if (index < 0) {
        diagnostics_write(f->diagnostics, stderr);
    }
    assert_true(index >= 0);
    return index;
}

struct world {
    struct market *market;
    double drawn[32];
};

static void prepare(struct fixture *f)
{
    char message[200];
    assert_true(inputs_prepare(f->inputs, message, sizeof message));
}

static void world_begin(struct fixture *f, struct world *w, uint32_t replication)
{
    if (w->market == NULL) {
        prepare(f);
        w->market = market_new(f->plan);
        assert_non_null(w->market);
    }
    struct random_world id = {1, replication};
    assert_true(inputs_count(f->inputs) <= 32);
    inputs_draw(f->inputs, id, w->drawn);
    assert_true(market_begin(w->market, id, w->drawn));
    assert_string_equal(market_message(w->market), "");
}

static void written(struct fixture *f, char *out, size_t size)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    diagnostics_write(f->diagnostics, file);
    rewind(file);
    out[fread(out, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void assert_said(struct fixture *f, const char *what)
{
    char text[4000];
    written(f, text, sizeof text);
    if (strstr(text, what) == NULL) {
        fail_msg("expected '%s' in: %s", what, text);
    }
}

static const struct assumption *find_assumption(const struct fixture *f, const char *what)
{
    for (size_t i = 0; i < f->assumptions.count; i++) {
        if (strcmp(f->assumptions.items[i].what, what) == 0) {
            return &f->assumptions.items[i];
        }
    }
    return NULL;
}

/* ---- planning ---------------------------------------------------------------------------------
 */

static void one_pool_one_index(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    int a = pool(&f, NULL, "p4d.24xlarge", PURCHASE_SPOT);
    int b = pool(&f, "us-east-1b", "p4d.24xlarge", PURCHASE_SPOT);
    int c = pool(&f, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    assert_true(a != b && b != c && a != c);
    assert_int_equal(pool(&f, f.context.region->first_zone, "p4d.24xlarge", PURCHASE_SPOT), a);
    assert_int_equal(pool(&f, "us-east-1b", "p4d.24xlarge", PURCHASE_SPOT), b);
    assert_int_equal(market_plan_pools(f.plan), 3);
    const struct pool_info *info = market_pool_info(f.plan, b);
    assert_string_equal(info->name, "us-east-1b/p4d.24xlarge/spot");
    assert_string_equal(info->zone, "us-east-1b");
    assert_string_equal(info->type->name, "p4d.24xlarge");
    assert_string_equal(market_pool_info(f.plan, c)->name, "us-east-1a/p4d.24xlarge/on-demand");
    fixture_release(&f);
}

static void default_pool_says_what_it_assumes(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    int p4d = pool(&f, NULL, "p4d.24xlarge", PURCHASE_SPOT);
    pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
    pool(&f, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    pool(&f, NULL, "g5.xlarge", PURCHASE_ON_DEMAND);
    struct dated_price row;
    assert_true(catalogue_spot(catalogue, "p4d.24xlarge", "us-east-1", NULL, SPOT_MEAN,
                               f.context.prices_as_of_unix_s, &row));
    assert_near(market_planned_price_per_hour(f.plan, p4d), money_to_double(row.per_hour), 0.0,
                "price");
    const struct assumption *a = find_assumption(&f, "spot price of p4d.24xlarge in us-east-1a");
    assert_non_null(a);
    char want[128], date[24], price[32], low_text[32], high_text[32];
    struct dated_price low, high;
    assert_true(catalogue_spot(catalogue, "p4d.24xlarge", "us-east-1", NULL, SPOT_MIN,
                               f.context.prices_as_of_unix_s, &low));
    assert_true(catalogue_spot(catalogue, "p4d.24xlarge", "us-east-1", NULL, SPOT_MAX,
                               f.context.prices_as_of_unix_s, &high));
    snprintf(want, sizeof want, "%s USD/h, constant; mean over zones (%s to %s) on %s",
             money_text(row.per_hour, price), money_text(low.per_hour, low_text),
             money_text(high.per_hour, high_text), civil_date_text(row.from_unix_s, date));
    assert_string_equal(a->value, want);
    assert_non_null(strstr(a->source, civil_date_text(row.from_unix_s, date)));
    /* V100 (p3) was measured in the top bucket, A100 (p4d) never. */
    a = find_assumption(&f, "spot availability of p4d.24xlarge in us-east-1a");
    assert_non_null(a);
    assert_true(a->extrapolated);
    a = find_assumption(&f, "spot availability of p3.2xlarge in us-east-1a");
    assert_non_null(a);
    assert_false(a->extrapolated);
    assert_non_null(strstr(a->source, "bucket >20%"));
    assert_non_null(strstr(a->value, "61.8 %"));
    assert_non_null(find_assumption(&f, "shape of spot capacity of p3 instances"));
    assert_non_null(find_assumption(&f, "season of spot capacity of p3 instances"));
    assert_non_null(find_assumption(&f, "edge of the free first hour on spot"));
    assert_non_null(find_assumption(&f, "notice before a spot interruption"));
    /* The scores are inputs, shared by family. */
    assert_true(inputs_find(f.inputs, "market.spot.p4d.us-east-1.score") >= 0);
    assert_true(inputs_find(f.inputs, "market.spot.p4d.us-east-1a.score") >= 0);
    size_t count = inputs_count(f.inputs);
    pool(&f, NULL, "p3.16xlarge", PURCHASE_SPOT);
    assert_int_equal(inputs_count(f.inputs), count);
    pool(&f, "us-east-1c", "p3.16xlarge", PURCHASE_SPOT);
    assert_int_equal(inputs_count(f.inputs), count + 1);
    assert_false(diagnostics_failed(f.diagnostics));
    fixture_release(&f);
}

/* "Always there" is assumed of every type: once for all, and once for each scarce family. */
static void on_demand_capacity_is_assumed(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    add_on_demand(&f, "g6.xlarge")->capacity = ON_DEMAND_ALWAYS;
    pool(&f, NULL, "g6.xlarge", PURCHASE_ON_DEMAND); /* stated */
    assert_int_equal(f.assumptions.count, 0);
    pool(&f, NULL, "g5.xlarge", PURCHASE_ON_DEMAND);
    pool(&f, NULL, "g5.48xlarge", PURCHASE_ON_DEMAND);
    pool(&f, "us-east-1b", "g5.xlarge", PURCHASE_ON_DEMAND);
    assert_int_equal(f.assumptions.count, 1);
    const struct assumption *a = find_assumption(&f, "on-demand capacity");
    assert_non_null(a);
    assert_string_equal(a->value, "always there, at once and in any number");
    pool(&f, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    pool(&f, "us-east-1b", "p4d.24xlarge", PURCHASE_ON_DEMAND);
    assert_int_equal(f.assumptions.count, 2);
    a = find_assumption(&f, "on-demand capacity of p4d instances");
    assert_non_null(a);
    assert_non_null(strstr(a->value, "such types are scarce"));
    fixture_release(&f);
}

/* The mean of zones that differ 3.9-fold is the price of none: said, unless it was chosen. */
static void zones_far_apart_warn(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    pool(&f, NULL, "p4d.24xlarge", PURCHASE_SPOT); /* 8.0 to 9.2 */
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_WARNING), 0);
    pool(&f, NULL, "p5.48xlarge", PURCHASE_SPOT);
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_WARNING), 1);
    assert_said(&f, "spot prices of 'p5.48xlarge' differed 3.9-fold between the zones of us-east-1 "
                    "on 2025-11-30, 13.22 to 52.08 USD/h; their mean, 28.11, is assumed: choose "
                    "'price_statistic' or state 'price: 13.2..52.1 USD/h' in "
                    "'market.spot.p5.48xlarge'");
    fixture_release(&f);

    fixture_init(&f);
    add_spot(&f, "p5.48xlarge")->price_statistic_given = true;
    pool(&f, NULL, "p5.48xlarge", PURCHASE_SPOT);
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_WARNING), 0);
    fixture_release(&f);
}

static void stated_values_are_not_assumed(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct spot_spec *s = add_spot(&f, "p4d.24xlarge");
    s->price = given(9.0);
    s->availability = given(0.8);
    s->season = SPOT_SEASON_NONE;
    s->notice = given(30.0);
    s->first_hour_free = false;
    struct on_demand_spec *o = add_on_demand(&f, "p4d.24xlarge");
    o->capacity = ON_DEMAND_ALWAYS;
    int p = pool(&f, NULL, "p4d.24xlarge", PURCHASE_SPOT);
    pool(&f, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    assert_int_equal(f.assumptions.count, 1); /* the shape alone */
    assert_true(f.assumptions.items[0].extrapolated);
    assert_int_equal(inputs_count(f.inputs), 0);
    assert_near(market_planned_price_per_hour(f.plan, p), 9.0, 0.0, "price");
    assert_near(market_planned_notice_s(f.plan, p), 30.0, 0.0, "notice");
    fixture_release(&f);
}

static void errors_are_told_with_their_place(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    add_spot(&f, "p4d.24xlarg");
    add_spot(&f, "eu-west-1a/p4d.24xlarge");
    add_spot(&f, "p3.2xlarge")->availability = given(1.0);
    add_on_demand(&f, "g5.xlarge")->capacity = ON_DEMAND_LIMIT;
    assert_int_equal(add_pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT), -1);
    assert_int_equal(add_pool(&f, NULL, "g5.xlarge", PURCHASE_ON_DEMAND), -1);
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_ERROR), 4);
    assert_said(&f, "plan.yaml:1:3: error: unknown instance type 'p4d.24xlarg'; did you mean "
                    "'p4d.24xlarge'?");
    assert_said(&f, "plan.yaml:2:3: error: 'eu-west-1a' is not a zone of region 'us-east-1'");
    assert_said(&f, "plan.yaml:3:3: error: 'availability' of spot 'p3.2xlarge' is 1");
    assert_said(&f, "plan.yaml:21:3: error: capacity 'limit' of on-demand 'g5.xlarge'");
    /* Asked for by a strategy. */
    assert_int_equal(add_pool(&f, NULL, "p9.huge", PURCHASE_SPOT), -1);
    assert_said(&f, "plan.yaml:3:1: error: unknown instance type 'p9.huge'");
    static const char *const zones[] = {"us-east-1", "us-east-2a", "us-east-1A", "us-east-1a;", ""};
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++) {
        assert_int_equal(add_pool(&f, zones[i], "p4d.24xlarge", PURCHASE_SPOT), -1);
    }
    pool(&f, "us-east-1-bos-1a", "g4dn.xlarge", PURCHASE_ON_DEMAND); /* a local zone */
    assert_int_equal(diagnostics_exit_code(f.diagnostics), 2);
    fixture_release(&f);
}

static void a_missing_price_is_infeasible(void **state)
{
    (void)state;
    /* Invariant 4: a missing price is never zero. In 2019 nobody sold A100. */
    struct fixture f;
    fixture_init(&f);
    civil_parse("2019-03-02", &f.context.start_unix_s);
    f.context.prices_as_of_unix_s = f.context.start_unix_s;
    assert_int_equal(add_pool(&f, NULL, "p4d.24xlarge", PURCHASE_SPOT), -1);
    assert_int_equal(add_pool(&f, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND), -1);
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_INFEASIBLE), 2);
    assert_int_equal(diagnostics_exit_code(f.diagnostics), 4);
    assert_said(&f, "'p4d.24xlarge'");
    assert_said(&f, "2019-03-02");
    fixture_release(&f);

    fixture_init(&f);
    civil_parse("2019-03-02", &f.context.start_unix_s);
    f.context.prices_as_of_unix_s = f.context.start_unix_s;
    add_spot(&f, "p4d.24xlarge")->price = given(7.5); /* a stated price needs no catalogue */
    pool(&f, NULL, "p4d.24xlarge", PURCHASE_SPOT);
    fixture_release(&f);
}

static void limits_refuse_by_name(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    f.context.horizon_s = 3700.0 * DAY;
    assert_int_equal(add_pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT), -1);
    assert_said(&f, "ten years");
    pool(&f, NULL, "p3.2xlarge", PURCHASE_ON_DEMAND); /* needs no path */
    fixture_release(&f);

    fixture_init(&f);
    f.context.horizon_s = 3650.0 * DAY;
    int last = 0;
    for (char z = 'a'; z <= 'z' && last >= 0; z++) {
        for (char y = 'a'; y <= 'z' && last >= 0; y++) {
            char zone[] = {'u', 's', '-', 'e', 'a', 's', 't', '-', '1', z, y, '\0'};
            last = add_pool(&f, zone, "p3.2xlarge", PURCHASE_SPOT);
        }
    }
    assert_int_equal(last, -1);
    assert_true(market_plan_pools(f.plan) > 10);
    assert_said(&f, "MiB; expected at most 512");
    fixture_release(&f);
}

static void dearer_than_on_demand_warns(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    add_spot(&f, "p3.2xlarge")->price = given(30.0);
    pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_WARNING), 1);
    assert_said(&f, "above the on-demand price");
    fixture_release(&f);

    /* What the scenario states of on-demand counts, not the catalogue's 3.06. */
    for (int dear = 0; dear <= 1; dear++) {
        fixture_init(&f);
        add_on_demand(&f, "p3.2xlarge")->price = given(dear ? 40.0 : 2.0);
        add_spot(&f, "p3.2xlarge")->price = given(dear ? 30.0 : 2.5);
        pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
        assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_WARNING), 1 - dear);
        fixture_release(&f);
    }
}

static void zone_entry_wins(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    add_spot(&f, "us-east-1b/p3.2xlarge")->price = given(0.5);
    add_spot(&f, "p3.2xlarge")->price = given(1.0);
    add_spot(&f, "us-east-1c/p3.2xlarge")->price = given(2.0);
    assert_near(
        market_planned_price_per_hour(f.plan, pool(&f, "us-east-1a", "p3.2xlarge", PURCHASE_SPOT)),
        1.0, 0.0, "plain");
    assert_near(
        market_planned_price_per_hour(f.plan, pool(&f, "us-east-1b", "p3.2xlarge", PURCHASE_SPOT)),
        0.5, 0.0, "zone, before");
    assert_near(
        market_planned_price_per_hour(f.plan, pool(&f, "us-east-1c", "p3.2xlarge", PURCHASE_SPOT)),
        2.0, 0.0, "zone, after");
    fixture_release(&f);
}

/* ---- planned rates ----------------------------------------------------------------------------
 */

static void planned_values(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct spot_spec *hidden = add_spot(&f, "p3.2xlarge");
    hidden->availability = given(0.8);
    hidden->interruptions = given(0.01 / HOUR);
    struct spot_spec *on_off = add_spot(&f, "p3.8xlarge");
    on_off->mean_up = given(5.0 * HOUR);
    on_off->mean_down = given(1.0 * HOUR);
    on_off->nodes = 4;
    struct spot_spec *lone = add_spot(&f, "p3.16xlarge");
    lone->interruptions = given(0.2 / HOUR);
    add_on_demand(&f, "p3.2xlarge")->limit = 8;
    int h = pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
    int o = pool(&f, NULL, "p3.8xlarge", PURCHASE_SPOT);
    int l = pool(&f, NULL, "p3.16xlarge", PURCHASE_SPOT);
    int d = pool(&f, NULL, "p3.2xlarge", PURCHASE_ON_DEMAND);

    double rho = crossing_tick_correlation(0.5, 2.0 * HOUR, 48.0 * HOUR);
    double scale = sqrt(1.0 + 0.045 + 0.16 * 10.0 / 49.0);
    for (uint32_t n = 1; n < 100; n *= 3) {
        double x = gsl_cdf_ugaussian_Pinv(0.8) - 0.1 * log(n) / scale;
        double a = gsl_cdf_ugaussian_P(x);
        assert_relative(market_planned_availability(f.plan, h, n), a, 1e-12, "availability");
        assert_relative(market_planned_loss_rate(f.plan, h, n),
                        crossing_loss_rate(x, rho) / a / scale + n * 0.01 / HOUR, 1e-9,
                        "loss rate");
    }
    /* One node at availability 0.8: 4.65 losses a day in 0.8 days of running, without a season. */
    assert_relative(scale * (market_planned_loss_rate(f.plan, h, 1) - 0.01 / HOUR),
                    4.65 / 0.8 / DAY, 0.02, "known");
    assert_relative(market_planned_loss_rate(f.plan, o, 3), 1.0 / (5.0 * HOUR), 1e-12, "on-off");
    assert_relative(market_planned_availability(f.plan, o, 3), 5.0 / 6.0, 1e-12, "on-off");
    assert_near(market_planned_availability(f.plan, o, 5), 0.0, 0.0, "more than there are");
    assert_int_equal(market_planned_limit(f.plan, o), 4);
    assert_relative(market_planned_loss_rate(f.plan, l, 16), 16.0 * 0.2 / HOUR, 1e-12, "hazard");
    assert_near(market_planned_availability(f.plan, l, 16), 1.0, 0.0, "constant");
    assert_true(market_planned_limit(f.plan, l) == UINT32_MAX);
    assert_non_null(find_assumption(&f, "spot capacity of p3.16xlarge in us-east-1a"));
    assert_near(market_planned_loss_rate(f.plan, d, 8), 0.0, 0.0, "on-demand");
    assert_near(market_planned_availability(f.plan, d, 8), 1.0, 0.0, "within the limit");
    assert_near(market_planned_availability(f.plan, d, 9), 0.0, 0.0, "beyond the limit");
    assert_near(market_planned_loss_rate(f.plan, h, 0), 0.0, 0.0, "no nodes");
    fixture_release(&f);
}

static void nobody_peeks(void **state)
{
    (void)state;
    /* Invariant 7: what planning sees does not depend on what a world drew. */
    struct fixture f;
    fixture_init(&f);
    struct spot_spec *s = add_spot(&f, "p3.2xlarge");
    s->availability = uncertain(&f, "availability", 0.5, 0.9);
    s->price = uncertain(&f, "price", 0.5, 1.5);
    int p = pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
    double rate = market_planned_loss_rate(f.plan, p, 4);
    struct world w = {0};
    money_t price[2];
    for (uint32_t r = 0; r < 2; r++) {
        world_begin(&f, &w, r);
        price[r] = market_price(w.market, p, 0.0, NULL);
        assert_near(market_planned_loss_rate(f.plan, p, 4), rate, 0.0, "rate");
        assert_near(market_planned_availability(f.plan, p, 1), 0.7, 1e-12, "availability");
        assert_near(market_planned_price_per_hour(f.plan, p), 1.0, 1e-12, "price");
    }
    assert_true(price[0] != price[1]);
    market_free(w.market);
    fixture_release(&f);
}

/* ---- paths ------------------------------------------------------------------------------------
 */

static void changes_agree_with_capacity(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    f.context.horizon_s = 10.0 * DAY;
    struct spot_spec *s = add_spot(&f, "p3.2xlarge");
    s->availability = given(0.6);
    s->nodes = 40;
    struct spot_spec *o = add_spot(&f, "p3.8xlarge");
    o->mean_up = given(5.0 * HOUR);
    o->mean_down = given(1.0 * HOUR);
    int pools[2] = {pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT),
                    pool(&f, NULL, "p3.8xlarge", PURCHASE_SPOT)};
    struct world w = {0};
    static const uint32_t caps[] = {1, 16, 100};
    for (uint32_t r = 0; r < 6; r++) {
        world_begin(&f, &w, r);
        for (int k = 0; k < 2; k++) {
            for (int c = 0; c < 3; c++) {
                double t = 0.0;
                int changes = 0;
                for (;;) {
                    double next = market_next_change(w.market, pools[k], t, caps[c]);
                    uint32_t n = market_capacity(w.market, pools[k], t, caps[c]);
                    assert_true(next > t);
                    assert_true(n <= caps[c] && (k == 1 || n <= 40));
                    /* Nothing happens in between, up to the last instant. */
                    double end = fmin(next, 10.0 * DAY);
                    for (double u = t; u < end; u += 97.0) {
                        assert_int_equal(market_capacity(w.market, pools[k], u, caps[c]), n);
                    }
                    assert_int_equal(
                        market_capacity(w.market, pools[k], nextafter(end, 0.0), caps[c]), n);
                    assert_true(market_next_change(w.market, pools[k], nextafter(end, 0.0),
                                                   caps[c]) == next);
                    if (isinf(next)) {
                        break;
                    }
                    assert_true(next <= 10.0 * DAY + STEP);
                    assert_int_not_equal(market_capacity(w.market, pools[k], next, caps[c]), n);
                    t = next;
                    changes++;
                }
                assert_true(changes > 5);
            }
        }
    }
    /* Long after the end: an answer, no change. */
    assert_true(isinf(market_next_change(w.market, pools[0], 1e9, 16)));
    assert_true(isinf(market_next_change(w.market, pools[1], 1e9, 16)));
    assert_true(market_capacity(w.market, pools[0], 1e9, 16) <= 16);
    assert_true(market_capacity(w.market, pools[1], 1e18, 16) <= 16);
    assert_int_equal(market_capacity(w.market, pools[0], 5.0, 0), 0);
    assert_true(isinf(market_next_change(w.market, pools[0], 5.0, 0)));
    market_free(w.market);
    fixture_release(&f);
}

/* Capacity of a pool at 200 instants of one world. */
static void sample(struct world *w, int p, uint32_t *out)
{
    for (int i = 0; i < 200; i++) {
        out[i] = market_capacity(w->market, p, i * 3.0 * HOUR + 1.0, 1000);
    }
}

static void one_world_for_all_strategies(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    int p = pool(&f, NULL, "p4d.24xlarge", PURCHASE_SPOT);
    struct world w = {0};
    uint32_t first[200], again[200], other[200];
    world_begin(&f, &w, 4);
    sample(&w, p, first);
    sample(&w, p, again); /* the next strategy, from the start */
    assert_memory_equal(first, again, sizeof first);
    market_next_change(w.market, p, 29.0 * DAY, 7);
    for (int i = 199; i >= 0; i--) { /* backwards */
        assert_int_equal(market_capacity(w.market, p, i * 3.0 * HOUR + 1.0, 1000), first[i]);
    }
    world_begin(&f, &w, 5);
    sample(&w, p, other);
    assert_memory_not_equal(first, other, sizeof first);
    world_begin(&f, &w, 4); /* and the same world again */
    sample(&w, p, again);
    assert_memory_equal(first, again, sizeof first);
    market_free(w.market);
    fixture_release(&f);
}

static void other_pools_change_no_draw(void **state)
{
    (void)state;
    struct fixture a, b;
    fixture_init(&a);
    int in_a = pool(&a, "us-east-1b", "p3.8xlarge", PURCHASE_SPOT);
    fixture_init(&b);
    struct spot_spec *s = add_spot(&b, "g4dn.xlarge");
    s->mean_up = given(HOUR);
    s->mean_down = given(HOUR);
    pool(&b, "us-east-1a", "p4d.24xlarge", PURCHASE_SPOT); /* another family */
    pool(&b, "us-east-1a", "p3.8xlarge", PURCHASE_SPOT);   /* another zone */
    pool(&b, "us-east-1b", "p3.2xlarge", PURCHASE_SPOT);   /* another size */
    pool(&b, "us-east-1b", "g4dn.xlarge", PURCHASE_SPOT);  /* another process */
    int in_b = pool(&b, "us-east-1b", "p3.8xlarge", PURCHASE_SPOT);
    struct world wa = {0}, wb = {0};
    uint32_t alone[200], among[200];
    for (uint32_t r = 0; r < 5; r++) {
        world_begin(&a, &wa, r);
        world_begin(&b, &wb, r);
        for (int p = 0; p < 4; p++) { /* the others are asked first, to other depths */
            market_capacity(wb.market, p, (p * 7 + 1) * DAY, 10);
        }
        sample(&wa, in_a, alone);
        sample(&wb, in_b, among);
        assert_memory_equal(alone, among, sizeof alone);
    }
    market_free(wa.market);
    market_free(wb.market);
    fixture_release(&a);
    fixture_release(&b);
}

static void a_longer_horizon_keeps_the_world(void **state)
{
    (void)state;
    struct fixture a, b;
    fixture_init(&a);
    fixture_init(&b);
    b.context.horizon_s = 300.0 * DAY;
    int pa = pool(&a, NULL, "p3.8xlarge", PURCHASE_SPOT);
    int pb = pool(&b, NULL, "p3.8xlarge", PURCHASE_SPOT);
    struct world wa = {0}, wb = {0};
    world_begin(&a, &wa, 2);
    world_begin(&b, &wb, 2);
    uint32_t x[200], y[200];
    sample(&wa, pa, x);
    sample(&wb, pb, y);
    assert_memory_equal(x, y, sizeof x);
    market_free(wa.market);
    market_free(wb.market);
    fixture_release(&a);
    fixture_release(&b);
}

static void sizes_and_zones_differ_but_are_tied(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    f.context.horizon_s = 2000.0 * DAY;
    add_spot(&f, "p3.8xlarge")->availability = given(0.6);
    add_spot(&f, "p3.2xlarge")->availability = given(0.6);
    int a = pool(&f, "us-east-1a", "p3.8xlarge", PURCHASE_SPOT);
    int others[2] = {pool(&f, "us-east-1b", "p3.8xlarge", PURCHASE_SPOT),
                     pool(&f, "us-east-1a", "p3.2xlarge", PURCHASE_SPOT)};
    struct world w = {0};
    double n = 0.0, up = 0.0, both[2] = {0.0, 0.0};
    for (uint32_t r = 0; r < 6; r++) {
        world_begin(&f, &w, r);
        for (double t = 0.0; t < 2000.0 * DAY; t += 4.0 * HOUR) {
            bool here_up = market_capacity(w.market, a, t, 1) == 1;
            n += 1.0;
            up += here_up;
            for (int k = 0; k < 2; k++) {
                both[k] += here_up && market_capacity(w.market, others[k], t, 1) == 1;
            }
        }
    }
    assert_near(up / n, 0.6, 0.02, "availability");
    for (int k = 0; k < 2; k++) {
        /* Between phi at a = 0.5 and 0.7 (0.45 and 0.435), a little higher by the common season. */
        assert_near((both[k] / n - 0.36) / 0.24, 0.46, 0.04, "phi");
    }
    market_free(w.market);
    fixture_release(&f);
}

/* ---- rates that come out ----------------------------------------------------------------------
 */

static void stated_losses_come_out(void **state)
{
    (void)state;
    static const double rows[][2] = {{0.8, 2.5}, {0.8, 9.0}, {0.5, 15.0}, {0.95, 3.0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f;
        fixture_init(&f);
        f.context.horizon_s = 3650.0 * DAY;
        struct spot_spec *s = add_spot(&f, "p3.2xlarge");
        s->availability = given(rows[i][0]);
        s->losses = given(rows[i][1] / DAY);
        s->season = i % 2 == 0 ? SPOT_SEASON_NONE : SPOT_SEASON_DEFAULT;
        int p = pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
        struct world w = {0};
        world_begin(&f, &w, 0);
        double losses = 0.0, up_s = 0.0, t = 0.0;
        bool up = market_capacity(w.market, p, 0.0, 1) == 1;
        while (t < 3650.0 * DAY) {
            double next = fmin(market_next_change(w.market, p, t, 1), 3650.0 * DAY);
            up_s += up ? next - t : 0.0;
            losses += up && next < 3650.0 * DAY;
            up = !up;
            t = next;
        }
        /* The first-order formula may be 4.5 % off at short relaxation times. */
        assert_relative(losses / 3650.0, rows[i][1], 0.05, "losses a day");
        assert_near(up_s / (3650.0 * DAY), rows[i][0], 0.03, "availability");
        market_free(w.market);
        fixture_release(&f);
    }
}

static void planned_gang_rate_comes_out(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    f.context.horizon_s = 3650.0 * DAY;
    add_spot(&f, "p3.2xlarge")->availability = given(0.7); /* default season */
    int p = pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
    struct world w = {0};
    double running_s = 0.0, losses = 0.0;
    for (uint32_t r = 0; r < 3; r++) {
        world_begin(&f, &w, r);
        for (double t = 0.0; t < 3650.0 * DAY; t += STEP) {
            bool now = market_capacity(w.market, p, t, 16) == 16;
            running_s += now ? STEP : 0.0;
            losses += now && market_capacity(w.market, p, t + STEP, 16) < 16;
        }
    }
    /* 3 x 10 years, some 60,000 losses. */
    assert_relative(losses / running_s, market_planned_loss_rate(f.plan, p, 16), 0.02, "rate");
    assert_near(running_s / (3.0 * 3650.0 * DAY), market_planned_availability(f.plan, p, 16), 0.015,
                "availability");
    market_free(w.market);
    fixture_release(&f);
}

static void drawn_availability_is_met(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    f.context.horizon_s = 3650.0 * DAY;
    add_spot(&f, "p3.2xlarge")->availability = uncertain(&f, "availability", 0.3, 0.95);
    int p = pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
    struct world w = {0};
    for (uint32_t r = 0; r < 3; r++) {
        world_begin(&f, &w, r);
        double up = 0.0;
        enum { N = 100000 };
        for (int i = 0; i < N; i++) {
            up += market_capacity(w.market, p, i * (3650.0 * DAY / N), 1);
        }
        assert_near(up / N, w.drawn[0], 0.03, "share of time");
    }
    assert_true(fabs(w.drawn[0] - 0.625) > 1e-3);
    market_free(w.market);
    fixture_release(&f);
}

/* ---- prices, delays, flags --------------------------------------------------------------------
 */

static void on_demand_price_steps_on_its_date(void **state)
{
    (void)state;
    /* The price cut of 2025-06-05, seen from before and from after. */
    struct fixture f;
    int64_t cut;
    civil_parse("2025-06-05", &cut);
    fixture_init(&f);
    civil_parse("2025-05-30", &f.context.start_unix_s);
    civil_parse("2025-11-30", &f.context.prices_as_of_unix_s);
    int p = pool(&f, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    struct world w = {0};
    world_begin(&f, &w, 0);
    double until, at = (double)(cut - f.context.start_unix_s);
    money_t before = market_price(w.market, p, 0.0, &until);
    assert_near(until, at, 0.0, "date of the cut");
    assert_true(market_price(w.market, p, at - 1.0, NULL) == before);
    money_t after = market_price(w.market, p, at, &until);
    assert_true(after < before);
    assert_true(isinf(until));
    const struct dated_price *row = catalogue_on_demand_at(catalogue, "p4d.24xlarge", "us-east-1",
                                                           cut, f.context.prices_as_of_unix_s);
    assert_true(row->per_hour == after);
    assert_near(market_planned_price_per_hour(f.plan, p), money_to_double(before), 0.0, "planned");
    market_free(w.market);
    fixture_release(&f);

    fixture_init(&f); /* the same start, known only then */
    civil_parse("2025-05-30", &f.context.start_unix_s);
    f.context.prices_as_of_unix_s = f.context.start_unix_s;
    p = pool(&f, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    w = (struct world){0};
    world_begin(&f, &w, 0);
    assert_true(market_price(w.market, p, 25.0 * DAY, &until) == before);
    assert_true(isinf(until));
    market_free(w.market);
    fixture_release(&f);
}

static void old_prices_are_assumed(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    civil_parse("2029-01-01", &f.context.start_unix_s);
    f.context.prices_as_of_unix_s = f.context.start_unix_s;
    pool(&f, NULL, "p3.2xlarge", PURCHASE_ON_DEMAND);
    const struct assumption *a = find_assumption(&f, "on-demand price of p3.2xlarge in us-east-1");
    assert_non_null(a);
    assert_non_null(strstr(a->value, "last seen on 202"));
    assert_non_null(strstr(a->value, " days before the start"));
    /* A spot price ages as well. 2025-11-30 to 2029-01-01: 31 + 3 x 365 + 1 + 1 days. */
    pool(&f, NULL, "p4d.24xlarge", PURCHASE_SPOT);
    a = find_assumption(&f, "spot price of p4d.24xlarge in us-east-1a");
    assert_non_null(a);
    assert_non_null(strstr(a->value, ", last seen on 2025-11-30, 1128 days before the start"));
    fixture_release(&f);

    fixture_init(&f); /* 92 days are no age */
    pool(&f, NULL, "p4d.24xlarge", PURCHASE_SPOT);
    a = find_assumption(&f, "spot price of p4d.24xlarge in us-east-1a");
    assert_null(strstr(a->value, "last seen"));
    fixture_release(&f);
}

/* Invariant 4: never zero, nor what money rounds to zero. */
static void a_price_is_never_zero(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct spot_spec *s = add_spot(&f, "p3.2xlarge");
    s->price = given(0.0);
    s->price_place = (struct place){"plan.yaml", 7, 9};
    add_on_demand(&f, "p3.2xlarge")->price = given(4e-10);
    assert_int_equal(add_pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT), -1);
    assert_int_equal(add_pool(&f, NULL, "p3.2xlarge", PURCHASE_ON_DEMAND), -1);
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_ERROR), 2);
    assert_said(&f, "plan.yaml:7:9: error: the spot price of 'p3.2xlarge' is 0");
    assert_said(&f, "the on-demand price of 'p3.2xlarge' is 0");
    fixture_release(&f);
}

static void stated_prices_are_rounded_once(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    add_spot(&f, "p3.2xlarge")->price = uncertain(&f, "price", 0.5, 1.5);
    add_spot(&f, "p3.8xlarge")->price = given(1.23456789012);
    memset(&add_on_demand(&f, "p3.2xlarge")->wait, 0, sizeof(struct variate)); /* absent */
    f.on_demand[0].price = given(1e-9);
    int a = pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
    int b = pool(&f, NULL, "p3.8xlarge", PURCHASE_SPOT);
    int c = pool(&f, NULL, "p3.2xlarge", PURCHASE_ON_DEMAND);
    struct world w = {0};
    for (uint32_t r = 0; r < 20; r++) {
        world_begin(&f, &w, r);
        money_t want;
        assert_true(money_from_double(w.drawn[0], &want));
        double until = 0.0;
        assert_true(market_price(w.market, a, 3.0 * DAY, &until) == want);
        assert_true(isinf(until));
        assert_true(market_price(w.market, b, 0.0, NULL) == INT64_C(1234567890));
        assert_true(market_price(w.market, c, 0.0, NULL) == 1);
    }
    market_free(w.market);
    fixture_release(&f);

    fixture_init(&f);
    add_spot(&f, "p3.2xlarge")->price = given(1e12);
    assert_int_equal(add_pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT), -1);
    assert_said(&f, "beyond what money can hold");
    fixture_release(&f);
}

static void impossible_draws_are_refused(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    add_spot(&f, "p3.2xlarge")->price = uncertain(&f, "price", 1.0, 1e12);
    f.spot[0].price.median = 1.0;
    int p = pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
    assert_int_equal(p, 0);
    prepare(&f);
    struct market *m = market_new(f.plan);
    double drawn[32] = {0};
    for (size_t i = 0; i < inputs_count(f.inputs); i++) {
        drawn[i] = 0.0;
    }
    drawn[0] = 1e12;
    assert_false(market_begin(m, (struct random_world){1, 0}, drawn));
    assert_non_null(strstr(market_message(m), "us-east-1a/p3.2xlarge/spot"));
    drawn[0] = 1e-12;
    assert_false(market_begin(m, (struct random_world){1, 0}, drawn));
    assert_non_null(strstr(market_message(m), "is zero"));
    drawn[0] = 2.0;
    assert_true(market_begin(m, (struct random_world){1, 0}, drawn));
    assert_string_equal(market_message(m), "");
    market_free(m);
    fixture_release(&f);
}

static void delays_and_flags(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    struct spot_spec *s = add_spot(&f, "p3.2xlarge");
    s->interruptions = given(0.2 / HOUR);
    s->nodes = 12;
    s->regain = (struct variate){.family = DISTRIBUTION_EXPONENTIAL,
                                 .p = {given(300.0)},
                                 .low = 0.0,
                                 .high = (double)INFINITY,
                                 .given = true};
    s->first_hour_free = false;
    struct on_demand_spec *o = add_on_demand(&f, "p3.2xlarge");
    o->limit = 8;
    o->wait = variate_constant(600.0);
    o->wait.given = true;
    int spot = pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
    int plain = pool(&f, NULL, "p3.8xlarge", PURCHASE_SPOT);
    int demand = pool(&f, NULL, "p3.2xlarge", PURCHASE_ON_DEMAND);
    int free_demand = pool(&f, NULL, "p3.8xlarge", PURCHASE_ON_DEMAND);
    struct world w = {0};
    world_begin(&f, &w, 0);
    assert_near(market_hazard(w.market, spot), 0.2 / HOUR, 1e-18, "hazard");
    assert_near(market_hazard(w.market, plain), 0.0, 0.0, "no hazard");
    assert_near(market_hazard(w.market, demand), 0.0, 0.0, "no hazard");
    assert_int_equal(market_capacity(w.market, spot, 1.0, 100), 12);
    assert_true(isinf(market_next_change(w.market, spot, 1.0, 100)));
    assert_int_equal(market_capacity(w.market, demand, 1.0, 100), 8);
    assert_int_equal(market_capacity(w.market, free_demand, 1.0, UINT32_MAX), UINT32_MAX);
    assert_relative(market_regain_s(w.market, spot, 0.5), 300.0 * log(2.0), 1e-9, "regain");
    assert_near(market_regain_s(w.market, plain, 0.5), 0.0, 0.0, "no regain");
    assert_near(market_regain_s(w.market, demand, 0.5), 0.0, 0.0, "not on demand");
    assert_near(market_wait_s(w.market, demand, 0.99), 600.0, 0.0, "wait");
    assert_near(market_wait_s(w.market, free_demand, 0.99), 0.0, 0.0, "no wait");
    assert_near(market_wait_s(w.market, spot, 0.99), 0.0, 0.0, "not on spot");
    assert_near(market_notice_s(w.market, plain), 120.0, 0.0, "notice");
    assert_near(market_notice_s(w.market, demand), 0.0, 0.0, "no notice");
    assert_false(market_first_hour_free(w.market, spot));
    assert_true(market_first_hour_free(w.market, plain));
    assert_false(market_first_hour_free(w.market, demand));
    assert_ptr_equal(market_plan_of(w.market), f.plan);
    market_free(w.market);
    market_free(NULL);
    fixture_release(&f);
}

static void stated_bucket_replaces_the_catalogues(void **state)
{
    (void)state;
    struct fixture f;
    fixture_init(&f);
    add_spot(&f, "p3.2xlarge")->bucket = ADVISOR_BELOW_5;
    add_spot(&f, "p3.8xlarge")->bucket = SPOT_BUCKET_UNKNOWN;
    int a = pool(&f, NULL, "p3.2xlarge", PURCHASE_SPOT);
    int b = pool(&f, NULL, "p3.8xlarge", PURCHASE_SPOT);
    assert_near(market_planned_availability(f.plan, a, 1), 0.986, 0.0005, "<5%");
    assert_near(market_planned_availability(f.plan, b, 1), 0.841, 0.0005, "unknown");
    assert_true(find_assumption(&f, "spot availability of p3.2xlarge in us-east-1a")->extrapolated);
    /* One score for the family: both pools are good or bad together. */
    assert_int_equal(inputs_count(f.inputs), 2);
    fixture_release(&f);
}

static int load(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    catalogue = catalogue_load("models/catalogue/data", NULL, 0, d);
    if (catalogue == NULL) {
        diagnostics_write(d, stderr);
    }
    diagnostics_free(d);
    return catalogue == NULL;
}

static int unload(void **state)
{
    (void)state;
    catalogue_free(catalogue);
    return 0;
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pool_one_index),
        cmocka_unit_test(default_pool_says_what_it_assumes),
        cmocka_unit_test(stated_values_are_not_assumed),
        cmocka_unit_test(errors_are_told_with_their_place),
        cmocka_unit_test(a_missing_price_is_infeasible),
        cmocka_unit_test(limits_refuse_by_name),
        cmocka_unit_test(dearer_than_on_demand_warns),
        cmocka_unit_test(zone_entry_wins),
        cmocka_unit_test(planned_values),
        cmocka_unit_test(nobody_peeks),
        cmocka_unit_test(changes_agree_with_capacity),
        cmocka_unit_test(one_world_for_all_strategies),
        cmocka_unit_test(other_pools_change_no_draw),
        cmocka_unit_test(a_longer_horizon_keeps_the_world),
        cmocka_unit_test(sizes_and_zones_differ_but_are_tied),
        cmocka_unit_test(stated_losses_come_out),
        cmocka_unit_test(planned_gang_rate_comes_out),
        cmocka_unit_test(drawn_availability_is_met),
        cmocka_unit_test(on_demand_price_steps_on_its_date),
        cmocka_unit_test(old_prices_are_assumed),
        cmocka_unit_test(a_price_is_never_zero),
        cmocka_unit_test(on_demand_capacity_is_assumed),
        cmocka_unit_test(zones_far_apart_warn),
        cmocka_unit_test(stated_prices_are_rounded_once),
        cmocka_unit_test(impossible_draws_are_refused),
        cmocka_unit_test(delays_and_flags),
        cmocka_unit_test(stated_bucket_replaces_the_catalogues),
    };
    return cmocka_run_group_tests_name("market", tests, load, unload);
}
