/* SPDX-License-Identifier: GPL-3.0-or-later
 * The window of an EC2 Capacity Block. Every block ends at 11:30 UTC, so its real length differs
 * from the one asked for: a block of one day that starts at 04:55 ends at 11:30 of the same day,
 * after 6 h 35 min (EC2 API reference, CapacityBlockOffering). Instances begin to be terminated 30
 * minutes before the end; the price is for the whole window, paid in advance (EC2 user guide,
 * "Capacity Blocks for ML"). */
#ifndef FLEETCAST_MODELS_CAPACITY_BLOCK_H
#define FLEETCAST_MODELS_CAPACITY_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CAPACITY_BLOCK_NOTICE_S  1800 /* before the end, instances begin to go */
#define CAPACITY_BLOCK_INSTANCES 64   /* most in one block */
#define CAPACITY_BLOCKS_TOGETHER 256  /* most in all blocks at one time */

/* 1 to 14 days, then whole weeks to 182 days. */
bool capacity_block_days_legal(int64_t days);
/* The last 11:30 UTC at or before start + days; days >= 1. */
int64_t capacity_block_end(int64_t start_unix_s, int64_t days);
/* When its instances begin to go; never before the start. */
int64_t capacity_block_usable_until(int64_t start_unix_s, int64_t end_unix_s);

#endif
