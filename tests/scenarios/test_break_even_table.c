/* SPDX-License-Identifier: GPL-3.0-or-later
 * break_even.csv: every way to buy the types of a study, at the catalogue's prices (p4d.24xlarge in
 * us-east-1: 21.957642 USD/h on demand since 2025-06-05; 13.921094 reserved for a year without
 * upfront, 8.159056 for three years all upfront, ec2instances.info 2025-11-30) and stated ones. */
#include "scenarios/output/break_even_table.h"

#include "engine/gsl_errors.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

#define TYPE "instance: p4d.24xlarge"
#define TEXT                                                                                       \
    "version: 1\nstart: 2025-12-01\nhorizon: 20d\nregion: us-east-1\nreplications: 1\n"            \
    "market: {spot: {p4d.24xlarge: {price: 8 USD/h, capacity: constant, nodes: 9}}}\n"             \
    "workloads: {w: {kind: usage, nodes: 2, boot: 0s}}\n"                                          \
    "strategies:\n"                                                                                \
    "  spot: {" TYPE ", buy: spot}\n"                                                              \
    "  a: {" TYPE ", buy: on-demand, commitments: [\n"                                             \
    "    {kind: reserved-instances, " TYPE ", count: 3, term: 1y, every: 5d, times: 2},\n"         \
    "    {kind: compute-savings-plan, term: 1y, hourly: 5 USD/h, rates: {p4d.24xlarge: 12 "        \
    "USD/h}}]}\n"                                                                                  \
    "  b: {" TYPE ", buy: on-demand, commitments: [\n"                                             \
    "    {kind: reserved-instances, " TYPE ", count: 1, term: 1y},\n"                              \
    "    {kind: ec2-instance-savings-plan, family: p4d, term: 3y, payment: all-upfront,\n"         \
    "     hourly: 5 USD/h, rate: as-reserved}]}\n"

static int column(const struct table *t, const char *name)
{
    int index = table_find(t, name);
    assert_true(index >= 0);
    return index;
}

struct expected {
    const char *name, *way, *payment, *basis;
    double years, as_signed, per_hour;
};

static const struct expected rows[] = {
    {"on demand", "on-demand", "", "planned", (double)NAN, 0, 21.957642},
    {"spot as stated", "spot", "", "planned", (double)NAN, 0, 8},
    /* Two purchases of a ladder are one item. */
    {"reserved by two", "standard", "no-upfront", "listed", 1, 2, 13.921094},
    {"reserved by nobody", "standard", "all-upfront", "listed", 3, 0, 8.159056},
    {"a stated rate", "compute-savings-plan", "no-upfront", "stated", 1, 1, 12},
    {"an assumed rate", "ec2-instance-savings-plan", "all-upfront", "assumed", 3, 1,
     1.05 * 8.159056},
};

static void a_row(void **state)
{
    const struct expected *e = *state;
    struct study *s = study_from_text(TEXT, NULL);
    struct table *t = break_even_table(s);
    size_t found = 0;

    assert_non_null(t);
    for (size_t i = 0; i < table_rows(t); i++) {
        const char *payment = table_text(t, i, (size_t)column(t, "payment"));
        double years = table_number(t, i, (size_t)column(t, "term_years"));
        bool same_term = isnan(years) ? isnan(e->years) : years == e->years;
        assert_string_equal(table_text(t, i, (size_t)column(t, "instance_type")), "p4d.24xlarge");
        if (!same_term || strcmp(table_text(t, i, (size_t)column(t, "way")), e->way) != 0 ||
            strcmp(payment == NULL ? "" : payment, e->payment) != 0)
            continue;
        found++;
        double price = table_number(t, i, (size_t)column(t, "per_hour_usd"));
        double over = table_number(t, i, (size_t)column(t, "break_even_frac"));
        double spot = table_number(t, i, (size_t)column(t, "break_even_spot_frac"));
        assert_string_equal(table_text(t, i, (size_t)column(t, "basis")), e->basis);
        assert_near(price, e->per_hour, 1e-6, "price");
        assert_near(table_number(t, i, (size_t)column(t, "signed")), e->as_signed, 0, "signed");
        assert_true(isnan(e->years) ? isnan(over) : fabs(over - e->per_hour / 21.957642) < 1e-6);
        assert_true(isnan(e->years) ? isnan(spot) : fabs(spot - e->per_hour / 8) < 1e-6);
    }
    assert_int_equal(found, 1);
    table_free(t);
    study_free(s);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof rows[0] };
    struct CMUnitTest tests[ROWS];

    gsl_errors_install();
    for (size_t i = 0; i < ROWS; i++)
        tests[i] =
            (struct CMUnitTest){rows[i].name, a_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("break_even_table", tests, ROWS, NULL, NULL);
}
