/* SPDX-License-Identifier: GPL-3.0-or-later
 * What must hold for any usage and any commitments: conservation to the nano-unit, monotony, no
 * influence of order or of how usage is split; and the order of the rules against a plain search
 * for the best pair. */
#include "models/commitments/normalisation.h"
#include "tests/support/coverage_scene.h"
#include "tests/support/draws.h"
#include "tests/support/testing.h"

#include <string.h>

__extension__ typedef __int128 int128;

enum { WORLDS = 3000, ACCOUNTS = 3 };

static const char *const types[] = {"m4.large", "m4.xlarge", "m4.4xlarge", "c5.large",
                                    "c5.metal", "g5.xlarge", "g5.2xlarge", "fargate-vcpu"};
static const char *const zones[] = {"us-east-1a", "us-east-1b"};
enum { TYPES = sizeof types / sizeof types[0] };

static money_t draw_price(uint64_t *random)
{
    /* few different ones, so that ties happen */
    static const money_t round[] = {1000000000, 2000000000, 500000000, 4000000, 40000000};
    return draw_below(random, 2) ? round[draw_below(random, 5)]
                                 : 1 + draw_amount(random, 100 * MONEY_UNIT);
}

static void draw_rate(uint64_t *random, struct coverage_scene *s, size_t g, size_t c)
{
    money_t price = s->groups[g].on_demand_per_hour;
    money_t share = price * (1 + draw_below(random, 4)) / 4;
    if (g > 0 && draw_below(random, 8) == 0) {
        share = COVERAGE_NOT_ELIGIBLE;
    } else if (draw_below(random, 2)) {
        share = 1 + draw_below(random, price + price / 8);
    }
    s->rates[g][c] = share == 0 ? 1 : share;
}

static void draw_commitment(uint64_t *random, struct coverage_scene *s)
{
    size_t c;
    const char *type = types[draw_below(random, TYPES - 1)];
    double amount = 5 * draw_uniform(random);
    switch (draw_below(random, 5)) {
    case 0:
        c = scene_reserve_zone(s, type, zones[draw_below(random, 2)], draw_below(random, 5),
                               amount);
        break;
    case 1:
    case 2:
        c = scene_reserve(s, type, draw_below(random, 9), amount);
        s->commitments[c].upfront = draw_amount(random, 10000 * MONEY_UNIT);
        break;
    case 3:
        c = scene_instance_plan(s, draw_below(random, 2) ? "m4" : "c5", amount);
        break;
    default:
        c = scene_compute_plan(s, amount);
    }
    s->commitments[c].owner = (int32_t)draw_below(random, ACCOUNTS);
    if (draw_below(random, 6) == 0) {
        s->commitments[c].start_us = draw_below(random, HOUR_US);
        s->commitments[c].end_us = s->commitments[c].start_us + 8760 * HOUR_US;
    }
    for (size_t g = 0; g < s->group_count; g++) {
        draw_rate(random, s, g, c);
    }
}

static void draw_scene(uint64_t *random, struct coverage_scene *s)
{
    s->group_count = s->commitment_count = 0;
    size_t groups = (size_t)(1 + draw_below(random, 12));
    size_t commitments = (size_t)draw_below(random, 9);
    for (size_t g = 0; g < groups; g++) {
        scene_use(s, types[draw_below(random, TYPES)], 0, 1);
        s->us[g] = draw_length(random, 8 * HOUR_US);
        struct coverage_group *group = &s->groups[g];
        group->on_demand_per_hour = draw_price(random);
        group->zone = zones[draw_below(random, 2)];
        group->account = (int32_t)draw_below(random, ACCOUNTS);
        group->use =
            draw_below(random, 4) ? USE_INSTANCE : (enum coverage_use)draw_below(random, 3);
        group->platform = draw_below(random, 6) ? PLATFORM_LINUX : PLATFORM_WINDOWS;
    }
    for (size_t c = 0; c < commitments; c++) {
        draw_commitment(random, s);
    }
}

/* Of one hour, by group and commitment as given. */
struct result {
    int64_t group_on_demand_us[SCENE_GROUPS];
    money_t used[SCENE_COMMITMENTS], unused[SCENE_COMMITMENTS];
    money_t covered[SCENE_GROUPS]; /* money, by group */
    money_t on_demand, total;
};

