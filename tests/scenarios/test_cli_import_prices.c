/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast import of price lists, as a user calls it, and what a scenario makes of the result. */
#include "tests/support/program.h"
#include "tests/support/testing.h"

#include <stdlib.h>
#include <string.h>

/* The shape of an AWS offer file, with the columns that count. */
#define OFFER_HEAD                                                                                 \
    "\"FormatVersion\",\"v1.0\"\n"                                                                 \
    "\"Disclaimer\",\"of the test, with a comma\"\n"                                               \
    "\"Publication Date\",\"2026-02-20T22:53:08Z\"\n"                                              \
    "\"Version\",\"20260220225308\"\n"                                                             \
    "\"OfferCode\",\"AmazonEC2\"\n"
#define OFFER_COLUMNS                                                                              \
    "\"SKU\",\"TermType\",\"EffectiveDate\",\"Unit\",\"PricePerUnit\",\"Currency\","               \
    "\"LeaseContractLength\",\"PurchaseOption\",\"OfferingClass\",\"Product Family\","             \
    "\"Instance Type\",\"Tenancy\",\"Operating System\",\"License Model\",\"CapacityStatus\","     \
    "\"MarketOption\",\"Pre Installed S/W\",\"Region Code\"\n"
#define OFFER_ROW(term, day, unit, price, lease, payment, class, type, system, region)             \
    "\"S\",\"" term "\",\"" day "\",\"" unit "\",\"" price "\",\"USD\"," lease "," payment         \
    "," class ",\"Compute Instance\",\"" type "\",\"Shared\",\"" system                            \
              "\",\"No License required\",\"Used\",\"OnDemand\",\"NA\",\"" region "\"\n"
#define ON_DEMAND(day, price, type, system, region)                                                \
    OFFER_ROW("OnDemand", day, "Hrs", price, "", "", "", type, system, region)
#define RESERVED(unit, price, lease, payment, class)                                               \
    OFFER_ROW("Reserved", "2017-10-31", unit, price, "\"" lease "\"", "\"" payment "\"",           \
              "\"" class "\"", "p3.2xlarge", "Linux", "us-east-1")

static const char offers[] = OFFER_HEAD OFFER_COLUMNS
    /* on-demand: one from before the list, one that begins after it */
    ON_DEMAND("2026-02-01", "3.0600000000", "p3.2xlarge", "Linux", "us-east-1")
        ON_DEMAND("2026-03-01", "3.4650000000", "p3.2xlarge", "Linux", "eu-west-1")
    /* 8712 / 8760 + 0.995 = 1.98952054795 */
    RESERVED("Hrs", "0.9950000000", "1yr", "Partial Upfront", "standard")
        RESERVED("Quantity", "8712", "1yr", "Partial Upfront", "standard")
            RESERVED("Hrs", "1.332", "3yr", "No Upfront", "standard")
    /* 26280 / (3 × 8760) = 1 */
    RESERVED("Quantity", "26280", "3yr", "All Upfront", "convertible")
        RESERVED("Hrs", "0.0000000000", "3yr", "All Upfront", "convertible")
    /* left out */
    ON_DEMAND("2026-02-01", "3.9", "p3.2xlarge", "Windows", "us-east-1")
        ON_DEMAND("2026-02-01", "4.9", "p3.2xlarge", "Windows", "us-east-1")
            ON_DEMAND("2026-02-01", "0.0000000000", "p3.8xlarge", "Linux", "us-east-1")
                ON_DEMAND("2026-02-01", "0.1", "m5.large", "Linux", "us-east-1")
                    ON_DEMAND("2026-02-01", "3.8", "p3.2xlarge", "Linux", "us-east-1-nyc-1");

#define TABLE_HEAD                                                                                 \
    "region,instance_type,kind,date,price_per_hour,currency,statistic,class,term,payment,source\n"
#define LIST "AWS price list AmazonEC2 20260220225308"

static const char offers_table[] = TABLE_HEAD
    "eu-west-1,p3.2xlarge,on-demand,2026-03-01,3.465,USD,,,,," LIST "\n"
    "us-east-1,p3.2xlarge,on-demand,2026-02-20,3.06,USD,,,,," LIST "\n"
    "us-east-1,p3.2xlarge,reserved,2026-02-20,1.989520548,USD,,standard,1y,partial-upfront," LIST
    "\n"
    "us-east-1,p3.2xlarge,reserved,2026-02-20,1.332,USD,,standard,3y,no-upfront," LIST "\n"
    "us-east-1,p3.2xlarge,reserved,2026-02-20,1.00,USD,,convertible,3y,all-upfront," LIST "\n";

