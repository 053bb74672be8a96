/* SPDX-License-Identifier: GPL-3.0-or-later
 * How much to sign: the newsvendor's size exactly, a portfolio against the optimum of a linear
 * programme, tails, early ends, and that nothing is advised where nothing saves. */
#include "scenarios/decide/commit_search.h"

#include "engine/gsl_errors.h"
#include "models/commitments/commitment_levels.h"
#include "scenarios/decide/commit_offers.h"
#include "scenarios/decide/commit_tables.h"
#include "tests/support/linear_programme.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On demand p4d.24xlarge is 21.957642 an hour here (karpenter pricing tables, 2025-06-05). */
#define ON_DEMAND 21.957642
/* A year of hours, as a term counts. */
#define YEAR_H 8760

struct searching {
    struct study *study;
    struct arena *points;
    struct diagnostics *d;
    struct commit_worlds worlds;
    struct commit_search search;
    struct run_options options;
};

static void search_begin(struct searching *s, const char *text, size_t strategy, uint32_t worlds)
{
    *s = (struct searching){.options = {.jobs = 1}};
    s->study = study_from_text(text, NULL);
    s->points = arena_new(0);
    s->d = diagnostics_new();
    assert_true(commit_worlds_init(&s->worlds, s->study, strategy, RANDOM_FIRST_SEARCH, worlds,
                                   &s->options, s->points, s->d));
}

static void search_end(struct searching *s)
{
    commit_worlds_release(&s->worlds);
    diagnostics_free(s->d);
    arena_free(s->points);
    study_free(s->study);
}

#define HEAD "version: 1\nstart: 2025-12-01\nhorizon: 365d\nregion: us-east-1\nreplications: 200\n"

#define ONE_OFFER(nodes, offer)                                                                    \
    HEAD "workloads: {serve: {kind: usage, nodes: " nodes ", boot: 0s}}\n"                         \
         "strategies:\n  s:\n    instance: p4d.24xlarge\n    buy: on-demand\n"                     \
         "    commitments: [" offer "]\n"
#define RESERVED                                                                                   \
    "{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, payment: no-upfront}"

/* Q is the smallest number that at least 1 - r / p of the worlds' demands do not exceed (the
 * newsvendor of models/commitments/commitment_levels.h; demand is constant within a world, so that
 * it is read off what it costs on demand). And all sizes from 0 to 13 cost what the search says. */
static void alone_it_is_the_newsvendor(void **state)
{
    (void)state;
    enum { WORLDS = 200, MOST = 13 };
    struct searching s;
    search_begin(&s, ONE_OFFER("uniform(1; 12)", RESERVED), 0, WORLDS);
    assert_true(commit_search_run(&s.search, &s.worlds));
    const struct commit_curve *c = &s.search.curves[0];
    struct commit_point all[MOST + 1];
    double sizes[MOST + 1];
    for (int q = 0; q <= MOST; q++) {
        sizes[q] = q;
        all[q] = (struct commit_point){.sizes = &sizes[q]};
    }
    assert_true(commit_worlds_rate(&s.worlds, all, MOST + 1));
    const double rate = all[1].value.obligation / YEAR_H;
    int newsvendor = 0;
    for (int q = MOST; q >= 0; q--) {
        size_t within = 0;
        for (int i = 0; i < WORLDS; i++) {
            within += all[0].cost[i] / (ON_DEMAND * YEAR_H) <= q + 1e-6;
        }
        newsvendor = (double)within / WORLDS >= 1 - rate / ON_DEMAND ? q : newsvendor;
    }
    int least = 0;
    for (int q = 0; q <= MOST; q++) {
        least = all[q].value.mean < all[least].value.mean - 1e-6 ? q : least;
    }
    assert_int_equal(least, newsvendor);
    assert_near(c->points[c->best[COMMIT_LEAST_MEAN]].sizes[0], newsvendor, 0, "size");
    assert_near(s.search.portfolio[COMMIT_LEAST_MEAN].sizes[0], newsvendor, 0, "portfolio of one");
    for (size_t i = 0; i < c->count; i++) {
        const int q = (int)lround(c->points[i].sizes[0]);
        if (q <= MOST) {
            assert_relative(c->points[i].value.mean, all[q].value.mean, 1e-12, "mean");
        }
        assert_true(i == 0 || c->points[i].sizes[0] > c->points[i - 1].sizes[0]);
    }
    /* Regret is the distance to the best, and none is below zero. */
    struct table *t = commit_levels_table(&s.search);
    for (size_t i = 0; i < table_rows(t); i++) {
        assert_true(table_number(t, i, (size_t)table_find(t, "regret")) >= -1e-6);
    }
    table_free(t);
    search_end(&s);
}

