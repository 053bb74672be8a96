/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/work_making.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "models/commitments/block_windows.h"
#include "models/commitments/reservation_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct place work_terms_place(const struct strategy_terms *terms, const struct strategy *strategy)
{
    return terms->item.place.file != NULL ? terms->item.place : strategy->item.place;
}

/* ---- complaints ---- */

static bool same_place(const struct place *a, const struct place *b)
{
    bool same_file =
        a->file == NULL || b->file == NULL ? a->file == b->file : strcmp(a->file, b->file) == 0;
    return same_file && a->line == b->line && a->column == b->column;
}

/* Diagnostics are few: at most some hundreds are kept. */
static bool is_told(const struct diagnostics *d, const struct place *where, const char *text)
{
    struct place told_at;
    const char *told;
    for (size_t i = 0; (told = diagnostics_text(d, i, NULL, &told_at)) != NULL; i++) {
        if (same_place(&told_at, where) && strcmp(told, text) == 0) {
            return true;
        }
    }
    return false;
}

bool work_complainv(const struct market_context *c, enum diagnostic_kind kind, struct place where,
                    bool once, const char *format, va_list args)
{
    if (!once) {
        diagnostics_addv(c->diagnostics, kind, where, format, args);
        return false;
    }
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    if (!is_told(c->diagnostics, &where, text)) {
        diagnostics_add(c->diagnostics, kind, where, "%s", text);
    }
    return false;
}

bool work_complain(const struct market_context *c, enum diagnostic_kind kind, struct place where,
                   bool once, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    work_complainv(c, kind, where, once, format, args);
    va_end(args);
    return false;
}

/* ---- text ---- */

const char *work_textv(const struct market_context *c, const char *format, va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    const char *kept = arena_string(c->arena, text);
    return kept != NULL ? kept : "";
}

const char *work_text(const struct market_context *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = work_textv(c, format, args);
    va_end(args);
    return text;
}

/* ---- terms ---- */

const struct instance_type *work_type(const struct work_request *r,
                                      const struct strategy_terms *terms, const char *workload)
{
    const struct market_context *c = r->context;
    const char *name = terms->instance;
    if (name == NULL) {
        work_complain(
            c, DIAGNOSTIC_ERROR, work_terms_place(terms, r->strategy), false,
            "strategy '%s' does not say which instance runs '%s'; expected 'instance: TYPE'",
            r->strategy->item.name, workload);
        return NULL;
    }
    const struct instance_type *type = catalogue_type(c->catalogue, name);
    if (type == NULL) {
        const char *near = catalogue_suggest_type(c->catalogue, name);
        work_complain(c, DIAGNOSTIC_ERROR, terms->instance_place, false,
                      "unknown instance type '%s'%s%s%s", name,
                      near != NULL ? "; did you mean '" : "; `fleetcast show instances` lists them",
                      near != NULL ? near : "", near != NULL ? "'?" : "");
    }
    return type;
}

/* ---- what it keeps, and reads ---- */

struct work_data work_keeps(struct place place, const struct storage_spec *storage,
                            const struct label_spec *labels, const struct order_spec *order)
{
    static const struct number not_stated = {.input = -1, .word = -1};
    return (struct work_data){.place = place,
                              .disk = &storage->disk,
                              .dataset = &storage->dataset,
                              .transfer = &storage->transfer,
                              .saves = {.size = &not_stated,
                                        .per_gb_month = &not_stated,
                                        .part_size = &not_stated,
                                        .per_1000_put = &not_stated,
                                        .per_1000_get = &not_stated},
                              .labels = labels,
                              .order = order};
}

const char *work_file(const struct market_context *c, const char *folder, const char *name,
                      struct place where)
{
    const char *path = file_join(c->arena, folder, name);
    if (path == NULL || !inputs_note_file(c->inputs, name)) {
        work_complain(c, DIAGNOSTIC_FAILURE, where, false, "out of memory");
        return NULL;
    }
    return path;
}

/* ---- pools ---- */

double work_span_end_s(const struct quantity *span, int64_t from_unix_s,
                       const struct market_context *c)
{
    int64_t end = civil_add_months(from_unix_s, span->months);
    return (double)(end - c->start_unix_s) + span->value;
}

/* What the strategy has for all is of one type and zone. */
static int share_pool(const struct work_request *r, const struct strategy_terms *terms,
                      const char *workload, const struct instance_type *type, int pool,
                      const char *what, const char *own)
{
    const struct pool_info *info = market_pool_info(r->market, pool);
    if (info->type == type && (terms->zone == NULL || strcmp(info->zone, terms->zone) == 0)) {
        return pool;
    }
    work_complain(r->context, DIAGNOSTIC_ERROR, work_terms_place(terms, r->strategy), false,
                  "%s of strategy '%s' are of '%s' in %s, which '%s' does not run on; give it %s "
                  "of its own",
                  what, r->strategy->item.name, info->type->name, info->zone, workload, own);
    return -1;
}

