/* SPDX-License-Identifier: GPL-3.0-or-later
 * Properties of rating, on random records and price paths, and against a plain loop over the clock
 * hours. The worked examples of the rules are in test_rating.c, edges by hand in
 * test_rating_edges.c. */
#include "tests/support/draws.h"
#include "tests/support/rating_world.h"
#include "tests/support/testing.h"

__extension__ typedef __int128 int128;

enum { WORLDS = 150 };

static money_t line_sum(const struct bill *b)
{
    money_t sum = 0;
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            assert_true(b->line[p][a] >= 0);
            sum += b->line[p][a];
        }
    }
    return sum;
}

static money_t month_sum(const struct bill *b)
{
    money_t sum = 0;
    for (int i = 0; i < WORLD_MONTHS; i++) {
        sum += b->month[i];
    }
    return sum;
}

static void assert_same_bill(const struct bill *a, const struct bill *b)
{
    assert_int_equal(a->cost, b->cost);
    assert_int_equal(a->cash, b->cash);
    assert_int_equal(a->amortised, b->amortised);
    assert_int_equal(a->obligation, b->obligation);
    assert_memory_equal(a->line, b->line, sizeof a->line);
    assert_memory_equal(a->node_us, b->node_us, sizeof a->node_us);
    assert_int_equal(a->free_us, b->free_us);
    assert_int_equal(a->free_worth, b->free_worth);
    assert_memory_equal(a->month, b->month, WORLD_MONTHS * sizeof *a->month);
    assert_int_equal(a->overflow, b->overflow);
}

static void test_equals_the_plain_loop(void **state)
{
    (void)state;
    uint64_t random = 11;
    struct rating_world w;
    struct bill_memory memory;
    for (int n = 0; n < WORLDS; n++) {
        draw_rating_world(&random, &w);
        for (int i = 0; i < WORLD_RECORDS; i++) {
            struct bill *b = bill_memory_clear(&memory, &w.frame);
            rate_one(&w, w.purchase[i], &w.record[i], b);
            struct plain_charge want = rate_plainly(&w, w.purchase[i], &w.record[i], true);
            assert_int_equal(b->cost, want.total);
            assert_int_equal(b->cash, want.inside);
            assert_int_equal(b->amortised, want.inside);
            assert_int_equal(b->obligation, 0);
            assert_memory_equal(b->month, want.month, sizeof want.month);
            assert_false(b->overflow);
            if (b->free_us > 0) {
                assert_int_equal(b->cost, 0);
                assert_int_equal(b->free_us, w.record[i].end_us - w.record[i].start_us);
                want = rate_plainly(&w, w.purchase[i], &w.record[i], false);
                assert_int_equal(b->free_worth, want.total);
            } else {
                assert_int_equal(b->free_worth, 0);
            }
        }
    }
}

/* Invariant 3: lines, months and workloads add up to the same total to the last digit. */
static void test_money_is_conserved(void **state)
{
    (void)state;
    uint64_t random = 12;
    struct rating_world w;
    struct bill_memory all, sum, workload[3];
    for (int n = 0; n < WORLDS; n++) {
        draw_rating_world(&random, &w);
        bill_memory_clear(&all, &w.frame);
        bill_memory_clear(&sum, &w.frame);
        for (int i = 0; i < 3; i++) {
            bill_memory_clear(&workload[i], &w.frame);
        }
        int64_t node_us = 0, counted_us = 0;
        for (int i = 0; i < WORLD_RECORDS; i++) {
            const struct usage *u = &w.record[i];
            rate_one(&w, w.purchase[i], u, &all.bill);
            rate_one(&w, w.purchase[i], u, &workload[u->workload].bill);
            node_us += u->end_us - u->start_us;
            assert_int_equal(line_sum(&all.bill), all.bill.cost);
            assert_int_equal(month_sum(&all.bill), all.bill.cost);
        }
        for (int i = 0; i < 3; i++) {
            bill_add(&sum.bill, &workload[i].bill, &w.frame);
        }
        assert_same_bill(&sum.bill, &all.bill);
        for (int p = 0; p < PURCHASE_COUNT; p++) {
            for (int a = 0; a < ACTIVITY_COUNT; a++) {
                counted_us += all.bill.node_us[p][a];
            }
        }
        assert_int_equal(counted_us, node_us);
    }
}

