/* SPDX-License-Identifier: GPL-3.0-or-later
 * The value of what is covered is its time at the on-demand price then in force; the share of a
 * commitment that it used is what coverage says, and what is not used is the rest of the amortised
 * cost: differences of exact totals, so that used + unused + later is all that was signed. */
#include "models/billing/committed.h"

#include "models/billing/eligible_usage.h"
#include "models/billing/reservation_charges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct committed {
    const struct commitment_plan *plan;
    struct matched_hours *hours;
    struct committed_account *accounts; /* by commitment */
    struct committed_slot *slots;
    size_t slot_count;
    struct eligible_usage *eligible;
    int64_t *eligible_us;          /* by commitment of the plan */
    struct account_world *account; /* NULL: none */
    int64_t *by_slot;
    struct reservation_charges *reserved;
    struct reservation_use *uses; /* by reservation */
    int64_t signed_until_us;
};

/* What the sink of matched_walk needs. */
struct pass {
    struct committed *c;
    const struct rating_frame *frame;
    struct market *market;
    struct bill *bill;
    double *spend_units;
    const struct covered_discount *discount; /* may be NULL */
    money_t discount_back;                   /* given back so far */
    money_t discounted;                      /* given, on records and reserved capacity */
    int64_t pieces; /* of covered time, each rounded to a nano-unit, or more for an hour of several
                       prices; and of reserved capacity */
    size_t piece;   /* of the account without the plan */
    struct {
        uint32_t commitment;
        size_t month;
        bool inside;
    } last; /* piece */
};

struct committed *committed_new(const struct commitment_plan *plan, struct account_world *account)
{
    struct committed *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->plan = plan;
    c->hours = matched_hours_new(plan);
    c->account = account;
    c->accounts = calloc(commitment_plan_accounts(plan), sizeof *c->accounts);
    c->slot_count = coverage_slots(plan->coverage);
    c->slots = calloc(c->slot_count + 1, sizeof *c->slots);
    c->eligible = eligible_usage_new(plan);
    c->eligible_us = calloc(plan->count + 1, sizeof *c->eligible_us);
    c->by_slot = calloc(c->slot_count + 1, sizeof *c->by_slot);
    c->reserved = reservation_charges_new(&plan->reservations);
    c->uses = calloc(plan->reservations.count + 1, sizeof *c->uses);
    if (c->hours == NULL || c->accounts == NULL || c->slots == NULL || c->eligible == NULL ||
        c->eligible_us == NULL || c->by_slot == NULL || c->reserved == NULL || c->uses == NULL) {
        committed_free(c);
        return NULL;
    }
    return c;
}

void committed_free(struct committed *c)
{
    if (c != NULL) {
        matched_hours_free(c->hours);
        free(c->accounts);
        free(c->slots);
        eligible_usage_free(c->eligible);
        free(c->eligible_us);
        free(c->by_slot);
        reservation_charges_free(c->reserved);
        free(c->uses);
        free(c);
    }
}

bool committed_begin(struct committed *c, struct market *m, const double *drawn,
                     int64_t signed_until_us)
{
    c->signed_until_us = signed_until_us;
    return matched_begin(c->hours, m, drawn, signed_until_us);
}

const struct committed_slot *committed_slots(const struct committed *c, size_t *count)
{
    *count = c->slot_count;
    return c->slots;
}

const struct committed_account *committed_accounts(const struct committed *c)
{
    return c->accounts;
}

const struct commitment *committed_items(const struct committed *c)
{
    return matched_items(c->hours);
}

static void take(money_t *from, money_t amount)
{
    *from -= amount; /* both are parts of totals that fit */
}

/* Takes an amount off what was charged for these hours in a category; part: of it inside the
 * horizon. */
