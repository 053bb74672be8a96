/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/import/price_records.h"

#include "engine/text.h"
#include "scenarios/import/import_time.h"
#include "scenarios/import/step_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void price_records_release(struct price_records *p)
{
    free(p->items);
    name_index_release(&p->pools);
    name_index_release(&p->products);
}

static bool fail(char *message, size_t size, const char *text)
{
    snprintf(message, size, "%s", text);
    return false;
}

static bool check_names(const struct price_record *x, char *message, size_t size)
{
    const struct {
        const char *text, *name;
    } needed[] = {{x->zone, "zone"},
                  {x->type, "instance type"},
                  {x->product, "product"},
                  {x->price, "price"},
                  {x->time, "time"}};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (needed[i].text == NULL || needed[i].text[0] == '\0') {
            snprintf(message, size, "the record has no %s; expected one", needed[i].name);
            return false;
        }
    }
    return true;
}

/* "use1-az2" is an id, "us-east-1a" a name: which is which differs from account to account. */
static bool check_zone(struct price_records *p, const char *zone, char *message, size_t size)
{
    *(strstr(zone, "-az") != NULL ? &p->has_ids : &p->has_names) = true;
    if (p->has_ids && p->has_names) {
        snprintf(message, size,
                 "'%.60s' stands beside zones of the other kind; expected names such as us-east-1a "
                 "or ids such as use1-az1, but not both, which could be one zone twice",
                 zone);
        return false;
    }
    return true;
}

static bool store(struct price_records *p, struct stored_price x)
{
    if (p->count == p->capacity) {
        size_t capacity = p->capacity * 2 + 1024;
        struct stored_price *items = realloc(p->items, capacity * sizeof *items);
        if (items == NULL) {
            return false;
        }
        p->items = items;
        p->capacity = capacity;
    }
    p->items[p->count++] = x;
    return true;
}

bool price_records_add(struct price_records *p, const struct price_record *record, int line,
                       char *message, size_t message_size)
{
    struct stored_price x = {.line = line, .file = p->file};
    char pool[512];
    double price;
    if (!check_names(record, message, message_size)) {
        return false;
    }
    p->file_records++;
    if (!import_instant(record->time, &x.us)) {
        snprintf(message, message_size,
                 "the time is '%.60s'; expected such as 2020-02-20T13:02:49Z, with Z or an offset",
                 record->time);
        return false;
    }
    if (import_is_future(p->r, x.us)) {
        snprintf(message, message_size,
                 "the time %.60s is in the future; expected a price that was", record->time);
        return false;
    }
    if (!import_number(record->price, &price) || !(price > 0) ||
        !money_from_double(price, &x.price) || x.price <= 0) {
        snprintf(message, message_size,
                 "the price is '%.60s'; expected a price per hour above zero", record->price);
        return false;
    }
    if (strcmp(record->product, p->product) != 0) {
        p->left_out++;
        return name_index_put(&p->products, p->r->arena, record->product) != SIZE_MAX ||
               fail(message, message_size, "out of memory");
    }
    if (!check_zone(p, record->zone, message, message_size)) {
        return false;
    }
    int length = snprintf(pool, sizeof pool, "%s\t%s", record->zone, record->type);
    if (length < 0 || (size_t)length >= sizeof pool) {
        return fail(message, message_size, "the zone and type are above 500 bytes; expected names");
    }
    size_t index = name_index_put(&p->pools, p->r->arena, pool);
    x.pool = (unsigned)index;
    if (index == SIZE_MAX || !store(p, x)) {
        return fail(message, message_size, "out of memory");
    }
    return true;
}

/* ---- to traces ---- */

static int by_pool_and_time(const void *a, const void *b)
{
    const struct stored_price *x = a, *y = b;
    if (x->pool != y->pool) {
        return x->pool < y->pool ? -1 : 1;
    }
    if (x->us != y->us) {
        return x->us < y->us ? -1 : 1;
    }
    return x->file != y->file ? (x->file < y->file ? -1 : 1)
                              : (x->line > y->line) - (x->line < y->line);
}

