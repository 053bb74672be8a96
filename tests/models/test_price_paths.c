/* SPDX-License-Identifier: GPL-3.0-or-later
 * Prices to come, as pools meet them: dated changes, and cuts whose number, days and sizes have the
 * law that is stated. */
#include "tests/support/testing.h"

#include "engine/civil_time.h"
#include "engine/gsl_errors.h"
#include "models/market/market.h"
#include "models/market/market_keys.h"
#include "models/market/price_outlook.h"

#include <math.h>
#include <string.h>

#define DAY  86400.0
#define YEAR (365.25 * DAY)

static const struct place here = {"plan.yaml", 3, 1};
static struct catalogue *catalogue; /* read only, loaded once */

struct outlook_bed {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct inputs *inputs;
    struct assumptions assumptions;
    struct market_spec spec;
    struct price_change_spec changes[4];
    struct market_context context;
    struct market_plan *plan;
    struct market *market;
    double drawn[8];
};

static void bed_init(struct outlook_bed *b, const char *start, double horizon_s)
{
    *b = (struct outlook_bed){.arena = arena_new(0), .diagnostics = diagnostics_new()};
    b->inputs = inputs_new(b->arena);
    b->assumptions.arena = b->arena;
    b->spec.price_changes.items = b->changes;
    b->context = (struct market_context){
        .catalogue = catalogue,
        .region = catalogue_region(catalogue, "us-east-1"),
        .horizon_s = horizon_s,
        .inputs = b->inputs,
        .assumptions = &b->assumptions,
        .arena = b->arena,
        .diagnostics = b->diagnostics,
    };
    civil_parse(start, &b->context.start_unix_s);
    b->context.prices_as_of_unix_s = b->context.start_unix_s;
}

static void state_cuts(struct outlook_bed *b, double rate_per_year, double low, double high)
{
    b->spec.price_cuts.rate = NUMBER_CERTAIN(rate_per_year / YEAR);
    b->spec.price_cuts.rate.given = true;
    b->spec.price_cuts.size = variate_constant(low);
    if (high > low) {
        b->spec.price_cuts.size.family = DISTRIBUTION_UNIFORM;
        b->spec.price_cuts.size.p[1] = NUMBER_CERTAIN(high);
    }
    b->spec.price_cuts.size.given = true;
}

static struct price_change_spec *state_change(struct outlook_bed *b, const char *at, double change)
{
    struct price_change_spec *s = &b->changes[b->spec.price_changes.count++];
    *s = (struct price_change_spec){.change = NUMBER_CERTAIN(change)};
    civil_parse(at, &s->at.unix_s);
    return s;
}

static int pool(struct outlook_bed *b, const char *zone, const char *type, enum purchase purchase)
{
    if (b->plan == NULL) {
        b->plan = market_plan_new(&b->spec, b->context);
        assert_non_null(b->plan);
    }
    int index = market_plan_pool(b->plan, zone, type, purchase, here);
    if (index < 0) {
        diagnostics_write(b->diagnostics, stderr);
    }
    assert_true(index >= 0);
    return index;
}

static void begin(struct outlook_bed *b, uint32_t replication)
{
    if (b->market == NULL) {
        char message[200];
        assert_true(inputs_prepare(b->inputs, message, sizeof message));
        assert_true(inputs_count(b->inputs) <= 8);
        b->market = market_new(b->plan);
        assert_non_null(b->market);
    }
    const struct random_world id = {1, replication};
    inputs_draw(b->inputs, id, b->drawn);
    assert_true(market_begin(b->market, id, b->drawn));
}

static void bed_release(struct outlook_bed *b)
{
    market_free(b->market);
    diagnostics_free(b->diagnostics);
    arena_free(b->arena);
}

/* ---- stated changes ---- */

