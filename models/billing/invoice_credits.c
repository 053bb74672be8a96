/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/invoice_credits.h"

#include <stdlib.h>

/* Beside services: what is paid along the term of commitments, which is EC2's. */
enum { OF_COMMITMENTS = SERVICE_COUNT, PAYABLE_COUNT };

struct credit {
    const struct charge_item *item;
    size_t line;
    int64_t from_us, to_us; /* in force in [from, to) */
    money_t left;
};

static int compare_credits(const void *left, const void *right)
{
    const struct credit *a = left, *b = right;
    bool a_scoped = a->item->service != SERVICE_NONE, b_scoped = b->item->service != SERVICE_NONE;
    if (a->to_us != b->to_us) {
        return a->to_us < b->to_us ? -1 : 1;
    }
    return a_scoped != b_scoped ? (a_scoped ? -1 : 1) : (a->line > b->line) - (a->line < b->line);
}

static size_t gather(const struct charging *c, struct credit *credits)
{
    size_t count = 0;
    for (size_t i = 0; i < c->plan->count; i++) {
        const struct charge_item *item = &c->plan->items[i];
        const struct charge_spec *s = item->spec;
        if (item->kind == CHARGE_CREDIT) {
            int64_t days_us =
                (s->expires.unix_s + 86400 - c->world->frame->start_unix_s) * MICROSECONDS;
            struct charge_target t = charging_target(c, charging_shared_row(c), NULL);
            credits[count++] =
                (struct credit){.item = item,
                                .line = i,
                                .from_us = item->at_us,
                                .to_us = s->expires.given ? days_us : INT64_MAX,
                                .left = charge_money(&t, charging_number(c, &s->credit))};
        }
    }
    qsort(credits, count, sizeof *credits, compare_credits);
    return count;
}

/* The share of a period in which a credit is in force: by node time, or where there is none, by
 * time. */
static int64_t share_in_force(const struct charging *c, const struct credit *k, int64_t from_us,
                              int64_t to_us)
{
    int64_t low_us = k->from_us > from_us ? k->from_us : from_us;
    int64_t high_us = k->to_us < to_us ? k->to_us : to_us;
    if (low_us >= high_us) {
        return 0;
    }
    if (low_us == from_us && high_us == to_us) {
        return SHARE_WHOLE;
    }
    double all = 0, part = 0;
    for (size_t i = 0; i < c->world->log->count; i++) {
        const struct usage *u = &c->world->log->records[i];
        int64_t a_us = u->start_us > from_us ? u->start_us : from_us;
        int64_t z_us = u->end_us < to_us ? u->end_us : to_us;
        if (a_us < z_us) {
            double nodes = (double)usage_nodes(u);
            all += nodes * (double)(z_us - a_us);
            a_us = a_us > low_us ? a_us : low_us;
            z_us = z_us < high_us ? z_us : high_us;
            part += a_us < z_us ? nodes * (double)(z_us - a_us) : 0;
        }
    }
    return all > 0 ? charge_parts(part / all)
                   : charge_parts((double)(high_us - low_us) / (double)(to_us - from_us));
}

/* One period: what each payable thing still costs, and what is paid of it. */
struct payables {
    money_t cost[PAYABLE_COUNT], left[PAYABLE_COUNT];
};

static bool is_for(const struct credit *k, int payable)
{
    enum charge_service of = payable == OF_COMMITMENTS ? SERVICE_EC2 : (enum charge_service)payable;
    return k->item->service == SERVICE_NONE || k->item->service == of;
}

/* Takes from the dearest down; returns how much. */
static money_t pay(struct credit *k, struct payables *p, int64_t share)
{
    bool seen[PAYABLE_COUNT] = {false};
    money_t sum = 0;
    for (int turn = 0; turn < PAYABLE_COUNT && k->left > 0; turn++) {
        int dearest = -1;
        for (int i = 0; i < PAYABLE_COUNT; i++) {
            if (!seen[i] && is_for(k, i) && p->left[i] > 0 &&
                (dearest < 0 || p->left[i] > p->left[dearest])) {
                dearest = i;
            }
        }
        if (dearest < 0) {
            break;
        }
        seen[dearest] = true;
        money_t most = money_share(p->cost[dearest], share, SHARE_WHOLE);
        most = most < p->left[dearest] ? most : p->left[dearest];
        most = most < k->left ? most : k->left;
        p->left[dearest] -= most;
        k->left -= most;
        sum += most;
    }
    return sum;
}

static void pay_period(const struct charging *c, const struct invoice_ledger *l, size_t period,
                       struct credit *credits, size_t count)
{
    struct payables p;
    int64_t from_us, to_us;
    invoice_ledger_span(l, period, &from_us, &to_us);
    for (int s = 0; s < SERVICE_COUNT; s++) {
        money_t net = *invoice_ledger_net(l, (enum charge_service)s, period);
        p.cost[s] = p.left[s] = net > 0 ? net : 0;
    }
    p.cost[OF_COMMITMENTS] = p.left[OF_COMMITMENTS] = l->recurring[period];
    for (size_t i = 0; i < count; i++) {
        int64_t share = share_in_force(c, &credits[i], from_us, to_us);
        money_t amount = pay(&credits[i], &p, share);
        struct charge_target t = charging_target(c, charging_shared_row(c), NULL);
        t.item = credits[i].line;
        charge_put(&t, from_us, period <= l->horizon ? to_us : from_us, -amount);
    }
}

bool invoice_credits(const struct charging *c, const struct invoice_ledger *l)
{
    struct credit *credits = calloc(c->plan->count + 1, sizeof *credits);
    if (credits == NULL) {
        return false;
    }
    size_t count = gather(c, credits);
    for (size_t p = 0; count > 0 && p < l->periods; p++) {
        pay_period(c, l, p, credits, count);
    }
    free(credits);
    return true;
}
