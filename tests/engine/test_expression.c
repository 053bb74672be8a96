/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/expression.h"
#include "engine/expression_sample.h"
#include "engine/file.h"
#include "engine/gsl_errors.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT  DIMENSION_COUNT
#define SHARE  DIMENSION_SHARE
#define TIME   DIMENSION_TIME
#define SPAN   DIMENSION_SPAN
#define DATA   DIMENSION_DATA
#define RATE   DIMENSION_RATE
#define HAZARD DIMENSION_HAZARD
#define MONEY  DIMENSION_MONEY
#define PRICE  DIMENSION_PRICE

/* A context with memory, a folder for CSV files and room for messages. */
struct bench {
    struct arena *arena;
    char folder[64], message[600], warning[400];
    struct expression_context c;
};

static struct bench *bench_new(enum dimension dimension)
{
    struct bench *b = calloc(1, sizeof(*b));

    strcpy(b->folder, "/tmp/fleetcast-test-XXXXXX");
    b->arena = arena_new((size_t)64 << 20);
    b->c = (struct expression_context){.arena = b->arena,
                                       .inputs = inputs_new(b->arena),
                                       .name = "workloads.x.key",
                                       .dimension = dimension,
                                       .low = -HUGE_VAL,
                                       .high = HUGE_VAL,
                                       .currency = "USD",
                                       .base_folder = b->folder,
                                       .message = b->message,
                                       .message_size = sizeof(b->message),
                                       .warning = b->warning,
                                       .warning_size = sizeof(b->warning)};
    if (dimension == SHARE) {
        b->c.low = 0;
        b->c.high = 1;
    }
    return b;
}

static void bench_free(struct bench *b)
{
    struct diagnostics *d = diagnostics_new();

    if (strstr(b->folder, "XXXXXX") == NULL)
        file_remove_tree(b->folder, d);
    diagnostics_free(d);
    arena_free(b->arena);
    free(b);
}

/* ---- numbers ----------------------------------------------------------------------------------
 */

/* Quantiles at 5, 50 and 95 %; a certain value is all three. Worked out by hand or as noted. */
struct good {
    const char *text;
    enum dimension dimension;
    double p5, p50, p95;
    const char *unit;
};

