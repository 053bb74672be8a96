/* SPDX-License-Identifier: GPL-3.0-or-later
 * An amount split in proportion to weights, to the nano-unit: by largest remainder (Hamilton's
 * method), so that the parts add up to it and none is a nano-unit away from its exact share. */
#ifndef FLEETCAST_ENGINE_MONEY_SPLIT_H
#define FLEETCAST_ENGINE_MONEY_SPLIT_H

#include "engine/money.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Scratch of one part. */
struct money_part {
    uint64_t remainder_high, remainder_low;
    size_t index;
};

/* Writes n parts. Weights below zero count as none; of equal remainders the earlier part gets the
 * nano-unit. False, and nothing written, when all weights are none. scratch: n entries. */
bool money_split(money_t total, const money_t *weights, size_t n, money_t *parts,
                 struct money_part *scratch);

#endif
