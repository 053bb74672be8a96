/* SPDX-License-Identifier: GPL-3.0-or-later
 * Philox4x32-10, the block function under engine/random.h: a bijection of a 128-bit counter under a
 * 64-bit key (Salmon et al., SC 2011). Integer arithmetic only, so the same bits everywhere. */
#ifndef FLEETCAST_ENGINE_PHILOX_H
#define FLEETCAST_ENGINE_PHILOX_H

#include <stdint.h>

#define PHILOX_BATCH 16 /* blocks computed together */
#define PHILOX_FEW   4  /* likewise, where more would hardly be used */

/* One block: four words. */
void philox_block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/* Sixteen blocks, counter[0] … counter[0] + 15 (wrapping), one after the other. */
void philox_batch(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4 * PHILOX_BATCH]);
/* Four of them, likewise: at a quarter of the instructions. */
void philox_few(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4 * PHILOX_FEW]);
/* philox_batch without special instructions, whatever the machine: the reference for the other. */
void philox_batch_portable(const uint32_t counter[4], const uint32_t key[2],
                           uint32_t out[4 * PHILOX_BATCH]);

#endif