static struct good goods[] = {
    {"5", COUNT, 5, 5, 5, NULL},
    {"2.5k", COUNT, 2500, 2500, 2500, NULL},
    {" 90s ", TIME, 90, 90, 90, NULL},
    {"12 %", SHARE, 0.12, 0.12, 0.12, NULL},
    {"14h", HAZARD, 1.0 / 50400, 1.0 / 50400, 1.0 / 50400, NULL},
    {"60d", SPAN, 5184000, 5184000, 5184000, NULL},
    /* months of 365.2425 / 12 days; number.months has what is certain */
    {"3mo", SPAN, 7889238, 7889238, 7889238, NULL},
    {"2mo..8mo", SPAN, 5259492, 10518984, 21037968, "s"},
    /* both ends positive: lognormal, its median the geometric mean */
    {"5..9", COUNT, 5, 6.70820393249937, 9, ""},
    {"5 .. 9", COUNT, 5, 6.70820393249937, 9, ""},
    {"60..90s", TIME, 60, 73.4846922834953, 90, "s"},
    {"60s..90s", TIME, 60, 73.4846922834953, 90, "s"},
    {"60s .. 1.5min", TIME, 60, 73.4846922834953, 90, "s"},
    {"5..9 GB", DATA, 5e9, 6.70820393249937e9, 9e9, "bytes"},
    {"1..4 /h", RATE, 1.0 / 3600, 2.0 / 3600, 4.0 / 3600, "per_s"},
    {"2..8 USD", MONEY, 2, 4, 8, "usd"},
    {"2 USD..8 USD", MONEY, 2, 4, 8, "usd"},
    {"$2..$8", MONEY, 2, 4, 8, "usd"},
    {"2..8 USD/h", PRICE, 2, 4, 8, "usd_per_hour"},
    {"$2..$8/h", PRICE, 2, 4, 8, "usd_per_hour"},
    {"$2..$8", MONEY, 2, 4, 8, "usd"},
    {"5 USD..20k USD", MONEY, 5, 316.22776601683796, 20000, "usd"},
    {"2..$8/h", PRICE, 2, 4, 8, "usd_per_hour"},
    {"1k..4k", COUNT, 1000, 2000, 4000, ""},
    {"500..2000", COUNT, 500, 1000, 2000, ""},
    {"2k USD..8k USD", MONEY, 2000, 4000, 8000, "usd"},
    {"2..8 MXN", MONEY, 2, 4, 8, "usd"}, /* M of a currency is no million; see below for USD */
    /* not both positive: normal */
    {"-5..5", COUNT, -5, 0, 5, ""},
    {"-9..-1", COUNT, -9, -5, -1, ""},
    /* a share: logit-normal, logit of the median the mean of the logits */
    {"34..46 %", SHARE, 0.34, 0.39847617510901084, 0.46, "frac"},
    {"0.34..0.46", SHARE, 0.34, 0.39847617510901084, 0.46, "frac"},
    {"34 %..46 %", SHARE, 0.34, 0.39847617510901084, 0.46, "frac"},
    {"20..80%", SHARE, 0.2, 0.5, 0.8, "frac"},
    /* mean times between events: reciprocal ends */
    {"10h..40h", HAZARD, 1.0 / 144000, 1.0 / 72000, 1.0 / 36000, "per_s"},
    {"10..40h", HAZARD, 1.0 / 144000, 1.0 / 72000, 1.0 / 36000, "per_s"},
    {"0.1..0.4/h", HAZARD, 0.1 / 3600, 0.2 / 3600, 0.4 / 3600, "per_s"},
    /* no width: certain */
    {"5..5", COUNT, 5, 5, 5, NULL},
    {"1min..60s", TIME, 60, 60, 60, NULL},
    {"uniform(2, 2)", COUNT, 2, 2, 2, NULL},
    {"normal(2, 0)", COUNT, 2, 2, 2, NULL},
    {"gamma(2, 0)", COUNT, 2, 2, 2, NULL},
    {"lognormal(p50=2, p95=2)", COUNT, 2, 2, 2, NULL},
    {"triangular(2, 2, 2)", COUNT, 2, 2, 2, NULL},
    /* families */
    {"uniform(10, 20)", COUNT, 10.5, 15, 19.5, ""},
    {"uniform(10; 20)", COUNT, 10.5, 15, 19.5, ""},
    {"uniform( 10 ;20 )", COUNT, 10.5, 15, 19.5, ""},
    {"uniform (10, 20)", COUNT, 10.5, 15, 19.5, ""},
    {"uniform(high=20, low=10)", COUNT, 10.5, 15, 19.5, ""},
    {"uniform(10, high = 20)", COUNT, 10.5, 15, 19.5, ""},
    {"uniform(60s, 2min)", TIME, 63, 90, 117, "s"},
    {"uniform(1 USD; 3 USD)", MONEY, 1.1, 2, 2.9, "usd"},
    {"uniform(10 %; 20 %)", SHARE, 0.105, 0.15, 0.195, "frac"},
    /* 1.6448536 standard deviations */
    {"normal(100, 10)", COUNT, 83.5514637, 100, 116.4485363, ""},
    {"normal(mean=100; sd=10)", COUNT, 83.5514637, 100, 116.4485363, ""},
    {"normal(10min, 1min)", TIME, 501.308782, 600, 698.691218, "s"},
    {"lognormal(p50=100, p95=400)", COUNT, 25, 100, 400, ""},
    {"lognormal(p95=400s; p50=100s)", TIME, 25, 100, 400, "s"},
    /* triangular(0, 0, 10): F = 1 - (1 - x/10)^2 */
    {"triangular(0, 0, 10)", COUNT, 0.253205655, 2.928932188, 7.763932023, ""},
    /* -ln(1 - u) of the mean */
    {"exponential(10)", COUNT, 0.5129329439, 6.931471806, 29.95732274, ""},
    {"exponential(mean=10s)", TIME, 0.5129329439, 6.931471806, 29.95732274, "s"},
    {"exponential(0.1/h)", HAZARD, 0.05129329439e-1 / 3600, 0.6931471806e-1 / 3600,
     2.995732274e-1 / 3600, "per_s"},
    {"gamma(10, 1)", COUNT, 0.5129329439, 6.931471806, 29.95732274, ""}, /* = exponential */
    {"weibull(1, 10)", COUNT, 0.5129329439, 6.931471806, 29.95732274, ""},
    {"weibull(2, 10s)", TIME, 2.264802301, 8.325546112, 17.30818383, "s"}, /* roots of the above */
    {"poisson(3)", COUNT, 1, 3, 6, ""}, /* cdf 0.0498 0.199 0.423 0.647 0.815 0.916 0.966 */
};

