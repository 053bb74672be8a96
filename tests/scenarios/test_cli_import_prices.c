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
    "region,instance_type,kind,date,price_per_hour,currency,statistic,class,term,payment,"         \
    "bucket,savings_frac,source\n"
#define LIST "AWS price list AmazonEC2 20260220225308"

static const char offers_table[] = TABLE_HEAD
    "eu-west-1,p3.2xlarge,on-demand,2026-03-01,3.465,USD,,,,,,," LIST "\n"
    "us-east-1,p3.2xlarge,on-demand,2026-02-20,3.06,USD,,,,,,," LIST "\n"
    "us-east-1,p3.2xlarge,reserved,2026-02-20,1.989520548,USD,,standard,1y,partial-upfront,,," LIST
    "\n"
    "us-east-1,p3.2xlarge,reserved,2026-02-20,1.332,USD,,standard,3y,no-upfront,,," LIST "\n"
    "us-east-1,p3.2xlarge,reserved,2026-02-20,1.00,USD,,convertible,3y,all-upfront,,," LIST "\n";

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
                        "eu-west-1,p3.2xlarge,on-demand,2026-03-01,3.465,USD,,,,,,,contract\n");
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
        "us-east-1,p3.2xlarge,savings-plan,2026-02-20,2.10,USD,,ec2-instance,1y,no-upfront,,,"
        "plans\n"
        "us-east-1,p3.2xlarge,savings-plan,2026-02-20,2.40,USD,,compute,1y,no-upfront,,,plans\n");
    assert_holds(p.err, "skipped 1 row: usage UnusedBox\n");
    assert_holds(p.err, "skipped 1 row: usage DedicatedUsage\n");
    assert_holds(p.err, "skipped 1 row: operation RunInstances:0002\n");
    assert_holds(p.err, "skipped 1 row: services other than instances\n");
    program_release(&p);
    program_folder_free(folder);
}

/* ---- ec2instances.info ---- */

/* Prices before the name too, as a sorted dump has them in another year; one type that the
 * catalogue does not describe, and one place that it does not. */
static const char dump[] =
    "[{\"instance_type\": \"p3.2xlarge\", \"vCPU\": 8, \"arch\": [\"x86_64\"], \"pricing\": {\n"
    "  \"us-east-1\": {\"linux\": {\"ondemand\": \"3.06\", \"pct_savings_od\": 87,\n"
    "    \"pct_interrupt\": \">20%\",\n"
    "    \"reserved\": {\"yrTerm1Standard.partialUpfront\": \"1.990\",\n"
    "      \"yrTerm3Convertible.allUpfront\": \"1.628\"},\n"
    "    \"spot_min\": \"0.306\", \"spot_avg\": \"0.316025\", \"spot_max\": \"0.3459\"},\n"
    "    \"mswin\": {\"ondemand\": \"3.428\", \"reserved\": {}}},\n"
    "  \"us-east-1-atl-1\": {\"linux\": {\"ondemand\": \"3.82\"}},\n"
    "  \"eu-west-1\": {\"linux\": {\"ondemand\": \"N/A\", \"spot_min\": \"0\"}}}},\n"
    " {\"pricing\": {\"cn-north-1\": {\"linux\": {\"ondemand\": 5.223, \"reserved\": {\n"
    "    \"yrTerm3Savings.noUpfront\": \"2.47\"}}}}, \"instance_type\": \"g4dn.xlarge\"},\n"
    " {\"instance_type\": \"m5.large\", \"pricing\": {\"us-east-1\": {\"linux\": {}}}}]\n";

