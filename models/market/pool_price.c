/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/pool_price.h"

#include <math.h>

struct pool_price pool_price_constant(money_t per_hour, struct arena *arena)
{
    struct price_step *step = arena_alloc(arena, sizeof *step);
    if (step == NULL) {
        return (struct pool_price){0};
    }
    step->per_hour = per_hour;
    return (struct pool_price){step, 1};
}

struct pool_price pool_price_on_demand(const struct catalogue *c, const char *type,
                                       const char *region, int64_t start_unix_s,
                                       int64_t as_of_unix_s, struct arena *arena,
                                       const struct dated_price **first)
{
    const struct dated_price *row =
        catalogue_on_demand_at(c, type, region, start_unix_s, as_of_unix_s);
    if (first != NULL) {
        *first = row;
    }
    if (row == NULL) {
        return (struct pool_price){0};
    }
    const struct dated_price *rows;
    size_t row_count = catalogue_on_demand(c, type, region, &rows);
    struct price_step *steps = arena_array(arena, row_count + 1, sizeof *steps);
    if (steps == NULL) {
        return (struct pool_price){0};
    }
    steps[0] = (struct price_step){0.0, row->per_hour};
    size_t count = 1;
    for (size_t i = 0; i < row_count; i++) {
        if (rows[i].from_unix_s > start_unix_s && rows[i].from_unix_s <= as_of_unix_s &&
            rows[i].per_hour != steps[count - 1].per_hour) {
            steps[count++] =
                (struct price_step){(double)(rows[i].from_unix_s - start_unix_s), rows[i].per_hour};
        }
    }
    return (struct pool_price){steps, count};
}

money_t pool_price_at(const struct pool_price *p, double t_s, double *until_s)
{
    size_t i = 0;
    while (i + 1 < p->count && p->steps[i + 1].from_s <= t_s) {
        i++;
    }
    if (until_s != NULL) {
        *until_s = i + 1 < p->count ? p->steps[i + 1].from_s : HUGE_VAL;
    }
    return p->steps[i].per_hour;
}