static void is_read(void **state)
{
    const struct good *row = *state;
    struct bench *b = bench_new(row->dimension);
    struct number n;

    if (strstr(row->text, "MXN") != NULL)
        b->c.currency = "MXN";
    if (!expression_number(row->text, &b->c, &n))
        fail_msg("'%s': %s", row->text, b->message);
    assert_string_equal(b->warning, "");
    assert_true(n.given);
    assert_int_equal(n.word, -1);
    assert_relative(n.median, row->p50, 1e-8, "median");
    if (row->unit == NULL) {
        assert_int_equal(n.input, -1);
        assert_int_equal(inputs_count(b->c.inputs), 0);
        assert_relative(n.median, row->p50, 1e-15, "certain value");
    } else {
        const struct input *in;
        assert_int_equal(n.input, 0);
        assert_int_equal(inputs_count(b->c.inputs), 1);
        in = inputs_at(b->c.inputs, 0);
        assert_string_equal(in->name, "workloads.x.key");
        assert_string_equal(in->unit, strstr(row->text, "MXN") != NULL ? "mxn" : row->unit);
        assert_relative(distribution_quantile(&in->distribution, 0.05), row->p5, 1e-8, "P5");
        assert_relative(distribution_quantile(&in->distribution, 0.5), row->p50, 1e-8, "P50");
        assert_relative(distribution_quantile(&in->distribution, 0.95), row->p95, 1e-8, "P95");
    }
    bench_free(b);
}

/* ---- what is refused --------------------------------------------------------------------------
 */

struct bad {
    const char *text;
    enum dimension dimension;
    const char *message; /* the beginning of it */
};

