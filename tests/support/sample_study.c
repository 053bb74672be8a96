/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/sample_study.h"

#include "tests/support/sample_market.h"
#include "tests/support/sample_search.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 160

static const struct column summary_columns[] = {
    {"strategy", "", "", COLUMN_TEXT, -1},       {"workload", "", "", COLUMN_TEXT, -1},
    {"metric", "", "", COLUMN_TEXT, -1},         {"unit", "", "", COLUMN_TEXT, -1},
    {"n", "", "", COLUMN_INTEGER, -1},           {"censored", "", "", COLUMN_INTEGER, -1},
    {"mean", "", "", COLUMN_NUMBER, -1},         {"sd", "", "", COLUMN_NUMBER, -1},
    {"min", "", "", COLUMN_NUMBER, -1},          {"p5", "", "", COLUMN_NUMBER, -1},
    {"p10", "", "", COLUMN_NUMBER, -1},          {"p25", "", "", COLUMN_NUMBER, -1},
    {"p50", "", "", COLUMN_NUMBER, -1},          {"p75", "", "", COLUMN_NUMBER, -1},
    {"p80", "", "", COLUMN_NUMBER, -1},          {"p90", "", "", COLUMN_NUMBER, -1},
    {"p95", "", "", COLUMN_NUMBER, -1},          {"p99", "", "", COLUMN_NUMBER, -1},
    {"max", "", "", COLUMN_NUMBER, -1},          {"p50_low", "", "", COLUMN_NUMBER, -1},
    {"p50_high", "", "", COLUMN_NUMBER, -1},     {"p90_low", "", "", COLUMN_NUMBER, -1},
    {"p90_high", "", "", COLUMN_NUMBER, -1},     {"p50_at_least", "", "", COLUMN_NUMBER, -1},
    {"p90_at_least", "", "", COLUMN_NUMBER, -1}, {"p50_at_most", "", "", COLUMN_NUMBER, -1},
    {"p90_at_most", "", "", COLUMN_NUMBER, -1}};
static const struct column comparison_columns[] = {{"strategy", "", "", COLUMN_TEXT, -1},
                                                   {"baseline", "", "", COLUMN_TEXT, -1},
                                                   {"workload", "", "", COLUMN_TEXT, -1},
                                                   {"metric", "", "", COLUMN_TEXT, -1},
                                                   {"unit", "", "", COLUMN_TEXT, -1},
                                                   {"n", "", "", COLUMN_INTEGER, -1},
                                                   {"left_out", "", "", COLUMN_INTEGER, -1},
                                                   {"mean_difference", "", "", COLUMN_NUMBER, -1},
                                                   {"low", "", "", COLUMN_NUMBER, -1},
                                                   {"high", "", "", COLUMN_NUMBER, -1},
                                                   {"win_frac", "", "", COLUMN_NUMBER, -1},
                                                   {"tie_frac", "", "", COLUMN_NUMBER, -1},
                                                   {"win_at_least_frac", "", "", COLUMN_NUMBER, -1},
                                                   {"win_at_most_frac", "", "", COLUMN_NUMBER, -1},
                                                   {"p10", "", "", COLUMN_NUMBER, -1},
                                                   {"p90", "", "", COLUMN_NUMBER, -1}};
static const struct column distribution_columns[] = {{"strategy", "", "", COLUMN_TEXT, -1},
                                                     {"workload", "", "", COLUMN_TEXT, -1},
                                                     {"metric", "", "", COLUMN_TEXT, -1},
                                                     {"value", "", "", COLUMN_NUMBER, -1},
                                                     {"cumulative_frac", "", "", COLUMN_NUMBER, -1},
                                                     {"censored", "", "", COLUMN_INTEGER, -1}};
