/* SPDX-License-Identifier: GPL-3.0-or-later
 * Prices of whole terms, cash and amortisation that add up, and the windows of capacity blocks. */
#include "engine/civil_time.h"
#include "models/commitments/capacity_block.h"
#include "models/commitments/commitment.h"
#include "tests/support/draws.h"
#include "tests/support/testing.h"

#include <string.h>

static const int64_t YEAR_US = 8760 * HOUR_US;

static struct commitment reserved(int years, enum payment_option payment)
{
    return (struct commitment){.name = "base",
                               .kind = COMMITMENT_REGIONAL_RESERVED,
                               .payment = payment,
                               .term_years = years,
                               .type = "t2.small",
                               .region = "us-east-1"};
}

/* EC2 user guide, list value: 60 + 0.007 × 8,760 = 121.32. */
static void test_list_value(void **state)
{
    (void)state;
    struct commitment c = reserved(1, PAYMENT_PARTIAL_UPFRONT);
    commitment_set_reserved(&c, 1, 60 * MONEY_UNIT, 7000000);
    char text[32];
    assert_string_equal(money_text(commitment_total(&c), text), "121.32");
    assert_int_equal(commitment_obligation(&c), commitment_total(&c));
    assert_int_equal(c.end_us, YEAR_US);
    /* effective 0.01384932 an hour; break-even at 0.023 on demand: 0.60214 of the time */
    bool exact;
    assert_int_equal(commitment_hour(&c, &exact), 13849315);
    assert_false(exact);
    assert_near(money_to_double(commitment_total(&c)) / (0.023 * 8760), 0.60214, 5e-6,
                "break-even utilisation");
    assert_int_equal(commitment_paid(&c, 0, 1), 60 * MONEY_UNIT);
    assert_int_equal(commitment_paid(&c, 0, HOUR_US), 60 * MONEY_UNIT + 7000000);
    assert_int_equal(commitment_paid(&c, HOUR_US, 3 * HOUR_US), 14000000);
    assert_int_equal(commitment_owed(&c, 8759 * HOUR_US), 7000000);
    assert_int_equal(commitment_owed(&c, 0), commitment_total(&c));
    assert_int_equal(commitment_owed(&c, c.end_us), 0);
}

/* DESIGN, invariant 11: four p4d for a year without upfront, at 13.921094 an hour. */
static void test_four_nodes_for_a_year(void **state)
{
    (void)state;
    struct commitment c = reserved(1, PAYMENT_NO_UPFRONT);
    commitment_set_reserved(&c, 4, 0, INT64_C(13921094000));
    char text[32];
    assert_string_equal(money_text(commitment_obligation(&c), text), "487795.13376");
    assert_string_equal(money_text(commitment_paid(&c, 0, 58 * HOUR_US), text), "3229.693808");
}