/* An amount an hour: the same demand, covered by a savings plan at 14 an hour a node. Its mean cost
 * is linear between whole nodes, so that the best amount is a whole number of them, found to one
 * step. */
static void an_amount_is_found_to_a_step(void **state)
{
    (void)state;
    struct searching s;
    search_begin(&s,
                 ONE_OFFER("uniform(1; 12)", "{kind: compute-savings-plan, hourly: 1 USD/h, term: "
                                             "1y, rates: {p4d.24xlarge: 14 USD/h}}"),
                 0, 200);
    assert_true(commit_search_run(&s.search, &s.worlds));
    const struct commit_curve *c = &s.search.curves[0];
    const struct commit_point *best = &c->points[c->best[COMMIT_LEAST_MEAN]];
    struct commit_point exact[12];
    double sizes[12];
    size_t least = 0;
    for (size_t q = 0; q < 12; q++) {
        sizes[q] = 14.0 * (double)q;
        exact[q] = (struct commit_point){.sizes = &sizes[q]};
    }
    assert_true(commit_worlds_rate(&s.worlds, exact, 12));
    for (size_t q = 0; q < 12; q++) {
        least = exact[q].value.mean < exact[least].value.mean ? q : least;
    }
    assert_near(best->sizes[0], sizes[least], s.search.step[0], "amount");
    assert_true(best->value.mean >= exact[least].value.mean - 1e-6);
    assert_true(best->value.mean <= exact[least].value.mean * 1.002);
    search_end(&s);
}

/* Demands of two types by the hour of the day. */
enum { HOURS = 24, TYPES = 2, SHARED = 3, PER_HOUR = 4, ROWS_PER_HOUR = 3 };
static const double demand[TYPES][HOURS] = {
    {2, 2, 2, 2, 2, 2, 3, 4, 6, 7, 7, 7, 7, 7, 7, 7, 7, 6, 5, 5, 4, 3, 2, 2},
    {9, 9, 8, 8, 8, 8, 8, 5, 4, 3, 2, 2, 2, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9, 9}};

static void profile_text(const double *of, char *out, size_t size)
{
    size_t used = 0;
    for (int h = 0; h < HOURS; h++) {
        used += (size_t)snprintf(out + used, size - used, "%s%.0f", h == 0 ? "[" : ", ", of[h]);
    }
    snprintf(out + used, size - used, "]");
}

/* The least cost of a year: reserved instances of each type and one savings plan for both, which
 * the provider uses in the order that this programme would. */
static double optimum(const double *on_demand, const double *reserved, const double *rate)
{
    enum { COLUMNS = SHARED + PER_HOUR * HOURS, ROWS = ROWS_PER_HOUR * HOURS };
    double c[COLUMNS] = {0}, b[ROWS] = {0}, x[COLUMNS];
    double *a = calloc((size_t)ROWS * COLUMNS, sizeof *a);
    assert_non_null(a);
    c[0] = reserved[0] * YEAR_H;
    c[1] = reserved[1] * YEAR_H;
    c[2] = YEAR_H;
    for (int h = 0; h < HOURS; h++) {
        const int planned = SHARED + PER_HOUR * h, bought = planned + TYPES;
        for (int k = 0; k < TYPES; k++) {
            double *row = a + (size_t)(ROWS_PER_HOUR * h + k) * COLUMNS;
            row[k] = row[planned + k] = row[bought + k] = 1;
            b[ROWS_PER_HOUR * h + k] = demand[k][h];
            c[bought + k] = on_demand[k] * YEAR_H / HOURS;
            a[(size_t)(ROWS_PER_HOUR * h + TYPES) * COLUMNS + (size_t)(planned + k)] = -rate[k];
        }
        a[(size_t)(ROWS_PER_HOUR * h + TYPES) * COLUMNS + 2] = 1;
    }
    const double least = linear_programme(c, a, b, ROWS, COLUMNS, x);
    free(a);
    return least;
}

