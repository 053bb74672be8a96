/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/money_split.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

static int larger_first(const void *left, const void *right)
{
    const struct money_part *a = left, *b = right;
    if (a->remainder_high != b->remainder_high) {
        return a->remainder_high > b->remainder_high ? -1 : 1;
    }
    if (a->remainder_low != b->remainder_low) {
        return a->remainder_low > b->remainder_low ? -1 : 1;
    }
    return a->index < b->index ? -1 : 1;
}

static wide weight_of(money_t weight)
{
    return weight > 0 ? (wide)weight : 0;
}

bool money_split(money_t total, const money_t *weights, size_t n, money_t *parts,
                 struct money_part *scratch)
{
    const bool negative = total < 0;
    const uint64_t amount = negative ? -(uint64_t)total : (uint64_t)total;
    wide sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += weight_of(weights[i]);
    }
    if (sum == 0) {
        return false;
    }
    uint64_t left = amount;
    for (size_t i = 0; i < n; i++) {
        wide product = amount * weight_of(weights[i]); /* < 2^127 */
        wide part = product / sum, rest = product % sum;
        parts[i] = (money_t)part;
        left -= (uint64_t)part;
        scratch[i] = (struct money_part){(uint64_t)(rest >> 64), (uint64_t)rest, i};
    }
    if (left > 0) {
        qsort(scratch, n, sizeof *scratch, larger_first);
    }
    for (size_t i = 0; left > 0; i = (i + 1) % n) {
        if (weights[scratch[i].index] > 0) {
            parts[scratch[i].index]++;
            left--;
        }
    }
    for (size_t i = 0; negative && i < n; i++) {
        parts[i] = -parts[i];
    }
    return true;
}