static const struct column timeline_columns[] = {{"strategy", "", "", COLUMN_TEXT, -1},
                                                 {"time", "", "", COLUMN_TIME, -1},
                                                 {"bucket_start_s", "", "", COLUMN_NUMBER, -1},
                                                 {"bucket_s", "", "", COLUMN_NUMBER, -1},
                                                 {"measure", "", "", COLUMN_TEXT, -1},
                                                 {"unit", "", "", COLUMN_TEXT, -1},
                                                 {"mean", "", "", COLUMN_NUMBER, -1},
                                                 {"plan", "", "", COLUMN_NUMBER, -1},
                                                 {"p10", "", "", COLUMN_NUMBER, -1},
                                                 {"p25", "", "", COLUMN_NUMBER, -1},
                                                 {"p50", "", "", COLUMN_NUMBER, -1},
                                                 {"p75", "", "", COLUMN_NUMBER, -1},
                                                 {"p90", "", "", COLUMN_NUMBER, -1}};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* xorshift64* (Vigna 2016). */
static double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return ((double)(*state * UINT64_C(2685821657736338717) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
    double u = uniform(state), v = uniform(state);

    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

struct world {
    double value;
    int censored;
};

static int by_value(const void *a, const void *b)
{
    const struct world *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->censored - y->censored;
}

static void number(struct table *t, size_t row, const char *column, double value)
{
    int c = table_find(t, column);

    if (isfinite(value))
        table_set_number(t, row, (size_t)c, value);
}

static void text(struct table *t, size_t row, const char *column, const char *value)
{
    table_set_text(t, row, (size_t)table_find(t, column), value);
}

static void integer(struct table *t, size_t row, const char *column, size_t value)
{
    table_set_integer(t, row, (size_t)table_find(t, column), (int64_t)value);
}

/* The p-quantile of sorted worlds: the order statistic ceil(np), unknown when a bound below it
 * could move it; *bound then. */
static double quantile(const struct world *w, size_t n, double p, double *bound)
{
    size_t k = (size_t)ceil((double)n * p - 1e-9);

    k = k == 0 ? 0 : k - 1;
    *bound = NAN;
    for (size_t i = 0; i <= k; i++) {
        if (w[i].censored) {
            *bound = w[k].value;
            return NAN;
        }
    }
    return w[k].value;
}

/* The most that the p-quantile can be: all bounds are above it. NaN when too few are finished. */
static double at_most(const struct world *w, size_t n, double p)
{
    size_t k = (size_t)ceil((double)n * p - 1e-9), finished = 0;

    for (size_t i = 0; i < n; i++) {
        finished += w[i].censored == 0;
        if (finished >= k && w[i].censored == 0)
            return w[i].value;
    }
    return NAN;
}

static void add_summary(struct table *t, const char *strategy, const char *metric,
                        const struct world *sorted, size_t n)
{
    static const struct {
        const char *column;
        double p;
    } quantiles[] = {{"p5", .05}, {"p10", .1}, {"p25", .25}, {"p50", .5}, {"p75", .75},
                     {"p80", .8}, {"p90", .9}, {"p95", .95}, {"p99", .99}};
    size_t row = table_add_row(t), censored = 0;
    double sum = 0.0, bound, half = 1.96 * 0.5 / sqrt((double)n);

    text(t, row, "strategy", strategy);
    text(t, row, "workload", "all");
    text(t, row, "metric", metric);
    for (size_t i = 0; i < n; i++) {
        censored += sorted[i].censored != 0;
        sum += sorted[i].value;
    }
    integer(t, row, "n", n);
    integer(t, row, "censored", censored);
    if (censored == 0)
        number(t, row, "mean", sum / (double)n);
    number(t, row, "min", sorted[0].value);
    if (censored == 0)
        number(t, row, "max", sorted[n - 1].value);
    for (size_t i = 0; i < COUNT(quantiles); i++) {
        double value = quantile(sorted, n, quantiles[i].p, &bound);
        number(t, row, quantiles[i].column, value);
        if (isfinite(value))
            continue;
        if (quantiles[i].p == .5) {
            number(t, row, "p50_at_least", bound);
            number(t, row, "p50_at_most", at_most(sorted, n, .5));
        }
        if (quantiles[i].p == .9) {
            number(t, row, "p90_at_least", bound);
            number(t, row, "p90_at_most", at_most(sorted, n, .9));
        }
    }
    if (n >= 10) {
        number(t, row, "p50_low", quantile(sorted, n, fmax(.5 - half, .01), &bound));
        number(t, row, "p50_high", quantile(sorted, n, fmin(.5 + half, 1.), &bound));
        number(t, row, "p90_low", quantile(sorted, n, .9 - .6 * half, &bound));
        number(t, row, "p90_high", quantile(sorted, n, fmin(.9 + .6 * half, 1.), &bound));
    }
}

/* open: worlds that may still be one. */
static void add_share(struct table *t, const char *strategy, const char *metric, double share,
                      size_t open, size_t n)
{
    size_t row = table_add_row(t);

    text(t, row, "strategy", strategy);
    text(t, row, "workload", "all");
    text(t, row, "metric", metric);
    integer(t, row, "n", n);
    integer(t, row, "censored", open);
    number(t, row, "mean", share);
}

static void add_distribution(struct table *t, const char *strategy, const char *metric,
                             const struct world *sorted, size_t n)
{
    size_t step = n > 1000 ? n / 1000 : 1;

    for (size_t i = step - 1; i < n; i += step) {
        size_t row = table_add_row(t);
        text(t, row, "strategy", strategy);
        text(t, row, "workload", "all");
        text(t, row, "metric", metric);
        number(t, row, "value", sorted[i].value);
        number(t, row, "cumulative_frac", (double)(i + 1) / (double)n);
        integer(t, row, "censored", (size_t)sorted[i].censored);
    }
}

static void add_comparison(struct table *t, const char *strategy, const char *baseline,
                           const char *metric, const struct world *a, const struct world *b,
                           size_t n)
{
    size_t row = table_add_row(t), used = 0, wins = 0, ties = 0, sure = 0, open = 0;
    double sum = 0.0, squares = 0.0, mean, half;

    for (size_t i = 0; i < n; i++) {
        double d = a[i].value - b[i].value;
        /* Only one that is cut off can be more than it says. */
        sure += !a[i].censored && d < 0.0;
        open += b[i].censored ? !(!a[i].censored && d < 0.0) : a[i].censored && d < 0.0;
        if (a[i].censored || b[i].censored)
            continue;
        used++;
        sum += d;
        squares += d * d;
        wins += d < 0.0;
        ties += d == 0.0;
    }
    text(t, row, "strategy", strategy);
    text(t, row, "baseline", baseline);
    text(t, row, "workload", "all");
    text(t, row, "metric", metric);
    integer(t, row, "n", used);
    integer(t, row, "left_out", n - used);
    number(t, row, "win_at_least_frac", (double)sure / (double)n);
    number(t, row, "win_at_most_frac", (double)(sure + open) / (double)n);
    if (used == 0)
        return;
    mean = sum / (double)used;
    half = used < 2 ? (double)NAN
                    : 1.96 * sqrt(fmax(0.0, squares / (double)used - mean * mean) / (double)used);
    if (used == n) {
        number(t, row, "mean_difference", mean);
        number(t, row, "low", mean - half);
        number(t, row, "high", mean + half);
        number(t, row, "win_frac", (double)wins / (double)used);
    }
    number(t, row, "tie_frac", (double)ties / (double)used);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static size_t add_bucket(struct table *t, const char *strategy, const char *measure, double start_s,
                         double length_s)
{
    size_t row = table_add_row(t);

    text(t, row, "strategy", strategy);
    text(t, row, "measure", measure);
    number(t, row, "bucket_start_s", start_s);
    number(t, row, "bucket_s", length_s);
    return row;
}

/* Cost accrues evenly while a world runs; the plan world holds four nodes with a shortage of spot
 * in the middle third. */
static bool add_timeline(struct sample_study *s, const struct sample_strategy *strategy,
                         const struct world *cost, const struct world *time, size_t n,
                         double horizon_h)
{
    static const char *const columns[] = {"p10", "p25", "p50", "p75", "p90"};
    static const double levels[] = {.1, .25, .5, .75, .9};
    struct table *t = s->owned[3];
    double length_s = horizon_h * 3600.0 / BUCKETS, end_s = strategy->time_p50_h * 3600.0;
    double *now = malloc(n * sizeof *now);

    if (now == NULL)
        return false;
    for (size_t k = 0; k < BUCKETS; k++) {
        double start_s = (double)k * length_s, held = 0.0, spot;
        size_t row = add_bucket(t, strategy->name, s->cumulative, start_s, length_s);
        for (size_t i = 0; i < n; i++)
            now[i] = cost[i].value * fmin(1.0, (start_s + length_s) / (time[i].value * 3600.0));
        qsort(now, n, sizeof *now, ascending);
        for (size_t q = 0; q < COUNT(levels); q++)
            number(t, row, columns[q], now[(size_t)(levels[q] * (double)(n - 1) + .5)]);
        number(t, row, "plan", now[n / 2]);
        if (end_s > start_s)
            held = 4.0 * fmin(1.0, (end_s - start_s) / length_s);
        spot = strategy->spot_share * held;
        if (start_s > 0.4 * end_s && start_s < 0.62 * end_s)
            spot = 0.0;
        row = add_bucket(t, strategy->name, "on_demand_nodes", start_s, length_s);
        number(t, row, "plan", strategy->spot_share == 1.0 ? 0.0 : held - spot);
        row = add_bucket(t, strategy->name, "spot_nodes", start_s, length_s);
        number(t, row, "plan", spot);
    }
    free(now);
    return true;
}

static void draw_worlds(const struct sample_strategy *strategy, size_t index, size_t n,
                        double horizon_h, struct world *cost, struct world *time)
{
    uint64_t common = 88172645463325252u, own = 362436069u + 7919u * (uint64_t)(index + 1);

    for (size_t i = 0; i < n; i++) {
        double shared = normal(&common), alone = normal(&own), luck = uniform(&own);
        double z = 0.75 * shared + 0.66 * alone;
        /* A skewed law: bad luck lasts. */
        time[i].value =
            strategy->time_p50_h * exp(strategy->time_spread * (z > 0.0 ? 1.5 * z : 0.6 * z));
        cost[i].value =
            strategy->cost_p50 * exp(strategy->cost_spread * (0.8 * z + 0.6 * normal(&own)));
        time[i].censored = luck < strategy->unfinished || time[i].value > horizon_h;
        cost[i].censored = time[i].censored;
        if (time[i].censored) {
            time[i].value = horizon_h;
            cost[i].value *= strategy->unfinished < 0.01 ? 1.6 : 0.7 + 2.5 * luck;
        }
    }
}

static bool add_strategy(struct sample_study *s, const struct sample_strategy *strategies,
                         size_t index, const struct sample_options *o, struct world *buffer)
{
    const struct sample_strategy *strategy = &strategies[index];
    struct world *cost = buffer, *time = buffer + o->worlds;
    struct world *base_cost = buffer + 2 * o->worlds, *base_time = buffer + 3 * o->worlds;
    size_t over = 0, open = 0, late = 0;

    draw_worlds(strategy, index, o->worlds, o->horizon_h, cost, time);
    if (index == 0) {
        memcpy(base_cost, cost, o->worlds * sizeof *cost);
        memcpy(base_time, time, o->worlds * sizeof *time);
    } else {
        add_comparison(s->owned[1], strategy->name, strategies[0].name, s->cost_metric, cost,
                       base_cost, o->worlds);
        if (!o->without_time)
            add_comparison(s->owned[1], strategy->name, strategies[0].name, "time_to_train_h", time,
                           base_time, o->worlds);
    }
    if (!add_timeline(s, strategy, cost, time, o->worlds, o->horizon_h))
        return false;
    for (size_t i = 0; i < o->worlds; i++) {
        over += cost[i].value > o->budget;
        open += cost[i].censored && !(cost[i].value > o->budget);
        late += time[i].value > o->deadline_h || time[i].censored;
    }
    qsort(cost, o->worlds, sizeof *cost, by_value);
    qsort(time, o->worlds, sizeof *time, by_value);
    add_summary(s->owned[0], strategy->name, s->cost_metric, cost, o->worlds);
    add_distribution(s->owned[2], strategy->name, s->cost_metric, cost, o->worlds);
    if (!o->without_time) {
        add_summary(s->owned[0], strategy->name, "time_to_train_h", time, o->worlds);
        add_distribution(s->owned[2], strategy->name, "time_to_train_h", time, o->worlds);
    }
    if (isfinite(o->budget))
        add_share(s->owned[0], strategy->name, "over_budget", (double)over / (double)o->worlds,
                  open, o->worlds);
    if (isfinite(o->deadline_h) && !o->without_time)
        add_share(s->owned[0], strategy->name, "late", (double)late / (double)o->worlds, 0,
                  o->worlds);
    for (size_t i = 0; i < o->worlds; i++)
        cost[i] = (struct world){strategy->obligation, 0};
    add_summary(s->owned[0], strategy->name, s->obligation_metric, cost, o->worlds);
    for (size_t i = 0; i < o->worlds; i++)
        cost[i] = (struct world){0.0, 0};
    add_summary(s->owned[0], strategy->name, s->unused_metric, cost, o->worlds);
    add_summary(s->owned[0], strategy->name, s->later_metric, cost, o->worlds);
    return true;
}

/* "cost_mean_usd" and the like, for each of cost, cash and amortised. */
static struct table *new_month_table(const char *name, const char *currency, bool categories)
{
    static const char *const measures[] = {"cost", "cash", "amortised"};
    char names[6][32];
    struct column columns[9] = {{"strategy", "", "", COLUMN_TEXT, -1},
                                {"month", "", "", COLUMN_TEXT, -1},
                                {"category", "", "", COLUMN_TEXT, -1}};
    size_t count = categories ? 3 : 2;

    for (size_t i = 0; i < 6; i++) {
        snprintf(names[i], sizeof names[i], "%s_%s_%s", measures[i / 2],
                 i % 2 == 0 ? "mean" : "plan", currency);
        columns[count++] = (struct column){names[i], currency, "", COLUMN_NUMBER, -1};
    }
    return table_new(name, columns, count);
}

static struct table *new_oracle_table(const char *currency)
{
    static const char *const measures[] = {"oracle_mean", "nodes_mean", "regret_mean",
                                           "regret_p90"};
    char names[4][32];
    struct column columns[8] = {{"strategy", "", "", COLUMN_TEXT, -1},
                                {"workload", "", "", COLUMN_TEXT, -1},
                                {"n", "", "", COLUMN_INTEGER, -1},
                                {"worlds", "", "", COLUMN_INTEGER, -1}};

    for (size_t i = 0; i < COUNT(measures); i++) {
        snprintf(names[i], sizeof names[i], "%s_%s", measures[i], currency);
        columns[4 + i] = (struct column){names[i], currency, "", COLUMN_NUMBER, -1};
    }
    return table_new("oracle", columns, COUNT(columns));
}

/* A fifth of the cost is regret; who may not finish is in time in three of four worlds. */
static void add_regret(struct sample_study *s, const struct sample_strategy *strategy)
{
    struct table *t = s->owned[8];
    size_t row = table_add_row(t);
    const double share[] = {0.8, 1.0, 0.2, 0.3};

    table_set_text(t, row, 0, strategy->name);
    table_set_text(t, row, 1, "work");
    table_set_integer(t, row, 2, strategy->unfinished > 0.0 ? 150 : 200);
    table_set_integer(t, row, 3, 200);
    for (size_t i = 0; i < COUNT(share); i++)
        table_set_number(t, row, 4 + i, share[i] * strategy->cost_p50);
}

/* Three fifths in March, the rest in April. The first strategy pays all of it in March. */
static void add_months(struct sample_study *s, const struct sample_strategy *strategy, bool ahead)
{
    static const char *const months[] = {"2026-03", "2026-04"};
    static const double part[] = {0.6, 0.4};

    for (size_t m = 0; m < 2; m++) {
        double cost = strategy->cost_p50 * part[m];
        double cash = ahead ? (m == 0 ? strategy->cost_p50 : 0.0) : cost;
        double of[] = {cost, cost, cash, cash, cost, cost};
        size_t row = table_add_row(s->owned[4]);
        table_set_text(s->owned[4], row, 0, strategy->name);
        table_set_text(s->owned[4], row, 1, months[m]);
        for (size_t i = 0; i < 6; i++)
            table_set_number(s->owned[4], row, 2 + i, of[i]);
        for (size_t c = 0; c < 2; c++) {
            double share = c == 0 ? 1.0 - strategy->spot_share : strategy->spot_share;
            row = table_add_row(s->owned[5]);
            table_set_text(s->owned[5], row, 0, strategy->name);
            table_set_text(s->owned[5], row, 1, months[m]);
            table_set_text(s->owned[5], row, 2, c == 0 ? "on-demand" : "spot");
            table_set_number(s->owned[5], row, 3, share * cost);
            table_set_number(s->owned[5], row, 4, share * cost);
        }
    }
}

/* Columns of commitment_levels that charts read. */
static struct table *new_level_table(const char *currency)
{
    static const struct {
        const char *name;
        bool money;
    } wanted[] = {{"level_frac", false},
                  {"instances", false},
                  {"hourly", true},
                  {"cost_mean", true},
                  {"cost_p10", true},
                  {"cost_p90", true},
                  {"unused_mean_frac", false},
                  {"over_signed_mean", true},
                  {"over_signed_low", true},
                  {"over_signed_high", true},
                  {"n", false},
                  {"censored", false}};
    char names[COUNT(wanted)][32];
    struct column columns[COUNT(wanted) + 1] = {{"strategy", "", "", COLUMN_TEXT, -1}};

    for (size_t i = 0; i < COUNT(wanted); i++) {
        snprintf(names[i], sizeof names[i], "%s%s%s", wanted[i].name, wanted[i].money ? "_" : "",
                 wanted[i].money ? currency : "");
        columns[i + 1] = (struct column){names[i], "", "", COLUMN_NUMBER, -1};
    }
    return table_new("commitment_levels", columns, COUNT(columns));
}

/* Columns of break_even that charts read. */
static struct table *new_way_table(const char *currency)
{
    char price[32];
    struct column columns[] = {{"instance_type", "", "", COLUMN_TEXT, -1},
                               {"way", "", "", COLUMN_TEXT, -1},
                               {"term_years", "", "", COLUMN_INTEGER, 0},
                               {"payment", "", "", COLUMN_TEXT, -1},
                               {"basis", "", "", COLUMN_TEXT, -1},
                               {"fixed", "", "", COLUMN_INTEGER, 0},
                               {"signed", "", "", COLUMN_INTEGER, 0},
                               {price, "", "", COLUMN_NUMBER, -1},
                               {"break_even_frac", "", "", COLUMN_NUMBER, -1},
                               {"break_even_spot_frac", "", "", COLUMN_NUMBER, -1}};

    snprintf(price, sizeof price, "per_hour_%s", currency);
    return table_new("break_even", columns, COUNT(columns));
}

/* On demand at 20, spot at 8, and a year signed at 12. */
static void add_ways(struct sample_study *s)
{
    static const char *const ways[] = {"on-demand", "spot", "standard"};
    static const double prices[] = {20.0, 8.0, 12.0};

    for (size_t i = 0; i < COUNT(ways); i++) {
        size_t row = table_add_row(s->owned[7]);
        table_set_text(s->owned[7], row, 0, "p4d.24xlarge");
        table_set_text(s->owned[7], row, 1, ways[i]);
        table_set_integer(s->owned[7], row, 2, i == 2 ? 1 : COLUMN_MISSING_INTEGER);
        table_set_text(s->owned[7], row, 3, i == 2 ? "no-upfront" : NULL);
        table_set_text(s->owned[7], row, 4, "listed");
        table_set_integer(s->owned[7], row, 5, i == 2);
        table_set_integer(s->owned[7], row, 6, i == 2);
        table_set_number(s->owned[7], row, 7, prices[i]);
        table_set_number(s->owned[7], row, 8, i == 2 ? 0.6 : (double)NAN);
        table_set_number(s->owned[7], row, 9, i == 2 ? 1.5 : (double)NAN);
    }
}

/* None, four or eight instances; four are signed. */
static void add_levels(struct sample_study *s, const struct sample_strategy *strategy,
                       size_t worlds)
{
    for (size_t i = 0; i < 3; i++) {
        double k = (double)i, over = i == 1 ? 0.0 : 0.2 * strategy->cost_p50;
        double mean = strategy->cost_p50 + over;
        const double of[] = {k,       4.0 * k, (double)NAN, mean,       0.9 * mean,     1.1 * mean,
                             0.3 * k, over,    0.9 * over,  1.1 * over, (double)worlds, 0.0};
        size_t row = table_add_row(s->owned[6]);
        table_set_text(s->owned[6], row, 0, strategy->name);
        for (size_t j = 0; j < COUNT(of); j++)
            table_set_number(s->owned[6], row, 1 + j, of[j]);
    }
}

bool sample_study_init(struct sample_study *s, const struct sample_strategy *strategies,
                       size_t count, const struct sample_options *o)
{
    const char *currency = o->currency == NULL ? "USD" : o->currency;
    struct world *buffer = malloc(4 * o->worlds * sizeof *buffer);
    char lower[8] = "";
    bool ok = buffer != NULL;

    *s = (struct sample_study){0};
    for (size_t i = 0; currency[i] != '\0' && i < sizeof lower - 1; i++)
        lower[i] = (char)tolower((unsigned char)currency[i]);
    snprintf(s->cost_metric, sizeof s->cost_metric, "cost_%s", lower);
    snprintf(s->obligation_metric, sizeof s->obligation_metric, "obligation_%s", lower);
    snprintf(s->unused_metric, sizeof s->unused_metric, "commitment_unused_%s", lower);
    snprintf(s->later_metric, sizeof s->later_metric, "commitment_later_%s", lower);
    snprintf(s->cumulative, sizeof s->cumulative, "cumulative_%s", lower);
    s->owned[0] = table_new("summary", summary_columns, COUNT(summary_columns));
    s->owned[1] = table_new("comparison", comparison_columns, COUNT(comparison_columns));
    s->owned[2] = table_new("distribution", distribution_columns, COUNT(distribution_columns));
    s->owned[3] = table_new("timeline", timeline_columns, COUNT(timeline_columns));
    s->owned[4] = new_month_table("monthly", lower, false);
    s->owned[5] = new_month_table("categories", lower, true);
    s->owned[6] = new_level_table(lower);
    s->owned[7] = new_way_table(lower);
    s->owned[8] = new_oracle_table(lower);
    for (size_t i = 0; i < COUNT(s->owned); i++)
        ok = ok && s->owned[i] != NULL;
    for (size_t i = 0; ok && i < count && i < COUNT(s->names); i++) {
        s->names[i] = strategies[i].name;
        ok = add_strategy(s, strategies, i, o, buffer);
        add_months(s, &strategies[i], i == 0);
        add_regret(s, &strategies[i]);
    }
    free(buffer);
    s->deadline.hours = o->deadline_h;
    s->tables = (struct chart_tables){.summary = s->owned[0],
                                      .comparison = s->owned[1],
                                      .distribution = s->owned[2],
                                      .timeline = s->owned[3],
                                      .monthly = s->owned[4],
                                      .categories = s->owned[5],
                                      .levels = s->owned[6],
                                      .break_even = s->owned[7],
                                      .oracle = s->owned[8]};
    s->frame = (struct chart_frame){
        .scenario = o->scenario == NULL ? "Fine-tune a 7B model in spring" : o->scenario,
        .currency = currency,
        .cost_metric = s->cost_metric,
        .obligation_metric = s->obligation_metric,
        .time_metric = o->without_time ? NULL : "time_to_train_h",
        .replications = o->worlds,
        .seed = 7,
        .budget = o->budget,
        .start_unix_s = 1772409600, /* 2026-03-02 */
        .horizon_s = o->horizon_h * 3600.0,
        .strategies = s->names,
        .strategy_count = count < COUNT(s->names) ? count : COUNT(s->names),
        .baseline = strategies[0].name,
        .deadlines = &s->deadline,
        .deadline_count = isfinite(o->deadline_h) ? 1 : 0,
        .prices_as_of = "2025-11-30"};
    return ok;
}

bool sample_study_real(struct sample_study *s)
{
    static const struct sample_strategy strategies[] = {
        {"on-demand", 3310.0, 0.07, 58.0, 0.07, 0.0, 0.0, 0.0},
        {"spot", 1480.0, 0.24, 88.0, 0.22, 0.12, 1.0, 0.0},
        {"spot with fallback", 2110.0, 0.17, 67.0, 0.12, 0.0, 0.8, 0.0},
        {"spot in three zones", 1650.0, 0.2, 76.0, 0.18, 0.002, 1.0, 0.0}};
    const struct sample_options options = {
        .worlds = 2000, .budget = 2500.0, .deadline_h = 96.0, .horizon_h = 240.0};

    if (!sample_study_init(s, strategies, COUNT(strategies), &options))
        return false;
    add_levels(s, &strategies[2], options.worlds);
    add_ways(s);
    s->tables.market = s->of_market[0] = sample_market_table();
    s->tables.survival = s->of_market[1] = sample_survival_table();
    s->tables.plan_world = s->of_market[2] = sample_plan_world_table();
    s->tables.jobs = s->of_market[3] = sample_jobs_table();
    s->tables.utilisation = s->of_market[9] = sample_utilisation_table();
    s->tables.services = s->of_market[4] = sample_services_table();
    s->tables.hour_of_week = s->of_market[5] = sample_hour_of_week_table();
    s->tables.sensitivity = s->of_market[6] = sample_sensitivity_table();
    s->tables.candidates = s->of_market[7] = sample_candidates_table();
    s->tables.sweep = s->of_market[10] = sample_sweep_table();
    s->tables.front = s->of_market[8] = sample_front_table();
    s->tables.service_hours = s->of_market[12] = sample_service_hours_table();
    s->tables.offers = s->of_market[11] = sample_offers_table();
    for (size_t i = 0; i < COUNT(strategies); i++) {
        const struct world slo[] = {{0.9 + 0.02 * (double)i, 0}, {0.91 + 0.02 * (double)i, 0}};
        add_summary(s->owned[0], strategies[i].name, "slo_attained_frac", slo, COUNT(slo));
    }
    return s->of_market[0] != NULL && s->of_market[1] != NULL && s->of_market[2] != NULL &&
           s->of_market[3] != NULL && s->of_market[4] != NULL && s->of_market[5] != NULL &&
           s->of_market[6] != NULL && s->of_market[7] != NULL && s->of_market[8] != NULL &&
           s->of_market[9] != NULL && s->of_market[10] != NULL && s->of_market[11] != NULL &&
           s->of_market[12] != NULL;
}

void sample_study_release(struct sample_study *s)
{
    for (size_t i = 0; i < COUNT(s->owned); i++)
        table_free(s->owned[i]);
    for (size_t i = 0; i < COUNT(s->of_market); i++)
        table_free(s->of_market[i]);
}

static void set_cell(struct table *t, const char *strategy, const char *metric, const char *column,
                     double value)
{
    size_t s = (size_t)table_find(t, "strategy"), m = (size_t)table_find(t, "metric");
    size_t c = (size_t)table_find(t, column);

    for (size_t row = 0; row < table_rows(t); row++) {
        if (strcmp(table_text(t, row, s), strategy) != 0 ||
            strcmp(table_text(t, row, m), metric) != 0)
            continue;
        if (table_column(t, c)->kind == COLUMN_INTEGER)
            table_set_integer(t, row, c, (int64_t)value);
        else
            table_set_number(t, row, c, value);
    }
}

void sample_set(struct sample_study *s, const char *strategy, const char *metric,
                const char *column, double value)
{
    set_cell(s->owned[0], strategy, metric, column, value);
}

void sample_set_pair(struct sample_study *s, const char *strategy, const char *metric,
                     const char *column, double value)
{
    set_cell(s->owned[1], strategy, metric, column, value);
}