static void an_offer_file_becomes_a_price_file(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "index.csv", offers);
    program_expect(&p, folder, "import price-list index.csv", 0);
    assert_string_equal(p.out, offers_table);
    assert_holds(p.err, "kept 5 rows: 1 instance type in 2 regions\n");
    assert_holds(p.err, "skipped 2 rows: operating system Windows\n");
    assert_holds(p.err, "skipped 1 row: on-demand price 0\n");
    assert_holds(p.err, "skipped 1 row: instance types that the catalogue does not describe\n");
    assert_holds(p.err, "skipped 1 row: regions that the catalogue does not describe\n");
    program_release(&p);
    program_expect(&p, folder,
                   "import price-list index.csv --region eu-west-1 --source contract -o p.csv", 0);
    char *text = program_text(folder, "p.csv");
    assert_string_equal(text, TABLE_HEAD
                        "eu-west-1,p3.2xlarge,on-demand,2026-03-01,3.465,USD,,,,,contract\n");
    free(text);
    assert_holds(p.err, "rows: other regions than eu-west-1\n");
    assert_lacks(p.err, "Windows"); /* of what nobody asked for nothing else is said */
    program_release(&p);
    /* Its own table may be replaced, a price file made by hand may not. */
    program_expect_code(folder, "import price-list index.csv -o p.csv", 0);
    program_file(folder, "own.csv", "kind,region,instance_type,date,price_per_hour,currency\n");
    program_expect(&p, folder, "import price-list index.csv -o own.csv", 2);
    assert_holds(p.err, "'own.csv' is there and is no table of this kind");
    program_release(&p);
    program_folder_free(folder);
}

/* The savings-plan index: no quotes, and rates of everything that uses an instance. */
#define PLAN_ROW(rate, usage, operation, family, type)                                             \
    "S,Hrs,2025-06-05T18:51:13Z," rate ",USD," usage "," operation ",No Upfront,1,year," family    \
    ",us-east-1," type "\n"
static const char plans[] =
    "FormatVersion,v1.0\nPublication Date,2026-02-20T18:44:47Z\nVersion,20260220184447\n"
    "OfferCode,AmazonComputeSavingsPlan\n"
    "SKU,Unit,EffectiveDate,DiscountedRate,Currency,DiscountedUsageType,DiscountedOperation,"
    "PurchaseOption,LeaseContractLength,LeaseContractLengthUnit,Product Family,"
    "DiscountedRegionCode,DiscountedInstanceType\n" PLAN_ROW(
        "2.1", "BoxUsage:p3.2xlarge", "RunInstances", "EC2InstanceSavingsPlans", "p3.2xlarge")
        PLAN_ROW("2.4", "BoxUsage:p3.2xlarge", "RunInstances", "ComputeSavingsPlans", "p3.2xlarge")
            PLAN_ROW("2.2", "UnusedBox:p3.2xlarge", "RunInstances", "ComputeSavingsPlans",
                     "p3.2xlarge") PLAN_ROW("2.3", "DedicatedUsage:p3.2xlarge", "RunInstances",
                                            "ComputeSavingsPlans", "p3.2xlarge")
                PLAN_ROW("3.3", "BoxUsage:p3.2xlarge", "RunInstances:0002", "ComputeSavingsPlans",
                         "p3.2xlarge") "S,Requests,2025-06-05T18:51:13Z,0.1,USD,Lambda,,No "
                                       "Upfront,1,year,ComputeSavingsPlans,"
                                       "us-east-1,\n";

static void savings_plans_are_told_by_their_columns(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "plans.csv", plans);
    program_expect(&p, folder, "import price-list plans.csv --source plans", 0);
    assert_string_equal(
        p.out, TABLE_HEAD
        "us-east-1,p3.2xlarge,savings-plan,2026-02-20,2.10,USD,,ec2-instance,1y,no-upfront,plans\n"
        "us-east-1,p3.2xlarge,savings-plan,2026-02-20,2.40,USD,,compute,1y,no-upfront,plans\n");
    assert_holds(p.err, "skipped 1 row: usage UnusedBox\n");
    assert_holds(p.err, "skipped 1 row: usage DedicatedUsage\n");
    assert_holds(p.err, "skipped 1 row: operation RunInstances:0002\n");
    assert_holds(p.err, "skipped 1 row: services other than instances\n");
    program_release(&p);
    program_folder_free(folder);
}

static const char scenario[] =
    "version: 1\nname: Prices\nstart: 2026-03-02\nhorizon: 60d\nregion: us-east-1\n"
    "replications: 20\nprice_files: prices.csv\n"
    "workloads:\n  w: {kind: training, hours: 100h, restart: gang}\n"
    "strategies:\n  demand: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n";

static void a_scenario_uses_the_result(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "index.csv", offers);
    program_file(folder, "plan.yaml", scenario);
    program_expect_code(folder, "import price-list index.csv --source list-of-Feb -o prices.csv",
                        0);
    program_expect(&p, folder, "check plan.yaml", 0);
    assert_holds(p.out, "3.06 USD/h, since 2026-02-20");
    assert_holds(p.out, "prices.csv: list-of-Feb");
    assert_lacks(p.err, "warning");
    program_release(&p);
    program_folder_free(folder);
}