static void take_result(const struct coverage_scene *s, struct result *r)
{
    memset(r, 0, sizeof *r);
    for (size_t g = 0; g < s->group_count; g++) {
        size_t slot = coverage_slot(s->coverage, g);
        r->group_on_demand_us[g] = s->outcome->on_demand_us[slot];
        for (size_t i = 0; i < s->outcome->cover_count; i++) {
            r->covered[g] += s->outcome->covers[i].slot == slot ? s->outcome->covers[i].money : 0;
        }
    }
    memcpy(r->used, s->outcome->used, s->commitment_count * sizeof *r->used);
    memcpy(r->unused, s->outcome->unused, s->commitment_count * sizeof *r->unused);
    r->on_demand = scene_on_demand(s);
    r->total = scene_total(s);
}

/* ---- conservation ----------------------------------------------------------------------- */

static int64_t capacity(const struct commitment *c)
{
    bool flexible = c->kind == COMMITMENT_REGIONAL_RESERVED && instance_size_flexible(c->type);
    return c->count * (flexible ? normalisation_quarters(c->type) : 1) * HOUR_US;
}

static void check_commitment(const struct coverage_scene *s, size_t index)
{
    const struct commitment *c = &s->commitments[index];
    const struct coverage_outcome *o = s->outcome;
    money_t given = 0;
    int128 taken = 0;
    for (size_t i = 0; i < o->cover_count; i++) {
        const struct coverage_cover *cover = &o->covers[i];
        if (cover->commitment != index) {
            continue;
        }
        assert_true(cover->us > 0 && cover->money >= 0);
        given += cover->money;
        for (size_t g = 0; g < s->group_count; g++) {
            if (coverage_slot(s->coverage, g) == cover->slot) {
                bool sized = capacity(c) != c->count * HOUR_US;
                taken += (int128)cover->us * (commitment_is_savings_plan(c) ? s->rates[g][index]
                                              : sized ? normalisation_quarters(s->groups[g].type)
                                                      : 1);
                break;
            }
        }
    }
    assert_int_equal(o->used[index], given);
    assert_true(o->used[index] >= 0 && o->unused[index] >= 0);
    assert_int_equal(o->used[index] + o->unused[index], commitment_amortised(c, 0, HOUR_US));
    if (commitment_is_savings_plan(c)) {
        assert_true(taken <= (int128)c->hourly * HOUR_US);
    } else {
        assert_true(taken <= capacity(c));
    }
}

static void test_conservation(void **state)
{
    (void)state;
    static struct coverage_scene s;
    uint64_t random = 31;
    for (int n = 0; n < WORLDS; n++) {
        scene_init(&s);
        draw_scene(&random, &s);
        scene_match(&s, 0);
        const struct coverage_outcome *o = s.outcome;
        int64_t us[SCENE_GROUPS] = {0};
        money_t paid = 0;
        for (size_t g = 0; g < s.group_count; g++) {
            us[coverage_slot(s.coverage, g)] += s.us[g];
        }
        for (size_t i = 0; i < o->cover_count; i++) {
            us[o->covers[i].slot] -= o->covers[i].us;
        }
        for (size_t g = 0; g < s.group_count; g++) {
            size_t slot = coverage_slot(s.coverage, g);
            assert_int_equal(us[slot], o->on_demand_us[slot]);
            assert_int_equal(o->on_demand[slot],
                             money_for_time(s.groups[g].on_demand_per_hour, us[slot]));
        }
        for (size_t c = 0; c < s.commitment_count; c++) {
            check_commitment(&s, c);
            paid += commitment_amortised(&s.commitments[c], 0, HOUR_US);
        }
        assert_int_equal(scene_total(&s), paid + scene_on_demand(&s));
        assert_true(scene_total(&s) >= paid);
        scene_release(&s);
    }
}

/* ---- monotony ------------------------------------------------------------------------------- */

static void grow(uint64_t *random, struct coverage_scene *s, size_t index)
{
    struct commitment *c = &s->commitments[index];
    if (commitment_is_savings_plan(c)) {
        c->hourly += 1 + draw_length(random, 3 * MONEY_UNIT);
        c->recurring_per_hour = c->hourly;
    } else {
        c->count += 1 + draw_below(random, 3);
    }
}

