/* SPDX-License-Identifier: GPL-3.0-or-later
 * What every kind of work does while a plan is made of it: telling what is wrong, naming what is
 * assumed, finding the instance type that its terms say. */
#ifndef FLEETCAST_MODELS_WORK_MAKING_H
#define FLEETCAST_MODELS_WORK_MAKING_H

#include "models/fleet/work.h"

#include <stdarg.h>

/* Where the strategy says how a workload is run. */
struct place work_terms_place(const struct strategy_terms *terms, const struct strategy *strategy);

/* Tells what is wrong; false for the caller's convenience. once: not again when the same was said
 * of the same place, for what is wrong with a workload whatever the strategy. */
bool work_complain(const struct market_context *c, enum diagnostic_kind kind, struct place where,
                   bool once, const char *format, ...) __attribute__((format(printf, 5, 6)));
bool work_complainv(const struct market_context *c, enum diagnostic_kind kind, struct place where,
                    bool once, const char *format, va_list args)
    __attribute__((format(printf, 5, 0)));

/* Text in the context's arena; "" when that is out. */
const char *work_text(const struct market_context *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *work_textv(const struct market_context *c, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* The path, in the context's arena, of a file that a workload names, relative to the folder; noted
 * among the inputs, so that it is copied beside the results, as those of empirical distributions
 * are. NULL, told, when memory is out. */
const char *work_file(const struct market_context *c, const char *folder, const char *name,
                      struct place where);

/* What work keeps and moves that writes no checkpoints into a store. All borrowed; order NULL: it
 * has no end of its own. */
struct work_data work_keeps(struct place place, const struct storage_spec *storage,
                            const struct label_spec *labels, const struct order_spec *order);

/* Seconds from the scenario's start to the end of a span that begins at an instant. */
double work_span_end_s(const struct quantity *span, int64_t from_unix_s,
                       const struct market_context *c);

/* The pool of nodes of this type bought like this, of the market or of what the strategy has bought
 * for itself; -1, told, when there is none. All workloads that take the strategy's blocks share one
 * pool, and so do those that run on hardware it owns. where: of the zone or the type. */
int work_pool(const struct work_request *r, const struct strategy_terms *terms,
              const char *workload, const struct instance_type *type, enum purchase purchase,
              struct place where);
/* Most nodes of that pool that can ever be held, in capacity that the strategy reserves too. */
uint32_t work_most_nodes(const struct work_request *r, int pool);
/* What is bought for this workload alone must be of use to it; what the strategy buys may be for
 * others. block, owned: the workload is bought so. */
bool work_check_bought(const struct work_request *r, const struct strategy_terms *terms,
                       const char *workload, bool block, bool owned);

/* The instance type that the terms of a workload name; NULL, told, when there is none. */
const struct instance_type *work_type(const struct work_request *r,
                                      const struct strategy_terms *terms, const char *workload);

#endif
