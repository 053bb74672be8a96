/* SPDX-License-Identifier: GPL-3.0-or-later
 * The reference job on a ring by hand, and the hidden process fitted to traces whose answer is
 * known. Against observed series: `make validate-spot`. */
#include "models/market/spot_fit.h"
#include "models/market/trace_builder.h"
#include "tests/support/testing.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#define HOUR 3600.0

static void the_job_on_a_ring(void **state)
{
    (void)state;
    /* Up from 6 h over the seam at 10 h to 4 h. Five hours of work, one at each start. */
    struct up_span spans[] = {{0, 4 * HOUR}, {6 * HOUR, 10 * HOUR}};
    const struct up_series s = {spans, 2, 10 * HOUR};
    struct ring_times t;
    /* From 0: three hours by 4 h, the other two from 7 h to 9 h. From 5 h: waits to 6 h, works from
     * 7 h on over the seam, done at 12 h. */
    assert_int_equal(ring_job(&s, 5 * HOUR, HOUR, 5 * HOUR, &t), RING_FINISHED);
    assert_int_equal(t.starts, 2);
    assert_near(t.mean_s, 8 * HOUR, 1e-9, "mean of 9 h and 7 h");
    assert_near(t.sd_s, HOUR, 1e-9, "their spread");
    assert_near(t.p90_s, 9 * HOUR, 1e-9, "P90");
    /* Twenty hours: from 0, 3 h, then 7 h a turn: 3 + 7 + 7 by 24 h, and 3 more from 27 h on. */
    assert_int_equal(ring_job(&s, 20 * HOUR, HOUR, 10 * HOUR, &t), RING_FINISHED);
    assert_near(t.mean_s, 30 * HOUR, 1e-9, "several turns");
}

static void a_job_that_never_gets_on(void **state)
{
    (void)state;
    struct up_span spans[] = {{HOUR, 2 * HOUR}, {5 * HOUR, 5.5 * HOUR}};
    const struct up_series s = {spans, 2, 10 * HOUR};
    struct ring_times t;
    assert_int_equal(ring_job(&s, HOUR, HOUR, HOUR, &t), RING_NEVER);
    assert_int_equal(ring_job(&s, HOUR, 0.9 * HOUR, HOUR, &t), RING_FINISHED);
    const struct up_series none = {spans, 0, 10 * HOUR};
    assert_int_equal(ring_job(&none, HOUR, 0, HOUR, &t), RING_NEVER);
    struct up_span all[] = {{0, 10 * HOUR}};
    const struct up_series always = {all, 1, 10 * HOUR};
    assert_int_equal(ring_job(&always, 48 * HOUR, 0.2 * HOUR, HOUR, &t), RING_FINISHED);
    assert_near(t.p90_s, 48.2 * HOUR, 1e-9, "always up");
}

/* The share of time with at least k nodes is Phi(0.8 - 0.2 ln k), in two stretches. */
static void the_node_slope_is_found(void **state)
{
    (void)state;
    struct arena *a = arena_new(0);
    struct trace_builder *b = trace_builder_new(a);
    struct trace_set set;
    struct spot_fit fit;
    int pool = trace_builder_pool(b, "z", "t");
    double at_s = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int64_t n = 0; n <= 8; n++) {
            double least = n == 0 ? 1 : gsl_cdf_ugaussian_P(0.8 - 0.2 * log((double)n));
            double more = n == 8 ? 0 : gsl_cdf_ugaussian_P(0.8 - 0.2 * log((double)n + 1));
            trace_builder_nodes(b, pool, at_s, n);
            at_s += (least - more) * 10 * 86400;
        }
    }
    trace_builder_end(b, pool, at_s);
    assert_int_equal(trace_builder_finish(b, &set, NULL), TRACE_BUILT);
    assert_int_equal(spot_fit_make(&fit, &set.items[0]), SPOT_FIT_DONE);
    assert_true(fit.has_slope);
    assert_near(fit.node_slope, 0.2, 1e-9, "slope");
    assert_near(fit.availability, gsl_cdf_ugaussian_P(0.8), 1e-9, "availability");
    assert_int_equal(fit.losses, 1);
    assert_int_equal(fit.returns, 2);
    assert_near(fit.losses_per_day, 0.05, 1e-12, "one in twenty days");
    assert_near(fit.mean_up_s, fit.availability * 20 * 86400, 1e-6, "all exposure over one loss");
    trace_builder_free(b);
    arena_free(a);
}

static void what_cannot_be_fitted(void **state)
{
    (void)state;
    struct arena *a = arena_new(0);
    struct trace_builder *b = trace_builder_new(a);
    struct trace_set set;
    struct spot_fit fit;
    int prices = trace_builder_pool(b, "prices", ""), up = trace_builder_pool(b, "up", "");
    trace_builder_price(b, prices, 0, MONEY_UNIT);
    trace_builder_end(b, prices, 100);
    trace_builder_nodes(b, up, 0, 3);
    trace_builder_end(b, up, 100);
    assert_int_equal(trace_builder_finish(b, &set, NULL), TRACE_BUILT);
    assert_int_equal(spot_fit_make(&fit, &set.items[0]), SPOT_FIT_NO_NODES);
    assert_int_equal(spot_fit_make(&fit, &set.items[1]), SPOT_FIT_ALWAYS);
    trace_builder_free(b);
    arena_free(a);
}

/* Up and down by turns of so many hours, for thirty days. */
static struct trace_set regular(struct arena *a, struct trace_builder *b, double up_h,
                                double down_h)
{
    struct trace_set set;
    int pool = trace_builder_pool(b, "z", "t");
    double at_s = 0;
    while (at_s < 30 * 86400.0) {
        trace_builder_nodes(b, pool, at_s, 1);
        at_s += up_h * HOUR;
        trace_builder_nodes(b, pool, at_s, 0);
        at_s += down_h * HOUR;
    }
    (void)a;
    trace_builder_end(b, pool, at_s);
    assert_int_equal(trace_builder_finish(b, &set, NULL), TRACE_BUILT);
    return set;
}

/* Without good and bad days a job is done sooner than the process, which has them, expects: the
 * judgement says so. */
static void a_trace_without_memory_is_judged_so(void **state)
{
    (void)state;
    struct arena *a = arena_new(0);
    struct trace_builder *b = trace_builder_new(a);
    struct trace_set set = regular(a, b, 4, 4);
    struct spot_fit fit;
    struct spot_fit_quality q, again;
    assert_int_equal(spot_fit_make(&fit, &set.items[0]), SPOT_FIT_DONE);
    assert_near(fit.availability, 0.5, 1e-12, "half of the time");
    assert_near(fit.losses_per_day, 3, 1e-9, "one each eight hours");
    assert_true(spot_fit_judge(&fit, &set.items[0], true, &q));
    assert_int_equal(q.status, RING_FINISHED);
    /* 48 h of work in runs of 3.8 useful hours: between 12 and 14 periods of 8 h. */
    assert_true(q.trace.p90_s > 96 * HOUR && q.trace.p90_s < 112 * HOUR);
    assert_true(q.windows == SPOT_FIT_WINDOWS && q.p90_low_s > q.trace.p90_s);
    assert_false(q.inside);
    assert_true(spot_fit_judge(&fit, &set.items[0], true, &again));
    assert_memory_equal(&q, &again, sizeof q);
    trace_builder_free(b);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_job_on_a_ring),
        cmocka_unit_test(a_job_that_never_gets_on),
        cmocka_unit_test(the_node_slope_is_found),
        cmocka_unit_test(what_cannot_be_fitted),
        cmocka_unit_test(a_trace_without_memory_is_judged_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
