/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/fill_plan.h"

#include "models/fleet/independent_terms.h"
#include "models/fleet/work_making.h"

#include <math.h>

_Static_assert((int)FILL_MAX_ENTRIES == (int)FILL_ENTRIES_MAX &&
                   (int)FILL_MAX_ENTRIES <= (int)WORK_MAX_POOLS,
               "every entry of `fill` may name a pool of its own");

struct fill_making {
    struct fill_plan *plan;
    struct work_plan *work;
    const struct work_request *request;
    const struct strategy_terms *terms;
    const char *workload;
    uint32_t most;
};

/* The entry's pool is that of an earlier one, or new. */
static bool add_entry(struct fill_making *m, const struct fill_spec *f)
{
    struct work_plan *work = m->work;
    struct place where;
    struct strategy_terms terms = independent_terms_of(m->terms, f, &where);
    const struct instance_type *type = work_type(m->request, &terms, m->workload);
    if (type == NULL) {
        return false;
    }
    int pool = work_pool(m->request, &terms, m->workload, type, (enum purchase)f->buy, where);
    if (pool < 0) {
        return false;
    }
    uint32_t k = 0;
    while (k < work->pool_count && work->pools[k].pool != pool) {
        k++;
    }
    if (k == work->pool_count) {
        work->pools[work->pool_count++] =
            (struct work_pool){.pool = pool, .purchase = (enum purchase)f->buy};
    }
    uint32_t room = m->most - work->pools[k].nodes;
    bool all = f->nodes == 0 || f->nodes > (int64_t)room;
    work->pools[k].nodes += all ? room : (uint32_t)f->nodes;
    m->plan->entries[m->plan->count++] = (struct fill_entry){
        .pool = k, .most = f->nodes == 0 ? FILL_ALL_THE_REST : (uint32_t)f->nodes};
    return true;
}

bool fill_plan_make(struct fill_plan *p, struct work_plan *work, const struct work_request *r,
                    const struct strategy_terms *terms, const char *workload, uint32_t most)
{
    struct fill_making m = {
        .plan = p, .work = work, .request = r, .terms = terms, .workload = workload, .most = most};
    const struct fill_spec *f = terms->fill.items;
    const struct fill_spec single = {.item.place = work_terms_place(terms, r->strategy),
                                     .buy = terms->buy};
    bool good = true;
    for (size_t i = 0; i < terms->fill.count; i++) {
        good &= add_entry(&m, &f[i]);
    }
    if (terms->fill.count == 0) {
        good = add_entry(&m, &single);
    }
    return good && work_check_bought(r, terms, workload, work_plan_buys(work, PURCHASE_BLOCK),
                                     work_plan_buys(work, PURCHASE_OWNED));
}

double fill_plan_most(const struct work_plan *work, const struct work_request *r)
{
    double most = 0;
    for (size_t k = 0; k < work->pool_count; k++) {
        most += fmin(work_most_nodes(r, work->pools[k].pool), work->pools[k].nodes);
    }
    return most;
}
