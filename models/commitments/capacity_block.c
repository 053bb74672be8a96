/* SPDX-License-Identifier: GPL-3.0-or-later
 * See capacity_block.h. */
#include "models/commitments/capacity_block.h"

#include <assert.h>

static const int64_t DAY_S = 86400;
static const int64_t END_OF_DAY_S = 11 * 3600 + 30 * 60;

bool capacity_block_days_legal(int64_t days)
{
    return days >= 1 && (days <= 14 || (days <= 182 && days % 7 == 0));
}

int64_t capacity_block_end(int64_t start_unix_s, int64_t days)
{
    assert(days >= 1);
    int64_t latest = start_unix_s + days * DAY_S;
    int64_t beyond = (latest - END_OF_DAY_S) % DAY_S;
    return latest - (beyond < 0 ? beyond + DAY_S : beyond);
}

int64_t capacity_block_usable_until(int64_t start_unix_s, int64_t end_unix_s)
{
    int64_t until = end_unix_s - CAPACITY_BLOCK_NOTICE_S;
    return until > start_unix_s ? until : start_unix_s;
}
