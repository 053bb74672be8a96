/* SPDX-License-Identifier: GPL-3.0-or-later
 * The catalogue: the data that is shipped, look-ups by date, layers, and every error of loading,
 * each in a small folder of its own. */
#include "tests/support/testing.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "models/catalogue/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int64_t day(const char *text)
{
    int64_t unix_s;
    assert_true(civil_parse(text, &unix_s));
    return unix_s;
}

static money_t dollars(double units)
{
    money_t m;
    assert_true(money_from_double(units, &m));
    return m;
}

/* ---- what is shipped --------------------------------------------------------------- */

static int load_shipped(void **state)
{
    struct diagnostics *d = diagnostics_new();
    *state = catalogue_load(NULL, NULL, 0, d);
    bool clean =
        diagnostics_text(d, 0, NULL, NULL) == NULL; /* neither errors nor warnings nor notes */
    if (!clean) {
        diagnostics_write(d, stderr);
    }
    diagnostics_free(d);
    return *state && clean ? 0 : -1;
}

static int free_shipped(void **state)
{
    catalogue_free(*state);
    return 0;
}

static money_t on_demand(const struct catalogue *c, const char *type, const char *region,
                         const char *at, const char *as_of)
{
    const struct dated_price *p = catalogue_on_demand_at(c, type, region, day(at), day(as_of));
    return p ? p->per_hour : 0;
}