static void test_savings_plan_payments(void **state)
{
    (void)state;
    static const struct {
        enum payment_option payment;
        money_t upfront, recurring;
    } rows[] = {
        {PAYMENT_NO_UPFRONT, 0, 10000000001},
        {PAYMENT_PARTIAL_UPFRONT, INT64_C(5000000001) * 26280, 5000000000},
        {PAYMENT_ALL_UPFRONT, INT64_C(10000000001) * 26280, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct commitment c = {.name = "plan",
                               .kind = COMMITMENT_COMPUTE_SAVINGS,
                               .payment = rows[i].payment,
                               .term_years = 3};
        commitment_set_savings_plan(&c, 10000000001);
        assert_int_equal(c.upfront, rows[i].upfront);
        assert_int_equal(c.recurring_per_hour, rows[i].recurring);
        assert_int_equal(commitment_total(&c), INT64_C(10000000001) * 26280);
        bool exact;
        assert_int_equal(commitment_hour(&c, &exact), 10000000001);
        assert_true(exact);
        assert_int_equal(commitment_amortised(&c, 7, 7 + 5 * HOUR_US), INT64_C(10000000001) * 5);
    }
}

static void test_capacity_reservation(void **state)
{
    (void)state;
    struct commitment c = {.name = "held",
                           .kind = COMMITMENT_CAPACITY_RESERVATION,
                           .type = "m4.large",
                           .region = "us-east-1",
                           .zone = "us-east-1a",
                           .end_us = 24 * HOUR_US + HOUR_US / 4};
    commitment_set_capacity_reservation(&c, 1, MONEY_UNIT / 10);
    /* "24 hours and 15 minutes … billed for 24.25 reservation hours" */
    assert_int_equal(commitment_total(&c), 2425000000);
    assert_int_equal(commitment_obligation(&c), 0);
}

/* ---- capacity blocks ------------------------------------------------------------- */

static int64_t at(const char *text)
{
    int64_t unix_s;
    assert_true(civil_parse(text, &unix_s));
    return unix_s;
}

static void test_block_windows(void **state)
{
    (void)state;
    static const struct {
        const char *start;
        int64_t days;
        const char *end;
    } rows[] = {
        {"2026-03-02T04:55Z", 1, "2026-03-02T11:30Z"}, /* EC2 API reference: 6 h 35 min */
        {"2026-03-02T11:30Z", 1, "2026-03-03T11:30Z"},
        {"2026-03-02T11:31Z", 1, "2026-03-03T11:30Z"},
        {"2026-03-02T11:29Z", 2, "2026-03-03T11:30Z"},
        {"2026-03-02T12:00Z", 14, "2026-03-16T11:30Z"},
        {"2026-03-02T00:00Z", 182, "2026-08-30T11:30Z"},
        {"1970-01-01T00:00Z", 1, "1970-01-01T11:30Z"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char got[24], want[24];
        int64_t end = capacity_block_end(at(rows[i].start), rows[i].days);
        assert_string_equal(civil_time_text(end, got), civil_time_text(at(rows[i].end), want));
        assert_int_equal(capacity_block_usable_until(at(rows[i].start), end), end - 1800);
    }
    assert_int_equal(capacity_block_usable_until(1000, 2000), 1000);
    assert_int_equal(capacity_block_end(-100, 1), 11 * 3600 + 1800 - 86400 + 86400);
}

static void test_block_days(void **state)
{
    (void)state;
    for (int64_t days = -1; days <= 200; days++) {
        bool want = (days >= 1 && days <= 14) ||
                    (days == 21 || days == 28 || days == 35 || days == 42 || days == 49 ||
                     (days > 49 && days <= 182 && days % 7 == 0));
        assert_int_equal(capacity_block_days_legal(days), want);
    }
}

/* The price depends on the reserved hours and on nothing that is known later. */
static void test_block_price(void **state)
{
    (void)state;
    int64_t start = at("2026-03-02T04:55Z"), end = capacity_block_end(start, 1);
    struct commitment c = {.name = "block",
                           .kind = COMMITMENT_CAPACITY_BLOCK,
                           .type = "p5.48xlarge",
                           .region = "us-east-1",
                           .zone = "us-east-1a",
                           .end_us = (end - start) * MICROSECONDS};
    commitment_set_block(&c, 2, INT64_C(39330000000));
    char text[32];
    /* 2 × 39.33 × 6 h 35 min = 517.845 */
    assert_string_equal(money_text(commitment_total(&c), text), "517.845");
    assert_int_equal(commitment_obligation(&c), commitment_total(&c));
    assert_int_equal(commitment_paid(&c, 0, 1), commitment_total(&c));
    assert_int_equal(commitment_paid(&c, 1, INT64_MAX), 0);
    assert_int_equal(capacity_block_usable_until(start, end) - start, 6 * 3600 + 5 * 60);
}

/* ---- properties ------------------------------------------------------------------- */

static void test_parts_add_up(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int n = 0; n < 3000; n++) {
        struct commitment c = reserved(draw_below(&random, 2) ? 1 : 3, PAYMENT_PARTIAL_UPFRONT);
        c.start_us = draw_below(&random, 2 * YEAR_US) - YEAR_US;
        commitment_set_reserved(&c, draw_below(&random, 20), draw_amount(&random, 100000000000000),
                                draw_amount(&random, 100000000000));
        if (draw_below(&random, 4) == 0) {
            c.end_us = c.start_us + 1 + draw_length(&random, YEAR_US);
        }
        money_t paid = 0, amortised = 0, owed = commitment_total(&c);
        int64_t from_us = c.start_us - draw_below(&random, 2) * HOUR_US;
        while (from_us < c.end_us) {
            int64_t to_us = from_us + 1 + draw_length(&random, YEAR_US);
            money_t part = commitment_paid(&c, from_us, to_us);
            money_t share = commitment_amortised(&c, from_us, to_us);
            assert_true(part >= 0 && share >= 0);
            paid += part;
            amortised += share;
            assert_int_equal(commitment_owed(&c, to_us), owed - paid);
            from_us = to_us;
        }
        assert_int_equal(paid, commitment_total(&c));
        assert_int_equal(amortised, commitment_total(&c));
    }
}

/* n whole hours cost n times the hour, exactly or at least. */
static void test_hours_of_a_term(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (int n = 0; n < 3000; n++) {
        struct commitment c = reserved(1, PAYMENT_ALL_UPFRONT);
        commitment_set_reserved(&c, 1 + draw_below(&random, 9),
                                draw_amount(&random, 1000000000000000), 0);
        bool exact;
        money_t hour = commitment_hour(&c, &exact);
        int64_t from_us = draw_below(&random, YEAR_US), hours = 1 + draw_below(&random, 8760);
        if (from_us + hours * HOUR_US > YEAR_US) {
            continue;
        }
        money_t share = commitment_amortised(&c, from_us, from_us + hours * HOUR_US);
        assert_true(share >= hour * hours && share <= (hour + 1) * hours);
        if (exact) {
            assert_int_equal(share, hour * hours);
        }
    }
}

/* ---- refusals ---------------------------------------------------------------------- */

static void refused(struct commitment c, const char *problem)
{
    struct diagnostics *d = diagnostics_new();
    assert_false(commitment_check(&c, (struct place){0}, d));
    assert_int_equal(diagnostics_count(d, DIAGNOSTIC_ERROR), 1);
    if (!strstr(diagnostics_text(d, 0, NULL, NULL), problem)) {
        fail_msg("'%s' lacks '%s'", diagnostics_text(d, 0, NULL, NULL), problem);
    }
    diagnostics_free(d);
}

static void test_refusals(void **state)
{
    (void)state;
    struct diagnostics *d = diagnostics_new();
    struct commitment good = reserved(1, PAYMENT_NO_UPFRONT), c;
    commitment_set_reserved(&good, 2, 0, MONEY_UNIT);
    assert_true(commitment_check(&good, (struct place){0}, d));
    diagnostics_free(d);
    c = good, c.type = NULL;
    refused(c, "'base' (regional reserved instances) names no instance type");
    c = good, c.type = "t2";
    refused(c, "names no instance type");
    c = good, c.region = NULL;
    refused(c, "names no region");
    c = good, c.kind = COMMITMENT_ZONAL_RESERVED;
    refused(c, "names no zone");
    c = good, c.kind = COMMITMENT_INSTANCE_SAVINGS;
    refused(c, "names no instance family");
    c = good, c.count = -1;
    refused(c, "count out of range");
    c = good, c.count = COMMITMENT_COUNT_MAX + 1;
    refused(c, "count out of range");
    c = good, c.upfront = -1;
    refused(c, "negative amount");
    c = good, c.end_us = c.start_us;
    refused(c, "it ends before it begins");
    c = good, commitment_set_reserved(&c, 100000, 0, 1000000 * MONEY_UNIT);
    refused(c, "costs more than 9.2e9 in all");
    assert_int_equal(commitment_total(&c), MONEY_MAX);
    assert_int_equal(commitment_paid(&c, 0, INT64_MAX), MONEY_MAX);
    assert_int_equal(commitment_amortised(&c, 0, 1), MONEY_MAX);
    assert_int_equal(commitment_owed(&c, 0), MONEY_MAX);
    c = good, commitment_set_reserved(&c, 100000, MONEY_MAX / 2, 0);
    refused(c, "costs more than 9.2e9 in all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list_value),
        cmocka_unit_test(test_four_nodes_for_a_year),
        cmocka_unit_test(test_savings_plan_payments),
        cmocka_unit_test(test_capacity_reservation),
        cmocka_unit_test(test_block_windows),
        cmocka_unit_test(test_block_days),
        cmocka_unit_test(test_block_price),
        cmocka_unit_test(test_parts_add_up),
        cmocka_unit_test(test_hours_of_a_term),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("commitment", tests, NULL, NULL);
}
