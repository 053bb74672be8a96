/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/autoscale_text.h"

#include "tests/support/section_text.h"
#include "tests/support/testing.h"

#include <stdio.h>

struct autoscale_list {
    struct schema_list list; /* struct schema_variant_item */
};

static const struct schema_key keys[] = {
    {.name = "autoscale",
     .kind = SCHEMA_LIST,
     .variants = autoscaler_variants,
     .list_or_one = true,
     .offset = offsetof(struct autoscale_list, list)},
};
static const struct schema list_schema = {
    .name = "list", SCHEMA_KEYS(keys), .size = sizeof(struct autoscale_list)};

void autoscale_text_open(struct autoscale_text *t, const char *list, uint32_t minimum,
                         uint32_t maximum)
{
    char text[2000];
    struct autoscale_list read;
    *t = (struct autoscale_text){.arena = arena_new(0)};
    snprintf(text, sizeof text, "autoscale: %s\n", list);
    section_text_read(&list_schema, text, t->arena, inputs_new(t->arena), &read);
    const struct schema_variant_item *items = read.list.items;
    for (size_t i = 0; i < read.list.count && i < 8; i++) {
        const struct autoscaler *a = autoscaler_table[items[i].variant.index];
        char message[300] = "";
        if (a->check != NULL && !a->check(items[i].variant.params, message, sizeof message)) {
            fail_msg("refused: %s", message);
        }
        t->uses[t->count++] =
            (struct autoscaler_use){.autoscaler = a, .params = items[i].variant.params};
    }
    assert_true(autoscaler_group_init(&t->group, t->arena, t->uses, t->count, minimum, maximum));
    autoscaler_group_begin(&t->group, 0.0);
}

void autoscale_text_close(struct autoscale_text *t)
{
    arena_free(t->arena);
}
