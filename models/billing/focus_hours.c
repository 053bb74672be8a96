/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/focus_hours.h"

#include "models/commitments/normalisation.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more item; false with the reason in `end`. */
static bool grow(struct focus_hours *h, void **items, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    size_t more = *capacity == 0 ? 256 : 2 * *capacity;
    if (more > FOCUS_STATES_MAX) {
        h->end = FOCUS_HOURS_TOO_MANY;
        return false;
    }
    void *grown = realloc(*items, more * size);
    if (grown == NULL) {
        h->end = FOCUS_HOURS_NO_MEMORY;
        return false;
    }
    *items = grown;
    *capacity = more;
    return true;
}

static const char *type_of_slot(const struct focus_hours *h, uint32_t slot)
{
    const int pool = h->plan->pool_of_slot[slot];
    return market_pool_info(market_plan_of(h->market), pool)->type->name;
}

int64_t focus_reserved_us(const struct commitment *c, const char *type, int64_t us)
{
    if (!commitment_is_reserved(c)) {
        return 0;
    }
    if (type == NULL || strcmp(type, c->type) == 0 || c->kind == COMMITMENT_ZONAL_RESERVED) {
        return us;
    }
    return money_share(us, normalisation_quarters(type), normalisation_quarters(c->type));
}

/* What of a commitment was lost in [from_us, to_us), of which used.us and used.money were not. */
static void keep_unused(struct focus_hours *h, size_t k, int64_t from_us, int64_t to_us,
                        struct matched_part used)
{
    const struct commitment *c = &matched_items(h->matched)[k];
    money_t money = commitment_amortised(c, from_us, to_us) - used.money;
    void *items = h->unused;
    if (money <= 0 || !grow(h, &items, &h->unused_capacity, h->unused_count, sizeof *h->unused)) {
        return;
    }
    h->unused = items;
    int64_t units_us = c->count * commitment_overlap_us(c, from_us, to_us) - used.us;
    h->unused[h->unused_count++] = (struct focus_unused){
        .commitment = k,
        .from_us = from_us > c->start_us ? from_us : c->start_us,
        .to_us = to_us < c->end_us ? to_us : c->end_us,
        .units_us = commitment_is_reserved(c) && units_us > 0 ? units_us : 0,
        .money = money,
    };
}

/* Part of a cover on the side of the horizon that [from_us, …) is on. */
static struct matched_part part_of(const struct focus_hours *h, size_t cover, int64_t from_us)
{
    const struct coverage_outcome *o = h->outcome;
    struct matched_part part = matched_inside(h->matched, h->frame, h->market, o, cover);
    if (from_us >= h->frame->horizon_us) {
        struct matched_part whole = matched_whole(h->matched, h->market, o, cover);
        part.us = whole.us - part.us;
        part.worth = whole.worth - part.worth;
        part.money = whole.money - part.money;
    }
    return part;
}

/* What of a discount is taken back for it on that side: split as its worth is. */
static money_t back_of(const struct focus_hours *h, size_t cover, int64_t from_us)
{
    const struct coverage_outcome *o = h->outcome;
    if (h->discount == NULL) {
        return 0;
    }
    const size_t pool = matched_pool(h->matched, o->covers[cover].slot);
    const struct price_share off = {h->discount->of_pool[pool], h->discount->whole};
    money_t back = matched_worth(h->matched, h->market, o, cover, off);
    if (o->to_us <= h->frame->horizon_us || o->from_us >= h->frame->horizon_us) {
        return back;
    }
    money_t whole = matched_whole(h->matched, h->market, o, cover).worth;
    money_t inside = matched_inside(h->matched, h->frame, h->market, o, cover).worth;
    inside = whole > 0 ? money_share(back, inside, whole) : 0;
    return from_us < h->frame->horizon_us ? inside : back - inside;
}

static bool keep_usage(struct focus_hours *h, const struct focus_hour *hour)
{
    const struct coverage_outcome *o = h->outcome;
    bool whole = hour->from_us == o->from_us && hour->to_us == o->to_us;
    for (uint32_t slot = 0; slot < h->slots; slot++) {
        void *items = h->ran_us;
        if (!grow(h, &items, &h->ran_capacity, h->ran_count, sizeof *h->ran_us)) {
            return false;
        }
        h->ran_us = items;
        int64_t us = o->on_demand_us[slot];
        for (size_t i = 0; whole && i < o->cover_count; i++) {
            us += o->covers[i].slot == slot ? o->covers[i].us : 0;
        }
        h->ran_us[h->ran_count++] =
            whole ? us : matched_ran_us(h->matched, slot, hour->from_us, hour->to_us);
    }
    return true;
}