static void a_change_holds_from_its_second_on(void **state)
{
    (void)state;
    struct outlook_bed b;
    bed_init(&b, "2026-01-01", 30 * DAY);
    state_change(&b, "2026-01-03T08:30:15Z", -0.2);
    const char *families[] = {"p5"};
    struct price_change_spec *other = state_change(&b, "2026-01-02", -0.5);
    other->families = (struct schema_list){families, 1};
    int p4d = pool(&b, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    int p5 = pool(&b, NULL, "p5.48xlarge", PURCHASE_ON_DEMAND);
    begin(&b, 0);
    double until, at = 2 * DAY + 8 * 3600 + 30 * 60 + 15;
    assert_int_equal(market_price(b.market, p4d, 0, &until), INT64_C(21957642000));
    assert_near(until, at, 0, "until");
    assert_int_equal(market_price(b.market, p4d, at - 1e-3, NULL), INT64_C(21957642000));
    /* 21.957642 × 0.8 */
    assert_int_equal(market_price(b.market, p4d, at, &until), INT64_C(17566113600));
    assert_true(isinf(until));
    /* 55.04 halved, then less a fifth */
    assert_int_equal(market_price(b.market, p5, DAY, &until), INT64_C(27520000000));
    assert_near(until, at, 0, "until");
    assert_int_equal(market_price(b.market, p5, at, NULL), INT64_C(22016000000));
    bed_release(&b);
}

static void spot_has_its_own_changes(void **state)
{
    (void)state;
    struct outlook_bed b;
    bed_init(&b, "2026-01-01", 30 * DAY);
    state_change(&b, "2026-01-03", -0.2);
    state_change(&b, "2026-01-04", 0.1)->purchase = CHANGE_SPOT;
    state_change(&b, "2026-01-05", -0.3)->purchase = CHANGE_ALL;
    state_cuts(&b, 12, 0.5, 0.5);
    int on_demand = pool(&b, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    int spot = pool(&b, NULL, "p4d.24xlarge", PURCHASE_SPOT);
    begin(&b, 0);
    double first = money_to_double(market_price(b.market, spot, 0, NULL));
    double last = money_to_double(market_price(b.market, spot, 29 * DAY, NULL));
    assert_relative(last / first, 1.1 * 0.7, 1e-9, "no cut of 50 % on spot");
    assert_true(market_price(b.market, on_demand, 2 * DAY, NULL) <= INT64_C(17566113600));
    bed_release(&b);
}

/* Planning knows what is announced at the start, and no draw (DESIGN invariant 7). */
static void planning_sees_what_is_announced(void **state)
{
    (void)state;
    struct outlook_bed b;
    bed_init(&b, "2026-01-01", 300 * DAY);
    state_change(&b, "2026-03-01", -0.1);
    struct price_change_spec *late = state_change(&b, "2026-02-01", -0.5);
    late->announced.given = true;
    civil_parse("2026-01-15", &late->announced.unix_s);
    state_cuts(&b, 12, 0.3, 0.3);
    int p = pool(&b, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    int offer = market_plan_offer(b.plan, "p4d.24xlarge");
    for (uint32_t r = 0; r < 5; r++) {
        begin(&b, r);
        double from;
        money_t price;
        assert_near(market_planned_price_per_hour(b.plan, p), 21.957642, 1e-12, "today's");
        assert_true(market_planned_price_step(b.plan, p, 0, &from, &price));
        assert_near(from, 59 * DAY, 0, "the first of March");
        assert_int_equal(price, INT64_C(19761877800));
        assert_false(market_planned_price_step(b.plan, p, 1, &from, &price));
        bool moves;
        assert_near(market_planned_offer_factor(b.plan, offer, 200 * DAY, &moves), 0.9, 1e-15,
                    "offers");
        assert_true(moves);
    }
    bed_release(&b);
}

/* ---- cuts ---- */

/* Counts the cuts of a pool before the end, and adds up log(1 - size). */
static int count_cuts(struct outlook_bed *b, int p, double end_s, double *sum, double *squares)
{
    int count = 0;
    double until;
    money_t before = market_price(b->market, p, 0, &until);
    while (until < end_s) {
        assert_near(fmod((double)(b->context.start_unix_s % 86400) + until, DAY), 0, 0, "midnight");
        double at = until;
        money_t after = market_price(b->market, p, at, &until);
        assert_true(until > at);
        double size = 1 - (double)after / (double)before;
        *sum += size;
        *squares += size * size;
        before = after;
        count++;
    }
    return count;
}

static void cuts_come_at_the_stated_rate_and_size(void **state)
{
    (void)state;
    enum { WORLDS = 4000 };
    struct outlook_bed b;
    bed_init(&b, "2026-01-01T18:00Z", 1095.75 * DAY);
    state_cuts(&b, 0.3, 0.1, 0.4);
    int p = pool(&b, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    double sum = 0, squares = 0, n = 0, n2 = 0;
    for (uint32_t r = 0; r < WORLDS; r++) {
        begin(&b, r);
        int k = count_cuts(&b, p, b.context.horizon_s, &sum, &squares);
        n += k;
        n2 += (double)k * k;
    }
    /* Poisson: mean and variance 0.9 (less what falls into the last hours before a midnight). */
    double mean = n / WORLDS, variance = n2 / WORLDS - mean * mean;
    assert_near(mean, 0.9, 4 * sqrt(0.9 / WORLDS) + 0.3 / 365, "cuts in three years");
    assert_near(variance, 0.9, 4 * 0.9 * sqrt((2 + 1 / 0.9) / WORLDS), "their variance");
    /* Uniform from 0.1 to 0.4: mean 0.25, sd 0.0866. Two of one day would count as one. */
    double size = sum / n, sd = sqrt(squares / n - size * size);
    assert_near(size, 0.25, 4 * 0.0866 / sqrt(n) + 1e-3, "size");
    assert_near(sd, 0.0866, 4 * 0.0866 * sqrt(0.2 / n) + 1e-3, "spread of the size");
    bed_release(&b);
}

static void a_family_moves_together_and_others_do_not(void **state)
{
    (void)state;
    struct outlook_bed b;
    bed_init(&b, "2026-01-01", 1000 * DAY);
    state_cuts(&b, 2, 0.1, 0.4);
    int large = pool(&b, "us-east-1a", "g5.48xlarge", PURCHASE_ON_DEMAND);
    int small = pool(&b, "us-east-1c", "g5.xlarge", PURCHASE_ON_DEMAND);
    int other = pool(&b, "us-east-1a", "p4d.24xlarge", PURCHASE_ON_DEMAND);
    int differs = 0;
    for (uint32_t r = 0; r < 50; r++) {
        begin(&b, r);
        /* In whichever order they are asked. */
        double last = money_to_double(market_price(b.market, small, 999 * DAY, NULL)) / 1.006;
        for (double t = 0; t < 1000 * DAY; t += 7 * DAY) {
            double u, v;
            double x = money_to_double(market_price(b.market, large, t, &u)) / 16.288;
            double y = money_to_double(market_price(b.market, small, t, &v)) / 1.006;
            assert_near(x, y, 2e-9, "sizes and zones");
            assert_near(u, v, 0, "days");
            double z = money_to_double(market_price(b.market, other, t, NULL)) / 21.957642;
            differs += fabs(z - x) > 1e-6;
        }
        assert_near(money_to_double(market_price(b.market, large, 999 * DAY, NULL)) / 16.288, last,
                    2e-9, "asked before");
    }
    assert_true(differs > 1000);
    bed_release(&b);
}

/* Nothing shifts: a longer horizon and other pools leave the cuts as they are. */
static void cuts_depend_on_nothing_else(void **state)
{
    (void)state;
    for (uint32_t r = 0; r < 20; r++) {
        struct outlook_bed a, b;
        bed_init(&a, "2026-01-01", 400 * DAY);
        bed_init(&b, "2026-01-01", 900 * DAY);
        int pa = pool(&a, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
        (void)pool(&b, NULL, "g5.xlarge", PURCHASE_ON_DEMAND);
        int pb = pool(&b, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
        begin(&a, r);
        begin(&b, r);
        for (double t = 0; t < 400 * DAY; t += DAY) {
            assert_int_equal(market_price(a.market, pa, t, NULL),
                             market_price(b.market, pb, t, NULL));
        }
        bed_release(&a);
        bed_release(&b);
    }
}

static void cuts_begin_where_knowledge_ends(void **state)
{
    (void)state;
    struct outlook_bed b;
    bed_init(&b, "2024-01-01", 800 * DAY);
    civil_parse("2025-03-01", &b.context.prices_as_of_unix_s);
    state_cuts(&b, 12, 0.1, 0.4);
    int p = pool(&b, NULL, "p4d.24xlarge", PURCHASE_ON_DEMAND);
    double known = (double)(b.context.prices_as_of_unix_s - b.context.start_unix_s);
    double earliest = HUGE_VAL;
    for (uint32_t r = 0; r < 200; r++) {
        double until;
        begin(&b, r);
        (void)market_price(b.market, p, 0, &until);
        assert_true(until > known);
        earliest = fmin(earliest, until);
    }
    assert_true(earliest < known + 3 * DAY);
    bed_release(&b);
}

/* Beyond six months, and only where something is bought on demand. */
static void the_default_is_for_long_horizons(void **state)
{
    (void)state;
    static const struct {
        double days;
        enum purchase purchase;
        bool none, cuts;
    } rows[] = {
        {181, PURCHASE_ON_DEMAND, false, false}, /* 2026-01-01 to 2026-07-01 */
        {182, PURCHASE_ON_DEMAND, false, true},
        {182, PURCHASE_ON_DEMAND, true, false},
        {182, PURCHASE_SPOT, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct outlook_bed b;
        bed_init(&b, "2026-01-01", rows[i].days * DAY);
        if (rows[i].none) {
            b.spec.price_cuts.rate = (struct number){.input = -1, .word = 0, .given = true};
        }
        struct market_plan *plan = market_plan_new(&b.spec, b.context);
        assert_true(market_plan_pool(plan, NULL, "p4d.24xlarge", rows[i].purchase, here) >= 0);
        assert_int_equal(market_planned_price_outlook(plan), rows[i].cuts);
        assert_int_equal(inputs_find(b.inputs, "market.price_cuts.rate") >= 0, rows[i].cuts);
        bool told = false;
        for (size_t k = 0; k < b.assumptions.count; k++) {
            told |= strstr(b.assumptions.items[k].what, "cuts of on-demand prices") != NULL;
        }
        assert_int_equal(told, rows[i].cuts);
        bed_release(&b);
    }
}

/* The default's numbers are those of the shipped price history: docs/models.md. */
static void the_default_is_the_history(void **state)
{
    (void)state;
    struct family_history {
        const char *name;
        int64_t from, to;
    } families[64];
    size_t count = 0;
    double cuts = 0, years = 0, logit = 0, squares = 0;
    for (size_t i = 0; i < catalogue_types(catalogue); i++) {
        const struct instance_type *type = catalogue_type_at(catalogue, i);
        const struct dated_price *rows;
        size_t n = catalogue_on_demand(catalogue, type->name, "us-east-1", &rows);
        if (n == 0) {
            continue;
        }
        size_t k = 0;
        while (k < count && strcmp(families[k].name, type->family) != 0) {
            k++;
        }
        if (k == count) {
            assert_true(count < 64);
            families[count++] = (struct family_history){type->family, INT64_MAX, INT64_MIN};
        }
        for (size_t j = 0; j < n; j++) {
            families[k].from =
                rows[j].from_unix_s < families[k].from ? rows[j].from_unix_s : families[k].from;
            families[k].to = rows[j].confirmed_unix_s > families[k].to ? rows[j].confirmed_unix_s
                                                                       : families[k].to;
            if (j > 0 && rows[j].per_hour != rows[j - 1].per_hour) {
                double left = (double)rows[j].per_hour / (double)rows[j - 1].per_hour;
                double x = log((1 - left) / left);
                assert_true(left < 1);
                cuts++;
                logit += x;
                squares += x * x;
            }
        }
    }
    for (size_t k = 0; k < count; k++) {
        years += (double)(families[k].to - families[k].from) / YEAR;
    }
    assert_near(cuts, 4, 0, "cuts"); /* one type a family each */
    assert_near(years, 91.3, 0.05, "family-years");
    assert_near(cuts / years, 0.0438, 5e-5, "rate");
    /* One more from the same law: Student's t with 3 degrees of freedom, 95 % quantile 2.3534. */
    double mean = logit / cuts, sd = sqrt((squares - cuts * mean * mean) / (cuts - 1));
    double reach = 2.3534 * sd * sqrt(1 + 1 / cuts);
    assert_near(1 / (1 + exp(-(mean - reach))), 0.17, 0.005, "low end");
    assert_near(1 / (1 + exp(-(mean + reach))), 0.55, 0.007, "high end");
}

static int load(void **state)
{
    (void)state;
    gsl_errors_install();
    struct diagnostics *d = diagnostics_new();
    catalogue = catalogue_load(NULL, NULL, 0, d);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_holds_from_its_second_on),
        cmocka_unit_test(spot_has_its_own_changes),
        cmocka_unit_test(planning_sees_what_is_announced),
        cmocka_unit_test(cuts_come_at_the_stated_rate_and_size),
        cmocka_unit_test(a_family_moves_together_and_others_do_not),
        cmocka_unit_test(cuts_depend_on_nothing_else),
        cmocka_unit_test(cuts_begin_where_knowledge_ends),
        cmocka_unit_test(the_default_is_for_long_horizons),
        cmocka_unit_test(the_default_is_the_history),
    };
    return cmocka_run_group_tests_name("price paths", tests, load, unload);
}