static const char no_head[] =
    OFFER_COLUMNS ON_DEMAND("2026-02-01", "3.06", "p3.2xlarge", "Linux", "us-east-1");

static void what_is_wrong_with_a_list_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *csv, *words, *text;
    } cases[] = {
        {offers, "import price-list x.csv --zone us-east-1a", "'--zone' means nothing for"},
        {offers, "import price-list x.csv --layout csv", "'--layout' means nothing"},
        {offers, "import price-list x.csv --date 2026-02-20", "x.csv: error: the file says that"},
        {offers, "import price-list x.csv --region us-east1", "did you mean 'us-east-1'?"},
        {offers, "import price-list x.csv --instance p3.2xlrge", "did you mean 'p3.2xlarge'?"},
        {offers, "import availability x.csv --layout ticks --date 2026-02-20",
         "'--date' means nothing for 'availability'"},
        {offers, "import price-list x.csv --region sa-east-1", "no row of the file can be used"},
        {no_head, "import price-list x.csv", "x.csv: error: the file does not say of which day"},
        {OFFER_HEAD, "import price-list x.csv", "expected one that begins with 'SKU'"},
        {"", "import price-list x.csv", "x.csv: error: the file is empty"},
        {OFFER_HEAD "SKU,TermType\nS,OnDemand\n", "import price-list x.csv",
         "x.csv:6: error: no column 'EffectiveDate'"},
        {OFFER_HEAD OFFER_COLUMNS "\"S\",\"OnDemand\"\n", "import price-list x.csv",
         "x.csv:7: error: expected 18 columns, found 2"},
        {OFFER_HEAD OFFER_COLUMNS ON_DEMAND("2026-02-01", "3,06", "p3.2xlarge", "Linux",
                                            "us-east-1"),
         "import price-list x.csv", "x.csv:7: error: price '3,06'; expected a price per hour"},
        {OFFER_HEAD OFFER_COLUMNS ON_DEMAND("2026-02-30", "3.06", "p3.2xlarge", "Linux",
                                            "us-east-1"),
         "import price-list x.csv", "x.csv:7: error: effective date '2026-02-30'"},
        {OFFER_HEAD OFFER_COLUMNS ON_DEMAND("2026-02-01", "3.06", "p3.2xlarge", "Linux",
                                            "cn-north-1"),
         "import price-list x.csv", "x.csv:7: error: currency 'USD'; expected CNY"},
        {OFFER_HEAD OFFER_COLUMNS ON_DEMAND("2026-02-01", "3.06", "p3.2xlarge", "Linux",
                                            "us-east-1")
             ON_DEMAND("2026-02-01", "3.07", "p3.2xlarge", "Linux", "us-east-1"),
         "import price-list x.csv",
         "x.csv:8: error: the on-demand price of 'p3.2xlarge' in 'us-east-1' is 3.07 here, and "
         "3.06 on line 7"},
        {OFFER_HEAD OFFER_COLUMNS RESERVED("Hrs", "0.995", "1yr", "Partial Upfront", "standard"),
         "import price-list x.csv",
         "x.csv:7: error: the 1y standard partial-upfront offer of 'p3.2xlarge' in 'us-east-1' "
         "lacks the row of what is paid upfront"},
        {OFFER_HEAD OFFER_COLUMNS RESERVED("Quantity", "8712", "1yr", "Partial Upfront",
                                           "standard"),
         "import price-list x.csv", "lacks the row of its hourly rate"},
        {OFFER_HEAD OFFER_COLUMNS RESERVED("Hrs", "0.995", "2yr", "Partial Upfront", "standard"),
         "import price-list x.csv", "x.csv:7: error: lease contract length '2yr'"},
        {OFFER_HEAD OFFER_COLUMNS RESERVED("Quantity", "8712", "1yr", "Partial Upfront", "standard")
             RESERVED("Quantity", "8713", "1yr", "Partial Upfront", "standard"),
         "import price-list x.csv", "costs 8713.00 here and 8712.00 on line 7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program p;
        char *folder = program_folder_new();
        char words[200];
        program_file(folder, "x.csv", cases[i].csv);
        snprintf(words, sizeof words, "%s -o out.csv", cases[i].words);
        program_expect(&p, folder, words, 2);
        assert_holds(p.err, cases[i].text);
        assert_false(program_exists(folder, "out.csv"));
        program_release(&p);
        program_folder_free(folder);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_offer_file_becomes_a_price_file),
        cmocka_unit_test(savings_plans_are_told_by_their_columns),
        cmocka_unit_test(a_scenario_uses_the_result),
        cmocka_unit_test(what_is_wrong_with_a_list_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