static void a_dump_becomes_a_price_file(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "dump.json", dump);
    program_expect(&p, folder, "import instances-json dump.json --date 2026-02-20", 0);
    assert_holds(p.out, "us-east-1,p3.2xlarge,on-demand,2026-02-20,3.06,USD,,,,,,,dump.json\n");
    assert_holds(p.out, "us-east-1,p3.2xlarge,spot,2026-02-20,0.306,USD,min,,,,,,dump.json\n");
    assert_holds(p.out, "us-east-1,p3.2xlarge,spot,2026-02-20,0.316025,USD,mean,,,,,,dump.json\n");
    assert_holds(p.out, "us-east-1,p3.2xlarge,spot,2026-02-20,0.3459,USD,max,,,,,,dump.json\n");
    assert_holds(p.out, "p3.2xlarge,reserved,2026-02-20,1.99,USD,,standard,1y,partial-upfront,");
    assert_holds(p.out, "p3.2xlarge,reserved,2026-02-20,1.628,USD,,convertible,3y,all-upfront,");
    assert_holds(p.out, "p3.2xlarge,reserved,2026-02-20,none,USD,,standard,1y,no-upfront,");
    assert_holds(p.out, "cn-north-1,g4dn.xlarge,on-demand,2026-02-20,5.223,CNY,,,,,,,dump.json\n");
    assert_holds(p.out, "g4dn.xlarge,savings-plan,2026-02-20,2.47,CNY,,ec2-instance,3y,no-upfront");
    assert_holds(p.out, "us-east-1,p3.2xlarge,advisor,2026-02-20,,,,,,,>20%,0.87,dump.json\n");
    /* 1 + 3 + 12 + 1 of p3, 1 + 12 + 1 of g4dn, the header */
    assert_int_equal(count_lines(p.out), 32);
    assert_lacks(p.out, "eu-west-1");
    assert_holds(p.err, "skipped 1 row: prices of mswin\n");
    assert_holds(p.err, "skipped 1 row: entries without a price\n");
    assert_holds(p.err, "skipped 1 row: entries with price 0\n");
    assert_holds(p.err, "skipped 1 row: instance types that the catalogue does not describe\n");
    assert_holds(p.err, "skipped 1 row: regions that the catalogue does not describe\n");
    program_release(&p);
    /* A type whose name comes late is left out all the same. */
    program_expect(&p, folder,
                   "import instances-json dump.json --date 2026-02-20 --instance p3.2xlarge", 0);
    assert_int_equal(count_lines(p.out), 18);
    assert_lacks(p.out, "g4dn");
    program_release(&p);
    program_folder_free(folder);
}

#define LINUX(text)                                                                                \
    "[{\"instance_type\": \"p3.2xlarge\",\n\"pricing\": {\"us-east-1\": {\"linux\": {\n" text      \
    "}}}}]"

static void what_is_wrong_with_a_dump_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *json, *words, *text;
    } cases[] = {
        {dump, "", "x.json: error: the file does not say of which day"},
        {dump, "--date 2026-02-30", "'2026-02-30' will not do"},
        {"{}", "--date 2026-02-20",
         "x.json:1: error: this will not do; expected a list of instance"},
        {"[1]", "--date 2026-02-20", "expected an object for each instance type"},
        {"[{}\n,\n{}]", "--date 2026-02-20", "x.json:1: error: this entry has no instance_type"},
        {LINUX("\"ondemand\": \"3,06\""), "--date 2026-02-20",
         "x.json:3: error: '3,06' will not do; expected a price"},
        {LINUX("\"ondemand\": \"-3.06\""), "--date 2026-02-20", "x.json:3: error: '-3.06'"},
        {LINUX("\"ondemand\": \"3.06\",\n\"ondemand\": \"3.07\""), "--date 2026-02-20",
         "x.json:4: error: the on-demand price of 'p3.2xlarge' in 'us-east-1' is 3.07 here"},
        {LINUX("\"reserved\": []"), "--date 2026-02-20", "expected an object of Reserved"},
        {LINUX("\"ondemand\": \"3.06\"") "\n]", "--date 2026-02-20", "x.json:4: error: "},
        {"[{\"instance_type\": \"p3.2xlarge\",\n\"pricing\": {", "--date 2026-02-20",
         "x.json:2: error: the file ends in the middle"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program p;
        char *folder = program_folder_new();
        char words[200];
        program_file(folder, "x.json", cases[i].json);
        snprintf(words, sizeof words, "import instances-json x.json -o out.csv%s%s",
                 cases[i].words[0] == '\0' ? "" : " ", cases[i].words);
        program_expect(&p, folder, words, 2);
        assert_holds(p.err, cases[i].text);
        assert_false(program_exists(folder, "out.csv"));
        program_release(&p);
        program_folder_free(folder);
    }
}

/* ---- SkyPilot ---- */

#define VMS_HEAD                                                                                   \
    "InstanceType,AcceleratorName,GpuInfo,Price,SpotPrice,Region,AvailabilityZone,Arch\n"
