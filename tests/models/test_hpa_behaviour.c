/* SPDX-License-Identifier: GPL-3.0-or-later
 * The behaviour of a horizontal pod autoscaler against its rules written out: every recommendation
 * and every change is kept, and looked through at each step. */
#include "engine/random.h"
#include "models/autoscaling/hpa_behaviour.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>

enum { LOOKS = 3000 };

struct history {
    double at_s[LOOKS], recommended[LOOKS], change[LOOKS];
    size_t count;
};

/* Pods at the beginning of the period, further by what the policy allows. */
static double allowed(const struct history *h, const struct hpa_policy *p, double sign,
                      double now_s, double current)
{
    double pods = current;
    for (size_t i = 0; i < h->count; i++) {
        if (h->at_s[i] > now_s - p->per.median) {
            pods -= h->change[i];
        }
    }
    double to =
        p->pods.given ? pods + sign * p->pods.median : pods * (1 + sign * p->percent.median);
    return sign > 0 ? ceil(to - 1e-9 * fabs(to)) : floor(to + 1e-9 * fabs(to));
}

static double by_the_rules(struct history *h, const struct hpa_behaviour *b, double now_s,
                           double current, double recommended)
{
    double lowest = recommended, highest = recommended;
    for (size_t i = 0; i < h->count; i++) {
        if (h->at_s[i] > now_s - b->up.window.median) {
            lowest = fmin(lowest, h->recommended[i]);
        }
        if (h->at_s[i] > now_s - b->down.window.median) {
            highest = fmax(highest, h->recommended[i]);
        }
    }
    double wants = fmin(fmax(current, lowest), highest), bound = wants;
    const struct hpa_policy *up = b->up.policies.items, *down = b->down.policies.items;
    if (wants > current) {
        bound =
            fmax(fmax(allowed(h, &up[0], 1, now_s, current), allowed(h, &up[1], 1, now_s, current)),
                 current);
        wants = fmin(wants, bound);
    } else if (wants < current) {
        bound = fmin(allowed(h, &down[0], -1, now_s, current), current);
        wants = fmax(wants, fmax(bound, 0));
    }
    h->at_s[h->count] = now_s;
    h->recommended[h->count] = recommended;
    h->change[h->count++] = wants - current;
    return wants;
}

static struct number certain(double v)
{
    struct number n = NUMBER_CERTAIN(v);
    n.given = true;
    return n;
}

/* Recommendations wander, so that windows hold rises, falls and plateaus; now and then a look is
 * late, as that of an autoscaler which was not asked. */
static void compare(double every_s, double up_s, double down_s, double period_s, uint64_t seed)
{
    struct hpa_policy up[] = {{.pods = certain(3), .per = certain(period_s)},
                              {.percent = certain(0.5), .per = certain(period_s / 3)}};
    struct hpa_policy down[] = {{.percent = certain(0.4), .per = certain(period_s)}};
    struct hpa_behaviour b = {
        .up = {.window = certain(up_s), .policies = {.items = up, .count = 2}},
        .down = {.window = certain(down_s), .policies = {.items = down, .count = 1}}};
    struct hpa_memory *m = malloc(hpa_memory_size(&b, every_s));
    struct history *h = calloc(1, sizeof *h);
    struct random_stream stream;
    assert_non_null(m);
    assert_non_null(h);
    hpa_memory_begin(m, &b, every_s);
    random_stream_init(&stream, (struct random_world){.seed = seed}, random_source("wander"));
    double now_s = 0, load = 20;
    uint32_t current = 10;
    for (int i = 0; i < LOOKS; i++) {
        load = fmin(fmax(load + 8 * (random_uniform(&stream) - 0.5), 0), 60);
        now_s += every_s * (random_uniform(&stream) < 0.02 ? 7 : 1);
        double want = by_the_rules(h, &b, now_s, current, floor(load));
        uint32_t got = hpa_behaviour_limit(&b, m, now_s, current, (uint32_t)floor(load), 0, 1000);
        if ((double)got != want) {
            fail_msg("look %d of every %g s: %u pods, expected %g", i, every_s, got, want);
        }
        current = got;
    }
    free(h);
    free(m);
}

static void it_does_what_its_rules_say(void **state)
{
    (void)state;
    compare(15, 0, 300, 15, 1);
    compare(15, 60, 600, 90, 2);
    compare(1, 90, 30, 60, 3);
    compare(7, 3600, 3600, 1800, 4);
    compare(3600, 0, 0, 15, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_does_what_its_rules_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