/* Karpenter's pricing tables until 2025-05 and from 2025-06-23; the day by a daily tracker. */
static void the_price_cut_of_june_2025_is_visible(void **state)
{
    static const struct {
        const char *type, *region;
        double before, after;
    } rows[] = {
        {"p4d.24xlarge", "us-east-1", 32.7726, 21.957642},
        {"p4de.24xlarge", "us-east-1", 40.96575, 27.44705},
        {"p5.48xlarge", "us-east-1", 98.32, 55.04},
        {"p5en.48xlarge", "us-east-1", 84.80, 63.296},
        {"p4d.24xlarge", "us-gov-west-1", 39.33, 26.3511},
        {"p5.48xlarge", "us-gov-west-1", 117.984, 66.048},
        /* SkyPilot's catalogue before, ec2instances.info after */
        {"p4d.24xlarge", "us-west-2", 32.7726, 21.95764},
        {"p5.48xlarge", "ap-northeast-1", 123.19496, 68.8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *t = rows[i].type, *r = rows[i].region;
        assert_int_equal(on_demand(*state, t, r, "2025-06-04", "2026-01-01"),
                         dollars(rows[i].before));
        assert_int_equal(on_demand(*state, t, r, "2025-06-04T23:59:59Z", "2026-01-01"),
                         dollars(rows[i].before));
        assert_int_equal(on_demand(*state, t, r, "2025-06-05", "2026-01-01"),
                         dollars(rows[i].after));
        /* nobody knows it before */
        assert_int_equal(on_demand(*state, t, r, "2025-09-01", "2025-06-04"),
                         dollars(rows[i].before));
    }
    assert_int_equal(on_demand(*state, "p4d.24xlarge", "us-east-1", "2025-03-01", "2025-03-01"),
                     dollars(32.7726));
    assert_int_equal(on_demand(*state, "p4d.24xlarge", "us-east-1", "2025-09-01", "2025-09-01"),
                     dollars(21.957642));
}

/* p3.2xlarge cost 3.06 from 2017 to 2026: one row, confirmed again and again. */
static void a_price_that_did_not_change_is_one_row(void **state)
{
    const struct dated_price *rows;
    assert_int_equal(catalogue_on_demand(*state, "p3.2xlarge", "us-east-1", &rows), 1);
    assert_int_equal(rows[0].per_hour, dollars(3.06));
    assert_int_equal(rows[0].from_unix_s, day("2017-11-12"));
    assert_true(rows[0].confirmed_unix_s >= day("2026-03-15"));
    assert_string_equal(rows[0].layer, "shipped");
}

static void before_the_first_row_there_is_no_price(void **state)
{
    char text[512];
    const int64_t at = day("2025-03-01");
    assert_null(catalogue_on_demand_at(*state, "p4d.24xlarge", "us-west-2", at, INT64_MAX));
    catalogue_explain_missing(*state, "p4d.24xlarge", "us-west-2", at, INT64_MAX, text,
                              sizeof text);
    assert_string_equal(text,
                        "no on-demand price for 'p4d.24xlarge' in 'us-west-2' is known on "
                        "2025-03-01; the first is of 2025-06-04; it has one then in us-east-1, "
                        "us-gov-west-1");
    /* only the price after the cut was ever seen in us-west-2: no row before, and no guess */
    assert_null(
        catalogue_on_demand_at(*state, "p5en.48xlarge", "us-west-2", day("2025-09-01"), INT64_MAX));
    assert_non_null(
        catalogue_on_demand_at(*state, "p5en.48xlarge", "us-west-2", day("2025-11-30"), INT64_MAX));
}

static void a_missing_price_is_explained(void **state)
{
    char text[512];
    int64_t at = day("2026-01-01");
    catalogue_explain_missing(*state, "p5e.48xlarge", "us-east-1", at, at, text, sizeof text);
    assert_string_equal(text, "no on-demand price for 'p5e.48xlarge' in 'us-east-1' is known on "
                              "2026-01-01; it has none in any region");
    catalogue_explain_missing(*state, "g5.xlarge", "us-west-1", at, at, text, sizeof text);
    assert_non_null(strstr(text, "; it has one then in ap-northeast-1, ap-northeast-2, ap-south-1, "
                                 "ap-southeast-2, ap-southeast-3, ca-central-1 and 11 more"));
    catalogue_explain_missing(*state, "p6-b200.48xlarge", "us-east-1", day("2024-01-01"), at, text,
                              sizeof text);
    assert_non_null(strstr(text, "is known on 2024-01-01; the first is of "));
    assert_non_null(strstr(text, "; the first anywhere is of "));
    /* what was known limits it, not the day of use */
    catalogue_explain_missing(*state, "p4d.24xlarge", "us-west-2", day("2025-12-01"),
                              day("2025-03-01"), text, sizeof text);
    assert_non_null(strstr(text, " was known on 2025-03-01; the first is of 2025-06-04"));
    catalogue_explain_missing(*state, "p5.48xlarg", "us-east-1", at, at, text, sizeof text);
    assert_string_equal(text, "unknown instance type 'p5.48xlarg'; did you mean 'p5.48xlarge'?");
    catalogue_explain_missing(*state, "p5.48xlarge", "us-est-1", at, at, text, sizeof text);
    assert_string_equal(text, "unknown region 'us-est-1'; did you mean 'us-east-1'?");
    catalogue_explain_missing(*state, "g4dn.xlarge", "mx-central-1", INT64_MAX, INT64_MAX, text,
                              sizeof text);
    assert_non_null(strstr(text, "no on-demand price for 'g4dn.xlarge' in 'mx-central-1'"));
    catalogue_explain_missing_spot(*state, "p4d.24xlarge", "us-east-1", SPOT_MEAN,
                                   day("2020-01-01"), text, sizeof text);
    assert_non_null(strstr(text, "no mean spot price for 'p4d.24xlarge' in 'us-east-1' is known on "
                                 "2020-01-01; the first is of "));
    char small[20]; /* truncated, never overrun */
    catalogue_explain_missing(*state, "p5e.48xlarge", "us-east-1", at, at, small, sizeof small);
    assert_int_equal(strlen(small), sizeof small - 1);
}

static void china_is_in_yuan(void **state)
{
    assert_string_equal(catalogue_region(*state, "cn-north-1")->currency, "CNY");
    assert_string_equal(catalogue_region(*state, "cn-northwest-1")->currency, "CNY");
    assert_string_equal(catalogue_region(*state, "us-east-1")->currency, "USD");
    /* ec2instances.info's Chinese dump and Karpenter's tables agree */
    assert_int_equal(on_demand(*state, "p3.2xlarge", "cn-north-1", "2026-01-21", "2026-01-21"),
                     dollars(36.078));
    assert_null(catalogue_region(*state, "cn-north-1-pkx-1")); /* a local zone is not a region */
}

static void regions_keep_standard_time_and_first_zone(void **state)
{
    const struct region *r = catalogue_region(*state, "ap-south-1");
    assert_near(r->utc_offset_h, 5.5, 0, "Mumbai");
    assert_string_equal(r->first_zone, "ap-south-1a");
    assert_near(catalogue_region(*state, "us-east-1")->utc_offset_h, -5, 0, "Virginia");
    assert_string_equal(catalogue_region(*state, "sa-east-1")->name, "South America (São Paulo)");
}

static void spot_has_named_statistics(void **state)
{
    struct dated_price p;
    assert_true(catalogue_spot(*state, "p4d.24xlarge", "us-east-1", NULL, SPOT_MEAN,
                               day("2026-01-01"), &p));
    assert_int_equal(p.per_hour, dollars(8.59075)); /* ec2instances.info, 2025-11-30 */
    assert_int_equal(p.from_unix_s, day("2025-11-30"));
    assert_true(catalogue_spot(*state, "p4d.24xlarge", "us-east-1", "us-east-1b", SPOT_MIN,
                               day("2026-01-01"), &p));
    assert_int_equal(p.per_hour, dollars(8.0468));
    assert_true(
        catalogue_spot(*state, "p4d.24xlarge", "us-east-1", "", SPOT_MAX, day("2026-01-01"), &p));
    assert_int_equal(p.per_hour, dollars(9.1506));
    /* 2025-06-04: 6.7915, 9.6107 and 5.2117 in three zones */
    assert_true(catalogue_spot(*state, "p4d.24xlarge", "us-east-1", NULL, SPOT_MEAN,
                               day("2025-07-01"), &p));
    assert_near(money_to_double(p.per_hour), (6.7915 + 9.6107 + 5.2117) / 3, 1e-6, "mean of zones");
    /* a scenario of 2020: the floor was 0.30 of on-demand then */
    assert_true(
        catalogue_spot(*state, "p3.2xlarge", "us-east-1", NULL, SPOT_MIN, day("2020-12-31"), &p));
    assert_int_equal(p.per_hour, dollars(0.918));
    assert_false(
        catalogue_spot(*state, "p3.2xlarge", "us-east-1", NULL, SPOT_MIN, day("2020-01-01"), &p));
    assert_false(
        catalogue_spot(*state, "p3.2xlarge", "nowhere", NULL, SPOT_MIN, day("2020-12-31"), &p));
}

static void advisor_buckets_move(void **state)
{
    struct advisor_row a =
        catalogue_advisor(*state, "p4d.24xlarge", "us-east-1", day("2021-02-10"));
    assert_int_equal(a.bucket, ADVISOR_BELOW_5);
    assert_int_equal(a.date_unix_s, day("2021-02-10"));
    a = catalogue_advisor(*state, "p4d.24xlarge", "us-east-1", day("2025-11-29"));
    assert_int_equal(a.bucket, ADVISOR_10_15);
    a = catalogue_advisor(*state, "p4d.24xlarge", "us-east-1", INT64_MAX);
    assert_int_equal(a.bucket, ADVISOR_ABOVE_20);
    assert_true(strlen(a.source) > 0);
    a = catalogue_advisor(*state, "p4d.24xlarge", "us-east-1", day("2021-02-09"));
    assert_int_equal(a.bucket, ADVISOR_UNKNOWN);
    a = catalogue_advisor(*state, "p4d.24xlarge", "cn-north-1", INT64_MAX);
    assert_int_equal(a.bucket, ADVISOR_UNKNOWN);
    a = catalogue_advisor(*state, "no.such", "us-east-1", INT64_MAX);
    assert_int_equal(a.bucket, ADVISOR_UNKNOWN);
}

static void all_families_are_there(void **state)
{
    static const char *const families[] = {
        "p2",   "p3",   "p3dn", "p4d", "p4de", "p5",  "p5e",  "p5en", "p6-b200", "p6-b300", "g3",
        "g4dn", "g4ad", "g5",   "g5g", "g6",   "g6e", "trn1", "trn2", "inf1",    "inf2",    "dl1"};
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        bool found = false;
        for (size_t t = 0; t < catalogue_types(*state); t++) {
            found |= strcmp(catalogue_type_at(*state, t)->family, families[i]) == 0;
        }
        if (!found) {
            fail_msg("no type of family '%s'", families[i]);
        }
    }
}