static int block_pool(const struct work_request *r, const struct strategy_terms *terms,
                      const char *workload, const struct instance_type *type, struct place where)
{
    const struct market_context *c = r->context;
    if (terms->block.count == 0) {
        work_complain(c, DIAGNOSTIC_ERROR, work_terms_place(terms, r->strategy), false,
                      "strategy '%s' buys capacity blocks for '%s' but states none; expected "
                      "'block: {starts: …, days: …, instances: …}'",
                      r->strategy->item.name, workload);
        return -1;
    }
    const struct schema_item *first = terms->block.items;
    int pool = market_plan_owned_by(r->market, first);
    if (pool >= 0) {
        return share_pool(r, terms, workload, type, pool, "the blocks", "a 'block'");
    }
    const struct market_window *windows = block_windows_make(&terms->block, type->name, c);
    return windows == NULL
               ? -1
               : market_plan_own_pool(r->market, terms->zone, type->name, PURCHASE_BLOCK, first,
                                      windows, terms->block.count,
                                      terms->zone != NULL ? where : first->place);
}

/* Hardware of one's own is one window without an end. */
static const struct market_window *owned_window(const struct owned_spec *spec,
                                                const struct market_context *c)
{
    struct market_window *window = arena_array(c->arena, 1, sizeof *window);
    if (window == NULL) {
        return NULL;
    }
    *window =
        (struct market_window){.from_s = work_span_end_s(&spec->available_from, c->start_unix_s, c),
                               .until_s = HUGE_VAL,
                               .paid_until_s = HUGE_VAL,
                               .nodes = (uint32_t)spec->nodes,
                               .owned = true,
                               .price = {.input = -1, .word = -1},
                               .name = "owned hardware"};
    if (window->from_s >= c->horizon_s) {
        work_complain(c, DIAGNOSTIC_ERROR, spec->item.place, false,
                      "the hardware is available at or after the horizon; lengthen 'horizon'");
        return NULL;
    }
    if (!spec->power_kw.given || !spec->per_kwh.given || !spec->staff.given ||
        !spec->colocation.given) {
        assumptions_add(c->assumptions, false, "default",
                        "power, staff and colocation of owned hardware",
                        "what is not stated of them costs nothing");
    }
    return window;
}

static int owned_pool(const struct work_request *r, const struct strategy_terms *terms,
                      const char *workload, const struct instance_type *type, struct place where)
{
    const struct owned_spec *spec = terms->owned.items;
    if (terms->owned.count == 0) {
        work_complain(r->context, DIAGNOSTIC_ERROR, work_terms_place(terms, r->strategy), false,
                      "strategy '%s' runs '%s' on hardware of its own but states none; expected "
                      "'owned: {nodes: …, capital: …, life: …}'",
                      r->strategy->item.name, workload);
        return -1;
    }
    int pool = market_plan_owned_by(r->market, spec);
    if (pool >= 0) {
        return share_pool(r, terms, workload, type, pool, "the owned nodes", "'owned' nodes");
    }
    const struct market_window *window = owned_window(spec, r->context);
    return window == NULL
               ? -1
               : market_plan_own_pool(r->market, terms->zone, type->name, PURCHASE_OWNED, spec,
                                      window, 1, terms->zone != NULL ? where : spec->item.place);
}

int work_pool(const struct work_request *r, const struct strategy_terms *terms,
              const char *workload, const struct instance_type *type, enum purchase purchase,
              struct place where)
{
    return purchase == PURCHASE_BLOCK ? block_pool(r, terms, workload, type, where)
           : purchase == PURCHASE_OWNED
               ? owned_pool(r, terms, workload, type, where)
               : market_plan_pool(r->market, terms->zone, type->name, purchase, where);
}

uint32_t work_most_nodes(const struct work_request *r, int pool)
{
    const struct pool_info *info = market_pool_info(r->market, pool);
    uint32_t limit = market_planned_limit(r->market, pool);
    uint32_t reserved =
        info->purchase == PURCHASE_ON_DEMAND
            ? reservation_most(&r->strategy->commitments, info->type->name, info->zone, r->context)
            : 0;
    return limit > reserved ? limit : reserved;
}

static bool check_one(const struct work_request *r, const struct schema_list *own,
                      const struct schema_list *of_all, bool used, const char *workload,
                      const char *wrong)
{
    const struct schema_item *first = own->items;
    return own->count == 0 || own->items == of_all->items || used ||
           work_complain(r->context, DIAGNOSTIC_ERROR, first->place, false, "'%s' %s", workload,
                         wrong);
}

bool work_check_bought(const struct work_request *r, const struct strategy_terms *terms,
                       const char *workload, bool block, bool owned)
{
    const struct strategy_terms *all = &r->strategy->terms;
    bool good = check_one(r, &terms->block, &all->block, block, workload,
                          "has a block but is not bought so; expected 'buy: capacity-block'");
    return check_one(r, &terms->owned, &all->owned, owned, workload,
                     "has hardware of its own but does not run on it; expected 'buy: owned'") &&
           good;
}