static void take_off(const struct pass *p, const struct coverage_outcome *o,
                     enum bill_category category, money_t amount, money_t part)
{
    struct bill *b = p->bill;
    const struct rating_frame *f = p->frame;
    const int64_t horizon_us = f->horizon_us;
    const size_t month = f->months > 0 ? bill_month(f, o->from_us) : 0;
    accumulate(&b->cost, -amount, &b->overflow);
    if (f->months > 0) {
        accumulate(&b->month[month], -amount, &b->overflow);
        bill_note(b, f, BILL_ROW_CATEGORY + (size_t)category, month, -amount);
    }
    if (o->from_us < horizon_us) {
        accumulate(&b->cash, -part, &b->overflow);
        accumulate(&b->amortised, -part, &b->overflow);
        bill_note(b, f, BILL_ROW_CASH, month, -part);
        bill_note(b, f, BILL_ROW_AMORTISED, month, -part);
        if (p->spend_units != NULL && p->frame->buckets > 0) {
            int64_t to_us = o->to_us < horizon_us ? o->to_us : horizon_us;
            bill_spread(p->frame, p->spend_units, o->from_us, to_us, -money_to_double(part));
        }
    }
}

/* What is covered is no on-demand usage: what was taken off for a discount is charged again. */
static void give_back_discount(struct pass *p, const struct coverage_outcome *o, size_t cover,
                               const struct matched_part *whole, const struct matched_part *inside)
{
    size_t pool = matched_pool(p->c->hours, o->covers[cover].slot);
    const struct price_share off = {p->discount->of_pool[pool], p->discount->whole};
    money_t back = matched_worth(p->c->hours, p->market, o, cover, off);
    money_t part = whole->worth > 0 ? money_share(back, inside->worth, whole->worth) : 0;
    accumulate(&p->discount_back, back, &p->bill->overflow);
    accumulate(&p->c->slots[o->covers[cover].slot].back, back, &p->bill->overflow);
    accumulate(&p->bill->other[p->discount->item], back, &p->bill->overflow);
    take_off(p, o, bill_category_of_other(p->frame, p->discount->item), -back, -part);
}

/* ---- the account with the plan less the account without it ---- */

/* In each hour of [from_us, to_us) this is covered of others' usage without the plan and with it:
 * the difference is what they pay more on demand. */
static void charge_displaced(const struct pass *p, int64_t from_us, int64_t to_us,
                             struct account_covered without, struct account_covered with)
{
    const money_t per_hour = without.worth - with.worth;
    const struct coverage_outcome stretch = {.from_us = from_us, .to_us = to_us};
    const int64_t horizon_us = p->frame->horizon_us;
    const int64_t hours = to_us - from_us > HOUR_US ? (to_us - from_us) / HOUR_US : 1;
    struct bill *b = p->bill;
    money_t amount = money_times(per_hour, hours), part = amount;
    if (to_us > horizon_us) { /* in the last of these hours, which is split by time */
        const int64_t last_us = hours > 1 ? to_us - HOUR_US : from_us;
        part = amount - per_hour + (horizon_us > last_us ? without.inside - with.inside : 0);
    }
    b->overflow = b->overflow || money_overflowed(amount);
    accumulate(&b->committed.displaced, amount, &b->overflow);
    take_off(p, &stretch, BILL_DISPLACED, -amount, -part);
}

/* Over [from_us, to_us), where each hour is worth the same of others' cover. Hours in which the
 * plan changes nothing for them are no charge, not one of 0: nothing that is rounded is left of
 * them anywhere. */
static void compare_others(struct pass *p, const struct coverage_outcome *o, int64_t from_us,
                           int64_t to_us)
{
    const struct account_hour hour = {p->c->hours, p->c->plan, p->market, p->discount,
                                      p->frame->horizon_us};
    if (from_us == to_us) {
        return;
    }
    const struct account_covered covered =
        account_covered_hour(&hour, o, from_us, p->c->by_slot, &p->bill->overflow);
    for (int64_t at_us = from_us; at_us < to_us;) {
        const struct account_stretch without =
            account_world_without(p->c->account, &p->piece, at_us, to_us);
        if (without.covered.worth != covered.worth || without.covered.inside != covered.inside) {
            charge_displaced(p, at_us, without.to_us, without.covered, covered);
        }
        at_us = without.to_us;
    }
}