static void list_products(const struct price_records *p, struct text *out)
{
    text_init(out, 300);
    for (size_t i = 0; i < p->products.count; i++) {
        text_format(out, "%s%s", i == 0 ? "" : ", ", p->products.names[i]);
    }
}

/* That one product was chosen of several; false when nothing is left. */
static bool tell_products(const struct price_records *p)
{
    struct place where = {p->r->files[0], 0, 0};
    struct text others;
    list_products(p, &others);
    if (p->count == 0 && p->left_out == 0) {
        diagnostics_add(p->r->d, DIAGNOSTIC_ERROR, where, "there is no price in this history");
    } else if (p->count == 0) {
        diagnostics_add(p->r->d, DIAGNOSTIC_ERROR, where,
                        "there is no price of the product '%s'; expected --product with one of: %s",
                        p->product, others.data);
    } else if (p->left_out > 0) {
        diagnostics_add(p->r->d, DIAGNOSTIC_WARNING, where,
                        "kept the prices of the product '%s' and left out %zu record%s of: %s; "
                        "--product names another",
                        p->product, p->left_out, text_plural((double)p->left_out), others.data);
    }
    text_release(&others);
    return p->count > 0;
}

static int begin_pool(const struct price_records *p, unsigned pool, int64_t zero_us,
                      struct trace_builder *b)
{
    const char *name = p->pools.names[pool];
    const char *tab = strchr(name, '\t');
    const char *zone = arena_copy(p->r->arena, name, (size_t)(tab - name));
    int made = zone == NULL ? -1 : trace_builder_pool(b, zone, tab + 1);
    if (made >= 0) {
        trace_builder_start(b, made, zero_us / MICROSECONDS, 0);
        trace_builder_in_order(b, made);
    }
    return made;
}

static void warn_of_single(const struct price_records *p, const struct stored_price *x)
{
    const char *name = p->pools.names[x->pool];
    const char *tab = strchr(name, '\t');
    diagnostics_add(p->r->d, DIAGNOSTIC_WARNING, (struct place){p->r->files[x->file], x->line, 0},
                    "this is the one record of %s in %.*s: how long its price held is not known",
                    tab + 1, (int)(tab - name), name);
}

bool price_records_build(struct price_records *p, struct trace_builder *b)
{
    int64_t zero_us = INT64_MAX;
    int pool = -1;
    if (!tell_products(p)) {
        return false;
    }
    for (size_t i = 0; i < p->count; i++) {
        zero_us = p->items[i].us < zero_us ? p->items[i].us : zero_us;
    }
    zero_us = zero_us / MICROSECONDS * MICROSECONDS;
    qsort(p->items, p->count, sizeof *p->items, by_pool_and_time);
    for (size_t i = 0; i < p->count; i++) {
        const struct stored_price *x = &p->items[i], *before = i == 0 ? NULL : x - 1;
        bool first = before == NULL || before->pool != x->pool;
        bool last = i + 1 == p->count || p->items[i + 1].pool != x->pool;
        double at_s = (double)(x->us - zero_us) / 1e6;
        if (first && (pool = begin_pool(p, x->pool, zero_us, b)) < 0) {
            diagnostics_add(p->r->d, DIAGNOSTIC_FAILURE, (struct place){NULL, 0, 0},
                            "out of memory");
            return false;
        }
        if (!first && before->us == x->us && before->price != x->price) {
            char a[32], c[32];
            diagnostics_add(p->r->d, DIAGNOSTIC_ERROR,
                            (struct place){p->r->files[x->file], x->line, 0},
                            "the price is %s here and %s in line %d of '%s', of one zone, type and "
                            "time; expected one price",
                            money_text(x->price, a), money_text(before->price, c), before->line,
                            p->r->files[before->file]);
            return false;
        }
        if (first && last) {
            warn_of_single(p, x);
        }
        trace_builder_price(b, pool, at_s, x->price);
        trace_builder_end(b, pool, at_s + LAST_CHANGE_S);
    }
    return true;
}