static void test_order_of_records_does_not_matter(void **state)
{
    (void)state;
    uint64_t random = 13;
    struct rating_world w;
    struct bill_memory forward, shuffled;
    for (int n = 0; n < WORLDS; n++) {
        draw_rating_world(&random, &w);
        int order[WORLD_RECORDS];
        for (int i = 0; i < WORLD_RECORDS; i++) {
            int j = (int)draw_below(&random, i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        bill_memory_clear(&forward, &w.frame);
        bill_memory_clear(&shuffled, &w.frame);
        for (int i = 0; i < WORLD_RECORDS; i++) {
            rate_one(&w, w.purchase[i], &w.record[i], &forward.bill);
            rate_one(&w, w.purchase[order[i]], &w.record[order[i]], &shuffled.bill);
        }
        assert_same_bill(&forward.bill, &shuffled.bill);
    }
}

/* How time was spent moves money between lines, never the total. */
static void test_activities_do_not_change_the_total(void **state)
{
    (void)state;
    uint64_t random = 14;
    struct rating_world w;
    struct bill_memory one, other;
    for (int n = 0; n < WORLDS; n++) {
        draw_rating_world(&random, &w);
        for (int i = 0; i < WORLD_RECORDS; i++) {
            struct usage u = w.record[i];
            rate_one(&w, w.purchase[i], &u, bill_memory_clear(&one, &w.frame));
            draw_activities(&random, &u);
            rate_one(&w, w.purchase[i], &u, bill_memory_clear(&other, &w.frame));
            assert_int_equal(one.bill.cost, other.bill.cost);
            assert_int_equal(one.bill.cash, other.bill.cash);
            assert_memory_equal(one.month, other.month, sizeof one.month);
        }
    }
}

/* A line is its share of the record's total within a nano-unit, plus, for BOOT, the rest of the
 * minimum. */
static void test_lines_are_in_proportion_to_time(void **state)
{
    (void)state;
    uint64_t random = 15;
    struct rating_world w;
    struct bill_memory memory;
    for (int n = 0; n < WORLDS; n++) {
        draw_rating_world(&random, &w);
        for (int i = 0; i < WORLD_RECORDS; i++) {
            const struct usage *u = &w.record[i];
            if (u->end_us - u->start_us < RATING_MINIMUM_US) {
                continue;
            }
            struct bill *b = bill_memory_clear(&memory, &w.frame);
            rate_one(&w, w.purchase[i], u, b);
            for (int a = 0; a < ACTIVITY_COUNT; a++) {
                int128 exact = (int128)b->cost * u->activity_us[a];
                int128 off = (int128)b->line[w.purchase[i]][a] * (u->end_us - u->start_us) - exact;
                assert_true(off <= u->end_us - u->start_us && -off <= u->end_us - u->start_us);
                assert_int_equal(b->node_us[w.purchase[i]][a], u->activity_us[a]);
                assert_int_equal(b->line[!w.purchase[i]][a], 0);
            }
        }
    }
}

/* Two launches instead of one: the same to the nano-unit when cut at a clock hour, else apart by
 * half a nano-unit for each rate of the hour that was cut. */
static void test_cutting_a_record(void **state)
{
    (void)state;
    uint64_t random = 16;
    struct rating_world w;
    struct bill_memory whole, parts;
    int cuts = 0;
    for (int n = 0; n < WORLDS; n++) {
        draw_rating_world(&random, &w);
        const int64_t phase_us = w.frame.start_unix_s % 3600 * MICROSECONDS;
        for (int i = 0; i < WORLD_RECORDS; i++) {
            struct usage u = w.record[i], first = u, second = u;
            u.reason = first.reason = second.reason = END_RELEASED;
            int64_t cut_us = u.start_us + draw_amount(&random, u.end_us - u.start_us);
            bool at_hour = draw_below(&random, 2) > 0;
            if (at_hour) {
                cut_us = (cut_us + phase_us) / HOUR_US * HOUR_US - phase_us;
            }
            if (cut_us <= u.start_us) {
                continue;
            }
            first.end_us = second.start_us = cut_us;
            draw_activities(&random, &first);
            draw_activities(&random, &second);
            rate_one(&w, PURCHASE_SPOT, &u, bill_memory_clear(&whole, &w.frame));
            rate_one(&w, PURCHASE_SPOT, &first, bill_memory_clear(&parts, &w.frame));
            rate_one(&w, PURCHASE_SPOT, &second, &parts.bill);
            if (at_hour) {
                cuts++;
                assert_int_equal(parts.bill.cost, whole.bill.cost);
                assert_memory_equal(parts.month, whole.month, sizeof whole.month);
            } else {
                assert_near((double)(parts.bill.cost - whole.bill.cost), 0.0, 1.5 * 5, "cut");
            }
        }
    }
    assert_true(cuts > 1000);
}

static void test_constant_price_is_proportional_to_time(void **state)
{
    (void)state;
    uint64_t random = 17;
    struct rating_world w;
    struct bill_memory memory;
    for (int n = 0; n < WORLDS; n++) {
        draw_rating_world(&random, &w);
        w.steps.count = 1;
        for (int i = 0; i < WORLD_RECORDS; i++) {
            struct usage *u = &w.record[i];
            u->reason = END_FINISHED;
            rate_one(&w, PURCHASE_SPOT, u, bill_memory_clear(&memory, &w.frame));
            /* At most two hours are not whole; each is rounded by half a nano-unit. */
            int128 exact = (int128)w.steps.price[0] * (u->end_us - u->start_us);
            int128 off = (int128)memory.bill.cost * HOUR_US - exact;
            assert_true(off <= HOUR_US && -off <= HOUR_US);
        }
    }
}

struct seen_pieces {
    const struct rating_world *world;
    int64_t at_us;
    money_t sum;
    size_t count;
};

static void see_piece(void *context, const struct charge_piece *p)
{
    struct seen_pieces *seen = context;
    int64_t until_us;
    money_t price = price_steps_at((void *)(uintptr_t)&seen->world->steps, p->from_us, &until_us);
    assert_int_equal(p->from_us, seen->at_us);
    assert_true(p->to_us <= until_us);
    assert_int_equal(p->per_hour, price);
    assert_true(p->amount >= 0);
    seen->at_us = p->to_us;
    seen->sum += p->amount;
    seen->count++;
}

static void test_pieces_are_the_bill(void **state)
{
    (void)state;
    uint64_t random = 18;
    struct rating_world w;
    struct bill_memory memory;
    for (int n = 0; n < WORLDS; n++) {
        draw_rating_world(&random, &w);
        for (int i = 0; i < WORLD_RECORDS; i++) {
            const struct usage *u = &w.record[i];
            struct rating_terms terms = price_steps_terms(&w.steps, w.purchase[i]);
            struct seen_pieces seen = {.world = &w, .at_us = u->start_us};
            money_t total = rating_core_pieces(&terms, u, w.frame.start_unix_s, see_piece, &seen);
            rate_one(&w, w.purchase[i], u, bill_memory_clear(&memory, &w.frame));
            assert_int_equal(total, memory.bill.cost);
            assert_int_equal(seen.sum, total);
            assert_int_equal(seen.at_us, u->end_us);
            assert_int_equal(rating_core_pieces(&terms, u, w.frame.start_unix_s, NULL, NULL),
                             total);
            if (rating_core_is_free(&terms, u)) {
                assert_int_equal(total, 0);
            }
        }
    }
}

/* Cash is what would have been paid had the record ended at the horizon. */
static void test_horizon_cuts_cash_only(void **state)
{
    (void)state;
    uint64_t random = 19;
    struct rating_world w;
    struct bill_memory memory, truncated;
    int crossing = 0;
    for (int n = 0; n < WORLDS; n++) {
        draw_rating_world(&random, &w);
        for (int i = 0; i < WORLD_RECORDS; i++) {
            struct usage u = w.record[i];
            u.reason = END_FINISHED;
            rate_one(&w, PURCHASE_SPOT, &u, bill_memory_clear(&memory, &w.frame));
            if (u.start_us >= w.frame.horizon_us) {
                assert_int_equal(memory.bill.cash, 0);
                assert_int_equal(memory.bill.amortised, 0);
            } else if (u.end_us <= w.frame.horizon_us) {
                assert_int_equal(memory.bill.cash, memory.bill.cost);
            } else {
                crossing++;
                u.end_us = w.frame.horizon_us;
                draw_activities(&random, &u);
                rate_one(&w, PURCHASE_SPOT, &u, bill_memory_clear(&truncated, &w.frame));
                assert_int_equal(memory.bill.cash, truncated.bill.cost);
                assert_int_equal(memory.bill.amortised, truncated.bill.cost);
                assert_true(memory.bill.cost >= memory.bill.cash);
            }
        }
    }
    assert_true(crossing > 300);
}

static void test_buckets_add_up(void **state)
{
    (void)state;
    uint64_t random = 20;
    struct rating_world w;
    struct bill_memory memory;
    for (int n = 0; n < WORLDS; n++) {
        draw_rating_world(&random, &w);
        double spend[WORLD_BUCKETS] = {0}, nodes[PURCHASE_COUNT * WORLD_BUCKETS] = {0};
        struct bill *b = bill_memory_clear(&memory, &w.frame);
        int64_t node_us[PURCHASE_COUNT] = {0};
        for (int i = 0; i < WORLD_RECORDS; i++) {
            const struct usage *u = &w.record[i];
            struct rating_terms terms = price_steps_terms(&w.steps, w.purchase[i]);
            rating_core_rate(&w.frame, &terms, u, b, spend, nodes);
            if (u->start_us < w.frame.horizon_us) {
                int64_t end_us = u->end_us < w.frame.horizon_us ? u->end_us : w.frame.horizon_us;
                node_us[w.purchase[i]] += end_us - u->start_us;
            }
        }
        double spent = 0.0;
        for (int i = 0; i < WORLD_BUCKETS; i++) {
            spent += spend[i];
        }
        assert_relative(spent, money_to_double(b->cash), 1e-9, "spend");
        for (int p = 0; p < PURCHASE_COUNT; p++) {
            double held = 0.0;
            for (int i = 0; i < WORLD_BUCKETS; i++) {
                held += nodes[p * WORLD_BUCKETS + i];
            }
            assert_relative(held * (double)w.frame.bucket_us, (double)node_us[p], 1e-9, "nodes");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_plain_loop),
        cmocka_unit_test(test_money_is_conserved),
        cmocka_unit_test(test_order_of_records_does_not_matter),
        cmocka_unit_test(test_activities_do_not_change_the_total),
        cmocka_unit_test(test_lines_are_in_proportion_to_time),
        cmocka_unit_test(test_cutting_a_record),
        cmocka_unit_test(test_constant_price_is_proportional_to_time),
        cmocka_unit_test(test_pieces_are_the_bill),
        cmocka_unit_test(test_horizon_cuts_cash_only),
        cmocka_unit_test(test_buckets_add_up),
    };
    return cmocka_run_group_tests_name("rating_core", tests, NULL, NULL);
}