/* What of a commitment was used inside the horizon. */
static void note_used(const struct pass *p, const struct coverage_outcome *o, uint32_t commitment,
                      money_t part)
{
    const struct rating_frame *f = p->frame;
    p->c->accounts[commitment].used_inside += part;
    if (commitment < p->c->plan->count) {
        bill_note(p->bill, f, BILL_ROW_CATEGORY + BILL_COMMITMENTS_USED,
                  f->months > 0 ? bill_month(f, o->from_us) : 0, part);
    }
}

static void hours_matched(void *context, const struct coverage_outcome *o)
{
    struct pass *p = context;
    struct bill *b = p->bill;
    const int64_t horizon_us = p->frame->horizon_us;
    bool inside = o->from_us < horizon_us;
    for (size_t i = 0; i < o->cover_count; i++) {
        const struct coverage_cover *cover = &o->covers[i];
        const struct matched_part whole = matched_whole(p->c->hours, p->market, o, i);
        const struct matched_part part =
            o->to_us <= horizon_us ? whole : matched_inside(p->c->hours, p->frame, p->market, o, i);
        if (p->c->plan->others[cover->slot]) {
            p->c->accounts[cover->commitment].others_us += cover->us;
            note_used(p, o, cover->commitment, part.money);
            continue;
        }
        money_t worth = whole.worth;
        const bool idle = p->c->plan->idle[cover->slot];
        struct committed_account *account = &p->c->accounts[cover->commitment];
        accumulate(idle ? &b->reserved_idle : &b->committed.covered, idle ? -worth : worth,
                   &b->overflow);
        accumulate(&account->covered, worth, &b->overflow);
        account->covered_us += cover->us;
        accumulate(&p->c->slots[cover->slot].covered, worth, &b->overflow);
        if (cover->commitment < p->c->plan->count) {
            accumulate(&p->c->slots[cover->slot].used, whole.money, &b->overflow);
        }
        p->pieces +=
            matched_two_prices(p->c->hours, p->market, o, cover->slot) ? PRICES_AN_HOUR : 1;
        p->last.commitment = cover->commitment;
        p->last.month = p->frame->months > 0 ? bill_month(p->frame, o->from_us) : 0;
        p->last.inside = inside;
        take_off(p, o, idle ? BILL_RESERVATIONS : BILL_ON_DEMAND, worth, part.worth);
        if (p->discount != NULL) {
            give_back_discount(p, o, i, &whole, &part);
        }
        note_used(p, o, cover->commitment, part.money);
    }
    for (size_t k = 0; k < p->c->plan->count; k++) {
        accumulate(&b->committed.used, o->used[k], &b->overflow);
        p->c->accounts[k].used += o->used[k];
    }
    b->overflow = b->overflow || o->overflow;
    if (p->c->account != NULL) {
        const int64_t last_us = account_last_hour(o);
        compare_others(p, o, o->from_us, last_us);
        compare_others(p, o, last_us, o->to_us);
    }
}

/* Charges are rounded node by node and covered time piece by piece, so that the pieces of what is
 * covered in full may come to some nano-units more than its charge: they are given back, since
 * nobody is charged less than nothing on demand. More than rounding is not touched. */
static void correct(const struct pass *p, enum bill_category category, money_t amount)
{
    bill_charge(p->bill, p->frame, category, p->last.month, p->last.inside, amount);
}

static bool is_rounding(const struct pass *p, money_t excess)
{
    return excess > 0 && excess <= p->pieces;
}