static struct bad bads[] = {
    {"", COUNT, "nothing where a number"},
    {"90", TIME, "a bare number where a duration is wanted"},
    {"-5s", TIME, "a duration cannot be negative"},
    {"3mo", TIME, "unknown unit 'mo'; months have no fixed length"},
    {"3mo..1.5y", SPAN, "years are counted whole"},
    {"5 CNY", MONEY, "an amount in CNY in a scenario that counts in USD"},
    {"2..5 CNY", MONEY, "an amount in CNY in a scenario that counts in USD"},
    {"uniform(1 CNY; 2 USD)", MONEY, "argument 'low' of uniform: an amount in CNY"},
    {"1.5", SHARE, "'1.5' is above 100 %; for 1.5 percent write '1.5 %'"},
    {"150 %", SHARE, "'150 %' is above 100 %, the most that is legal"},
    {"-1 %", SHARE, "'-1 %' is below 0 %, the least that is legal"},
    {"1/0", COUNT, "'/0' follows the number"},
    /* intervals */
    {"5-9", COUNT, "'5-9' is no value; an interval is written a..b, as in 5..9"},
    {"5s - 9s", TIME, "'5s - 9s' is no value"},
    {"5 – 9 GB", DATA, "'5 – 9 GB' is no value"},
    {"5…9", COUNT, "'5…9' is no value"},
    {"5 to 9", COUNT, "'5 to 9' is no value"},
    {"5-", COUNT, "unknown unit '-'"},
    {"9..5", COUNT, "'9' is above '5'; swap the ends"},
    {"9..5 GB", DATA, "'9GB' is above '5 GB'; swap the ends"},
    {"20h..10h", HAZARD, "'20h' is above '10h'; swap the ends"},
    {"..5", COUNT, "'..5' lacks an end; an interval is written a..b"},
    {"5..", COUNT, "'5..' lacks an end"},
    {"..", COUNT, "'..' lacks an end"},
    {"5...9", COUNT, "'5...9' has too many points"},
    {"5..7..9", COUNT, "'5..7..9' has too many points"},
    {"5..x", COUNT, "'x' where a number"},
    {"5..9", TIME, "a bare number where a duration"},
    {"5s..9", TIME, "a bare number where a duration"},
    {"5..7B", COUNT, "'B' in '7B' may be meant for '5' too or not; write it at both ends"},
    {"5k..9000", COUNT, "'5k' has a unit and '9000' has none: write it at both ends"},
    {"5..9k USD", MONEY, "'k' in '9k USD' may be meant for '5' too or not"},
    {"5..9kUSD", MONEY, "'k' in '9kUSD' may be meant"},
    {"$5..$9k", MONEY, "'k' in"},
    {"5..9k/s", RATE, "'k' in '9k/s' may be meant"},
    {"34 %..0.46", SHARE, "'34 %' has a unit and '0.46' has none"},
    {"40..120 %", SHARE, "'120 %' is above 100 %, the most that is legal"},
    {"0.1/h..14h", HAZARD, "an interval from a rate to a mean time"},
    {"14h..0.1/h", HAZARD, "an interval from a rate to a mean time"},
    {"0h..5h", HAZARD, "a mean time between events must be above zero"},
    {"5..1e999", COUNT, "'1e999' is a number too large"},
    /* calls */
    {"unifrm(1, 2)", COUNT, "unknown distribution 'unifrm'; did you mean 'uniform'?"},
    {"cauchy(1, 2)", COUNT, "unknown distribution 'cauchy'; there are uniform, normal"},
    {"Normal(1, 2)", COUNT, "unknown distribution 'Normal'; did you mean 'normal'?"},
    {"normal", COUNT, "normal needs arguments: write normal(mean; sd)"},
    {"normal()", COUNT, "argument 'mean' of normal is missing; write normal(mean; sd)"},
    {"normal( )", COUNT, "argument 'mean' of normal is missing"},
    {"normal(1)", COUNT, "argument 'sd' of normal is missing"},
    {"normal(sd=1)", COUNT, "argument 'mean' of normal is missing"},
    {"normal(1, 2, 3)", COUNT, "too many arguments for normal; write normal(mean; sd)"},
    {"normal(1, )", COUNT, "argument 'sd' of normal is empty"},
    {"normal(, 1)", COUNT, "argument 'mean' of normal is empty"},
    {"normal(1, sd=)", COUNT, "argument 'sd' of normal is empty"},
    {"normal(1, 2", COUNT,
     "the parenthesis of 'normal(1, 2' is not closed; inside {} YAML ends a "
     "value at a comma: write ';' between the arguments"},
    {"uniform(60s", TIME, "the parenthesis of 'uniform(60s' is not closed; inside {}"},
    {"normal(1, 2) x", COUNT, "'x' follows the closing parenthesis"},
    {"normal(1, 2))", COUNT, "')' follows the closing parenthesis"},
    {"normal(mean=1, mean=2)", COUNT, "argument 'mean' of normal is given twice"},
    {"normal(1, mean=2)", COUNT, "argument 'mean' of normal is given twice"},
    {"normal(mean=1, 2)", COUNT, "an argument without a name behind a named one"},
    {"normal(1, std=2)", COUNT, "unknown argument 'std' of normal; did you mean 'sd'?"},
    {"normal(1, variance=2)", COUNT,
     "unknown argument 'variance' of normal; write normal(mean; sd)"},
    {"lognormal(5, 9)", COUNT, "the arguments of lognormal are named: write lognormal(p50="},
    {"normal(1, -2)", COUNT, "argument 'sd' of normal: '-2' is below 0"},
    {"normal(1, 2)", TIME, "argument 'mean' of normal: a bare number where a duration"},
    {"normal(1s, 20 %)", TIME, "argument 'sd' of normal: unknown unit '%'"},
    {"normal(1s; 5..9s)", TIME, "argument 'sd' of normal: '5..9s' is uncertain where one certain"},
    {"normal(1s; uniform(1s; 2s))", TIME,
     "argument 'sd' of normal: 'uniform(1s; 2s)' is uncertain"},
    {"uniform(2, 1)", COUNT, "'low' of uniform is above 'high'; swap them"},
    {"triangular(1, 5, 3)", COUNT, "'mode' of triangular is above 'high'; swap them"},
    {"triangular(3, 2, 5)", COUNT, "'low' of triangular is above 'mode'; swap them"},
    {"lognormal(p50=3, p95=2)", COUNT, "'p50' of lognormal is above 'p95'; swap them"},
    {"lognormal(p50=0, p95=2)", COUNT, "argument 'p50' of lognormal must be above zero"},
    {"exponential(0)", COUNT, "argument 'mean' of exponential must be above zero"},
    {"exponential(-1)", COUNT, "argument 'mean' of exponential: '-1' is below 0"},
    {"gamma(1, -1)", COUNT, "argument 'cv' of gamma: '-1' is below 0"},
    {"gamma(1s, 1s)", TIME, "argument 'cv' of gamma: unknown unit 's'"},
    {"weibull(0, 1)", COUNT, "argument 'shape' of weibull must be above zero"},
    {"poisson(0)", COUNT, "argument 'mean' of poisson must be above zero"},
    {"poisson(3s)", TIME, "poisson counts things; here a duration such as"},
    {"exponential(14h)", HAZARD,
     "argument 'mean' of exponential: a time inside the distribution of "
     "a rate; write it as a rate, such as 0.2/h"},
    {"uniform(10h; 20h)", HAZARD, "argument 'low' of uniform: a time inside"},
    {"empirical(absent.csv, x)", COUNT, "cannot open '"},
    {"empirical(a.csv)", COUNT, "argument 'column' of empirical is missing"},
    /* beyond double precision: the P99.9999 of the first is 1e1400 */
    {"lognormal(p50=1, p95=1e300)", COUNT,
     "the distribution has values beyond what can be computed"},
    {"weibull(0.001, 1)", COUNT, "the distribution has values beyond what can be computed"},
    /* more than 20 % outside */
    {"normal(0.5, 2)", SHARE,
     "80.3 % of the distribution lies outside what is legal, 0 % to 100 %"},
    {"uniform(0.5, 1.5)", SHARE, "50 % of the distribution lies outside what is legal"},
    {"exponential(90 %)", SHARE, "32.9 % of the distribution lies outside"},
};