static void test_more_never_covers_less(void **state)
{
    (void)state;
    static struct coverage_scene s;
    static struct result before, after;
    uint64_t random = 32;
    for (int n = 0; n < WORLDS; n++) {
        scene_init(&s);
        draw_scene(&random, &s);
        scene_match(&s, 0);
        take_result(&s, &before);
        if (s.commitment_count == 0 || draw_below(&random, 3) == 0) {
            draw_commitment(&random, &s);
        } else {
            grow(&random, &s, (size_t)draw_below(&random, (int64_t)s.commitment_count));
        }
        scene_match(&s, 0);
        take_result(&s, &after);
        assert_true(after.on_demand <= before.on_demand);
        for (size_t g = 0; g < s.group_count; g++) {
            assert_true(after.group_on_demand_us[g] <= before.group_on_demand_us[g]);
        }
        scene_release(&s);
    }
}

/* ---- what changes nothing ---------------------------------------------------------------------
 */

static void exchange_groups(struct coverage_scene *s, size_t a, size_t b)
{
    struct coverage_group group = s->groups[a];
    s->groups[a] = s->groups[b];
    s->groups[b] = group;
    int64_t us = s->us[a];
    s->us[a] = s->us[b];
    s->us[b] = us;
    for (size_t c = 0; c < SCENE_COMMITMENTS; c++) {
        money_t rate = s->rates[a][c];
        s->rates[a][c] = s->rates[b][c];
        s->rates[b][c] = rate;
    }
}

static void test_order_of_groups(void **state)
{
    (void)state;
    static struct coverage_scene s;
    static struct result before, after;
    uint64_t random = 33;
    for (int n = 0; n < WORLDS; n++) {
        scene_init(&s);
        draw_scene(&random, &s);
        scene_match(&s, 0);
        take_result(&s, &before);
        size_t place[SCENE_GROUPS]; /* of the group that was the i-th */
        for (size_t g = 0; g < s.group_count; g++) {
            place[g] = g;
        }
        for (size_t g = s.group_count; g > 1; g--) {
            size_t other = (size_t)draw_below(&random, (int64_t)g);
            exchange_groups(&s, g - 1, other);
            for (size_t i = 0; i < s.group_count; i++) {
                place[i] = place[i] == g - 1 ? other : place[i] == other ? g - 1 : place[i];
            }
        }
        scene_match(&s, 0);
        take_result(&s, &after);
        assert_int_equal(after.total, before.total);
        assert_memory_equal(after.used, before.used, sizeof before.used);
        assert_memory_equal(after.unused, before.unused, sizeof before.unused);
        for (size_t g = 0; g < s.group_count; g++) {
            assert_int_equal(after.group_on_demand_us[place[g]], before.group_on_demand_us[g]);
            assert_int_equal(after.covered[place[g]], before.covered[g]);
        }
        scene_release(&s);
    }
}

static void test_splitting_usage(void **state)
{
    (void)state;
    static struct coverage_scene s;
    static struct result before, after;
    uint64_t random = 34;
    for (int n = 0; n < WORLDS; n++) {
        scene_init(&s);
        draw_scene(&random, &s);
        scene_match(&s, 0);
        take_result(&s, &before);
        size_t slots = coverage_slots(s.coverage), groups = s.group_count;
        for (size_t parts = (size_t)draw_below(&random, 4) + 1; parts > 0; parts--) {
            size_t g = (size_t)draw_below(&random, (int64_t)s.group_count), new = s.group_count++;
            s.groups[new] = s.groups[g];
            memcpy(s.rates[new], s.rates[g], sizeof s.rates[g]);
            s.us[new] = draw_length(&random, s.us[g]);
            s.us[g] -= s.us[new];
        }
        scene_match(&s, 0);
        take_result(&s, &after);
        assert_int_equal(coverage_slots(s.coverage), slots);
        assert_int_equal(after.total, before.total);
        assert_memory_equal(after.used, before.used, sizeof before.used);
        assert_memory_equal(after.covered, before.covered, groups * sizeof *before.covered);
        assert_memory_equal(after.group_on_demand_us, before.group_on_demand_us,
                            groups * sizeof *before.group_on_demand_us);
        scene_release(&s);
    }
}