static void give_back_rounding(const struct pass *p, money_t charged)
{
    struct bill *b = p->bill;
    money_t excess = b->committed.covered - charged;
    if (is_rounding(p, excess)) {
        take(&b->committed.covered, excess);
        take(&p->c->accounts[p->last.commitment].covered, excess);
        correct(p, BILL_ON_DEMAND, excess);
    }
    if (is_rounding(p, -b->reserved_idle)) {
        excess = -b->reserved_idle;
        take(&p->c->accounts[p->last.commitment].covered, excess);
        take(&b->reserved_idle, -excess);
        correct(p, BILL_RESERVATIONS, excess);
    }
    excess = p->discount == NULL ? 0 : p->discount_back - p->discounted;
    if (is_rounding(p, excess)) {
        take(&b->other[p->discount->item], excess);
        correct(p, bill_category_of_other(p->frame, p->discount->item), -excess);
    }
}

/* ---- what was signed ---- */

static void add_signed(const struct pass *p)
{
    const struct rating_frame *f = p->frame;
    const struct commitment_plan *plan = p->c->plan;
    struct bill *b = p->bill;
    money_t all_used_later = 0;
    for (size_t k = 0; k < plan->count; k++) {
        const struct commitment *c = &matched_items(p->c->hours)[k];
        money_t total = commitment_total(c);
        money_t amortised = commitment_amortised(c, INT64_MIN / 4, f->horizon_us);
        struct committed_account *account = &p->c->accounts[k];
        /* Usage after the horizon (finishing late) is covered by what is paid then anyway, which
         * is of use to nobody else. */
        money_t used_later = account->used - account->used_inside;
        money_t rest = total - amortised - used_later;
        money_t reused = (money_t)llround((double)rest * plan->reuse[k]);
        accumulate(&b->obligation, commitment_obligation(c), &b->overflow);
        accumulate(&b->cash, commitment_paid(c, INT64_MIN / 4, f->horizon_us), &b->overflow);
        accumulate(&b->amortised, amortised, &b->overflow);
        accumulate(&b->cost, total - reused, &b->overflow);
        account->unused = amortised - account->used_inside;
        account->later = rest - reused;
        accumulate(&b->committed.unused, account->unused, &b->overflow);
        accumulate(&b->committed.later, account->later, &b->overflow);
        for (size_t month = 0; month < f->months; month++) {
            int64_t from_us = month == 0 ? INT64_MIN / 4 : f->month_start_us[month];
            int64_t to_us = month + 1 < f->months ? f->month_start_us[month + 1] : f->horizon_us;
            to_us = to_us < f->horizon_us ? to_us : f->horizon_us;
            if (from_us < to_us) {
                money_t part = commitment_amortised(c, from_us, to_us);
                accumulate(&b->month[month], part, &b->overflow);
                bill_note(b, f, BILL_ROW_AMORTISED, month, part);
                bill_note(b, f, BILL_ROW_CATEGORY + BILL_COMMITMENTS_UNUSED, month, part);
                bill_note(b, f, BILL_ROW_CASH, month, commitment_paid(c, from_us, to_us));
            }
        }
        if (f->months > 0) {
            const size_t later = bill_later_month(f);
            accumulate(&b->month[later], total - amortised - reused, &b->overflow);
            bill_note(b, f, BILL_ROW_CATEGORY + BILL_COMMITMENTS_LATER, later, account->later);
            accumulate(&all_used_later, used_later, &b->overflow);
        }
        for (size_t i = 0; p->spend_units != NULL && i < f->buckets; i++) {
            int64_t from_us = i == 0 ? INT64_MIN / 4 : (int64_t)i * f->bucket_us;
            int64_t to_us = i + 1 < f->buckets ? ((int64_t)i + 1) * f->bucket_us : f->horizon_us;
            p->spend_units[i] += money_to_double(commitment_paid(c, from_us, to_us));
        }
    }
    /* What was not used is the rest of what was borne, month by month too. */
    for (size_t month = 0; b->by_month != NULL && month < f->months; month++) {
        const size_t used = (BILL_ROW_CATEGORY + BILL_COMMITMENTS_USED) * f->months + month;
        bill_note(b, f, BILL_ROW_CATEGORY + BILL_COMMITMENTS_UNUSED, month, -b->by_month[used]);
    }
    if (f->months > 0) {
        bill_note(b, f, BILL_ROW_CATEGORY + BILL_COMMITMENTS_USED, bill_later_month(f),
                  all_used_later);
    }
}