static void hardware_of_known_types(void **state)
{
    const double gib = 1073741824.0;
    const struct instance_type *t = catalogue_type(*state, "p4d.24xlarge");
    assert_string_equal(t->accelerator_name, "A100-40GB");
    assert_near(t->accelerator_count, 8, 0, "GPUs");
    assert_near(t->accelerator_memory_bytes, 40 * gib, 0, "memory each");
    assert_near(t->accelerator->peak_flops[PRECISION_BF16], 312e12, 0, "dense, not 624 sparse");
    assert_near(t->accelerator->peak_flops[PRECISION_FP8], 0, 0, "A100 has no FP8");
    assert_near(t->network_bytes_per_s, 50e9, 0, "400 Gbit/s");
    assert_near(t->nvlink_bytes_per_s, 600e9, 0, "NVLink");
    assert_true(t->efa);
    /* half boards are GPUs: 16, not 8; no tensor cores, so no FP16 peak */
    t = catalogue_type(*state, "p2.16xlarge");
    assert_near(t->accelerator_count, 16, 0, "K80 halves");
    assert_near(t->accelerator->peak_flops[PRECISION_FP16], 0, 0, "K80");
    /* Trainium counts chips, not cores */
    t = catalogue_type(*state, "trn1.32xlarge");
    assert_string_equal(t->accelerator_name, "Trainium1");
    assert_near(t->accelerator_count, 16, 0, "chips");
    assert_near(t->accelerator->peak_flops[PRECISION_BF16], 190e12, 0, "Trainium1");
    t = catalogue_type(*state, "g6f.large");
    assert_near(t->accelerator_count, 0.125, 0, "a share of one L4");
    assert_near(t->accelerator_memory_bytes, 2.793945 * gib, 1e-3, "its share of memory");
    /* a chip without a row of its own says so */
    t = catalogue_type(*state, "dl2q.24xlarge");
    assert_null(t->accelerator);
    assert_string_equal(t->accelerator_name, "AI100");
    assert_null(catalogue_type(*state, "p4d.24xlarg"));
    assert_string_equal(catalogue_suggest_type(*state, "P4D.24xlarg"), "p4d.24xlarge");
    assert_null(catalogue_suggest_type(*state, "entirely else"));
    assert_string_equal(catalogue_suggest_type(*state, "p4d"), "p4d.24xlarge");
    assert_string_equal(catalogue_suggest_type(*state, "A100"), "p4d.24xlarge");
    assert_string_equal(catalogue_suggest_region(*state, "us east"), "us-east-1");
    assert_string_equal(catalogue_suggest_region(*state, "us-east1"), "us-east-1");
}

/* The API's memory and the data sheet's agree to the part that error correction and rounding take;
 * peaks do not fall with the bits of a number. */
static void types_and_accelerators_agree(void **state)
{
    size_t without = 0;
    for (size_t i = 0; i < catalogue_types(*state); i++) {
        const struct instance_type *t = catalogue_type_at(*state, i);
        assert_true(*t->date && *t->source);
        assert_true(t->accelerator_count > 0 && t->vcpus > 0 && t->memory_bytes > 0);
        if (!t->accelerator) {
            without++;
            continue;
        }
        const struct accelerator *a = t->accelerator;
        assert_string_equal(a->name, t->accelerator_name);
        assert_true(*a->date && *a->source);
        double share = t->accelerator_count < 1 ? t->accelerator_count : 1;
        assert_relative(t->accelerator_memory_bytes, share * a->memory_bytes, 0.08, t->name);
        const double *peak = a->peak_flops;
        assert_true(peak[PRECISION_BF16] <= 0 || peak[PRECISION_BF16] <= peak[PRECISION_FP16]);
        assert_true(peak[PRECISION_FP8] <= 0 || peak[PRECISION_FP8] >= peak[PRECISION_BF16]);
        for (size_t p = 0; p < PRECISION_COUNT; p++) {
            assert_true(peak[p] >= 0 && peak[p] < 2e16);
        }
    }
    assert_int_equal(without, 1); /* dl2q */
}

/* Within a family and region the bigger instance is never cheaper; between regions a dollar price
 * is never below Virginia's by more than a rounding, nor twice as high; CNY is 6 to 16 times as
 * much. */
static void prices_stay_within_their_family_band(void **state)
{
    size_t compared = 0;
    for (size_t r = 0; r < catalogue_regions(*state); r++) {
        const struct region *region = catalogue_region_at(*state, r);
        bool yuan = strcmp(region->currency, "CNY") == 0;
        for (size_t i = 0; i < catalogue_types(*state); i++) {
            const struct instance_type *a = catalogue_type_at(*state, i);
            const struct dated_price *pa =
                catalogue_on_demand_at(*state, a->name, region->code, INT64_MAX, INT64_MAX);
            const struct dated_price *home =
                catalogue_on_demand_at(*state, a->name, "us-east-1", INT64_MAX, INT64_MAX);
            if (pa && home) {
                double ratio = money_to_double(pa->per_hour) / money_to_double(home->per_hour);
                assert_true(ratio >= (yuan ? 6.0 : 0.999999) && ratio <= (yuan ? 16.0 : 2.0));
                compared++;
            }
            for (size_t j = 0; pa && j < catalogue_types(*state); j++) {
                const struct instance_type *b = catalogue_type_at(*state, j);
                const struct dated_price *pb =
                    catalogue_on_demand_at(*state, b->name, region->code, INT64_MAX, INT64_MAX);
                bool dominates = strcmp(a->family, b->family) == 0 &&
                                 a->accelerator_count >= b->accelerator_count &&
                                 a->vcpus >= b->vcpus && a->memory_bytes >= b->memory_bytes &&
                                 a->accelerator_memory_bytes >= b->accelerator_memory_bytes;
                assert_true(!pb || !dominates || pa->per_hour >= pb->per_hour);
            }
        }
    }
    assert_true(compared > 900);
}

static void every_price_row_is_dated_sourced_and_in_order(void **state)
{
    size_t rows_seen = 0;
    for (size_t r = 0; r < catalogue_regions(*state); r++) {
        const char *region = catalogue_region_at(*state, r)->code;
        for (size_t i = 0; i < catalogue_types(*state); i++) {
            const char *type = catalogue_type_at(*state, i)->name;
            const struct dated_price *rows;
            size_t count = catalogue_on_demand(*state, type, region, &rows);
            for (size_t k = 0; k < count; k++) {
                assert_true(rows[k].per_hour > 0 && *rows[k].source);
                assert_true(rows[k].confirmed_unix_s >= rows[k].from_unix_s);
                assert_true(k == 0 || (rows[k].from_unix_s > rows[k - 1].from_unix_s &&
                                       rows[k].per_hour != rows[k - 1].per_hour &&
                                       rows[k - 1].confirmed_unix_s < rows[k].from_unix_s));
            }
            rows_seen += count;
            struct dated_price low, mean, high;
            int64_t ever = INT64_MAX;
            if (catalogue_spot(*state, type, region, NULL, SPOT_MEAN, ever, &mean)) {
                assert_true(catalogue_spot(*state, type, region, NULL, SPOT_MIN, ever, &low));
                assert_true(catalogue_spot(*state, type, region, NULL, SPOT_MAX, ever, &high));
                assert_true(low.per_hour <= mean.per_hour + 1000);
                assert_true(mean.per_hour <= high.per_hour + 1000);
            }
        }
    }
    assert_true(rows_seen > 1100);
}

