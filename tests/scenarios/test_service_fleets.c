/* SPDX-License-Identifier: GPL-3.0-or-later
 * The fleets of services from scenario files: what their autoscalers see and when, and what stands
 * there beside the replicas that are asked for. Known answers are counted by hand: requests come
 * regularly (cv 0.01) and nodes are there at once (boot 0 s), so that hours follow from the rules.
 */
#include "engine/gsl_errors.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2026-03-02\nregion: us-east-1\nprices_as_of: 2025-11-30\n"

/* ---- one world ---- */

struct one {
    struct study *study;
    struct run run;
};

static void run_one(struct one *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void run_one(struct one *o, const char *format, ...)
{
    char text[4000];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    assert_true(size > 0 && size < (int)sizeof text);
    o->study = study_from_text(text, NULL);
    study_run(&o->run, o->study, 1);
}

static double value(const struct one *o, enum metric m)
{
    return run_value(&o->run, 0, 0, m);
}

static void release(struct one *o)
{
    run_release(&o->run);
    study_free(o->study);
}

/* ---- monitoring ---- */

/* 10 requests/s for an hour, then 20; 6 a replica are aimed at: 2 replicas, then 4, once three
 * datapoints were above the target. */
#define GROWS                                                                                      \
    HEAD                                                                                           \
        "horizon: 2h\nreplications: 1\nworkloads: {w: {kind: inference, mode: %s, boot: 0s, "      \
        "demand: "                                                                                 \
        "{rate: 10/s, cv: 0.01, events: [{from: 1h, for: 1h, factor: 2}]}, service: {any: {time: " \
        "10ms}}}}\n"                                                                               \
        "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 2, max_replicas: %d, "     \
        "autoscale: {name: target-tracking, requests: 6/s}%s}}\n"

static void datapoints_are_seen_when_they_are_stated_to_be(void **state)
{
    (void)state;
    static const struct {
        const char *monitoring;
        double minute; /* at which two more are asked for */
    } rows[] = {
        {"", 63},
        {", monitoring: {delay: 0s}", 63},
        {", monitoring: {delay: 5min}", 68},
        /* At the next look after it, which is a whole minute. */
        {", monitoring: {delay: 150s}", 66},
        /* Three of five minutes each (EC2's basic monitoring), seen at once, or late. */
        {", monitoring: {period: 5min}", 75},
        {", monitoring: {period: 5min, delay: 2min}", 77},
        /* Those of a minute, together, are the datapoint of a minute. */
        {", monitoring: {period: 10s}", 63},
        {", monitoring: {period: 10s, delay: 1min}", 64},
    };
    static const char *const modes[] = {"requests", "interval"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t k = 0; k < 2; k++) {
            struct one o;
            run_one(&o, GROWS, modes[k], 4, rows[i].monitoring);
            double hours = 2 * 2 + 2 * (120 - rows[i].minute) / 60;
            assert_near(value(&o, METRIC_NODE_HOURS), hours, 1e-6, rows[i].monitoring);
            release(&o);
        }
    }
}

/* A mean that is late goes on to say that each replica is too busy: more are added at every look,
 * the limit of 9 is met, and a quarter of an hour later all too many go. */
static void late_datapoints_overshoot(void **state)
{
    (void)state;
    struct one o;
    run_one(&o, GROWS, "requests", 9, "");
    assert_near(value(&o, METRIC_NODE_HOURS), (2 * 63 + 4 * 57) / 60.0, 1e-6, "at once");
    release(&o);
    run_one(&o, GROWS, "requests", 9, ", monitoring: {delay: 5min}");
    /* 2 for 68 min, 4, 7, and 9 from minute 70 to 87. */
    double so_far = (2 * 68 + 4 + 7 + 9 * 17) / 60.0;
    assert_true(value(&o, METRIC_NODE_HOURS) > so_far + 33 / 60.0 * 2);
    release(&o);
}

/* Errors make an autoscaler restless: it asks for more than without them, in both modes alike. */
static void errors_cost_replicas(void **state)
{
    (void)state;
    static const char *const modes[] = {"requests", "interval"};
    double hours[2][2];
    for (size_t k = 0; k < 2; k++) {
        for (size_t noisy = 0; noisy < 2; noisy++) {
            struct one o;
            run_one(&o,
                    HEAD
                    "horizon: 3d\nreplications: 1\nworkloads: {w: {kind: inference, mode: %s, "
                    "boot: 0s, demand: {rate: 5.5/s, cv: 0.01}, service: {any: {time: 10ms}}}}\n"
                    "strategies: {s: {instance: g4dn.xlarge, buy: on-demand, nodes: 10, "
                    "max_replicas: 99, autoscale: {name: hpa, requests: 0.55/s}%s}}\n",
                    modes[k], noisy ? ", monitoring: {noise: 20 %}" : "");
            hours[k][noisy] = value(&o, METRIC_NODE_HOURS);
            release(&o);
        }
        assert_near(hours[k][0], 72 * 10, 1e-6, "without errors");
        assert_true(hours[k][1] > 72 * 12 && hours[k][1] < 72 * 25);
    }
    /* The same errors at the same looks: the same replicas. */
    assert_near(hours[0][1], hours[1][1], 0.01 * hours[0][1], "both modes");
}

/* ---- what is refused ---- */

#define MODE_W(mode, strategy)                                                                     \
    "workloads: {w: {kind: inference, mode: " mode ", demand: 5/s, service: {any: {time: "         \
    "exponential(100ms)}}}}\nstrategies: {s: {instance: g4dn.xlarge, buy: on-demand, " strategy    \
    "}}\n"

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } rows[] = {
        {MODE_W("requests", "nodes: 2, monitoring: {delay: 1min}"),
         "the 'monitoring' of 'w', which nothing looks at; add 'autoscale', or drop it"},
        {MODE_W("interval", "max_replicas: 9, autoscale: {name: hpa, utilisation: 60 %}, "
                            "monitoring: {period: 40s}"),
         "datapoints of 40 s end in the middle of the steps of 15 s"},
        {MODE_W("interval", "max_replicas: 9, autoscale: {name: hpa, utilisation: 60 %}, "
                            "monitoring: {period: 40s}"),
         "or 'mode: requests' in 'w'"},
        {MODE_W("requests", "max_replicas: 9, autoscale: {name: hpa, utilisation: 60 %}, "
                            "monitoring: {delay: 1d}"),
         "'delay': '1d' is above 6 h"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[2000];
        int exit_code = 0;
        snprintf(text, sizeof text, HEAD "horizon: 1d\n%s", rows[i].text);
        char *told = study_errors(text, &exit_code);
        if (strstr(told, rows[i].told) == NULL) {
            fail_msg("expected '%s', told:\n%s", rows[i].told, told);
        }
        free(told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(datapoints_are_seen_when_they_are_stated_to_be),
        cmocka_unit_test(late_datapoints_overshoot),
        cmocka_unit_test(errors_cost_replicas),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    gsl_errors_install();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
