/* SPDX-License-Identifier: GPL-3.0-or-later
 * Normalisation factors against the provider's table (EC2 user guide, "How Reserved Instances are
 * applied", 2023-06-15), one case a row. */
#include "models/commitments/normalisation.h"
#include "tests/support/testing.h"

#include <string.h>

struct row {
    const char *type;
    double factor; /* 0: unknown */
};

static const struct row rows[] = {
    {"t2.nano", .25},
    {"t2.micro", .5},
    {"t2.small", 1},
    {"t2.medium", 2},
    {"t2.large", 4},
    {"t2.xlarge", 8},
    {"m5.2xlarge", 16},
    {"f1.3xlarge", 24},
    {"m5.4xlarge", 32},
    {"z1d.6xlarge", 48},
    {"m5.8xlarge", 64},
    {"c5n.9xlarge", 72},
    {"m4.10xlarge", 80},
    {"m5.12xlarge", 96},
    {"m5.16xlarge", 128},
    {"c5n.18xlarge", 144},
    {"p4d.24xlarge", 192},
    {"trn1.32xlarge", 256},
    {"u-3tb1.56xlarge", 448},
    {"u-6tb1.112xlarge", 896},
    /* by the rule of the table, not in it */
    {"p5.48xlarge", 384},
    {"u7in-32tb.224xlarge", 1792},
    /* bare metal: as the guide's second table has it */
    {"a1.metal", 32},
    {"m5zn.metal", 96},
    {"i3.metal", 128},
    {"c5n.metal", 144},
    {"c5.metal", 192},
    {"u-6tb1.metal", 896},
    {"m7i.metal-24xl", 192},
    {"m7i.metal-48xl", 384},
    /* unknown */
    {"p4d.huge", 0},
    {"m5.7large", 0},
    {"m5.0xlarge", 0},
    {"m5.1xlarge", 0},
    {"m5.02xlarge", 0},
    {"m5.225xlarge", 0},
    {"m5.99999xlarge", 0},
    {"m5.2xlarges", 0},
    {"g6.metal", 0},
    {"m7i.metal-24", 0},
    {"m5", 0},
    {".xlarge", 0},
    {"m5.", 0},
    {"", 0},
    {"m5.metal-", 0},
    {"m5.xlarge2", 0},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void test_row(void **state)
{
    const struct row *row = *state;
    assert_int_equal(normalisation_quarters(row->type), (int64_t)(row->factor * 4));
    assert_int_equal(NORMALISATION_SCALE, 4);
}

static void test_families(void **state)
{
    (void)state;
    assert_int_equal(instance_family_length("p4d.24xlarge"), 3);
    assert_int_equal(instance_family_length("fargate-vcpu"), 0);
    assert_int_equal(instance_family_length("p4d."), 0);
    assert_true(instance_same_family("m4.large", "m4.xlarge"));
    assert_false(instance_same_family("m4.large", "m4d.large"));
    assert_false(instance_same_family("m4d.large", "m4.large"));
    assert_false(instance_same_family("m4", "m4"));
    assert_true(instance_of_family("p4d.24xlarge", "p4d"));
    assert_false(instance_of_family("p4d.24xlarge", "p4"));
    assert_false(instance_of_family("p4d.24xlarge", "p4d.24xlarge"));
}

/* The same guide: no size flexibility for G4ad, G4dn, G5, G5g (and Inf1). */
static void test_flexible_families(void **state)
{
    (void)state;
    static const char *const rigid[] = {"g4ad.xlarge", "g4dn.metal", "g5.48xlarge", "g5g.xlarge",
                                        "inf1.24xlarge"};
    static const char *const flexible[] = {"m4.large",     "p3.2xlarge", "p4d.24xlarge",
                                           "p5.48xlarge",  "g6.xlarge",  "g3.4xlarge",
                                           "trn1.2xlarge", "inf2.xlarge"};
    for (size_t i = 0; i < sizeof rigid / sizeof rigid[0]; i++) {
        assert_false(instance_size_flexible(rigid[i]));
    }
    for (size_t i = 0; i < sizeof flexible / sizeof flexible[0]; i++) {
        assert_true(instance_size_flexible(flexible[i]));
    }
    assert_false(instance_size_flexible("fargate-vcpu"));
}

static void test_explanations(void **state)
{
    (void)state;
    char text[320];
    normalisation_explain("m5.7large", text, sizeof text);
    assert_string_equal(text, "the size '7large' of 'm5.7large' has no normalisation factor");
    normalisation_explain("m5", text, sizeof text);
    assert_string_equal(text, "'m5' is not an instance type; expected 'family.size'");
}

int main(void)
{
    const struct CMUnitTest own[] = {
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_flexible_families),
        cmocka_unit_test(test_explanations),
    };
    struct CMUnitTest tests[sizeof own / sizeof own[0] + ROWS];
    size_t n = sizeof own / sizeof own[0];
    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < ROWS; i++) {
        tests[n++] = (struct CMUnitTest){rows[i].type, test_row, NULL, NULL, (void *)&rows[i]};
    }
    return _cmocka_run_group_tests("normalisation", tests, n, NULL, NULL);
}
