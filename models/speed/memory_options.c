/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/memory_options.h"

#include <math.h>

enum { ZERO_MAX = 3 };

static bool fits(const struct memory_layout *l, double device_bytes)
{
    struct gpu_memory m = gpu_memory_of(l, device_bytes);
    return m.need_bytes <= m.capacity_bytes;
}

struct memory_layout memory_frugal(const struct memory_layout *l)
{
    struct memory_layout f = *l;
    f.micro_batch = 1;
    f.recompute = RECOMPUTE_FULL;
    f.zero = ZERO_MAX;
    return f;
}

struct memory_layout memory_first_that_fits(const struct memory_layout *l, double device_bytes)
{
    struct memory_layout try = *l;
    for (int full = 0; full < 2; full++) {
        try.recompute = full ? RECOMPUTE_FULL : RECOMPUTE_NONE;
        for (try.zero = 0; try.zero <= ZERO_MAX; try.zero++) {
            if (fits(&try, device_bytes)) {
                return try;
            }
        }
    }
    try.zero = ZERO_MAX;
    return try;
}

/* Need grows with it. */
double memory_largest_batch(const struct memory_layout *l, double device_bytes, double most)
{
    struct memory_layout try = *l;
    double low = 0, high = 1;
    try.micro_batch = high;
    while (high <= most && fits(&try, device_bytes)) {
        low = high;
        high *= 2;
        try.micro_batch = high;
    }
    high = fmin(high, most + 1);
    while (high - low > 1) {
        try.micro_batch = floor((low + high) / 2);
        if (fits(&try, device_bytes)) {
            low = try.micro_batch;
        } else {
            high = try.micro_batch;
        }
    }
    return low;
}

/* ---- single changes ---- */

static void join(struct text *out, int *found)
{
    text_add(out, (*found)++ > 0 ? "; " : "");
}

/* The fewest that fit, a power of two times what there is; 0: none up to the most. */
static double fewest_nodes(const struct memory_layout *l, double per_node, double device_bytes,
                           double most)
{
    struct memory_layout try = *l;
    double high = fmax(1, l->accelerators / per_node), low = high;
    do {
        low = high;
        high *= 2;
        try.accelerators = high * per_node;
    } while (high <= most && !fits(&try, device_bytes));
    while (high <= most && high - low > 1) {
        double middle = floor((low + high) / 2);
        try.accelerators = middle * per_node;
        if (fits(&try, device_bytes)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high <= most ? high : 0;
}

static void add_batch(struct text *out, int *found, const struct memory_layout *l, double bytes)
{
    double batch = l->micro_batch > 1 ? memory_largest_batch(l, bytes, l->micro_batch - 1) : 0;
    if (batch >= 1) {
        join(out, found);
        text_format(out, "micro_batch: %.0f", batch);
    }
}

static void add_recompute(struct text *out, int *found, const struct memory_layout *l, double bytes)
{
    struct memory_layout try = *l;
    for (int r = (int)l->recompute + 1; r <= RECOMPUTE_FULL; r++) {
        try.recompute = (enum recompute)r;
        if (fits(&try, bytes)) {
            join(out, found);
            text_format(out, "recompute: %s", recompute_names[r]);
            return;
        }
    }
}

static void add_zero(struct text *out, int *found, const struct memory_layout *l, double bytes)
{
    struct memory_layout try = *l;
    for (try.zero = l->zero + 1; try.zero <= ZERO_MAX; try.zero++) {
        if (fits(&try, bytes)) {
            join(out, found);
            text_format(out, "zero: %d", try.zero);
            return;
        }
    }
}

static void add_offload(struct text *out, int *found, const struct memory_layout *l, double bytes)
{
    struct memory_layout try = *l;
    try.offload = OFFLOAD_OPTIMIZER;
    if (l->offload != OFFLOAD_OPTIMIZER && fits(&try, bytes)) {
        join(out, found);
        text_add(out, "offload: optimizer");
    }
}

/* What `to` has that `from` has not, as keys. */
static void add_changes(struct text *out, const struct memory_layout *from,
                        const struct memory_layout *to)
{
    const char *joint = "";
    if (to->zero != from->zero) {
        text_format(out, "zero: %d", to->zero);
        joint = ", ";
    }
    if (to->recompute != from->recompute) {
        text_format(out, "%srecompute: %s", joint, recompute_names[to->recompute]);
        joint = ", ";
    }
    if (to->micro_batch < from->micro_batch) {
        text_format(out, "%smicro_batch: %.0f", joint, to->micro_batch);
    }
}

/* All of it computed again, with the lowest stage of ZeRO that keeps the largest micro-batch. */
static void add_together(struct text *out, int *found, const struct memory_layout *l, double bytes)
{
    struct memory_layout best = *l, try = *l;
    best.micro_batch = 0;
    try.recompute = RECOMPUTE_FULL;
    for (try.zero = l->zero; try.zero <= ZERO_MAX; try.zero++) {
        try.micro_batch = l->micro_batch;
        if (!fits(&try, bytes)) {
            try.micro_batch = memory_largest_batch(&try, bytes, l->micro_batch - 1);
        }
        if (try.micro_batch > best.micro_batch) {
            best = try;
        }
    }
    if (best.micro_batch >= 1) {
        join(out, found);
        add_changes(out, l, &best);
        text_add(out, " together");
    }
}

static bool is_frugal(const struct memory_layout *l)
{
    return l->zero >= ZERO_MAX && l->recompute == RECOMPUTE_FULL && l->micro_batch <= 1;
}

int memory_options_add(struct text *out, const struct memory_layout *l, double per_node,
                       double device_bytes, double most_nodes)
{
    int found = 0;
    const struct memory_layout frugal = memory_frugal(l);
    add_batch(out, &found, l, device_bytes);
    add_recompute(out, &found, l, device_bytes);
    add_zero(out, &found, l, device_bytes);
    if (found == 0 && !is_frugal(l)) {
        add_together(out, &found, l, device_bytes);
    }
    add_offload(out, &found, l, device_bytes);
    double nodes = l->zero > 0 ? fewest_nodes(l, per_node, device_bytes, most_nodes) : 0;
    if (nodes > 0) {
        join(out, &found);
        text_format(out, "%.0f nodes", nodes);
    } else if (found == 0) {
        nodes = fewest_nodes(&frugal, per_node, device_bytes, most_nodes);
        if (nodes > 0) {
            join(out, &found);
            text_format(out, "%.0f nodes", nodes);
            if (!is_frugal(l)) {
                text_add(out, " with ");
                add_changes(out, l, &frugal);
            }
        }
    }
    return found;
}
