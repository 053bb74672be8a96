/* SPDX-License-Identifier: GPL-3.0-or-later
 * What happened, in words, for `explain`: NULL in every ordinary run, so that it costs nothing. */
#ifndef FLEETCAST_MODELS_JOURNAL_H
#define FLEETCAST_MODELS_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct journal_entry {
    double time_s;
    uint32_t workload; /* UINT32_MAX: none */
    const char *what;  /* "spot capacity falls to 0", "16 nodes granted", "checkpoint 12 written" */
};

struct journal;
struct journal *journal_new(size_t limit); /* most entries; the rest is counted */
void journal_free(struct journal *j);
/* Does nothing when j is NULL. */
void journal_add(struct journal *j, double time_s, uint32_t workload, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
size_t journal_count(const struct journal *j);
size_t journal_dropped(const struct journal *j);
/* Sorted by time, stable. */
void journal_sort(struct journal *j);
const struct journal_entry *journal_at(const struct journal *j, size_t index);

#endif