/* Regions that the facts cover whole; a gap shows here before it shows in a plan. */
static void regions_are_covered(void **state)
{
    static const struct {
        const char *region;
        size_t types;
    } wanted[] = {{"us-east-1", 80},     {"us-east-2", 74},      {"us-west-2", 80},
                  {"eu-west-1", 38},     {"eu-central-1", 68},   {"ap-northeast-1", 75},
                  {"ap-south-1", 44},    {"ap-southeast-1", 30}, {"cn-north-1", 28},
                  {"cn-northwest-1", 22}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        size_t found = 0;
        for (size_t t = 0; t < catalogue_types(*state); t++) {
            found += catalogue_on_demand_at(*state, catalogue_type_at(*state, t)->name,
                                            wanted[i].region, INT64_MAX, INT64_MAX) != NULL;
        }
        if (found < wanted[i].types) {
            fail_msg("'%s' has %zu priced types, expected %zu", wanted[i].region, found,
                     wanted[i].types);
        }
    }
}

static void the_folder_and_hash_are_stable(void **state)
{
    struct diagnostics *d = diagnostics_new();
    struct catalogue *again = catalogue_load(catalogue_folder(*state), NULL, 0, d);
    assert_non_null(again);
    assert_int_equal(catalogue_hash(again), catalogue_hash(*state));
    assert_true(file_is_folder(catalogue_folder(*state)));
    assert_null(strstr(catalogue_folder(*state), ".."));
    catalogue_free(again);
    diagnostics_free(d);
}

/* ---- small folders of our own --------------------------------------------------------- */

static const char ACCELERATORS[] =
    "accelerator,full_name,architecture,memory_gib,memory_bandwidth_gb_per_s,fp64_tflops,"
    "fp32_tflops,tf32_tflops,fp16_tflops,bf16_tflops,fp8_tflops,int8_tops,fp4_tflops,date,source,"
    "note\n"
    "A,Maker A 40,Arch,40,1000,,19.5,,312,,,,,2020,sheet,\n";
static const char TYPES[] =
    "instance_type,accelerator,accelerator_count,accelerator_memory_gib,vcpus,memory_gib,"
    "network_gbps,efa,nvlink_gb_per_s,local_nvme_gb,date,source,note\n"
    "x1.large,A,2,40,8,64,10,no,,,2020,api,\n"
    "x1.huge,A,8,40,32,256,100,yes,600,1000,2020,api,\n"
    "y1.large,B,1,16,4,16,,no,,,2020,api,\n";
static const char REGIONS[] = "region,name,currency,utc_offset_h,first_zone,date,source\n"
                              "us-one-1,One,USD,-5,us-one-1a,2020-01-01,list\n"
                              "cn-two-1,Two,CNY,8,cn-two-1a,2020-01-01,list\n";
static const char ON_DEMAND[] =
    "region,instance_type,date,price_per_hour,currency,confirmed,source,note\n"
    "cn-two-1,x1.large,2024-01-01,20,CNY,2025-01-01,a,\n"
    "us-one-1,x1.large,2024-01-01,3.5,USD,2024-12-31,a,\n"
    "us-one-1,x1.large,2025-01-01,3.0,USD,2025-06-30,a,\n";
static const char SPOT[] = "region,instance_type,date,observations,min_per_hour,mean_per_hour,"
                           "max_per_hour,currency,source\n"
                           "us-one-1,x1.large,2025-02-01,3,1.0,1.2,1.5,USD,b\n";
static const char ADVISOR[] = "region,instance_type,date,bucket,source\n"
                              "us-one-1,x1.large,2025-02-01,5-10%,c\n";

struct part {
    const char *name, *text;
};
static const struct part parts[] = {
    {"accelerators.csv", ACCELERATORS}, {"instance_types.csv", TYPES},
    {"regions.csv", REGIONS},           {"prices_on_demand.csv", ON_DEMAND},
    {"prices_spot.csv", SPOT},          {"spot_advisor.csv", ADVISOR},
};
enum { PARTS = sizeof parts / sizeof parts[0], PATH_SIZE = 300 };

struct folder {
    char path[PATH_SIZE];
    char *price_files[3]; /* own layers */
    size_t price_file_count;
    struct diagnostics *diagnostics;
    struct catalogue *catalogue;
};

static void write_file(const char *path, const char *text, const char *more)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0 && fputs(more, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* The small catalogue; `more` is added to file `changed`, or replaces it when it has a header. */
static void folder_init(struct folder *f, const char *changed, const char *more, bool replace)
{
    const char *base = getenv("TMPDIR");
    memset(f, 0, sizeof *f);
    snprintf(f->path, sizeof f->path, "%s/fleetcast-catalogue-XXXXXX",
             base && strlen(base) < 200 ? base : "/tmp");
    assert_non_null(mkdtemp(f->path));
    for (size_t i = 0; i < PARTS; i++) {
        char path[PATH_SIZE + 40];
        bool touched = changed && strcmp(changed, parts[i].name) == 0;
        snprintf(path, sizeof path, "%s/%s", f->path, parts[i].name);
        write_file(path, touched && replace ? "" : parts[i].text, touched ? more : "");
    }
    f->diagnostics = diagnostics_new();
}

/* The name of one more price file. */
static const char *folder_name_layer(struct folder *f)
{
    char **path = &f->price_files[f->price_file_count++];
    assert_true(asprintf(path, "%s/own%zu.csv", f->path, f->price_file_count) > 0);
    return *path;
}

static void folder_add_layer(struct folder *f, const char *text)
{
    write_file(folder_name_layer(f), text, "");
}

static void folder_load(struct folder *f)
{
    f->catalogue = catalogue_load(f->path, (const char *const *)f->price_files, f->price_file_count,
                                  f->diagnostics);
}

static void folder_release(struct folder *f)
{
    catalogue_free(f->catalogue);
    struct diagnostics *d = diagnostics_new();
    assert_true(file_remove_tree(f->path, d));
    diagnostics_free(d);
    diagnostics_free(f->diagnostics);
    for (size_t i = 0; i < f->price_file_count; i++) {
        free(f->price_files[i]);
    }
}

/* Position of the first diagnostic of this kind that holds `part`, with its line; -1 = none. */
static int line_of(const struct diagnostics *d, enum diagnostic_kind wanted, const char *part)
{
    enum diagnostic_kind kind;
    struct place where;
    const char *text;
    for (size_t i = 0; (text = diagnostics_text(d, i, &kind, &where)); i++) {
        if (kind == wanted && strstr(text, part)) {
            return where.line;
        }
    }
    diagnostics_write((struct diagnostics *)d, stderr);
    return -1;
}

static void a_small_folder_loads(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, NULL, "", false);
    folder_load(&f);
    assert_non_null(f.catalogue);
    assert_null(diagnostics_text(f.diagnostics, 0, NULL, NULL));
    assert_int_equal(catalogue_types(f.catalogue), 3);
    assert_int_equal(catalogue_regions(f.catalogue), 2);
    assert_string_equal(catalogue_folder(f.catalogue), f.path);
    assert_int_equal(
        on_demand(f.catalogue, "x1.large", "us-one-1", "2024-12-31T23:59:59Z", "2026-01-01"),
        dollars(3.5));
    assert_int_equal(on_demand(f.catalogue, "x1.large", "us-one-1", "2026-01-01", "2026-01-01"),
                     dollars(3.0));
    assert_null(catalogue_on_demand_at(f.catalogue, "x1.large", "us-one-1", INT64_MIN, INT64_MIN));
    assert_null(catalogue_on_demand_at(f.catalogue, "x1.huge", "us-one-1", INT64_MAX, INT64_MAX));
    struct advisor_row a =
        catalogue_advisor(f.catalogue, "x1.large", "us-one-1", day("2025-02-01"));
    assert_int_equal(a.bucket, ADVISOR_5_10);
    folder_release(&f);
}

