/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/column_unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *suffix;
    enum dimension dimension;
} known[] = {{"frac", DIMENSION_SHARE}, {"s", DIMENSION_TIME},
             {"bytes", DIMENSION_DATA}, {"bytes_per_s", DIMENSION_DATA_RATE},
             {"per_s", DIMENSION_RATE}, {"flop_per_s", DIMENSION_FLOPS}};

/* "usd" -> "USD"; false when these are not three small letters. */
static bool currency_of(const char *suffix, char currency[4])
{
    for (size_t i = 0; i < 3; i++) {
        if (suffix[i] < 'a' || suffix[i] > 'z') {
            return false;
        }
        currency[i] = (char)(suffix[i] - 'a' + 'A');
    }
    currency[3] = '\0';
    return true;
}

struct column_unit column_unit_of(const char *suffix)
{
    struct column_unit u = {DIMENSION_COUNT, ""};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(suffix, known[i].suffix) == 0) {
            u.dimension = known[i].dimension;
            return u;
        }
    }
    if (strlen(suffix) == 3 && currency_of(suffix, u.currency)) {
        u.dimension = DIMENSION_MONEY;
    } else if (strlen(suffix) == 12 && strcmp(suffix + 3, "_per_hour") == 0 &&
               currency_of(suffix, u.currency)) {
        u.dimension = DIMENSION_PRICE;
    }
    return u;
}

char *column_unit_text(double value, const char *suffix, int digits, char out[48])
{
    const struct column_unit u = column_unit_of(suffix);
    char rounded[32];
    double shown;
    snprintf(rounded, sizeof rounded, "%.*e", digits - 1, value);
    if (sscanf(rounded, "%lf", &shown) != 1) {
        shown = value;
    }
    if (u.dimension == DIMENSION_RATE && value > 0) { /* a count of things, as people count them */
        static const struct {
            const char *unit;
            double seconds;
        } per[] = {{"s", 1},     {"min", 60},   {"h", 3600},
                   {"d", 86400}, {"w", 604800}, {"y", 31557600}};
        size_t i = 0;
        while (i + 1 < sizeof per / sizeof per[0] && value * per[i].seconds < (i >= 3 ? 0.1 : 1)) {
            i++;
        }
        snprintf(out, 48, "%.*g/%s", digits, value * per[i].seconds, per[i].unit);
        return out;
    }
    if (u.dimension == DIMENSION_TIME && fabs(value) >= 1) {
        static const struct {
            const char *unit;
            double seconds;
        } of[] = {{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
        size_t i = fabs(value) < 120 ? 0 : fabs(value) < 7200 ? 1 : fabs(value) < 259200 ? 2 : 3;
        snprintf(out, 48, "%.*g %s", digits, value / of[i].seconds, of[i].unit);
        return out;
    }
    return quantity_text(shown, u.dimension, u.currency[0] == '\0' ? NULL : u.currency, out);
}

char *column_unit_setting(double value, const char *suffix, char out[64])
{
    const struct column_unit u = column_unit_of(suffix);
    switch (u.dimension) {
    case DIMENSION_TIME:
        snprintf(out, 64, "%.17g s", value);
        break;
    case DIMENSION_DATA:
        snprintf(out, 64, "%.17g B", value);
        break;
    case DIMENSION_DATA_RATE:
        snprintf(out, 64, "%.17g B/s", value);
        break;
    case DIMENSION_RATE:
        snprintf(out, 64, "%.17g/s", value);
        break;
    case DIMENSION_FLOPS:
        snprintf(out, 64, "%.17g TFLOPS", value / 1e12);
        break;
    case DIMENSION_MONEY:
        snprintf(out, 64, "%.17g %s", value, u.currency);
        break;
    case DIMENSION_PRICE:
        snprintf(out, 64, "%.17g %s/h", value, u.currency);
        break;
    default:
        snprintf(out, 64, "%.17g", value);
    }
    return out;
}