static const char vms[] = VMS_HEAD
    "p3.2xlarge,V100,\"{'Gpus': [{'Name': 'V100'}]}\",3.06,0.500000,us-east-1,use1-az1,x86_64\n"
    "p3.2xlarge,V100,\"{'Gpus': [{'Name': 'V100'}]}\",3.06,0.800000,us-east-1,use1-az2,x86_64\n"
    "p3.2xlarge,V100,\"{'Gpus': [{'Name': 'V'}]}\",3.06,0.800000,us-east-1,use1-az2,x86_64\n"
    "p3.2xlarge,V100,,3.06,0.900000,us-east-1,us-east-1f,x86_64\n"
    "p3.2xlarge,V100,,3.06,,us-east-1,use1-az4,x86_64\n"
    "p3.2xlarge,V100,,3.82,0.1,us-east-1,use1-atl2-az1,x86_64\n"
    "p3.2xlarge,V100,,3.82,0.1,us-east-1,us-east-1-atl-2a,x86_64\n"
    "p5e.48xlarge,H200,,,19.5,us-west-2,usw2-az3,x86_64\n"
    "m5.large,,,0.1,0.01,us-east-1,use1-az1,x86_64\n";

static void zones_of_a_catalogue_become_statistics(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "vms.csv", vms);
    program_expect(&p, folder, "import catalog vms.csv --date 2026-02-20", 0);
    /* mean of 0.5, 0.8 and 0.9 */
    assert_string_equal(p.out, TABLE_HEAD
                        "us-east-1,p3.2xlarge,on-demand,2026-02-20,3.06,USD,,,,,,,vms.csv\n"
                        "us-east-1,p3.2xlarge,spot,2026-02-20,0.50,USD,min,,,,,,vms.csv\n"
                        "us-east-1,p3.2xlarge,spot,2026-02-20,0.733333333,USD,mean,,,,,,vms.csv\n"
                        "us-east-1,p3.2xlarge,spot,2026-02-20,0.90,USD,max,,,,,,vms.csv\n"
                        "us-west-2,p5e.48xlarge,spot,2026-02-20,19.50,USD,min,,,,,,vms.csv\n"
                        "us-west-2,p5e.48xlarge,spot,2026-02-20,19.50,USD,mean,,,,,,vms.csv\n"
                        "us-west-2,p5e.48xlarge,spot,2026-02-20,19.50,USD,max,,,,,,vms.csv\n");
    assert_holds(p.err, "skipped 2 rows: local zones\n");
    assert_holds(p.err, "skipped 1 row: no spot price\n");
    assert_holds(p.err, "skipped 1 row: no on-demand price\n");
    program_release(&p);
    static const struct {
        const char *csv, *text;
    } wrong[] = {
        {VMS_HEAD "p3.2xlarge,,,3.06,0.5,us-east-1,use1-az1,\np3.2xlarge,,,3.06,0.6,us-east-1,"
                  "use1-az1,\n",
         "x.csv:3: error: the spot price in zone 'use1-az1' is 0.60 here, and 0.50 on line 2"},
        {VMS_HEAD
         "p3.2xlarge,,,3.06,,us-east-1,use1-az1,\np3.2xlarge,,,3.07,,us-east-1,use1-az2,\n",
         "x.csv:3: error: the on-demand price of 'p3.2xlarge' in 'us-east-1' is 3.07 here"},
        {VMS_HEAD "p3.2xlarge,,,3.06,-1,us-east-1,use1-az1,\n",
         "x.csv:2: error: column 'SpotPrice': '-1' will not do"},
        {"InstanceType,Price,Region\n", "x.csv:1: error: no column 'SpotPrice'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        program_file(folder, "x.csv", wrong[i].csv);
        program_expect(&p, folder, "import catalog x.csv --date 2026-02-20 -o out.csv", 2);
        assert_holds(p.err, wrong[i].text);
        assert_false(program_exists(folder, "out.csv"));
        program_release(&p);
    }
    program_folder_free(folder);
}

/* ---- the advisor ---- */

#define RANGES                                                                                     \
    "\"ranges\": [{\"index\": 0, \"label\": \"<5%\", \"dots\": 0, \"max\": 5},\n"                  \
    "{\"index\": 4, \"label\": \">20%\", \"dots\": 4, \"max\": 100}]"
#define ADVICE(text) "\"spot_advisor\": {\"us-east-1\": {\"Linux\": {\n" text "}}}"
static const char advice[] =
    "{\"global_rate\": \"<10%\", \"spot_advisor\": {\"us-east-1\": {\n"
    "\"Windows\": {\"p3.2xlarge\": {\"s\": 1, \"r\": 0}, \"g5.xlarge\": {\"s\": 1, \"r\": 0}},\n"
    "\"Linux\": {\"p3.2xlarge\": {\"s\": 80, \"r\": 4}, \"p4d.24xlarge\": {\"r\": 0},\n"
    "\"m5.large\": {\"s\": 50, \"r\": 2}}}, \"us-nowhere-1\": {}},\n" RANGES "}";

