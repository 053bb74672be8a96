/* SPDX-License-Identifier: GPL-3.0-or-later
 * The hidden process against its reference values (default parameters, no season, 10-minute grid;
 * computed twice, independently, Monte-Carlo error at most 0.2 %) and against the normal law. */
#include "tests/support/testing.h"

#include "engine/gsl_errors.h"
#include "models/market/crossing.h"
#include "models/market/hidden_process.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define HOUR 3600.0
#define DAY  144 /* ticks */

static const struct hidden_parameters plain = {
    .short_weight = 0.5, .short_s = 2.0 * HOUR, .long_s = 48.0 * HOUR, .node_slope = 0.1};

/* A family in a world of its own: pools with their three sources. */
struct fixture {
    struct hidden_noise noise[6]; /* world, region 1, region 2, own 1, own 2, own 3 */
    struct hidden_path path[3];   /* two pools of region 1, one of region 2 */
};

static void fixture_init(struct fixture *f, size_t ticks, int64_t local_start_s)
{
    static const int sources[3][HIDDEN_SOURCES] = {{0, 1, 3}, {0, 1, 4}, {0, 2, 5}};
    for (int i = 0; i < 6; i++) {
        assert_true(hidden_noise_init(&f->noise[i], random_source("test/%d", i), ticks));
    }
    for (int i = 0; i < 3; i++) {
        struct hidden_noise *noise[HIDDEN_SOURCES];
        for (int s = 0; s < HIDDEN_SOURCES; s++) {
            noise[s] = &f->noise[sources[i][s]];
        }
        assert_true(hidden_path_init(&f->path[i], noise, local_start_s, ticks));
    }
}

static void fixture_begin(struct fixture *f, uint32_t replication,
                          const struct hidden_parameters *p)
{
    for (int i = 0; i < 6; i++) {
        hidden_noise_begin(&f->noise[i], (struct random_world){7, replication});
    }
    for (int i = 0; i < 3; i++) {
        hidden_path_begin(&f->path[i], p);
    }
}

static void fixture_release(struct fixture *f)
{
    for (int i = 0; i < 6; i++) {
        hidden_noise_release(&f->noise[i]);
    }
    for (int i = 0; i < 3; i++) {
        hidden_path_release(&f->path[i]);
    }
}

/* ---- reference values -------------------------------------------------------------------------
 */

struct reference {
    const char *name;
    double availability, losses_per_day, mean_up_h, mean_down_h;
    int median_up, median_down;
    double survive_1h, survive_6h, survive_24h;
    double job_mean_h, job_p50_h, job_p90_h, job_losses; /* of a 48 h job, see run_job */
};

static const struct reference references[] = {
    {"availability 0.30", 0.30, 5.784, 1.245, 2.905, 3, 4, 0.276, 0.036, 0.001, 231.7, 206.5, 407.5,
     51.8},
    {"availability 0.50", 0.50, 6.643, 1.806, 1.806, 3, 3, 0.332, 0.068, 0.006, 126.5, 109.5, 216.7,
     34.8},
    {"availability 0.70", 0.70, 5.784, 2.905, 1.245, 4, 3, 0.391, 0.117, 0.019, 81.3, 70.1, 127.5,
     20.9},
    {"availability 0.80", 0.80, 4.650, 4.129, 1.032, 4, 2, 0.428, 0.157, 0.036, 67.15, 59.0, 96.7,
     14.3},
    {"availability 0.90", 0.90, 2.905, 7.435, 0.826, 6, 2, 0.480, 0.223, 0.075, 56.4, 51.5, 70.9,
     7.59},
    {"availability 0.95", 0.95, 1.701, 13.40, 0.705, 8, 2, 0.523, 0.285, 0.125, 52.0, 49.1, 59.3,
     4.04},
    {"availability 0.99", 0.99, 0.4354, 54.57, 0.551, 16, 2, 0.600, 0.414, 0.265, 48.9, 48.2, 50.3,
     0.94},
};
enum { REFERENCES = sizeof references / sizeof *references, WORLDS = 16, LONGEST = 4096 };
#define YEARS_TEN ((size_t)3652 * DAY)