static void is_refused(void **state)
{
    const struct bad *row = *state;
    struct bench *b = bench_new(row->dimension);
    struct number n;
    struct variate v;

    if (expression_number(row->text, &b->c, &n))
        fail_msg("'%s' was read", row->text);
    if (strncmp(b->message, row->message, strlen(row->message)) != 0)
        fail_msg("'%s': %s", row->text, b->message);
    assert_int_equal(n.input, -1);
    assert_int_equal(inputs_count(b->c.inputs), 0);
    if (strstr(row->message, "is uncertain") == NULL) { /* legal there */
        assert_false(expression_variate(row->text, &b->c, &v));
        if (strncmp(b->message, row->message, strlen(row->message)) != 0)
            fail_msg("as variate '%s': %s", row->text, b->message);
    }
    bench_free(b);
}

/* ---- ranges -----------------------------------------------------------------------------------
 */

static void range_is_said_in_the_unit_of_the_key(void **state)
{
    struct bench *b = bench_new(TIME);
    struct number n;

    (void)state;
    b->c.low = 60;
    b->c.high = 7200;
    assert_true(expression_number("60s", &b->c, &n));
    assert_true(expression_number("2h", &b->c, &n));
    assert_false(expression_number("59s", &b->c, &n));
    assert_string_equal(b->message, "'59s' is below 1 min, the least that is legal");
    assert_false(expression_number("3h", &b->c, &n));
    assert_string_equal(b->message, "'3h' is above 2 h, the most that is legal");
    assert_false(expression_number("50..90s", &b->c, &n));
    assert_string_equal(b->message, "'50s' is below 1 min, the least that is legal");
    assert_false(expression_number("uniform(0s; 200s)", &b->c, &n));
    assert_string_equal(b->message,
                        "30 % of the distribution lies outside what is legal, 1 min to 2 h");
    bench_free(b);
}

static void what_is_cut_off_is_warned(void **state)
{
    struct bench *b = bench_new(TIME); /* a duration is never negative, without any range */
    struct number n;
    const struct distribution *d;

    (void)state;
    assert_true(expression_number("normal(3min, 2min)", &b->c, &n)); /* Phi(-1.5) = 0.0668 */
    assert_string_equal(b->warning,
                        "6.7 % of the distribution lies outside what is legal, at least "
                        "0 s, and is cut off");
    d = &inputs_at(b->c.inputs, 0)->distribution;
    assert_true(distribution_quantile(d, 1e-9) >= 0);
    assert_true(n.median > 180); /* the median of what is left */
    b->c.name = "other";
    assert_true(expression_number("normal(8min, 2min)", &b->c, &n)); /* 3e-5: silent */
    assert_string_equal(b->warning, "");
    bench_free(b);
}

static void hostile_buffers_are_kept(void **state)
{
    struct bench *b = bench_new(TIME);
    struct number n;

    (void)state;
    b->c.message_size = 8;
    b->message[8] = 'x';
    b->c.warning = NULL;
    assert_false(expression_number("5 parsecs", &b->c, &n));
    assert_int_equal(strlen(b->message), 7);
    assert_int_equal(b->message[8], 'x');
    assert_true(expression_number("normal(3min, 2min)", &b->c, &n));
    bench_free(b);
}

static void a_name_is_taken_once(void **state)
{
    struct bench *b = bench_new(COUNT);
    struct number n;

    (void)state;
    assert_true(expression_number("5..9", &b->c, &n));
    assert_false(expression_number("5..9", &b->c, &n));
    assert_string_equal(b->message, "'workloads.x.key' is an uncertain number already");
    bench_free(b);
}

/* ---- variates ---------------------------------------------------------------------------------
 */

