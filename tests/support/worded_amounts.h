/* SPDX-License-Identifier: GPL-3.0-or-later
 * Amounts as people write them into tables: "2.40M seqs of 512", "gbs 1536", "143k steps x 2M". */
#ifndef FLEETCAST_TESTS_WORDED_AMOUNTS_H
#define FLEETCAST_TESTS_WORDED_AMOUNTS_H

#include <stdbool.h>

/* The amount that the text begins with, behind spaces and "~": k, M, B, T scale it at the end of a
 * word. 0: none. */
double amount_at(const char *text, bool *scaled);
/* Behind the first such word, which begins a word itself: "gbs 512", "gb=2496"; 0: none. */
double amount_after(const char *text, const char *word);
/* In front of it: "300B tokens", "43 epochs"; 0: none. */
double amount_before(const char *text, const char *word);
/* The largest of the text; 0: none. */
double amount_largest(const char *text);
/* "600k iters x 491520": their product, where the text begins so; else 0. */
double amount_of_steps(const char *text);
/* Seconds of a unit of time that the text begins with ("days ideal", "s/iteration"); 0: none. */
double seconds_of_unit(const char *text);

#endif