struct runs {
    double up, down, losses, survive[3]; /* of one world */
    double job_mean, job_p50, job_p90, job_losses;
};
static struct runs measured[REFERENCES][WORLDS];
static uint32_t lengths[REFERENCES][2][LONGEST]; /* runs by length, up and down */

static void measure_runs(const double *minus_z, size_t ticks, double x, struct runs *r,
                         uint32_t count[2][LONGEST])
{
    static const size_t marks[3] = {6, 36, 144};
    double total[2] = {0.0, 0.0}, number[2] = {0.0, 0.0}, longer[3] = {0.0, 0.0, 0.0};
    bool up = minus_z[0] + x > 0.0, first = true;
    size_t from = 0;
    for (size_t i = 1; i < ticks; i++) {
        bool now = minus_z[i] + x > 0.0;
        if (now == up) {
            continue;
        }
        size_t length = i - from;
        if (!first) { /* the first run began before the window */
            total[up] += (double)length;
            number[up] += 1.0;
            count[up][length < LONGEST ? length : LONGEST - 1]++;
            for (int m = 0; up && m < 3; m++) {
                longer[m] += length > marks[m];
            }
        }
        first = false;
        up = now;
        from = i;
    }
    *r = (struct runs){.up = total[1] / number[1] / 6.0,
                       .down = total[0] / number[0] / 6.0,
                       .losses = number[1] / ((double)ticks / DAY)};
    for (int m = 0; m < 3; m++) {
        r->survive[m] = longer[m] / number[1];
    }
}

/* The reference's job: 48 h of work, 0.2 h of overhead at the first start and in full at each
 * restart; it arrives at a tick, waits while the pool is down, keeps its progress on a loss; inside
 * ticks time is continuous. Returns hours from arrival to end, or a negative number at the end of
 * the path. */