static void test_nothing_committed(void **state)
{
    (void)state;
    static struct coverage_scene s;
    static struct result before, after;
    uint64_t random = 35;
    for (int n = 0; n < WORLDS; n++) {
        scene_init(&s);
        draw_scene(&random, &s);
        scene_match(&s, 0);
        take_result(&s, &before);
        size_t last = s.commitment_count;
        draw_commitment(&random, &s);
        struct commitment *c = &s.commitments[last];
        c->count = 0;
        c->hourly = c->upfront = c->recurring_per_hour = 0;
        for (size_t g = 1; g < s.group_count; g++) {
            for (size_t h = 0; h < g; h++) { /* usage that was one stays one */
                if (coverage_slot(s.coverage, g) == coverage_slot(s.coverage, h)) {
                    s.rates[g][last] = s.rates[h][last];
                }
            }
        }
        scene_match(&s, 0);
        take_result(&s, &after);
        assert_int_equal(after.used[last], 0);
        assert_int_equal(after.unused[last], 0);
        assert_memory_equal(&after, &before, sizeof before);
        scene_release(&s);
    }
}

/* ---- the order of the rules, searched plainly ---------------------------------------------------
 */

/* What the pair's place depends on, the first number that differs deciding; false: no match. */
static bool place_of(const struct coverage_scene *s, size_t g, size_t c, int128 place[8])
{
    const struct coverage_group *group = &s->groups[g];
    const struct commitment *k = &s->commitments[c];
    bool matches;
    int128 size = 0, saving = 0, rate = 0;
    if (commitment_is_savings_plan(k)) {
        rate = s->rates[g][c];
        matches = rate > 0 && (!k->family || instance_of_family(group->type, k->family));
        /* the price's share that is still paid, in parts of 1e18 */
        saving = rate * 1000000000 * 1000000000 / group->on_demand_per_hour;
    } else {
        bool same = strcmp(k->type, group->type) == 0;
        matches = group->platform == PLATFORM_LINUX && same;
        if (k->kind == COMMITMENT_ZONAL_RESERVED) {
            matches = matches && group->use == USE_INSTANCE && strcmp(k->zone, group->zone) == 0;
        } else if (strncmp(k->type, "g5.", 3) != 0) {
            matches =
                group->platform == PLATFORM_LINUX && instance_same_family(k->type, group->type);
            size = 2 * normalisation_quarters(group->type) + !same;
        }
    }
    place[0] = k->kind;
    place[1] = k->owner != group->account;
    place[2] = group->use == USE_IDLE;
    place[3] = size;
    place[4] = saving;
    place[5] = rate;
    place[6] = -(int128)group->on_demand_per_hour;
    place[7] = (int128)coverage_slot(s->coverage, g) * 1000 + (int128)c;
    return matches;
}

static void test_order_of_rules(void **state)
{
    (void)state;
    static struct coverage_scene s;
    uint64_t random = 36;
    for (int n = 0; n < WORLDS; n++) {
        scene_init(&s);
        draw_scene(&random, &s);
        scene_match(&s, 0);
        int128 last[8] = {-1};
        for (size_t i = 0; i < s.outcome->cover_count; i++) {
            const struct coverage_cover *cover = &s.outcome->covers[i];
            size_t g = 0;
            int128 place[8];
            while (coverage_slot(s.coverage, g) != cover->slot) {
                g++;
            }
            assert_true(place_of(&s, g, cover->commitment, place));
            size_t k = 0;
            while (k < 7 && place[k] == last[k]) {
                k++;
            }
            assert_true(place[k] > last[k]);
            memcpy(last, place, sizeof last);
        }
        /* No match is left out: usage on demand means that all that match it are used up. */
        for (size_t g = 0; g < s.group_count; g++) {
            for (size_t c = 0; c < s.commitment_count; c++) {
                int128 place[8];
                if (s.outcome->on_demand_us[coverage_slot(s.coverage, g)] > 0 &&
                    place_of(&s, g, c, place) && s.outcome->used[c] > 0) {
                    assert_int_equal(s.outcome->unused[c], 0);
                }
            }
        }
        scene_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conservation),      cmocka_unit_test(test_more_never_covers_less),
        cmocka_unit_test(test_order_of_groups),   cmocka_unit_test(test_splitting_usage),
        cmocka_unit_test(test_nothing_committed), cmocka_unit_test(test_order_of_rules),
    };
    return cmocka_run_group_tests_name("coverage_properties", tests, NULL, NULL);
}
