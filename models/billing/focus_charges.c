/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/focus_charges.h"

#include <math.h>

static struct focus_row row_of_note(const struct charge_note *n, enum focus_kind kind)
{
    return (struct focus_row){.kind = kind,
                              .commitment = SIZE_MAX,
                              .from_us = n->from_us,
                              .to_us = n->to_us,
                              .payer = n->row,
                              .item = n->item};
}

/* ---- amounts ---- */

static double worth_of(const struct charge_note *n, size_t measures)
{
    double sum = 0;
    for (size_t i = 0; i < measures; i++) {
        sum += n->measures[i].quantity * n->measures[i].price;
    }
    return sum;
}

/* What the first `measures` of a note's measures come to: a running total, the last of which is all
 * of it. */
static money_t upto(const struct charge_note *n, size_t measures, double all)
{
    if (measures >= n->measure_count || !(all > 0)) {
        return measures == 0 ? 0 : n->amount;
    }
    return (money_t)llround((double)n->amount * (worth_of(n, measures) / all));
}

static void put_note(struct focus_making *m, const struct charge_note *n)
{
    const size_t count = n->measure_count > 0 ? n->measure_count : 1;
    const double all = worth_of(n, n->measure_count);
    money_t given = 0, off = 0;
    for (size_t i = 0; i < count && m->end == FOCUS_DONE; i++) {
        struct focus_row row = row_of_note(n, FOCUS_CHARGE);
        money_t next = upto(n, i + 1, all);
        money_t next_off = n->discount == 0 ? 0 : money_share(n->discount, next, n->amount);
        row.list = next - given;
        row.off = next_off - off;
        row.contracted = row.billed = row.effective = row.list - row.off;
        if (n->measure_count > 0) {
            row.measure = &n->measures[i];
            row.quantity = n->measures[i].quantity * n->scale;
        }
        given = next;
        off = next_off;
        if (row.list != 0 || row.off != 0) {
            focus_put(m, &row);
        }
    }
}

/* ---- shares of the bill ---- */

static void put_cells(struct focus_making *m, const struct charge_note *n)
{
    const bool tax = m->w->charges->items[n->item].kind == CHARGE_TAX;
    const struct focus_shares *s = &m->following;
    for (size_t i = 0; i < s->cells && m->end == FOCUS_DONE; i++) {
        struct focus_row row = row_of_note(n, FOCUS_SHARE);
        row.billed = s->parts[SUM_BILLED][i];
        row.effective = s->parts[SUM_EFFECTIVE][i];
        /* A tax has no price of its own: it follows theirs (specification, ListCost). */
        row.list = tax ? s->parts[SUM_LIST][i] : row.billed;
        row.contracted = tax ? s->parts[SUM_CONTRACTED][i] : row.billed;
        row.payer = focus_shares_payer(s, i);
        focus_shares_period(s, i, &row.from_us, &row.to_us);
        if (row.billed != 0 || row.effective != 0) {
            focus_put(m, &row);
        }
    }
}

/* The first note of a line and span stands for those of all bills. */
static bool first_of_its_line(const struct charge_notes *notes, size_t index)
{
    const struct charge_note *n = &notes->items[index];
    for (size_t i = 0; i < index; i++) {
        const struct charge_note *o = &notes->items[i];
        if (o->of_others && o->item == n->item && o->from_us == n->from_us &&
            o->to_us == n->to_us) {
            return false;
        }
    }
    return true;
}

static void put_share(struct focus_making *m, size_t index)
{
    const struct charge_note *n = &m->w->notes->items[index];
    struct focus_share share = {.from_us = n->from_us, .to_us = n->to_us};
    for (size_t i = index; i < m->w->notes->count; i++) {
        const struct charge_note *o = &m->w->notes->items[i];
        if (o->of_others && o->item == n->item && o->from_us == n->from_us &&
            o->to_us == n->to_us) {
            focus_add_money(m, &share.billed, o->amount);
            focus_add_money(m, &share.effective, o->amortised);
            focus_add_money(m, &share.later, o->later);
        }
    }
    focus_shares_split(&m->following, &share);
    put_cells(m, n);
}

/* As they were told: a share is one of what came before it (support is of no credit, tax is), and
 * lines of one kind are shares of the same. */
void focus_put_charges(struct focus_making *m)
{
    const struct charge_notes *notes = m->w->notes;
    enum charge_kind kind = CHARGE_KIND_COUNT;
    for (size_t i = 0; i < notes->count && m->end == FOCUS_DONE; i++) {
        const struct charge_note n = charge_notes_at(notes, i);
        if (!n.of_others) {
            put_note(m, &n);
        } else if (first_of_its_line(notes, i)) {
            enum charge_kind next = m->w->charges->items[n.item].kind;
            if (next != kind) {
                focus_shares_mark(&m->following);
                kind = next;
            }
            put_share(m, i);
        }
    }
}
