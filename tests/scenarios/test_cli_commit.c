/* SPDX-License-Identifier: GPL-3.0-or-later
 * `fleetcast commit` from outside: what it shows and writes, the same at any number of threads, and
 * what it refuses. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char plan[] =
    "version: 1\nstart: 2025-12-01\nhorizon: 365d\nregion: us-east-1\nreplications: 60\n"
    "workloads: {serve: {kind: usage, nodes: uniform(2; 9)}}\n"
    "market: {spot: {p4d.24xlarge: {price: 9 USD/h, availability: 90 %}}}\n"
    "strategies:\n  on-demand: {instance: p4d.24xlarge, buy: on-demand}\n"
    "  spot: {instance: p4d.24xlarge, buy: spot}\n"
    "  held: {instance: p4d.24xlarge, buy: on-demand, commitments: [{kind: capacity-reservation, "
    "instance: p4d.24xlarge, count: 2, for: 10d}]}\n"
    "  signed: {instance: p4d.24xlarge, buy: on-demand, commitments: [{kind: reserved-instances, "
    "instance: p4d.24xlarge, count: 1, term: 1y, payment: no-upfront}]}\n";

static void it_advises_and_writes(void **state)
{
    struct program p;
    program_file(*state, "p.yaml", plan);
    program_expect(&p, *state, "commit p.yaml --strategy signed -o out", 0);
    assert_holds(p.out, "Usage of strategy signed");
    assert_holds(p.out, "as listed");
    assert_holds(p.out, "SAVES LOW"); /* with its interval */
    assert_holds(p.out, "Sign ");
    assert_holds(p.out, "x p4d.24xlarge, 1-year standard no-upfront");
    assert_holds(p.out, "60 fresh worlds");
    program_release(&p);
    char *levels = program_text_of(*state, "out", "offer_levels.csv");
    assert_holds(levels, "offer,is,unit,size,mean,regret");
    assert_true(count_lines(levels) > 10);
    free(levels);
    char *chart = program_text_of(*state, "out", "charts/offers.gp");
    assert_holds(chart, "Signed, to the end of the term");
    assert_holds(chart, "usage of '.Q.'signed'.Q.'");
    assert_holds(chart, " simulated futures of the search, seed ");
    assert_holds(chart, "USD, tax excluded'");
    free(chart);
    char *portfolios = program_text_of(*state, "out", "portfolios.csv");
    assert_int_equal(count_lines(portfolios), 7);
    free(portfolios);
    /* What is advised is a strategy that can be laid over the scenario, and costs no more. */
    char *to_sign = program_text_of(*state, "out", "signed.yaml");
    assert_holds(to_sign, "# fleetcast commit:");
    assert_holds(to_sign, "  to sign:\n");
    assert_holds(to_sign, "instance: p4d.24xlarge, count: ");
    assert_lacks(to_sign, "count: 1,");
    free(to_sign);
    program_expect(&p, *state, "run p.yaml out/signed.yaml -q --no-charts --format csv -o both", 0);
    assert_holds(p.out, "to sign,");
    assert_holds(p.out, "held,");
    program_release(&p);
    /* Its own files are written over, others are not. */
    program_expect_code(*state, "commit p.yaml --strategy signed -q -o out --no-charts", 0);
    program_file(*state, "offer_levels.csv", "mine\n");
    program_expect_code(*state, "commit p.yaml --strategy signed -q -o .", 2);
}

/* A ladder is sized purchase by purchase; capacity reservations stay as listed. */
static void ladders_and_reservations_are_written(void **state)
{
    struct program p;
    program_file(*state, "p.yaml", plan);
    program_file(*state, "ladder.yaml",
                 "strategies: {signed: {commitments: [{kind: reserved-instances, instance: "
                 "p4d.24xlarge, count: 1, term: 1y, payment: no-upfront, every: 3mo, times: 3}, "
                 "{kind: capacity-reservation, instance: p4d.24xlarge, count: 2, for: 10d}, "
                 "{kind: reserved-instances, instance: p4d.24xlarge, count: 1, term: 1y, payment: "
                 "all-upfront}]}}\n");
    program_expect(&p, *state,
                   "commit p.yaml ladder.yaml --strategy signed -q -o ladder --no-charts", 0);
    assert_holds(p.out, "bought after");
    program_release(&p);
    char *to_sign = program_text_of(*state, "ladder", "signed.yaml");
    assert_holds(to_sign, "kind: capacity-reservation, instance: p4d.24xlarge, count: 2, for: 10d");
    assert_holds(to_sign, "all-upfront");
    assert_lacks(to_sign, "times: 3");
    free(to_sign);
    program_expect_code(*state, "check p.yaml ladder/signed.yaml", 0);
}

static void threads_change_nothing(void **state)
{
    struct program one, two;
    program_file(*state, "p.yaml", plan);
    program_expect(&one, *state, "commit p.yaml --strategy on-demand --format csv -j 1", 0);
    program_expect(&two, *state, "commit p.yaml --strategy on-demand --format csv -j 3", 0);
    assert_string_equal(one.out, two.out);
    assert_holds(one.out, "p4d.24xlarge, 1-year standard all-upfront");
    program_release(&one);
    program_release(&two);
}

static void what_cannot_be_sized_is_refused(void **state)
{
    struct program p;
    program_file(*state, "p.yaml", plan);
    program_expect(&p, *state, "commit p.yaml --strategy held", 2);
    assert_holds(p.err, "lists capacity reservations alone");
    program_release(&p);
    program_expect(&p, *state, "commit p.yaml --strategy spot", 4);
    assert_holds(p.err, "no offer is known");
    program_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_CASE(it_advises_and_writes),
        PROGRAM_CASE(ladders_and_reservations_are_written),
        PROGRAM_CASE(threads_change_nothing),
        PROGRAM_CASE(what_cannot_be_sized_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