struct bad_row {
    const char *name, *file, *text;
    bool replace;
    const char *message;
    int line;
};

static const struct bad_row bad_rows[] = {
    {"duplicate accelerator", "accelerators.csv", "A,X,Y,1,,,,,,,,,,2020,s,\n", false,
     "accelerator 'A' is given twice; line 2 has it too", 3},
    {"accelerator without source", "accelerators.csv", "C,X,Y,1,,,,,,,,,,2020,,\n", false,
     "'source' is empty", 3},
    {"accelerator without memory", "accelerators.csv", "C,X,Y,0,,,,,,,,,,2020,s,\n", false,
     "'memory_gib' is '0'; expected a number above 0", 3},
    {"negative peak", "accelerators.csv", "C,X,Y,1,,-3,,,,,,,,2020,s,\n", false,
     "'fp64_tflops' is '-3'", 3},
    {"duplicate type", "instance_types.csv", "x1.large,A,2,40,8,64,10,no,,,2020,api,\n", false,
     "instance type 'x1.large' is given twice; line 2 has it too", 5},
    {"type without size", "instance_types.csv", "x1,A,2,40,8,64,10,no,,,2020,api,\n", false,
     "'x1' is not an instance type", 5},
    {"efa neither yes nor no", "instance_types.csv", "x2.a,A,2,40,8,64,10,maybe,,,2020,api,\n",
     false, "'efa' is 'maybe'; expected yes or no", 5},
    {"not a number", "instance_types.csv", "x2.a,A,two,40,8,64,10,no,,,2020,api,\n", false, "'two'",
     5},
    {"duplicate region", "regions.csv", "us-one-1,One,USD,-5,us-one-1a,2020,l\n", false,
     "region 'us-one-1' is given twice; line 2 has it too", 4},
    {"bad currency of a region", "regions.csv", "eu-a-1,A,euro,1,eu-a-1a,2020,l\n", false,
     "currency 'euro'; expected three letters", 4},
    {"offset beyond the date line", "regions.csv", "eu-a-1,A,EUR,15,eu-a-1a,2020,l\n", false,
     "'utc_offset_h' is '15'", 4},
    {"column missing", "regions.csv", "region,name\nus-one-1,One\n", true, "'currency'", 1},
    {"empty file", "regions.csv", "", true, "empty", 0},
    {"duplicate price", "prices_on_demand.csv",
     "us-one-1,x1.large,2025-01-01,3.1,USD,2025-01-01,a,\n", false,
     "the on-demand price of 'x1.large' in 'us-one-1' on 2025-01-01 is given twice; line 4 has it",
     5},
    {"unknown type", "prices_on_demand.csv", "us-one-1,x1.larg,2025-01-01,3,USD,2025-01-01,a,\n",
     false, "unknown instance type 'x1.larg'; did you mean 'x1.large'?", 5},
    {"unknown region", "prices_on_demand.csv",
     "us-one-1-lax-1,x1.large,2025-01-01,3,USD,2025-01-01,a,\n", false,
     "unknown region 'us-one-1-lax-1'", 5},
    {"price zero", "prices_on_demand.csv", "us-one-1,x1.huge,2025-01-01,0,USD,2025-01-01,a,\n",
     false, "'price_per_hour' is '0'; expected a price above 0", 5},
    {"price negative", "prices_on_demand.csv", "us-one-1,x1.huge,2025-01-01,-1,USD,2025-01-01,a,\n",
     false, "'price_per_hour' is '-1'; expected a price above 0", 5},
    {"price empty", "prices_on_demand.csv", "us-one-1,x1.huge,2025-01-01,,USD,2025-01-01,a,\n",
     false, "'price_per_hour' is empty; leave a row without a price out", 5},
    {"price absurd", "prices_on_demand.csv",
     "us-one-1,x1.huge,2025-01-01,1000000.01,USD,2025-01-01,a,\n", false,
     "expected at most a million an hour", 5},
    {"price not finite", "prices_on_demand.csv",
     "us-one-1,x1.huge,2025-01-01,nan,USD,2025-01-01,a,\n", false, "'nan' is not an amount", 5},
    {"price not available", "prices_on_demand.csv",
     "us-one-1,x1.huge,2025-01-01,N/A*,USD,2025-01-01,a,\n", false, "'N/A*' is not an amount", 5},
    {"currency of another region", "prices_on_demand.csv",
     "cn-two-1,x1.huge,2025-01-01,3,USD,2025-01-01,a,\n", false,
     "currency 'USD'; prices in 'cn-two-1' are in CNY", 5},
    {"bad date", "prices_on_demand.csv", "us-one-1,x1.huge,2025-02-30,3,USD,2025-01-01,a,\n", false,
     "'2025-02-30' is not a date", 5},
    {"time of day", "prices_on_demand.csv",
     "us-one-1,x1.huge,2025-02-03T01:00Z,3,USD,2025-03-01,a,\n", false,
     "the date '2025-02-03T01:00Z' has a time", 5},
    {"confirmed before known", "prices_on_demand.csv",
     "us-one-1,x1.huge,2025-02-03,3,USD,2025-02-02,a,\n", false,
     "'confirmed' is '2025-02-02'; expected no day before", 5},
    {"price without source", "prices_on_demand.csv",
     "us-one-1,x1.huge,2025-02-03,3,USD,2025-02-03,,\n", false, "'source' is empty", 5},
    {"not UTF-8", "prices_on_demand.csv", "us-one-1,x1.huge,2025-02-03,3,USD,2025-02-03,\xff,\n",
     false, "UTF-8", 5},
    {"ragged row", "prices_on_demand.csv", "us-one-1,x1.huge,2025-02-03,3\n", false, "8", 5},
    {"duplicate spot", "prices_spot.csv", "us-one-1,x1.large,2025-02-01,,,2,,USD,b\n", false,
     "the spot price of 'x1.large' in 'us-one-1' on 2025-02-01 is given twice; line 2 has it", 3},
    {"spot without any price", "prices_spot.csv", "us-one-1,x1.large,2025-02-02,,,,,USD,b\n", false,
     "no price; expected at least one of", 3},
    {"spot out of order", "prices_spot.csv", "us-one-1,x1.large,2025-02-02,,2,1.9,3,USD,b\n", false,
     "'mean_per_hour' is below the statistic before it", 3},
    {"spot zero", "prices_spot.csv", "us-one-1,x1.large,2025-02-02,,0,1.9,3,USD,b\n", false,
     "'min_per_hour' is '0'; expected a price above 0", 3},
    {"unknown bucket", "spot_advisor.csv", "us-one-1,x1.huge,2025-02-01,5-11%,c\n", false,
     "unknown bucket '5-11%'; did you mean '5-10%'?", 3},
    {"duplicate bucket", "spot_advisor.csv", "us-one-1,x1.large,2025-02-01,<5%,c\n", false,
     "the advisor bucket of 'x1.large' in 'us-one-1' on 2025-02-01 is given twice; line 2", 3},
};