static void a_variate_may_have_uncertain_arguments(void **state)
{
    struct bench *b = bench_new(TIME);
    struct variate v;
    struct distribution d;
    double drawn[2] = {300, 20};

    (void)state;
    assert_true(expression_variate("normal(60..240s; uniform(10s; 30s))", &b->c, &v));
    assert_true(v.given);
    assert_int_equal(inputs_count(b->c.inputs), 2);
    assert_string_equal(inputs_at(b->c.inputs, 0)->name, "workloads.x.key.mean");
    assert_string_equal(inputs_at(b->c.inputs, 1)->name, "workloads.x.key.sd");
    assert_string_equal(inputs_at(b->c.inputs, 1)->unit, "s");
    assert_relative(variate_planned_mean(&v), 120, 1e-6, "mean at the medians"); /* sqrt(60 240) */
    assert_true(variate_resolve(&v, drawn, &d));
    assert_relative(distribution_quantile(&d, 0.5), 300, 1e-9, "median of this world");
    assert_relative(distribution_quantile(&d, 0.95), 300 + 20 * 1.6448536269514722, 1e-9, "P95");
    bench_free(b);
}

static void a_variate_may_be_plain(void **state)
{
    struct bench *b = bench_new(TIME);
    struct variate v;
    struct distribution d;

    (void)state;
    assert_true(expression_variate("3min", &b->c, &v));
    assert_int_equal(v.family, DISTRIBUTION_CONSTANT);
    assert_near(variate_planned_mean(&v), 180, 0, "constant");
    assert_true(expression_variate("2..8min", &b->c, &v));
    assert_int_equal(v.family, DISTRIBUTION_LOGNORMAL);
    assert_true(variate_resolve(&v, NULL, &d));
    assert_relative(distribution_quantile(&d, 0.5), 240, 1e-9, "median");
    assert_relative(distribution_quantile(&d, 0.05), 120, 1e-9, "P5");
    assert_int_equal(inputs_count(b->c.inputs), 0); /* drawn anew each time: no input */
    assert_true(expression_variate("normal(5..9s; 0s)", &b->c, &v));
    assert_int_equal(v.family, DISTRIBUTION_CONSTANT); /* one value in a world */
    assert_true(v.p[0].input >= 0);
    bench_free(b);
}

static void a_lognormal_variate_keeps_its_quantiles(void **state)
{
    struct bench *b = bench_new(TIME);
    struct variate v;
    struct distribution d;
    double drawn[1] = {900};

    (void)state;
    assert_true(expression_variate("lognormal(p50=100s; p95=400..700s)", &b->c, &v));
    assert_true(variate_resolve(&v, drawn, &d));
    assert_relative(distribution_quantile(&d, 0.5), 100, 1e-9, "P50");
    assert_relative(distribution_quantile(&d, 0.95), 900, 1e-9, "P95 as drawn");
    drawn[0] = 50; /* below P50: taken in their order */
    assert_true(variate_resolve(&v, drawn, &d));
    assert_relative(distribution_quantile(&d, 0.5), 50, 1e-9, "P50");
    bench_free(b);
}

static void arguments_that_may_cross_are_refused(void **state)
{
    struct bench *b = bench_new(TIME);
    struct variate v;

    (void)state;
    assert_false(expression_variate("uniform(5..9s; 8..20s)", &b->c, &v));
    assert_string_equal(b->message, "'low' and 'high' of uniform overlap; leave room between them");
    assert_false(expression_variate("gamma(10s; poisson(2))", &b->c, &v) &&
                 v.p[1].median < 0); /* a ratio may be zero */
    b->c.name = "z";
    assert_false(expression_variate("weibull(poisson(1); 10s)", &b->c, &v));
    assert_string_equal(b->message, "argument 'shape' of weibull must be above zero");
    b->c.name = "y";
    assert_false(expression_variate("uniform(1s; uniform(3s; 2..4s))", &b->c, &v));
    assert_memory_equal(b->message, "argument 'high' of uniform: argument 'high' of uniform: ", 56);
    bench_free(b);
}

static void warnings_of_arguments_are_passed_on(void **state)
{
    struct bench *b = bench_new(TIME);
    struct variate v;

    (void)state;
    assert_true(expression_variate("uniform(normal(30s; 15s); 5..6min)", &b->c, &v));
    assert_string_equal(b->warning, "argument 'low' of uniform: 2.3 % of the distribution lies "
                                    "outside what is legal, at least 0 s, and is cut off");
    bench_free(b);
}

/* ---- empirical --------------------------------------------------------------------------------
 */