static void the_advisor_becomes_rows_of_buckets(void **state)
{
    (void)state;
    struct program p;
    char *folder = program_folder_new();
    program_file(folder, "a.json", advice);
    program_expect(&p, folder, "import advisor a.json --date 2026-02-20", 0);
    assert_string_equal(p.out,
                        TABLE_HEAD "us-east-1,p3.2xlarge,advisor,2026-02-20,,,,,,,>20%,0.8,a.json\n"
                                   "us-east-1,p4d.24xlarge,advisor,2026-02-20,,,,,,,<5%,,a.json\n");
    assert_holds(p.err, "skipped 2 rows: operating system Windows\n");
    assert_holds(p.err, "skipped 1 row: instance types that the catalogue does not describe\n");
    assert_holds(p.err, "skipped 1 row: regions that the catalogue does not describe\n");
    program_release(&p);
    static const struct {
        const char *json, *text;
    } wrong[] = {
        {"{" RANGES "}", "x.json: error: the file has no 'spot_advisor'"},
        {"{" ADVICE("\"p3.2xlarge\": {\"s\": 80, \"r\": 4}") "}", "the file has no 'ranges'"},
        {"{" RANGES ",\n" ADVICE("\"p3.2xlarge\": {\"s\": 80, \"r\": 3}") "}",
         "x.json:4: error: there is no range 3"},
        {"{" RANGES ",\n" ADVICE("\"p3.2xlarge\": {\"s\": 80, \"r\": \"4\"}") "}",
         "x.json:4: error: '4' will not do"},
        {"{" RANGES ",\n" ADVICE("\"p3.2xlarge\": {\"s\": 101, \"r\": 4}") "}",
         "x.json:4: error: '101' will not do; expected savings in whole percent"},
        {"{" RANGES ",\n" ADVICE("\"p3.2xlarge\": {\"s\": 80}") "}", "this type has no 'r'"},
        {"{\"ranges\": [{\"index\": 0, \"label\": \"<6%\"}]}", "'<6%' will not do"},
        {"{\"ranges\": [{\"index\": 0}]}", "a range needs an index of its own and a label"},
        {"{" RANGES ",\n\"spot_advisor\": {", "x.json:3: error: the file ends in the middle"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        program_file(folder, "x.json", wrong[i].json);
        program_expect(&p, folder, "import advisor x.json --date 2026-02-20 -o out.csv", 2);
        assert_holds(p.err, wrong[i].text);
        assert_false(program_exists(folder, "out.csv"));
        program_release(&p);
    }
    program_folder_free(folder);
}

static const char spot_scenario[] =
    "version: 1\nname: Buckets\nstart: 2026-03-02\nhorizon: 60d\nregion: us-east-1\n"
    "replications: 20\n"
    "workloads:\n  w: {kind: training, hours: 100h, restart: gang}\n"
    "strategies:\n  spot: {instance: p4d.24xlarge, nodes: 1, buy: spot}\n";

/* The shipped bucket of p4d.24xlarge is >20%; the file says <5%, and the market must believe it. */
static void the_market_takes_an_imported_bucket(void **state)
{
    (void)state;
    struct program p, with;
    char *folder = program_folder_new();
    program_file(folder, "a.json", advice);
    program_file(folder, "plan.yaml", spot_scenario);
    program_expect_code(folder, "import advisor a.json --date 2026-02-20 --source mine -o b.csv",
                        0);
    program_expect(&p, folder, "check plan.yaml", 0);
    assert_holds(p.out, "bucket >20% on");
    assert_lacks(p.out, "b.csv");
    program_expect(&with, folder, "check plan.yaml --set price_files=[b.csv]", 0);
    assert_holds(with.out, "bucket <5% on");
    assert_holds(with.out, "b.csv: mine");
    assert_lacks(with.out, "bucket >20%");
    program_release(&p);
    program_release(&with);
    program_folder_free(folder);
}

/* ---- scenarios ---- */

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
        cmocka_unit_test(a_dump_becomes_a_price_file),
        cmocka_unit_test(what_is_wrong_with_a_dump_is_told),
        cmocka_unit_test(zones_of_a_catalogue_become_statistics),
        cmocka_unit_test(the_advisor_becomes_rows_of_buckets),
        cmocka_unit_test(the_market_takes_an_imported_bucket),
        cmocka_unit_test(a_scenario_uses_the_result),
        cmocka_unit_test(what_is_wrong_with_a_list_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