static void a_bad_row_is_an_error_with_its_line(void **state)
{
    const struct bad_row *row = *state;
    struct folder f;
    folder_init(&f, row->file, row->text, row->replace);
    folder_load(&f);
    assert_null(f.catalogue);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_ERROR, row->message), row->line);
    assert_int_equal(diagnostics_exit_code(f.diagnostics), 2);
    folder_release(&f);
}

static void all_errors_are_told_at_once(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, "prices_on_demand.csv",
                "us-one-1,x1.huge,2025-02-03,0,USD,2025-02-03,a,\n"
                "us-none-1,x9.huge,2025-02-03,,USD,2025-02-03,a,\n",
                false);
    folder_add_layer(&f, "kind,region,instance_type,date,price_per_hour,currency\n"
                         "spott,us-one-1,x1.large,2025-02-03,1,USD\n");
    folder_load(&f);
    assert_null(f.catalogue);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_ERROR, "price above 0"), 5);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_ERROR, "'us-none-1'"), 6);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_ERROR, "'x9.huge'"), 6);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_ERROR, "'price_per_hour' is empty"), 6);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_ERROR, "did you mean 'spot'?"), 2);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_NOTE, f.path), 0);
    folder_release(&f);
}

/* ---- folders that are not one ----------------------------------------------------------- */

static void a_folder_without_a_file_is_refused(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, NULL, "", false);
    char path[PATH_SIZE + 40];
    snprintf(path, sizeof path, "%s/spot_advisor.csv", f.path);
    assert_int_equal(unlink(path), 0);
    folder_load(&f);
    assert_null(f.catalogue);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_ERROR, "does not hold 'spot_advisor.csv'"),
                     0);
    folder_release(&f);
}

static void the_environment_names_the_folder(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, NULL, "", false);
    assert_int_equal(setenv("FLEETCAST_CATALOGUE", f.path, 1), 0);
    struct catalogue *c = catalogue_load(NULL, NULL, 0, f.diagnostics);
    assert_non_null(c);
    assert_int_equal(catalogue_types(c), 3);
    catalogue_free(c);
    assert_int_equal(setenv("FLEETCAST_CATALOGUE", "/nowhere/at/all", 1), 0);
    assert_null(catalogue_load(NULL, NULL, 0, f.diagnostics));
    assert_int_equal(
        line_of(f.diagnostics, DIAGNOSTIC_ERROR, "'/nowhere/at/all' (from FLEETCAST_CATALOGUE)"),
        0);
    assert_int_equal(unsetenv("FLEETCAST_CATALOGUE"), 0);
    folder_release(&f);
}

/* ---- own layers --------------------------------------------------------------------------- */

static const char OWN_HEADER[] =
    "source,kind,currency,date,region,instance_type,price_per_hour,statistic\n";

/* Header and rows in one text, for folder_add_layer. */
static void add_own(struct folder *f, const char *rows)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s", OWN_HEADER, rows);
    folder_add_layer(f, text);
}

static void own_rows_win_and_say_so(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, NULL, "", false);
    add_own(&f, "contract,on-demand,USD,2025-01-01,us-one-1,x1.large,2.5,\n"
                ",on-demand,USD,2026-01-01,us-one-1,x1.huge,9,\n"
                "seen,spot,USD,2025-02-01,us-one-1,x1.large,1.1,mean\n"
                "seen,spot,USD,2025-03-01,us-one-1,x1.huge,4.4,\n");
    add_own(&f, "newer,on-demand,USD,2025-01-01,us-one-1,x1.large,2.25,\n");
    folder_load(&f);
    assert_non_null(f.catalogue);
    assert_null(diagnostics_text(f.diagnostics, 0, NULL, NULL));
    const struct dated_price *rows;
    assert_int_equal(catalogue_on_demand(f.catalogue, "x1.large", "us-one-1", &rows), 2);
    assert_int_equal(rows[0].per_hour, dollars(3.5)); /* untouched */
    assert_string_equal(rows[0].layer, "shipped");
    assert_int_equal(rows[1].per_hour, dollars(2.25)); /* the last layer's */
    assert_string_equal(rows[1].layer, f.price_files[1]);
    assert_string_equal(rows[1].source, "newer");
    assert_int_equal(rows[1].confirmed_unix_s, day("2025-01-01"));
    const struct dated_price *huge = catalogue_on_demand_at(f.catalogue, "x1.huge", "us-one-1",
                                                            day("2026-06-01"), day("2026-06-01"));
    assert_string_equal(huge->source, f.price_files[0]); /* no source given: the file itself */
    /* one statistic is replaced, the others stay */
    struct dated_price p;
    assert_true(
        catalogue_spot(f.catalogue, "x1.large", "us-one-1", NULL, SPOT_MEAN, INT64_MAX, &p));
    assert_int_equal(p.per_hour, dollars(1.1));
    assert_string_equal(p.layer, f.price_files[0]);
    assert_true(catalogue_spot(f.catalogue, "x1.large", "us-one-1", NULL, SPOT_MAX, INT64_MAX, &p));
    assert_int_equal(p.per_hour, dollars(1.5));
    assert_string_equal(p.layer, "shipped");
    /* no statistic: all three */
    for (int s = 0; s < SPOT_STATISTIC_COUNT; s++) {
        assert_true(catalogue_spot(f.catalogue, "x1.huge", "us-one-1", NULL, (enum spot_statistic)s,
                                   INT64_MAX, &p));
        assert_int_equal(p.per_hour, dollars(4.4));
    }
    folder_release(&f);
}

