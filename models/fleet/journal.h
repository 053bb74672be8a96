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
/* limit: most entries; the rest is counted. NULL when out of memory. The caller frees. */
struct journal *journal_new(size_t limit);
void journal_free(struct journal *j);
/* Does nothing when j is NULL. The text is copied, and cut at 1 KiB; an entry beyond the limit,
 * without memory, or at a time that is not finite is dropped and counted. */
void journal_add(struct journal *j, double time_s, uint32_t workload, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Costs one comparison where there is no journal. */
#define journal_add(j, ...) ((j) == NULL ? (void)0 : (journal_add)((j), __VA_ARGS__))
size_t journal_count(const struct journal *j);
size_t journal_dropped(const struct journal *j);
/* By time; entries of one time stay in the order in which they were added. */
void journal_sort(struct journal *j);
/* NULL beyond the last. Valid until the next journal_add or journal_sort; its text until the end.
 */
const struct journal_entry *journal_at(const struct journal *j, size_t index);

#endif
