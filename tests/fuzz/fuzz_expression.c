/* SPDX-License-Identifier: GPL-3.0-or-later
 * Any text as a quantity, a number and a variate of any dimension (libFuzzer). What is accepted
 * must be finite, legal and drawable; what is refused must say why. Run from the root:
 *
 *   make fuzz
 *   build/fuzz/expression -dict=tests/fuzz/expression.dict -max_total_time=60 -max_len=200 */
#include "engine/expression.h"
#include "engine/gsl_errors.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Unlike assert, whatever NDEBUG says. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    gsl_errors_install();
    return 0;
}

static void check_distribution(const struct distribution *d)
{
    static const double at[] = {0x1p-53, 1e-6, 0.05, 0.5, 0.95, 1 - 1e-6, 1 - 0x1p-53};
    double before = -DBL_MAX;

    for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
        double q = distribution_quantile(d, at[i]);
        CHECK(isfinite(q));
        CHECK(q >= d->low && q <= d->high);
        CHECK(q >= before - 1e-6 * fabs(before)); /* up to rounding in far tails */
        before = q;
    }
}

static void check_quantity(const char *text, size_t length, enum dimension dimension)
{
    struct quantity q;
    char message[300] = "", shown[48];

    if (!quantity_parse(text, length, dimension, &q, message, sizeof(message))) {
        CHECK(message[0] != '\0');
        return;
    }
    CHECK(isfinite(q.value));
    CHECK(q.value >= quantity_least(dimension));
    CHECK(q.months >= 0 && q.months <= 12000);
    CHECK(q.months == 0 || dimension == DIMENSION_SPAN);
    CHECK(strlen(q.currency) == 0 || strlen(q.currency) == 3);
    CHECK(strlen(quantity_text(q.value, dimension, q.currency, shown)) < sizeof(shown));
    CHECK(strlen(quantity_time_text(q.value, shown)) < 32);
}

static void check_number(const char *text, struct expression_context *c)
{
    struct number n;

    if (!expression_number(text, c, &n)) {
        CHECK(c->message[0] != '\0');
        return;
    }
    CHECK(isfinite(n.median));
    CHECK(n.median >= c->low && n.median <= c->high);
    if (n.input >= 0)
        check_distribution(&inputs_at(c->inputs, (size_t)n.input)->distribution);
}

static void check_variate(const char *text, struct expression_context *c)
{
    struct variate v;
    struct distribution d;
    double values[4];
    char message[300];

    c->inputs = inputs_new(c->arena);
    if (!expression_variate(text, c, &v)) {
        CHECK(c->message[0] != '\0');
        return;
    }
    CHECK(isfinite(variate_planned_mean(&v)));
    CHECK(variate_resolve(&v, NULL, &d));
    check_distribution(&d);
    CHECK(inputs_count(c->inputs) <= 3);
    CHECK(inputs_prepare(c->inputs, message, sizeof(message)));
    for (uint32_t k = 0; k < 8; k++) {
        inputs_draw(c->inputs, (struct random_world){.seed = 1, .replication = k}, values);
        CHECK(variate_resolve(&v, values, &d));
        check_distribution(&d);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum dimension dimension;
    struct arena *arena;
    char message[300] = "", warning[300] = "", *text;

    if (size < 2)
        return 0;
    dimension = (enum dimension)(data[0] % (DIMENSION_FLOPS + 1));
    text = malloc(size);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    check_quantity(text, size - 1, dimension);
    if (strstr(text, "empirical") != NULL) /* no file is meant to be opened */
        for (char *p = text; (p = strchr(p, '/')) != NULL;)
            *p = '_';
    arena = arena_new(1 << 20);
    struct expression_context c = {.arena = arena,
                                   .inputs = inputs_new(arena),
                                   .name = "key",
                                   .dimension = dimension,
                                   .low = data[0] & 0x40 ? 0 : -HUGE_VAL,
                                   .high = data[0] & 0x80 ? (dimension == DIMENSION_SHARE ? 1 : 1e6)
                                                          : HUGE_VAL,
                                   .currency = "USD",
                                   .base_folder = "/nonexistent",
                                   .message = message,
                                   .message_size = sizeof(message),
                                   .warning = warning,
                                   .warning_size = sizeof(warning)};
    check_number(text, &c);
    check_variate(text, &c);
    arena_free(arena);
    free(text);
    return 0;
}