static void a_portfolio_is_the_optimum_of_a_linear_programme(void **state)
{
    (void)state;
    static const double rates[][TYPES] = {{15, 3.6}, {17.5, 3.2}, {13.5, 4.4}};
    char first[200], second[200], text[2000];
    profile_text(demand[0], first, sizeof first);
    profile_text(demand[1], second, sizeof second);
    const size_t cases = UNDER_SANITIZERS ? 1 : sizeof rates / sizeof rates[0];
    for (size_t i = 0; i < cases; i++) {
        snprintf(text, sizeof text,
                 HEAD "workloads:\n  a: {kind: usage, nodes: %s, boot: 0s}\n"
                      "  b: {kind: usage, nodes: %s, boot: 0s}\n"
                      "strategies:\n  s:\n    commitments:\n"
                      "      - " RESERVED "\n"
                      "      - {kind: reserved-instances, instance: g5.12xlarge, count: 1, term: "
                      "1y, payment: no-upfront}\n"
                      "      - {kind: compute-savings-plan, hourly: 1 USD/h, term: 1y, rates: "
                      "{p4d.24xlarge: %g USD/h, g5.12xlarge: %g USD/h}}\n"
                      "    workloads:\n"
                      "      a: {instance: p4d.24xlarge, buy: on-demand}\n"
                      "      b: {instance: g5.12xlarge, buy: on-demand}\n",
                 first, second, rates[i][0], rates[i][1]);
        struct searching s;
        search_begin(&s, text, 0, 1);
        assert_true(commit_search_run(&s.search, &s.worlds));
        const struct commit_curve *c = s.search.curves;
        double on_demand[TYPES], reserved[TYPES];
        for (int k = 0; k < TYPES; k++) {
            const struct commitment one =
                commitment_of_size(&s.study->strategies[0].commitments, (size_t)k, 1);
            reserved[k] = money_to_double(commitment_obligation(&one)) / YEAR_H;
        }
        on_demand[0] = ON_DEMAND;
        /* What is left of the cost without commitments is the other type's. */
        double hours[TYPES] = {0};
        for (int h = 0; h < HOURS; h++) {
            hours[0] += demand[0][h] * YEAR_H / HOURS;
            hours[1] += demand[1][h] * YEAR_H / HOURS;
        }
        on_demand[1] = (c[0].points[0].value.mean - on_demand[0] * hours[0]) / hours[1];
        const double least = optimum(on_demand, reserved, rates[i]);
        const double found = s.search.portfolio[COMMIT_LEAST_MEAN].value.mean;
        assert_false(s.search.cut);
        assert_true(found >= least * (1 - 1e-9));
        assert_relative(found, least, 0.003, "portfolio against the programme");
        search_end(&s);
    }
}

/* 1 … 20: the dearest tenth are 19 and 20; of 1 … 15 it is 15 and half of 14. */
/* Worlds whose usage is kept are rated to the nano-unit as those that are simulated anew, through
 * failures, early ends, charges beside nodes and other commitments; as many as find room. */
static void kept_usage_costs_what_simulated_usage_does(void **state)
{
    (void)state;
    enum { WORLDS = 12, SIZES = 3 };
    static const char text[] =
        HEAD "cancel: {probability: 50 %, at: 100d..300d}\n"
             "charges: {support_plan: business}\n"
             "workloads:\n"
             "  web: {kind: inference, demand: {rate: 2/s..4/s, growth: 10 %}, boot: 2min..4min,\n"
             "        service: {any: {time: 1s, slots: 4}}}\n"
             "strategies:\n  s:\n    instance: g4dn.xlarge\n    buy: on-demand\n"
             "    max_replicas: 20\n    autoscale: {name: target-tracking, utilisation: 60 %, "
             "period: 1h}\n"
             "    commitments: [{kind: reserved-instances, instance: g4dn.xlarge, count: 1,\n"
             "                   term: 1y, payment: no-upfront}]\n";
    static const size_t rooms[] = {0, 0, (size_t)1 << 30}; /* the second is set to half of it */
    double cost[3][SIZES][WORLDS];
    size_t needed = 0;
    for (int room = 2; room >= 0; room--) {
        struct searching s;
        search_begin(&s, text, 0, WORLDS);
        s.worlds.kept.most_bytes = room == 1 ? needed / 2 : rooms[room];
        for (int i = 0; i < SIZES; i++) { /* a pass for each */
            double size = i;
            struct commit_point p = {.sizes = &size};
            assert_true(commit_worlds_rate(&s.worlds, &p, 1));
            memcpy(cost[room][i], p.cost, sizeof cost[room][i]);
        }
        size_t kept = 0;
        for (int i = 0; i < WORLDS; i++) {
            kept += s.worlds.kept.of[i].is_there;
        }
        assert_true(room == 0 ? kept == 0 : room == 1 ? kept > 0 && kept < WORLDS : kept == WORLDS);
        needed = room == 2 ? atomic_load(&s.worlds.kept.bytes) : needed;
        search_end(&s);
    }
    assert_memory_equal(cost[0], cost[2], sizeof cost[0]);
    assert_memory_equal(cost[0], cost[1], sizeof cost[0]);
    assert_true(cost[0][1][0] < cost[0][0][0] || cost[0][1][0] > cost[0][0][0]);
}

