/* SPDX-License-Identifier: GPL-3.0-or-later
 * For an export: what commitments from before the plan would cover of others' usage if there were
 * no plan, by what runs where (account_world.h has the sum of it). */
#ifndef FLEETCAST_MODELS_FOCUS_ALONE_H
#define FLEETCAST_MODELS_FOCUS_ALONE_H

#include "models/billing/focus_rows.h"

#include <stddef.h>
#include <stdint.h>

/* Equal clock hours, or a part of one. */
struct alone_piece {
    int64_t from_us, to_us;
    size_t first; /* of its amounts, by slot */
};

struct focus_alone {
    size_t slots; /* of the account alone */
    struct alone_piece *pieces;
    money_t *worth; /* of an hour, at on-demand prices less discount */
    size_t count, capacity, worth_count, worth_capacity;
    const struct focus_world *world; /* borrowed */
    int64_t *by_slot;                /* scratch */
    enum focus_end end;
};

/* All of it, or nothing when nothing is covered without the plan. focus_alone_release is due either
 * way. */
enum focus_end focus_alone_init(struct focus_alone *a, const struct focus_world *w);
void focus_alone_release(struct focus_alone *a);
/* Of the hours of one use of the account's from at_us on; *to_us: up to where that holds, should it
 * come sooner. */
money_t focus_alone_worth(const struct focus_alone *a, size_t use, int64_t at_us, int64_t *to_us);

/* On-demand prices of a pool as the account pays them. */
struct price_share focus_net_price(const struct focus_world *w, int pool);

#endif
