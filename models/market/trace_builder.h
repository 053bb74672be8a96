/* SPDX-License-Identifier: GPL-3.0-or-later
 * Traces from what importers find, in any order: observations of several pools are collected,
 * sorted by time, and freed of what changes nothing. */
#ifndef FLEETCAST_MODELS_TRACE_BUILDER_H
#define FLEETCAST_MODELS_TRACE_BUILDER_H

#include "models/market/trace.h"

struct trace_builder;

/* NULL when out of memory. What it makes is in the arena, which must outlive the traces. */
struct trace_builder *trace_builder_new(struct arena *arena);
void trace_builder_free(struct trace_builder *b);

/* The pool's index, new or known. -1 when out of memory. zone and type are copied; NULL is "". */
int trace_builder_pool(struct trace_builder *b, const char *zone, const char *type);
void trace_builder_start(struct trace_builder *b, int pool, int64_t start_unix_s, double tick_s);
/* A promise that this pool's observations come in the order of time: values that repeat, and those
 * that another of their instant replaces, then take no memory. */
void trace_builder_in_order(struct trace_builder *b, int pool);

/* Of two observations of the same instant the later call wins. */
void trace_builder_nodes(struct trace_builder *b, int pool, double at_s, int64_t nodes);
void trace_builder_price(struct trace_builder *b, int pool, double at_s, money_t price);
void trace_builder_hole(struct trace_builder *b, int pool, double at_s);
/* The end of the observation; the latest given counts. */
void trace_builder_end(struct trace_builder *b, int pool, double at_s);

enum trace_building {
    TRACE_BUILT,
    TRACE_NO_MEMORY,
    TRACE_TOO_LONG, /* above TRACE_MOST_STEPS */
    TRACE_EMPTY     /* a pool without an observation before its end */
};
/* Sorts and closes all pools; *failed (may be NULL): the pool at fault. Nothing is to be observed
 * behind it. */
enum trace_building trace_builder_close(struct trace_builder *b, size_t *failed);
/* What a closed builder holds, step by step, without the memory of a set: how many pools, each
 * without its steps, and the next step behind the one given (*at begins at 0 and *step with
 * trace_builder_before_all; false behind the last). */
size_t trace_builder_count(const struct trace_builder *b);
struct trace trace_builder_head(const struct trace_builder *b, size_t pool);
struct trace_step trace_builder_before_all(void);
bool trace_builder_step(const struct trace_builder *b, size_t pool, size_t *at,
                        struct trace_step *step);
/* Closes the builder and empties it into a set. */
enum trace_building trace_builder_finish(struct trace_builder *b, struct trace_set *set,
                                         size_t *failed);

#endif