static void the_tail_is_the_dearest_tenth(void **state)
{
    (void)state;
    double cost[20];
    struct commit_value v;
    for (int i = 0; i < 20; i++) {
        cost[i] = 20 - i;
    }
    assert_true(commit_value_of(cost, 20, &v));
    assert_near(v.cvar90, 19.5, 1e-12, "tail of 20");
    assert_near(v.mean, 10.5, 1e-12, "mean");
    assert_near(v.p90, 18, 1e-12, "P90");
    assert_true(commit_value_of(cost + 5, 15, &v));
    assert_near(v.cvar90, (15 + 0.5 * 14) / 1.5, 1e-12, "tail of 15");
}

/* Who may be cancelled signs less, and who fears the tail of a demand that may be high more. */
static void doubt_moves_the_size(void **state)
{
    (void)state;
    struct searching sure, doubtful;
    search_begin(&sure, ONE_OFFER("uniform(4; 6)", RESERVED), 0, 100);
    search_begin(
        &doubtful,
        ONE_OFFER("uniform(4; 6)", RESERVED) "cancel: {probability: 60 %, at: 60d..120d}\n", 0,
        100);
    assert_true(commit_search_run(&sure.search, &sure.worlds));
    assert_true(commit_search_run(&doubtful.search, &doubtful.worlds));
    assert_true(sure.search.portfolio[COMMIT_LEAST_MEAN].sizes[0] >= 4);
    assert_near(doubtful.search.portfolio[COMMIT_LEAST_MEAN].sizes[0], 0, 0, "when it may end");
    search_end(&sure);
    search_end(&doubtful);
}

/* What nobody uses is not worth signing, and what is never needed neither. */
static void nothing_is_signed_where_nothing_saves(void **state)
{
    (void)state;
    struct searching s;
    search_begin(&s, ONE_OFFER("[{from: 0s, for: 20d, nodes: 3}]", RESERVED), 0, 20);
    assert_true(commit_search_run(&s.search, &s.worlds));
    for (int aim = 0; aim < COMMIT_AIMS; aim++) {
        assert_near(s.search.portfolio[aim].sizes[0], 0, 0, "best alone");
    }
    struct text t;
    text_init(&t, 0);
    commit_sizes_text(&s.worlds, s.search.portfolio[0].sizes, &t);
    assert_string_equal(t.data, "nothing");
    text_release(&t);
    search_end(&s);
}

static void unfinished_work_is_refused(void **state)
{
    (void)state;
    struct searching s;
    search_begin(&s,
                 HEAD "workloads: {job: {kind: training, hours: 9000h, checkpoint: {every: 1h}}}\n"
                      "strategies: {s: {instance: p4d.24xlarge, nodes: 1, buy: on-demand, "
                      "commitments: [" RESERVED "]}}\n",
                 0, 5);
    assert_false(commit_search_run(&s.search, &s.worlds));
    assert_non_null(strstr(diagnostics_text(s.d, 0, NULL, NULL), "unfinished in 5 of 5"));
    search_end(&s);
}

static void offers_are_those_of_the_catalogue(void **state)
{
    (void)state;
    struct study *study = study_from_text(
        HEAD "workloads: {serve: {kind: usage, nodes: 3}}\n"
             "strategies: {s: {instance: p4d.24xlarge, buy: on-demand}, "
             "t: {instance: p4d.24xlarge, buy: spot}}\n"
             "market: {spot: {p4d.24xlarge: {price: 9 USD/h, availability: 90 %}}}\n",
        NULL);
    struct text t;
    text_init(&t, 0);
    assert_true(commit_offers_setting(study, 0, &t) >= 2);
    assert_non_null(strstr(t.data, "strategies.s.commitments=[{kind: reserved-instances, instance: "
                                   "p4d.24xlarge, count: 1, term: 1y, payment: all-upfront}"));
    text_release(&t);
    text_init(&t, 0);
    assert_int_equal(commit_offers_setting(study, 1, &t), 0); /* nothing of it is on demand */
    text_release(&t);
    study_free(study);
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_it_is_the_newsvendor),
        cmocka_unit_test(an_amount_is_found_to_a_step),
        cmocka_unit_test(a_portfolio_is_the_optimum_of_a_linear_programme),
        cmocka_unit_test(kept_usage_costs_what_simulated_usage_does),
        cmocka_unit_test(the_tail_is_the_dearest_tenth),
        cmocka_unit_test(doubt_moves_the_size),
        cmocka_unit_test(nothing_is_signed_where_nothing_saves),
        cmocka_unit_test(unfinished_work_is_refused),
        cmocka_unit_test(offers_are_those_of_the_catalogue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
