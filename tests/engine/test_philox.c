/* SPDX-License-Identifier: GPL-3.0-or-later
 * Philox4x32-10 against the published vectors (Random123 1.14, tests/kat_vectors), and the batch
 * against single blocks. */
#include "engine/philox.h"
#include "engine/random.h"
#include "tests/support/testing.h"

#include <string.h>

struct vector {
    const char *name;
    uint32_t counter[4], key[2], want[4];
};

static const struct vector vectors[] = {
    {"zeros", {0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {"ones",
     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {"digits of pi",
     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static void known_answer(void **state)
{
    const struct vector *v = *state;
    uint32_t out[4];
    random_philox(v->counter, v->key, out);
    assert_memory_equal(out, v->want, sizeof out);
    uint32_t batch[4 * PHILOX_BATCH];
    philox_batch(v->counter, v->key, batch);
    assert_memory_equal(batch, v->want, sizeof v->want);
    philox_batch_portable(v->counter, v->key, batch);
    assert_memory_equal(batch, v->want, sizeof v->want);
}

static void batch_is_sixteen_blocks(void **state)
{
    (void)state;
    uint32_t counter[4] = {0xfffffff7, 1, 2, 3}; /* wraps within the first batch */
    uint32_t key[2] = {4, 5};
    for (int trial = 0; trial < 200; trial++) {
        uint32_t batch[4 * PHILOX_BATCH], portable[4 * PHILOX_BATCH];
        philox_batch(counter, key, batch);
        philox_batch_portable(counter, key, portable);
        assert_memory_equal(batch, portable, sizeof batch);
        uint32_t few[4 * PHILOX_FEW];
        philox_few(counter, key, few);
        assert_memory_equal(few, batch, sizeof few);
        for (uint32_t i = 0; i < PHILOX_BATCH; i++) {
            uint32_t one[4];
            const uint32_t at[4] = {counter[0] + i, counter[1], counter[2], counter[3]};
            philox_block(at, key, one);
            assert_memory_equal(batch + 4 * i, one, sizeof one);
        }
        memcpy(counter, batch + 20, sizeof counter);
        memcpy(key, batch + 40, sizeof key);
    }
}

int main(void)
{
    struct CMUnitTest tests[] = {
        {vectors[0].name, known_answer, NULL, NULL, (void *)&vectors[0]},
        {vectors[1].name, known_answer, NULL, NULL, (void *)&vectors[1]},
        {vectors[2].name, known_answer, NULL, NULL, (void *)&vectors[2]},
        cmocka_unit_test(batch_is_sixteen_blocks),
    };
    return cmocka_run_group_tests_name("philox", tests, NULL, NULL);
}
