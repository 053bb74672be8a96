/* SPDX-License-Identifier: GPL-3.0-or-later
 * The bits of a double, sign flipped for positive numbers and all bits flipped for negative ones,
 * order as unsigned integers do (Herf, "Radix Tricks", 2001). One pass counts all bytes; a byte
 * that is the same in all values, as the exponent's often is, costs no pass of its own. */
#include "engine/double_sort.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define BYTES 8
#define BINS  256
#define SIGN  (UINT64_C(1) << 63)
#define FEW   48 /* below it insertion is quicker than counting */

static_assert(sizeof(double) == sizeof(uint64_t), "a double is sorted by its 64 bits");

static void insertion_sort(double *values, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        double v = values[i];
        size_t k = i;
        for (; k > 0 && values[k - 1] > v; k--) {
            values[k] = values[k - 1];
        }
        values[k] = v;
    }
}

static bool is_sorted(const double *values, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (values[i - 1] > values[i]) {
            return false;
        }
    }
    return true;
}

static uint64_t key_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & SIGN) != 0 ? ~bits : bits ^ SIGN;
}

/* Moves n keys from one array to the other by one byte, stably; counts become places. */
static void move_by_byte(const double *from, double *to, size_t n, int byte, size_t *counts)
{
    size_t place = 0;
    for (int b = 0; b < BINS; b++) {
        size_t count = counts[b];
        counts[b] = place;
        place += count;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of(from[i]);
        to[counts[(key >> (8 * byte)) & (BINS - 1)]++] = from[i];
    }
}

void double_sort(double *values, double *spare, size_t n)
{
    if (n < FEW) {
        insertion_sort(values, n);
        return;
    }
    if (is_sorted(values, n)) {
        return;
    }
    size_t counts[BYTES][BINS] = {{0}};
    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of(values[i]);
        for (int byte = 0; byte < BYTES; byte++) {
            counts[byte][(key >> (8 * byte)) & (BINS - 1)]++;
        }
    }
    double *from = values, *to = spare;
    uint64_t first = key_of(values[0]);
    for (int byte = 0; byte < BYTES; byte++) {
        if (counts[byte][(first >> (8 * byte)) & (BINS - 1)] == n) {
            continue;
        }
        move_by_byte(from, to, n, byte, counts[byte]);
        double *swap = from;
        from = to;
        to = swap;
    }
    if (from != values) {
        memcpy(values, from, n * sizeof *values);
    }
}