static void put(struct bench *b, const char *name, const char *text)
{
    FILE *f;

    if (strstr(b->folder, "XXXXXX") != NULL)
        assert_non_null(mkdtemp(b->folder));
    f = fopen(file_join(b->arena, b->folder, name), "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

struct column {
    const char *header, *cells;
    enum dimension dimension;
    double first, last;  /* of the sorted values */
    const char *message; /* or how it is refused */
};

static struct column columns[] = {
    {"n", "3\n1\n2\n", COUNT, 1, 3, NULL},
    {"n", "3k\n1k\n", COUNT, 1000, 3000, NULL},
    {"boot", "90s\n2min\n", TIME, 90, 120, NULL},
    {"boot_s", "90\n120\n", TIME, 90, 120, NULL},
    {"boot_min", "1.5\n2\n", TIME, 90, 120, NULL},
    {"boot_h", "90s\n2\n", TIME, 90, 7200, NULL}, /* a unit in the cell wins */
    {"boot_s", "0\n1\n", TIME, 0, 1, NULL},
    {"wear", "0.1\n0.2\n", SHARE, 0.1, 0.2, NULL},
    {"wear_percent", "10\n20\n", SHARE, 0.1, 0.2, NULL},
    {"size_gb", "1\n2\n", DATA, 1e9, 2e9, NULL},
    {"size_gib", "1\n2\n", DATA, 1073741824.0, 2147483648.0, NULL},
    {"load_per_h", "3600\n7200\n", RATE, 1, 2, NULL},
    {"rate_per_s", "1\n2\n", HAZARD, 1, 2, NULL},
    {"cost_usd", "5\n7\n", MONEY, 5, 7, NULL},
    {"price_usd_per_hour", "5\n7\n", PRICE, 5, 7, NULL},
    {"price_usd_per_h", "5\n7\n", PRICE, 5, 7, NULL},
    {"boot", "90\n120\n", TIME, 0, 0, "f.csv:2: a bare number where a duration is wanted"},
    {"boot_s", "90\nx\n", TIME, 0, 0, "f.csv:3: 'x' where a duration"},
    {"boot_s", "90\n\"\"\n", TIME, 0, 0, "f.csv:3: a value is missing"},
    {"boot_s", "", TIME, 0, 0, "f.csv: there are no values"},
    {"boot_s", "-1\n", TIME, 0, 0, "f.csv:2: a duration cannot be negative"},
    {"boot_s", "1e999\n", TIME, 0, 0, "too large"},
    {"other", "1\n", COUNT, 0, 0, "'n'"}, /* asked for n */
    {"life_h", "14h\n", HAZARD, 0, 0, "f.csv:2: unknown unit 'h'; a rate"},
    {"life_h", "14\n", HAZARD, 0, 0, "a bare number"},
    {"cost_cny", "5\n", MONEY, 0, 0, "f.csv:2: an amount in CNY in a scenario that counts in USD"},
    {"n", "1\n\"2\n", COUNT, 0, 0, "f.csv:3: "}, /* an unclosed quote */
    {"wear", "0.1\n5\n7\n", SHARE, 0, 0, "66.7 % of the distribution lies outside"},
};

static void a_column_is_read(void **state)
{
    const struct column *row = *state;
    struct bench *b = bench_new(row->dimension);
    const char *asked = strcmp(row->header, "other") == 0 ? "n" : row->header;
    char csv[200], text[100];
    struct variate v;
    struct number n;

    snprintf(csv, sizeof(csv), "%s\n%s", row->header, row->cells);
    put(b, "f.csv", csv);
    snprintf(text, sizeof(text), "empirical(f.csv; %s)", asked);
    if (row->message != NULL) {
        assert_false(expression_number(text, &b->c, &n));
        if (strstr(b->message, row->message) == NULL)
            fail_msg("%s", b->message);
    } else {
        if (!expression_variate(text, &b->c, &v))
            fail_msg("%s", b->message);
        assert_int_equal(v.family, DISTRIBUTION_EMPIRICAL);
        assert_relative(v.values[0], row->first, 1e-15, "least");
        assert_relative(v.values[v.value_count - 1], row->last, 1e-15, "most");
        assert_true(expression_number(text, &b->c, &n));
        assert_int_equal(n.input, 0);
    }
    bench_free(b);
}

static void a_column_may_stand_among_others(void **state)
{
    struct bench *b = bench_new(COUNT);
    struct variate v;

    (void)state;
    put(b, "f.csv", "a,n,\"b,c\"\nx,5,y\n\"q,q\",3,z\n");
    assert_true(expression_variate("empirical(f.csv, n)", &b->c, &v));
    assert_int_equal(v.value_count, 2);
    assert_near(v.values[0], 3, 0, "least");
    assert_true(expression_variate("empirical(column=n; file=f.csv)", &b->c, &v));
    put(b, "one.csv", "n\n4\n4\n");
    assert_true(expression_variate("empirical(one.csv, n)", &b->c, &v));
    assert_int_equal(v.family, DISTRIBUTION_CONSTANT); /* all the same */
    assert_near(v.p[0].median, 4, 0, "constant");
    assert_false(expression_variate("empirical(., n)", &b->c, &v));
    /* Every file that was read is known by the name it has here, once. */
    assert_int_equal(inputs_files(b->c.inputs), 2);
    assert_string_equal(inputs_file(b->c.inputs, 0), "f.csv");
    assert_string_equal(inputs_file(b->c.inputs, 1), "one.csv");
    assert_non_null(strstr(b->message, "is a folder"));
    bench_free(b);
}

static void a_sample_has_a_limit(void **state)
{
    struct bench *b = bench_new(COUNT);
    struct variate v;
    FILE *f;

    (void)state;
    put(b, "f.csv", "n\n");
    f = fopen(file_join(b->arena, b->folder, "f.csv"), "ab");
    for (int i = 0; i < EXPRESSION_SAMPLE_MAX; i++)
        fputs(i % 2 == 0 ? "1\n" : "2\n", f);
    fflush(f);
    assert_true(expression_variate("empirical(f.csv; n)", &b->c, &v));
    assert_int_equal(v.value_count, EXPRESSION_SAMPLE_MAX);
    fputs("3\n", f);
    fclose(f);
    assert_false(expression_variate("empirical(f.csv; n)", &b->c, &v));
    assert_non_null(strstr(b->message, "more than 1000000 values"));
    bench_free(b);
}

static void units_come_from_column_names(void **state)
{
    char out[16];

    (void)state;
    assert_string_equal(expression_column_unit("boot_s", TIME, out), "s");
    assert_string_equal(expression_column_unit("_s", TIME, out), "");
    assert_string_equal(expression_column_unit("s", TIME, out), "");
    assert_string_equal(expression_column_unit("loss", TIME, out), "");
    assert_string_equal(expression_column_unit("rate_per_s", TIME, out), "s");
    assert_string_equal(expression_column_unit("rate_per_s", DATA, out), "");
    assert_string_equal(expression_column_unit("price_CNY", MONEY, out), "");
    assert_string_equal(expression_column_unit("x_u5d", MONEY, out), "");
    assert_string_equal(expression_column_unit("price_eur_per_hour", PRICE, out), "EUR/h");
    assert_string_equal(expression_column_unit("", PRICE, out), "");
}

enum {
    GOODS = sizeof(goods) / sizeof(goods[0]),
    BADS = sizeof(bads) / sizeof(bads[0]),
    COLUMNS = sizeof(columns) / sizeof(columns[0])
};

int main(void)
{
    static char names[GOODS + BADS + COLUMNS][80];
    const struct CMUnitTest own[] = {
        cmocka_unit_test(range_is_said_in_the_unit_of_the_key),
        cmocka_unit_test(what_is_cut_off_is_warned),
        cmocka_unit_test(hostile_buffers_are_kept),
        cmocka_unit_test(a_name_is_taken_once),
        cmocka_unit_test(a_variate_may_have_uncertain_arguments),
        cmocka_unit_test(a_variate_may_be_plain),
        cmocka_unit_test(a_lognormal_variate_keeps_its_quantiles),
        cmocka_unit_test(arguments_that_may_cross_are_refused),
        cmocka_unit_test(warnings_of_arguments_are_passed_on),
        cmocka_unit_test(a_column_may_stand_among_others),
        cmocka_unit_test(a_sample_has_a_limit),
        cmocka_unit_test(units_come_from_column_names),
    };
    struct CMUnitTest tests[sizeof own / sizeof own[0] + GOODS + BADS + COLUMNS];
    size_t n = sizeof own / sizeof own[0], name = 0;

    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < GOODS; i++) {
        snprintf(names[name], sizeof(names[0]), "read %s", goods[i].text);
        tests[n++] = (struct CMUnitTest){names[name++], is_read, NULL, NULL, &goods[i]};
    }
    for (size_t i = 0; i < BADS; i++) {
        snprintf(names[name], sizeof(names[0]), "refuse %s", bads[i].text);
        tests[n++] = (struct CMUnitTest){names[name++], is_refused, NULL, NULL, &bads[i]};
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        snprintf(names[name], sizeof(names[0]), "column %zu, %s", i, columns[i].header);
        tests[n++] = (struct CMUnitTest){names[name++], a_column_is_read, NULL, NULL, &columns[i]};
    }
    gsl_errors_install();
    return _cmocka_run_group_tests("expression", tests, n, NULL, NULL);
}