#define ADVICE_HEADER                                                                              \
    "kind,region,instance_type,date,price_per_hour,currency,statistic,bucket,savings_frac\n"

static void own_buckets_win_and_say_so(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, NULL, "", false);
    folder_add_layer(&f, ADVICE_HEADER "advisor,us-one-1,x1.large,2031-01-01,,,,15-20%,0.5\n"
                                       "advisor,us-one-1,x1.large,2031-02-01,,,,10-15%,\n");
    folder_add_layer(&f, ADVICE_HEADER "advisor,us-one-1,x1.large,2031-01-01,,,,>20%,1\n");
    folder_load(&f);
    assert_non_null(f.catalogue);
    struct advisor_row a =
        catalogue_advisor(f.catalogue, "x1.large", "us-one-1", day("2030-12-31"));
    assert_string_equal(a.layer, "shipped");
    assert_true(a.savings_frac < 0.0);
    a = catalogue_advisor(f.catalogue, "x1.large", "us-one-1", day("2031-01-31"));
    assert_int_equal(a.bucket, ADVISOR_ABOVE_20);
    assert_string_equal(a.layer, f.price_files[1]);
    assert_true(a.savings_frac == 1.0);
    a = catalogue_advisor(f.catalogue, "x1.large", "us-one-1", day("2031-02-01"));
    assert_int_equal(a.bucket, ADVISOR_10_15);
    assert_string_equal(a.layer, f.price_files[0]);
    assert_true(a.savings_frac < 0.0);
    /* the second layer's row is ended by the first's */
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_WARNING, "this advisor bucket of"), 2);
    folder_release(&f);
}

static void a_bad_own_bucket_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *row, *text;
    } cases[] = {
        {"advisor,us-one-1,x1.large,2025-01-01,1,,,<5%,\n", "an advisor bucket has no price"},
        {"advisor,us-one-1,x1.large,2025-01-01,,USD,,<5%,\n", "and no currency"},
        {"advisor,us-one-1,x1.large,2025-01-01,,,,5%,\n", "unknown bucket '5%'"},
        {"advisor,us-one-1,x1.large,2025-01-01,,,,,\n", "unknown bucket ''"},
        {"advisor,us-one-1,x1.large,2025-01-01,,,,<5%,1.5\n",
         "savings_frac '1.5'; expected a share"},
        {"advisor,us-one-1,x1.large,2025-01-01,,,,<5%,-0\n", "savings_frac '-0'; expected a share"},
        {"advisor,us-one-1,x1.large,2025-01-01,,,mean,<5%,\n",
         "statistic 'mean' of an advisor bucket; expected none"},
        {"advisor,us-one-1,x1.large,2025-01-01,,,,<5%,\n"
         "advisor,us-one-1,x1.large,2025-01-01,,,,>20%,\n",
         "the advisor bucket of 'x1.large' in 'us-one-1' on 2025-01-01 is given twice"},
        {"on-demand,us-one-1,x1.large,2025-01-01,1,USD,,<5%,\n", "belong to advisor rows alone"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[500];
        struct folder f;
        folder_init(&f, NULL, "", false);
        snprintf(text, sizeof text, "%s%s", ADVICE_HEADER, cases[i].row);
        folder_add_layer(&f, text);
        folder_load(&f);
        assert_null(f.catalogue);
        assert_true(line_of(f.diagnostics, DIAGNOSTIC_ERROR, cases[i].text) >= 2);
        folder_release(&f);
    }
}

static void own_layers_change_the_hash(void **state)
{
    (void)state;
    struct folder plain, own;
    folder_init(&plain, NULL, "", false);
    folder_load(&plain);
    folder_init(&own, NULL, "", false);
    add_own(&own, "");
    folder_load(&own);
    assert_non_null(own.catalogue);
    assert_true(catalogue_hash(plain.catalogue) != catalogue_hash(own.catalogue));
    folder_release(&plain);
    folder_release(&own);
}

static const struct bad_row bad_own_rows[] = {
    {"own: unknown kind", NULL, ",blocks,USD,2025-01-01,us-one-1,x1.large,1,\n", false,
     "unknown kind 'blocks'; expected on-demand, spot, reserved, savings-plan or advisor", 2},
    {"own: unknown type", NULL, ",spot,USD,2025-01-01,us-one-1,x1.lage,1,\n", false,
     "unknown instance type 'x1.lage'; did you mean 'x1.large'?", 2},
    {"own: unknown region", NULL, ",spot,USD,2025-01-01,us-one-2,x1.large,1,\n", false,
     "unknown region 'us-one-2'; did you mean 'us-one-1'?", 2},
    {"own: price zero", NULL, ",on-demand,USD,2025-01-01,us-one-1,x1.large,0,\n", false,
     "expected a price above 0", 2},
    {"own: wrong currency", NULL, ",on-demand,USD,2025-01-01,cn-two-1,x1.large,1,\n", false,
     "prices in 'cn-two-1' are in CNY", 2},
    {"own: statistic of on-demand", NULL, ",on-demand,USD,2025-01-01,us-one-1,x1.large,1,mean\n",
     false, "statistic 'mean' of an on-demand price; expected none", 2},
    {"own: unknown statistic", NULL, ",spot,USD,2025-01-01,us-one-1,x1.large,1,median\n", false,
     "unknown statistic 'median'", 2},
    {"own: twice", NULL,
     ",on-demand,USD,2025-01-01,us-one-1,x1.large,1,\n"
     ",on-demand,USD,2025-01-02,us-one-1,x1.large,1,\n"
     ",on-demand,USD,2025-01-01,us-one-1,x1.large,2,\n",
     false,
     "the on-demand price of 'x1.large' in 'us-one-1' on 2025-01-01 is given twice; line 2 has it "
     "too",
     4},
    {"own: one of three twice", NULL,
     ",spot,USD,2025-01-01,us-one-1,x1.large,1,\n"
     ",spot,USD,2025-01-01,us-one-1,x1.large,2,mean\n",
     false, "the spot price of 'x1.large' in 'us-one-1' on 2025-01-01 is given twice; line 2", 3},
};

static void a_bad_own_row_is_an_error_with_its_line(void **state)
{
    const struct bad_row *row = *state;
    struct folder f;
    folder_init(&f, NULL, "", false);
    add_own(&f, row->text);
    folder_load(&f);
    assert_null(f.catalogue);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_ERROR, row->message), row->line);
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_ERROR), 1);
    assert_int_equal(diagnostics_exit_code(f.diagnostics), 2);
    folder_release(&f);
}