/* What is idle is charged before commitments take off what they cover of it. */
static bool charge_reserved(struct pass *p, const struct usage_log *log)
{
    struct committed *c = p->c;
    const struct reservation_plan *plan = &c->plan->reservations;
    money_t discounted;
    if (!reservation_charges_rate(c->reserved, p->frame, p->market, log, c->signed_until_us,
                                  p->discount, p->bill, p->spend_units, c->uses, &p->pieces,
                                  &discounted)) {
        return false;
    }
    accumulate(&p->discounted, discounted, &p->bill->overflow);
    for (size_t i = 0; i < plan->count; i++) {
        const struct reservation_use *use = &c->uses[i];
        const struct held_capacity *h = &plan->items[i];
        struct committed_account *account = &c->accounts[c->plan->count + c->plan->sunk + i];
        account->covered_us = use->inside_us;
        account->used = account->used_inside = use->inside;
        account->unused = use->idle;
        for (size_t k = 0; k < log->count; k++) {
            const struct usage *u = &log->records[k];
            int64_t from_us = u->start_us > h->from_us ? u->start_us : h->from_us;
            int64_t to_us = u->end_us < h->to_us ? u->end_us : h->to_us;
            if (u->pool == h->pool && to_us > from_us) {
                account->eligible_us += (to_us - from_us) * usage_nodes(u);
            }
        }
    }
    return true;
}

/* What exists before the plan costs the same with and without it: it is told, and in no bill. */
static void account_sunk_parts(const struct pass *p)
{
    const struct commitment_plan *plan = p->c->plan;
    for (size_t i = 0; i < plan->sunk; i++) {
        struct committed_account *account = &p->c->accounts[plan->count + i];
        account->used = account->used_inside;
        account->unused = account_sunk(plan->account, i, p->frame->horizon_us) - account->used;
    }
}

/* The account in this world, if there is one. */
static enum matched_status begin_account(const struct pass *p)
{
    struct committed *c = p->c;
    size_t count;
    if (c->account == NULL) {
        return MATCHED_OK;
    }
    const struct others_change *changes = account_world_changes(c->account, &count);
    matched_set_others(c->hours, changes, count, account_world_until(c->account));
    return account_world_rate(c->account, p->frame, p->market, p->discount);
}

enum matched_status committed_rate(struct committed *c, const struct rating_frame *f,
                                   struct market *m, const struct usage_log *log, money_t charged,
                                   const struct covered_discount *discount, struct bill *bill,
                                   double *spend_units)
{
    struct pass p = {.c = c,
                     .frame = f,
                     .market = m,
                     .bill = bill,
                     .spend_units = spend_units,
                     .discount = discount,
                     .discounted = discount == NULL ? 0 : discount->given};
    int64_t until_us;
    memset(c->accounts, 0, commitment_plan_accounts(c->plan) * sizeof *c->accounts);
    memset(c->slots, 0, c->slot_count * sizeof *c->slots);
    if (!charge_reserved(&p, log)) {
        return MATCHED_NO_MEMORY;
    }
    enum matched_status status = begin_account(&p);
    if (status == MATCHED_OK) {
        status = matched_walk(c->hours, f, m, log, hours_matched, &p, &until_us);
    }
    if (status == MATCHED_OVERFLOW) {
        bill->overflow = true;
    } else if (status != MATCHED_OK) {
        return status;
    }
    if (c->plan->reservations.count > 0) {
        eligible_usage_sum_walked(c->eligible, c->hours, f->start_unix_s, c->eligible_us);
    } else {
        eligible_usage_sum(c->eligible, log, f->start_unix_s, c->eligible_us);
    }
    for (size_t k = 0; k < c->plan->count; k++) {
        c->accounts[k].eligible_us = c->eligible_us[k];
    }
    if (!bill->overflow) {
        give_back_rounding(&p, charged);
    }
    add_signed(&p);
    account_sunk_parts(&p);
    return MATCHED_OK;
}