static bool keep_covers(struct focus_hours *h, struct focus_hour *hour)
{
    const struct coverage_outcome *o = h->outcome;
    for (size_t i = 0; i < o->cover_count; i++) {
        const struct matched_part part = part_of(h, i, hour->from_us);
        void *items = h->covers;
        if (!grow(h, &items, &h->cover_capacity, h->cover_count, sizeof *h->covers)) {
            return false;
        }
        h->covers = items;
        h->covers[h->cover_count++] = (struct focus_cover){.commitment = o->covers[i].commitment,
                                                           .slot = o->covers[i].slot,
                                                           .us = part.us,
                                                           .money = part.money};
        if (h->plan->others[o->covers[i].slot]) {
            continue; /* not on the plan's bill */
        }
        const bool two = matched_two_prices(h->matched, h->market, o, o->covers[i].slot);
        const money_t back = back_of(h, i, hour->from_us);
        hour->two_prices = hour->two_prices || two;
        h->pieces += two ? PRICES_AN_HOUR : 1;
        h->last = hour->tail ? h->last : h->hour_count - 1;
        if (!money_add(&hour->worth, part.worth) || !money_add(&hour->back, back) ||
            !money_add(h->plan->idle[o->covers[i].slot] ? &h->idle_worth : &h->worth, part.worth) ||
            !money_add(&h->back, back)) {
            h->end = FOCUS_HOURS_OVERFLOW;
            return false;
        }
    }
    return true;
}

static void keep_all_unused(struct focus_hours *h, const struct focus_hour *hour)
{
    const struct coverage_outcome *o = h->outcome;
    for (size_t k = 0; k < h->plan->count + h->plan->sunk; k++) {
        struct matched_part used = {0};
        for (size_t i = 0; i < o->cover_count; i++) {
            if (o->covers[i].commitment == k) {
                const struct focus_cover *cover = &h->covers[hour->first_cover + i];
                used.money += cover->money;
                used.us += focus_reserved_us(&matched_items(h->matched)[k],
                                             type_of_slot(h, cover->slot), cover->us);
            }
        }
        keep_unused(h, k, hour->from_us, hour->to_us, used);
    }
}

/* The outcome under way, or its part on one side of the horizon. */
static void keep_hour(struct focus_hours *h, int64_t from_us, int64_t to_us)
{
    void *items = h->hours;
    if (h->end != FOCUS_HOURS_DONE || from_us >= to_us ||
        !grow(h, &items, &h->hour_capacity, h->hour_count, sizeof *h->hours)) {
        return;
    }
    h->hours = items;
    struct focus_hour *hour = &h->hours[h->hour_count++];
    *hour = (struct focus_hour){.from_us = from_us,
                                .to_us = to_us,
                                .first_cover = h->cover_count,
                                .cover_count = h->outcome->cover_count,
                                .tail = from_us > h->outcome->from_us};
    if (keep_usage(h, hour) && keep_covers(h, hour) && from_us < h->frame->horizon_us) {
        keep_all_unused(h, hour);
    }
}

static void keep_outcome(void *context, const struct coverage_outcome *o)
{
    struct focus_hours *h = context;
    const int64_t horizon_us = h->frame->horizon_us;
    bool cut = o->from_us < horizon_us && horizon_us < o->to_us;
    h->outcome = o;
    keep_hour(h, o->from_us, cut ? horizon_us : o->to_us);
    keep_hour(h, cut ? horizon_us : o->to_us, o->to_us);
    h->outcome = NULL;
}

enum focus_hours_end focus_hours_init(struct focus_hours *h, const struct commitment_plan *plan,
                                      struct matched_hours *matched, const struct rating_frame *f,
                                      struct market *m, const struct usage_log *log,
                                      const struct covered_discount *discount)
{
    *h = (struct focus_hours){.slots = coverage_slots(plan->coverage),
                              .plan = plan,
                              .frame = f,
                              .market = m,
                              .matched = matched,
                              .discount = discount,
                              .last = SIZE_MAX};
    switch (matched_walk(matched, f, m, log, keep_outcome, h, &h->until_us)) {
    case MATCHED_OK:
        break;
    case MATCHED_OVERFLOW:
        return FOCUS_HOURS_OVERFLOW;
    case MATCHED_TOO_MANY:
        return FOCUS_HOURS_TOO_MANY;
    case MATCHED_NO_MEMORY:
        return FOCUS_HOURS_NO_MEMORY;
    }
    h->seen_us = calloc(h->ran_count + 1, sizeof *h->seen_us);
    return h->seen_us == NULL ? FOCUS_HOURS_NO_MEMORY : h->end;
}

void focus_hours_release(struct focus_hours *h)
{
    free(h->hours);
    free(h->covers);
    free(h->unused);
    free(h->ran_us);
    free(h->seen_us);
}

bool focus_hours_cut(const struct focus_hours *h, int64_t at_us, int64_t *to_us, size_t *index)
{
    size_t low = 0, high = h->hour_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (h->hours[middle].from_us <= at_us) {
            low = middle;
        } else {
            high = middle;
        }
    }
    if (low >= h->hour_count || h->hours[low].to_us <= at_us) {
        return false;
    }
    *to_us = h->hours[low].to_us < *to_us ? h->hours[low].to_us : *to_us;
    *index = low;
    return true;
}
