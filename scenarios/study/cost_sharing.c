/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/cost_sharing.h"

#include "models/billing/bill_shares.h"
#include "models/billing/cost_split.h"
#include "models/billing/other_charges.h"
#include "scenarios/study/host_split.h"

#include <stdlib.h>
#include <string.h>

struct cost_sharing {
    const struct study *study;
    struct charge_sink sink;
    const struct charge_sink *next;
    money_t *of_item; /* by item of charges: of the shared bill, less discounts */
    money_t *of_line; /* by line of the holders */
    money_t *own, *parts;
    struct money_part *scratch;
    money_t *of_slot; /* by slot of the strategy's commitments */
    int64_t *slot_us;
    size_t slot_capacity;
    struct host_split hosts;
    bool overflow;
};

static void take_note(void *context, const struct charge_note *n)
{
    struct cost_sharing *c = context;
    if (n->row == c->study->workload_count && !n->of_others) {
        accumulate(&c->of_item[n->item], n->amount - n->discount, &c->overflow);
    }
    if (c->next != NULL) {
        c->next->take(c->next->context, n);
    }
}

struct cost_sharing *cost_sharing_new(const struct study *study)
{
    struct cost_sharing *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    const size_t workloads = study->workload_count + 1;
    c->study = study;
    c->sink = (struct charge_sink){.take = take_note, .context = c};
    c->of_item = calloc(study->charges.count + 1, sizeof *c->of_item);
    c->of_line = calloc(study->holders.lines + 1, sizeof *c->of_line);
    c->own = calloc(workloads, sizeof *c->own);
    c->parts = calloc(workloads, sizeof *c->parts);
    c->scratch = calloc(workloads, sizeof *c->scratch);
    if (!host_split_init(&c->hosts, study->workload_count) || c->of_item == NULL ||
        c->of_line == NULL || c->own == NULL || c->parts == NULL || c->scratch == NULL) {
        cost_sharing_free(c);
        return NULL;
    }
    return c;
}

void cost_sharing_free(struct cost_sharing *c)
{
    if (c != NULL) {
        free(c->of_item);
        free(c->of_line);
        free(c->own);
        free(c->parts);
        free(c->scratch);
        free(c->of_slot);
        free(c->slot_us);
        host_split_release(&c->hosts);
        free(c);
    }
}

const struct charge_sink *cost_sharing_begin(struct cost_sharing *c, const struct charge_sink *next)
{
    memset(c->of_item, 0, c->study->charges.count * sizeof *c->of_item);
    c->next = next;
    c->overflow = false;
    return &c->sink;
}

static bool room_for_slots(struct cost_sharing *c, size_t slots)
{
    if (slots > c->slot_capacity) {
        free(c->of_slot);
        free(c->slot_us);
        c->of_slot = calloc(slots, sizeof *c->of_slot);
        c->slot_us = calloc(slots * c->study->workload_count, sizeof *c->slot_us);
        c->slot_capacity = c->of_slot == NULL || c->slot_us == NULL ? 0 : slots;
    }
    return slots <= c->slot_capacity;
}

/* What commitments did to each slot, and who ran in it. */
static bool gather_slots(struct cost_sharing *c, const struct commitment_plan *plan,
                         const struct committed *committed, const struct usage_log *log,
                         size_t *count)
{
    const size_t workloads = c->study->workload_count;
    const struct committed_slot *slots = committed_slots(committed, count);
    if (!room_for_slots(c, *count)) {
        return false;
    }
    for (size_t i = 0; i < *count; i++) {
        c->of_slot[i] = slots[i].used - slots[i].covered + slots[i].back;
    }
    /* What ran in reserved capacity ran in the same pool as what ran beside it. */
    for (size_t i = 0; i < plan->reservations.pool_count; i++) {
        const struct reservation_slots *reserved = &plan->reservations.pools[i].slots;
        if (reserved->outside != RESERVATION_NO_SLOT) {
            c->of_slot[reserved->outside] += c->of_slot[reserved->inside];
            c->of_slot[reserved->inside] = 0;
        }
    }
    memset(c->slot_us, 0, *count * workloads * sizeof *c->slot_us);
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        const int slot = plan->slot_of_pool[u->pool];
        if (slot >= 0) {
            accumulate_times(&c->slot_us[(size_t)slot * workloads + u->workload],
                             u->end_us - u->start_us, usage_nodes(u), &c->overflow);
        }
    }
    return true;
}

/* A shared fleet that says whose it is bears its nodes itself. */
static void give_hosts_on(struct cost_sharing *c, const struct work_result *works, money_t *holders)
{
    for (size_t h = 0; h < c->study->workload_count; h++) {
        if (study_work_kind(c->study, h)->is_host && c->study->holders.labels[h] == NULL &&
            host_split_amount(&c->hosts, works, h, holders[h])) {
            holders[h] = 0;
            for (size_t w = 0; w < c->study->workload_count; w++) {
                holders[w] += c->hosts.parts[w];
            }
        }
    }
}

bool cost_sharing_end(struct cost_sharing *c, size_t strategy, const struct bill *bills,
                      const struct work_result *works, const struct usage_log *log,
                      const struct committed *committed, const double *drawn, money_t *holders)
{
    const struct study *study = c->study;
    size_t slots = 0;
    if (committed != NULL &&
        !gather_slots(c, &study->strategies[strategy].commitments, committed, log, &slots)) {
        return false;
    }
    for (size_t w = 0; w < study->workload_count; w++) {
        c->own[w] = bills[w].cost;
    }
    for (size_t i = 0; i < study->holders.lines; i++) {
        c->of_line[i] = c->of_item[study->holders.items[i]];
    }
    const struct cost_split split = {
        .rule = (enum split_rule)study->scenario->shared,
        .workloads = study->workload_count,
        .own = c->own,
        .shared = bills[study->workload_count].cost,
        .lines = study->holders.lines,
        .of_line = c->of_line,
        .slots = slots,
        .of_slot = c->of_slot,
        .slot_us = c->slot_us,
        .support = bill_shares_of(&study->charges, drawn, CHARGE_SUPPORT),
        .tax = bill_shares_of(&study->charges, drawn, CHARGE_TAX),
        .whole = SHARE_WHOLE,
    };
    if (c->overflow || !cost_split(&split, holders, c->scratch, c->parts)) {
        return false;
    }
    give_hosts_on(c, works, holders);
    return true;
}
