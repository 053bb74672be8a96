/* SPDX-License-Identifier: GPL-3.0-or-later
 * A market written by hand, in place of the real one: a test that includes scripted_market_double.h
 * defines all that fleet and job ask of models/market/market.h, so that each capacity step, notice
 * and delay is a number in the test. */
#ifndef FLEETCAST_TESTS_SCRIPTED_MARKET_H
#define FLEETCAST_TESTS_SCRIPTED_MARKET_H

#include "models/market/market.h"

struct scripted_step {
    double from_s;
    uint32_t nodes; /* K from then on */
};

enum { SCRIPTED_STEPS = 48, SCRIPTED_PRICES = 4, SCRIPTED_POOLS = 8 };

struct scripted_pool {
    const char *name; /* "spot" */
    enum purchase purchase;
    struct scripted_step steps[SCRIPTED_STEPS]; /* by time, the first at 0 */
    size_t step_count;                          /* 0: no limit, always */
    double hazard_per_s, notice_s;
    /* Regain (spot) or wait (on-demand): delay + spread × u; both 0: none. */
    double delay_s, delay_spread_s;
    money_t per_hour; /* at first */
    struct {
        double from_s;
        money_t per_hour;
    } prices[SCRIPTED_PRICES]; /* later ones, by time; from_s 0: no more */
    struct pool_quota quota;
    double rebalance_lead_s; /* before each interruption; 0: none is announced */
    double false_alarm_s;    /* from one to the next; 0: none */
};

/* Copies the pools; pool k has index k. NULL when out of memory. The caller frees it with
 * market_free. */
struct market *scripted_market_new(const struct scripted_pool *pools, size_t count);

#endif