/* Different statistics of one day are not the same key. */
static void statistics_stand_beside_each_other(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, NULL, "", false);
    add_own(&f, ",spot,USD,2025-05-01,us-one-1,x1.large,1.0,min\n"
                ",spot,USD,2025-05-01,us-one-1,x1.large,2.0,max\n"
                ",on-demand,USD,2025-05-01,us-one-1,x1.large,2.9,\n");
    folder_load(&f);
    assert_non_null(f.catalogue);
    assert_null(diagnostics_text(f.diagnostics, 0, NULL, NULL));
    folder_release(&f);
}

static void a_price_file_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, NULL, "", false);
    folder_name_layer(&f);
    folder_load(&f);
    assert_null(f.catalogue);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_ERROR, "own1.csv"), 0);
    folder_release(&f);
}

/* ---- warnings -------------------------------------------------------------------------------- */

static void spot_above_on_demand_is_a_warning(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, "prices_spot.csv",
                "us-one-1,x1.large,2024-06-01,,3.6,3.7,3.8,USD,b\n"       /* above 3.5 */
                "us-one-1,x1.large,2025-06-01,,1,3.00004,3.00005,USD,b\n" /* rounding of 3.0 */
                "us-one-1,x1.large,2025-07-01,,3,3,3,USD,b\n"             /* at the cap */
                "us-one-1,x1.large,2023-06-01,,90,90,90,USD,b\n"          /* no price to compare */
                "us-one-1,x1.huge,2025-07-01,,90,90,90,USD,b\n",
                false);
    folder_load(&f);
    assert_non_null(f.catalogue);
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_WARNING), 1);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_WARNING,
                             "the max spot price of 'x1.large' in 'us-one-1' on 2024-06-01, 3.80, "
                             "is above the on-demand price known then, 3.50 since 2024-01-01"),
                     3);
    folder_release(&f);
}

static void own_spot_above_own_on_demand_is_a_warning(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, NULL, "", false);
    add_own(&f, ",on-demand,USD,2025-01-01,us-one-1,x1.large,0.44,\n"
                ",spot,USD,2025-02-01,us-one-1,x1.large,0.49,\n");
    folder_load(&f);
    assert_non_null(f.catalogue);
    assert_int_equal(line_of(f.diagnostics, DIAGNOSTIC_WARNING, "0.49"), 3);
    folder_release(&f);
}

static void an_own_row_that_ends_early_is_a_warning(void **state)
{
    (void)state;
    struct folder f;
    folder_init(&f, NULL, "", false);
    add_own(&f, ",on-demand,USD,2024-06-01,us-one-1,x1.large,2,\n"
                ",spot,USD,2025-01-15,us-one-1,x1.large,1,\n"
                ",on-demand,USD,2024-06-01,us-one-1,x1.huge,2,\n");
    folder_load(&f);
    assert_non_null(f.catalogue);
    assert_int_equal(diagnostics_count(f.diagnostics, DIAGNOSTIC_WARNING), 1);
    assert_int_equal(
        line_of(f.diagnostics, DIAGNOSTIC_WARNING,
                "this on-demand price of 'x1.large' in 'us-one-1' holds from 2024-06-01 only to "
                "2025-01-01, when a newer row of 'shipped' follows; date it on or after that day "
                "to replace the newer row (as for other rows of this file)"),
        2);
    folder_release(&f);
}

/* ---- all together ------------------------------------------------------------------------------
 */

enum {
    BAD_ROWS = sizeof bad_rows / sizeof bad_rows[0],
    BAD_OWN_ROWS = sizeof bad_own_rows / sizeof bad_own_rows[0]
};

static int run_shipped(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_price_cut_of_june_2025_is_visible),
        cmocka_unit_test(a_price_that_did_not_change_is_one_row),
        cmocka_unit_test(before_the_first_row_there_is_no_price),
        cmocka_unit_test(a_missing_price_is_explained),
        cmocka_unit_test(china_is_in_yuan),
        cmocka_unit_test(regions_keep_standard_time_and_first_zone),
        cmocka_unit_test(spot_has_named_statistics),
        cmocka_unit_test(advisor_buckets_move),
        cmocka_unit_test(all_families_are_there),
        cmocka_unit_test(hardware_of_known_types),
        cmocka_unit_test(types_and_accelerators_agree),
        cmocka_unit_test(prices_stay_within_their_family_band),
        cmocka_unit_test(every_price_row_is_dated_sourced_and_in_order),
        cmocka_unit_test(regions_are_covered),
        cmocka_unit_test(the_folder_and_hash_are_stable),
    };
    return cmocka_run_group_tests_name("catalogue as shipped", tests, load_shipped, free_shipped);
}

static int run_small(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_folder_loads),
        cmocka_unit_test(all_errors_are_told_at_once),
        cmocka_unit_test(a_folder_without_a_file_is_refused),
        cmocka_unit_test(the_environment_names_the_folder),
        cmocka_unit_test(own_rows_win_and_say_so),
        cmocka_unit_test(own_layers_change_the_hash),
        cmocka_unit_test(own_buckets_win_and_say_so),
        cmocka_unit_test(a_bad_own_bucket_is_an_error),
        cmocka_unit_test(statistics_stand_beside_each_other),
        cmocka_unit_test(a_price_file_that_is_not_there_is_an_error),
        cmocka_unit_test(spot_above_on_demand_is_a_warning),
        cmocka_unit_test(own_spot_above_own_on_demand_is_a_warning),
        cmocka_unit_test(an_own_row_that_ends_early_is_a_warning),
    };
    return cmocka_run_group_tests_name("catalogue of our own", tests, NULL, NULL);
}

static int run_bad_rows(void)
{
    struct CMUnitTest tests[BAD_ROWS + BAD_OWN_ROWS];
    for (size_t i = 0; i < BAD_ROWS; i++) {
        tests[i] = (struct CMUnitTest){bad_rows[i].name, a_bad_row_is_an_error_with_its_line, NULL,
                                       NULL, (void *)&bad_rows[i]};
    }
    for (size_t i = 0; i < BAD_OWN_ROWS; i++) {
        tests[BAD_ROWS + i] =
            (struct CMUnitTest){bad_own_rows[i].name, a_bad_own_row_is_an_error_with_its_line, NULL,
                                NULL, (void *)&bad_own_rows[i]};
    }
    return _cmocka_run_group_tests("catalogue's errors", tests, BAD_ROWS + BAD_OWN_ROWS, NULL,
                                   NULL);
}

int main(void)
{
    unsetenv("FLEETCAST_CATALOGUE");
    return run_shipped() + run_small() + run_bad_rows();
}