static double run_job(const double *minus_z, size_t ticks, double x, size_t arrival, int *losses)
{
    double left_h = 48.0;
    size_t i = arrival;
    for (*losses = -1;;) {
        while (i < ticks && !(minus_z[i] + x > 0.0)) {
            i++;
        }
        size_t from = i;
        while (i < ticks && minus_z[i] + x > 0.0) {
            i++;
        }
        if (i >= ticks) {
            return -1.0;
        }
        ++*losses;
        double useful_h = (double)(i - from) / 6.0 - 0.2;
        if (useful_h >= left_h) {
            return (double)(from - arrival) / 6.0 + 0.2 + left_h;
        }
        left_h -= fmax(0.0, useful_h);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_jobs(const double *minus_z, size_t ticks, double x, struct runs *r)
{
    enum { APART = 2 * DAY };
    static double hours[YEARS_TEN / APART + 1];
    size_t count = 0;
    double sum = 0.0, lost = 0.0;
    for (size_t i = 0; i < ticks; i += APART) {
        int losses;
        double h = run_job(minus_z, ticks, x, i, &losses);
        if (h < 0.0) {
            break;
        }
        hours[count++] = h;
        sum += h;
        lost += losses;
    }
    qsort(hours, count, sizeof *hours, by_size);
    r->job_mean = sum / (double)count;
    r->job_losses = lost / (double)count;
    r->job_p50 = hours[count / 2];
    r->job_p90 = hours[count * 9 / 10];
}

static int measure_all(void **state)
{
    (void)state;
    static struct fixture f;
    fixture_init(&f, YEARS_TEN, 0);
    for (uint32_t w = 0; w < WORLDS; w++) {
        fixture_begin(&f, w, &plain); /* threshold 0: margins are -Z */
        hidden_path_margin(&f.path[0], YEARS_TEN - 1);
        for (int i = 0; i < REFERENCES; i++) {
            measure_runs(f.path[0].margins, YEARS_TEN,
                         gsl_cdf_ugaussian_Pinv(references[i].availability), &measured[i][w],
                         lengths[i]);
            measure_jobs(f.path[0].margins, YEARS_TEN,
                         gsl_cdf_ugaussian_Pinv(references[i].availability), &measured[i][w]);
        }
    }
    fixture_release(&f);
    return 0;
}

/* Mean over worlds against a reference known to within 0.2 % and, when printed with three decimals,
 * half a unit of the last. */
static void assert_reference(int row, size_t offset, double want, double rounding, const char *what)
{
    double sum = 0.0, squares = 0.0;
    for (int w = 0; w < WORLDS; w++) {
        double v = *(const double *)((const char *)&measured[row][w] + offset);
        sum += v;
        squares += v * v;
    }
    double mean = sum / WORLDS;
    double error = sqrt(fmax(0.0, squares / WORLDS - mean * mean) / (WORLDS - 1));
    assert_near(mean, want, 5.0 * error + 0.002 * want + rounding, what);
    assert_true(error < 0.03 * want + rounding); /* the test must be able to fail */
}

/* Half of the runs are at most `median` long, less than half are shorter; both within 0.5 % of all,
 * since a length may sit on the edge (7 ticks at availability 0.95 do). */
static void assert_median(const uint32_t *count, int median)
{
    double total = 0.0, shorter = 0.0;
    for (int i = 0; i < LONGEST; i++) {
        total += count[i];
        shorter += i < median ? count[i] : 0;
    }
    assert_true(shorter / total < 0.505);
    assert_true((shorter + count[median]) / total > 0.495);
}

static void runs_match_reference(void **state)
{
    const struct reference *r = *state;
    int row = (int)(r - references);
    assert_reference(row, offsetof(struct runs, losses), r->losses_per_day, 0.0, "losses a day");
    assert_reference(row, offsetof(struct runs, up), r->mean_up_h, 0.0, "mean up, h");
    assert_reference(row, offsetof(struct runs, down), r->mean_down_h, 0.0, "mean down, h");
    assert_median(lengths[row][1], r->median_up);
    assert_median(lengths[row][0], r->median_down);
    size_t survive = offsetof(struct runs, survive);
    assert_reference(row, survive, r->survive_1h, 0.0005, "S(1 h)");
    assert_reference(row, survive + sizeof(double), r->survive_6h, 0.0005, "S(6 h)");
    assert_reference(row, survive + 2 * sizeof(double), r->survive_24h, 0.0005, "S(24 h)");
}

/* What a renewal process with these very runs would miss: good and bad days. */
static void jobs_match_reference(void **state)
{
    const struct reference *r = *state;
    int row = (int)(r - references);
    assert_reference(row, offsetof(struct runs, job_mean), r->job_mean_h, 0.05, "mean, h");
    assert_reference(row, offsetof(struct runs, job_p50), r->job_p50_h, 0.05, "P50, h");
    assert_reference(row, offsetof(struct runs, job_p90), r->job_p90_h, 0.05, "P90, h");
    assert_reference(row, offsetof(struct runs, job_losses), r->job_losses, 0.05, "losses a job");
}

/* ---- laws at one instant ----------------------------------------------------------------------
 */

static void starts_stationary(void **state)
{
    (void)state;
    enum { N = 30000 };
    static const size_t ticks[] = {0, 1, 20};
    static struct fixture f;
    fixture_init(&f, 21, 0);
    double sum[3] = {0}, squares[3] = {0}, neighbours = 0.0;
    for (uint32_t w = 0; w < N; w++) {
        fixture_begin(&f, w, &plain);
        for (int k = 0; k < 3; k++) {
            double z = -hidden_path_margin(&f.path[0], ticks[k]);
            sum[k] += z;
            squares[k] += z * z;
        }
        neighbours += f.path[0].margins[0] * f.path[0].margins[1];
    }
    for (int k = 0; k < 3; k++) {
        assert_near(sum[k] / N, 0.0, 4.5 / sqrt(N), "mean");
        assert_near(squares[k] / N, 1.0, 4.5 * sqrt(2.0 / N), "variance");
    }
    double rho = crossing_tick_correlation(0.5, 2.0 * HOUR, 48.0 * HOUR);
    assert_near(neighbours / N, rho, 4.5 * sqrt((1.0 + rho * rho) / N), "tick correlation");
    fixture_release(&f);
}

/* Correlation of the up indicators of two pools at correlation rho: 1 - 2 P(one up, the other
 * down) / (2 a (1 - a)), the probability by the same integral as a crossing's. */
static double phi(double availability, double rho)
{
    double x = gsl_cdf_ugaussian_Pinv(availability);
    double discordant = crossing_loss_rate_exact(x, rho) * HIDDEN_STEP_S;
    return 1.0 - discordant / (availability * (1.0 - availability));
}

static void zones_and_regions_are_correlated(void **state)
{
    (void)state;
    /* phi, same and different region, as published for the default (0.65, 0.25). */
    static const double rows[][3] = {
        {0.5, 0.45, 0.16}, {0.7, 0.435, 0.15}, {0.8, 0.41, 0.13}, {0.9, 0.36, 0.10}};
    for (int i = 0; i < 4; i++) {
        assert_near(phi(rows[i][0], HIDDEN_REGION_CORRELATION), rows[i][1], 0.006, "same region");
        assert_near(phi(rows[i][0], HIDDEN_WORLD_CORRELATION), rows[i][2], 0.006, "other region");
    }
    enum { N = 20000 };
    static struct fixture f;
    fixture_init(&f, 1, 0);
    double x = gsl_cdf_ugaussian_Pinv(0.8);
    int up[3] = {0}, both_same = 0, both_other = 0;
    for (uint32_t w = 0; w < N; w++) {
        fixture_begin(&f, w, &plain);
        bool u[3];
        for (int k = 0; k < 3; k++) {
            u[k] = hidden_path_margin(&f.path[k], 0) + x > 0.0;
            up[k] += u[k];
        }
        both_same += u[0] && u[1];
        both_other += u[0] && u[2];
    }
    double error = 4.5 / sqrt(N);
    for (int k = 0; k < 3; k++) {
        assert_near((double)up[k] / N, 0.8, 0.4 * error, "share up");
    }
    assert_near(((double)both_same / N - 0.64) / 0.16, 0.41, 3.0 * error, "phi, same region");
    assert_near(((double)both_other / N - 0.64) / 0.16, 0.13, 3.0 * error, "phi, other region");
    fixture_release(&f);
}

static void own_relaxation_time_keeps_ties(void **state)
{
    (void)state;
    /* Pools with short times of 1 h and 2 h: filters of the same innovations. Of a shared source
     * the short parts then correlate by sqrt((1-a^2)(1-b^2))/(1-ab) in the long run. */
    enum { TICKS = 144 * 1500 };
    static struct fixture f;
    fixture_init(&f, TICKS, 0);
    double sum = 0.0, squares = 0.0;
    enum { N = 8 };
    for (uint32_t w = 0; w < N; w++) {
        fixture_begin(&f, w, &plain);
        struct hidden_parameters own = plain;
        own.short_s = 1.0 * HOUR;
        hidden_path_begin(&f.path[1], &own);
        hidden_path_margin(&f.path[0], TICKS - 1);
        hidden_path_margin(&f.path[1], TICKS - 1);
        double product = 0.0;
        for (size_t i = 0; i < TICKS; i++) {
            product += f.path[0].margins[i] * f.path[1].margins[i];
        }
        sum += product / TICKS;
        squares += product / TICKS * (product / TICKS);
    }
    double a = exp(-1.0 / 6.0), b = exp(-1.0 / 12.0);
    double ties = sqrt((1.0 - a * a) * (1.0 - b * b)) / (1.0 - a * b);
    double mean = sum / N, error = sqrt((squares / N - mean * mean) / (N - 1));
    assert_near(mean, HIDDEN_REGION_CORRELATION * (0.5 * ties + 0.5), 5.0 * error, "correlation");
    assert_true(error < 0.02);
    fixture_release(&f);
}

/* ---- nodes ------------------------------------------------------------------------------------
 */

static void node_counts_follow_the_slope(void **state)
{
    (void)state;
    /* P(N >= k) = Phi(x - beta ln k). */
    enum { N = 40000, CAP = 16 };
    static struct fixture f;
    fixture_init(&f, 1, 0);
    struct hidden_parameters p = plain;
    p.threshold = gsl_cdf_ugaussian_Pinv(0.6);
    int at_least[CAP + 1] = {0};
    for (uint32_t w = 0; w < N; w++) {
        fixture_begin(&f, w, &p);
        uint32_t n = hidden_nodes(&f.path[0], hidden_path_margin(&f.path[0], 0), CAP);
        for (uint32_t k = 0; k <= n; k++) {
            at_least[k]++;
        }
    }
    assert_int_equal(at_least[0], N);
    for (int k = 1; k <= CAP; k++) {
        double want = gsl_cdf_ugaussian_P(p.threshold - 0.1 * log(k));
        assert_near((double)at_least[k] / N, want, 4.5 * sqrt(want * (1.0 - want) / N),
                    "P(N >= k)");
    }
    fixture_release(&f);
}

static uint32_t nodes_at(double margin, double slope, uint32_t cap)
{
    static struct fixture f; /* only its table of logarithms is used */
    static bool ready;
    if (!ready) {
        fixture_init(&f, 1, 0);
        fixture_release(&f);
        ready = true;
    }
    f.path[0].node_slope = slope;
    return hidden_nodes(&f.path[0], margin, cap);
}

static void node_counts_by_definition(void **state)
{
    (void)state;
    for (double slope = 0.02; slope < 0.2; slope += 0.03) {
        for (uint32_t k = 1; k < 300; k++) {
            double edge = slope * log(k), beyond = nextafter(edge, 9.0);
            assert_int_equal(nodes_at(edge, slope, 1000), k - 1); /* Z < theta - ... is strict */
            assert_int_equal(nodes_at(beyond, slope, 1000), k);
            for (uint32_t cap = 1; cap < 300; cap += 7) { /* min(K, cap), whatever the cap */
                assert_int_equal(nodes_at(beyond, slope, cap), k < cap ? k : cap);
                assert_int_equal(nodes_at(edge, slope, cap), k - 1 < cap ? k - 1 : cap);
            }
        }
    }
    assert_int_equal(nodes_at(5.0, 0.0, 7), 7);
    assert_int_equal(nodes_at(-1e-300, 0.0, 7), 0);
    assert_int_equal(nodes_at(0.0, 0.0, 7), 0);
    assert_int_equal(nodes_at(1e-300, 0.0, 7), 7);
    assert_int_equal(nodes_at(1e-300, 0.1, 7), 1);
    assert_int_equal(nodes_at(3.0, 0.1, 0), 0);
    assert_true(nodes_at(1e9, 0.1, UINT32_MAX) == UINT32_MAX);
    assert_int_equal(nodes_at(2.1, 0.1, UINT32_MAX), (uint32_t)exp(21.0));
    assert_int_equal(nodes_at(1.0, 0.1, UINT32_MAX), (uint32_t)exp(10.0));
    assert_int_equal(nodes_at(0.01, 0.1, UINT32_MAX), 1);
}

/* ---- the path ---------------------------------------------------------------------------------
 */

static void path_does_not_depend_on_the_order_of_questions(void **state)
{
    (void)state;
    enum { TICKS = 1000 };
    static struct fixture a, b;
    fixture_init(&a, TICKS, 12345678);
    fixture_init(&b, TICKS, 12345678);
    struct hidden_parameters p = plain;
    p.threshold = 0.8;
    p.season = (struct hidden_season){0.3, 0.4, 3.0};
    for (uint32_t w = 0; w < 5; w++) {
        fixture_begin(&a, w, &p);
        fixture_begin(&b, w, &p);
        hidden_path_margin(&a.path[0], TICKS - 1); /* all at once, one pool after the other */
        hidden_path_margin(&a.path[1], TICKS - 1);
        for (size_t i = 0; i < TICKS; i += 37) { /* bit by bit, in turns, the second one ahead */
            hidden_path_margin(&b.path[1], i + 200 < TICKS ? i + 200 : TICKS - 1);
            hidden_path_margin(&b.path[0], i);
        }
        hidden_path_margin(&b.path[0], TICKS - 1);
        for (int k = 0; k < 2; k++) {
            assert_memory_equal(a.path[k].margins, b.path[k].margins, TICKS * sizeof(double));
        }
    }
    fixture_release(&a);
    fixture_release(&b);
}

static void short_horizon_is_a_prefix_of_a_long_one(void **state)
{
    (void)state;
    static struct fixture a, b;
    fixture_init(&a, 131, 0);
    fixture_init(&b, 1000, 0);
    fixture_begin(&a, 3, &plain);
    fixture_begin(&b, 3, &plain);
    hidden_path_margin(&a.path[0], 130);
    hidden_path_margin(&b.path[0], 999);
    assert_memory_equal(a.path[0].margins, b.path[0].margins, 131 * sizeof(double));
    fixture_release(&a);
    fixture_release(&b);
}

static void leaves_finds_the_first_tick_outside(void **state)
{
    (void)state;
    enum { TICKS = 700 };
    static struct fixture a, b;
    fixture_init(&a, TICKS, 0);
    fixture_init(&b, TICKS, 0);
    fixture_begin(&b, 1, &plain);
    hidden_path_margin(&b.path[0], TICKS - 1);
    for (size_t from = 0; from < TICKS; from += 11) {
        fixture_begin(&a, 1, &plain);
        size_t want = from;
        while (want < TICKS && b.path[0].margins[want] > -0.5 && b.path[0].margins[want] <= 0.7) {
            want++;
        }
        assert_int_equal(hidden_path_leaves(&a.path[0], from, -0.5, 0.7), want);
    }
    assert_int_equal(hidden_path_leaves(&a.path[0], 0, -100.0, 100.0), TICKS);
    assert_int_equal(hidden_path_leaves(&a.path[0], TICKS, 1.0, 2.0), TICKS);
    fixture_release(&a);
    fixture_release(&b);
}

static void too_long_a_path_is_refused(void **state)
{
    (void)state;
    struct hidden_noise n;
    assert_false(hidden_noise_init(&n, 1, HIDDEN_MAX_TICKS + 1));
    hidden_noise_release(&n);
}

/* ---- season -----------------------------------------------------------------------------------
 */

static void season_moves_the_threshold(void **state)
{
    (void)state;
    /* Margins with season less margins without: theta's own course. Starts on Friday 2026-03-06
     * 20:05 local time. */
    enum { TICKS = 4 * DAY };
    static struct fixture a, b;
    const int64_t start = INT64_C(1772827500);
    fixture_init(&a, TICKS, start);
    fixture_init(&b, TICKS, start);
    struct hidden_parameters p = plain;
    p.threshold = 0.8;
    p.season = (struct hidden_season){0.3, 0.4, 3.0};
    struct hidden_parameters none = plain;
    fixture_begin(&a, 0, &p);
    fixture_begin(&b, 0, &none);
    double scale = sqrt(1.0 + 0.3 * 0.3 / 2.0 + 0.4 * 0.4 * 10.0 / 49.0);
    assert_relative(hidden_season_scale(&p.season), scale, 1e-15, "scale");
    for (size_t i = 0; i < TICKS; i++) {
        double hours = 20.0 + 5.0 / 60.0 + (double)i / 6.0; /* since Friday 00:00 */
        bool weekend = hours >= 24.0 && hours < 72.0;
        double want = 0.8 * scale + 0.3 * cos(2.0 * M_PI * (hours - 3.0) / 24.0) +
                      0.4 * ((weekend ? 1.0 : 0.0) - 2.0 / 7.0);
        assert_near(hidden_path_margin(&a.path[0], i) - hidden_path_margin(&b.path[0], i), want,
                    1e-12, "theta");
    }
    /* The table of the day must follow when the season changes between worlds. */
    fixture_begin(&a, 0, &none);
    assert_near(hidden_path_margin(&a.path[0], 7), hidden_path_margin(&b.path[0], 7), 0.0, "none");
    p.season.best_hour = 20.0 + 5.0 / 60.0;
    fixture_begin(&a, 0, &p);
    assert_near(hidden_path_margin(&a.path[0], 0) - hidden_path_margin(&b.path[0], 0),
                0.8 * scale + 0.3 - 0.4 * 2.0 / 7.0, 1e-12, "best hour");
    fixture_release(&a);
    fixture_release(&b);
}

static void season_keeps_availability_and_shows_by_hour(void **state)
{
    (void)state;
    /* 4 January 1971 was a Monday; 10 worlds of 1,400 days. */
    enum { WEEKS = 200, TICKS = WEEKS * 7 * DAY, N = 10 };
    static struct fixture f;
    fixture_init(&f, TICKS, INT64_C(368) * 86400);
    struct hidden_parameters p = plain;
    p.threshold = gsl_cdf_ugaussian_Pinv(0.8);
    p.season = (struct hidden_season){0.3, 0.4, 3.0};
    double all = 0.0, night = 0.0, day = 0.0, weekend = 0.0;
    for (uint32_t w = 0; w < N; w++) {
        fixture_begin(&f, w, &p);
        hidden_path_margin(&f.path[0], TICKS - 1);
        for (size_t i = 0; i < TICKS; i++) {
            double up = f.path[0].margins[i] > 0.0 ? 1.0 : 0.0;
            bool off = i / DAY % 7 >= 5;
            all += up;
            night += !off && i % DAY == 3 * 6 ? up : 0.0;
            day += !off && i % DAY == 15 * 6 ? up : 0.0;
            weekend += off ? up : 0.0;
        }
    }
    double scale = hidden_season_scale(&p.season);
    double level = scale * p.threshold - 0.4 * 2.0 / 7.0;
    double weekdays = 5.0 * WEEKS * N;
    /* Some 48 h of memory leave about N x 1,400 x 24/60 independent samples. */
    double error = 4.5 * 0.4 / sqrt(N * WEEKS * 7 * 24 / 60.0);
    assert_near(all / (N * TICKS), 0.8, error, "share of all time");
    assert_near(night / weekdays, gsl_cdf_ugaussian_P(level + 0.3), error, "weekdays at 3");
    assert_near(day / weekdays, gsl_cdf_ugaussian_P(level - 0.3), error, "weekdays at 15");
    assert_true(weekend / (2.0 * WEEKS * N * DAY) > all / (N * TICKS) + 0.04);
    fixture_release(&f);
}

int main(void)
{
    gsl_errors_install();
    struct CMUnitTest rows[REFERENCES];
    for (size_t i = 0; i < REFERENCES; i++) {
        rows[i] = (struct CMUnitTest){references[i].name, runs_match_reference, NULL, NULL,
                                      (void *)(uintptr_t)&references[i]};
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_stationary),
        cmocka_unit_test(zones_and_regions_are_correlated),
        cmocka_unit_test(own_relaxation_time_keeps_ties),
        cmocka_unit_test(node_counts_follow_the_slope),
        cmocka_unit_test(node_counts_by_definition),
        cmocka_unit_test(path_does_not_depend_on_the_order_of_questions),
        cmocka_unit_test(short_horizon_is_a_prefix_of_a_long_one),
        cmocka_unit_test(leaves_finds_the_first_tick_outside),
        cmocka_unit_test(too_long_a_path_is_refused),
        cmocka_unit_test(season_moves_the_threshold),
        cmocka_unit_test(season_keeps_availability_and_shows_by_hour),
    };
    struct CMUnitTest jobs[REFERENCES];
    for (size_t i = 0; i < REFERENCES; i++) {
        jobs[i] = rows[i];
        jobs[i].test_func = jobs_match_reference;
    }
    return cmocka_run_group_tests_name("hidden process: runs", rows, measure_all, NULL) +
           cmocka_run_group_tests_name("hidden process: jobs", jobs, NULL, NULL) +
           cmocka_run_group_tests_name("hidden process", tests, NULL, NULL);
}
