/* SPDX-License-Identifier: GPL-3.0-or-later
 * Two walks. The first, over time, is that of focus_hours. The second, over nodes, cuts each node's
 * priced pieces at months, the horizon and those hours, and gives every cut its share of what the
 * hours covered. */
#include "models/billing/focus_rows.h"

#include "models/billing/focus_charges.h"
#include "models/billing/focus_commitments.h"
#include "models/billing/focus_idle.h"
#include "models/billing/focus_making.h"
#include "models/billing/focus_nodes.h"
#include "models/billing/focus_others.h"

#include <math.h>
#include <stdlib.h>

/* ---- hours ---- */

static bool keep_hours(struct focus_making *m)
{
    static const enum focus_end ends[] = {[FOCUS_HOURS_DONE] = FOCUS_DONE,
                                          [FOCUS_HOURS_NO_MEMORY] = FOCUS_NO_MEMORY,
                                          [FOCUS_HOURS_TOO_MANY] = FOCUS_TOO_MANY,
                                          [FOCUS_HOURS_OVERFLOW] = FOCUS_OVERFLOW};
    const struct focus_world *w = m->w;
    m->end = ends[focus_hours_init(&m->hours, w->plan, w->matched, w->frame, w->market, w->log,
                                   w->discount)];
    return m->end == FOCUS_DONE;
}

static bool keep_stays(struct focus_making *m)
{
    static const enum focus_end ends[] = {[FOCUS_HELD_DONE] = FOCUS_DONE,
                                          [FOCUS_HELD_NO_MEMORY] = FOCUS_NO_MEMORY,
                                          [FOCUS_HELD_TOO_MANY] = FOCUS_TOO_MANY};
    m->end = ends[focus_held_init(&m->held, &m->w->plan->reservations, m->w->log,
                                  m->w->signed_until_us)];
    return m->end == FOCUS_DONE;
}

static bool keep_account(struct focus_making *m)
{
    m->end = focus_alone_init(&m->alone, m->w);
    return m->end == FOCUS_DONE;
}

/* ---- all of it ---- */

/* What the bill holds of commitments past the horizon, less what is of use elsewhere. */
static void owe(struct focus_making *m)
{
    const struct commitment_plan *plan = m->w->plan;
    for (size_t k = 0; k < plan->count; k++) {
        const money_t total = commitment_total(&matched_items(m->w->matched)[k]);
        const money_t reused = (money_t)llround((double)(total - m->amortised[k]) * plan->reuse[k]);
        focus_shares_owe(&m->following, total - m->purchased[k] - reused);
    }
}

static void make(struct focus_making *m, struct focus_rest *rest)
{
    const struct commitment_plan *plan = m->w->plan;
    if ((focus_matches(m) && !keep_hours(m)) || !keep_stays(m) || !keep_account(m)) {
        return;
    }
    focus_put_nodes(m);
    focus_put_idle(m);
    focus_put_windows(m);
    focus_put_others(m);
    for (size_t k = 0; k < focus_commitments(m->w) && m->end == FOCUS_DONE; k++) {
        focus_put_commitment(m, k);
    }
    if (m->end == FOCUS_DONE) {
        focus_check_nodes(m);
        focus_put_rounding(m);
        owe(m);
        focus_put_charges(m);
    }
    for (size_t k = 0; k < plan->count && rest != NULL; k++) {
        money_t total = commitment_total(&matched_items(m->w->matched)[k]);
        rest[k] = (struct focus_rest){.billed = total - m->purchased[k],
                                      .effective = total - m->amortised[k]};
    }
}

enum focus_end focus_rows(const struct focus_world *w,
                          bool (*sink)(void *context, const struct focus_row *row), void *context,
                          struct focus_rest *rest)
{
    struct focus_making m = {
        .w = w, .sink = sink, .context = context, .end = FOCUS_DONE, .hours = {.last = SIZE_MAX}};
    m.purchased = calloc(focus_commitments(w) + 1, sizeof *m.purchased);
    m.amortised = calloc(focus_commitments(w) + 1, sizeof *m.amortised);
    bool ok = focus_shares_init(&m.following, w->charges->workload_count + 1, w->frame);
    ok = focus_windows_init(&m.windows, w) && ok;
    if (ok && m.purchased != NULL && m.amortised != NULL) {
        make(&m, rest);
    } else {
        focus_fail(&m, FOCUS_NO_MEMORY);
    }
    focus_shares_release(&m.following);
    focus_windows_release(&m.windows);
    free(m.purchased);
    free(m.amortised);
    focus_hours_release(&m.hours);
    focus_held_release(&m.held);
    focus_alone_release(&m.alone);
    return m.end;
}
