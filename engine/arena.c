/* SPDX-License-Identifier: GPL-3.0-or-later
 * A chain of blocks, each twice the one before it up to 1 MiB; a request that does not fit opens a
 * new block. A reset with more than one block in hand gives them back and remembers their sum, so
 * that the next round finds room for everything in one block and never calls malloc again.
 * Under AddressSanitizer the bytes not handed out are poisoned: an overrun is caught as on the
 * heap. */
#include "engine/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISON 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISON 1
#endif
#if defined(ARENA_POISON)
#include <sanitizer/asan_interface.h>
#define POISON(p, n)   ASAN_POISON_MEMORY_REGION(p, n)
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define POISON(p, n)   ((void)0)
#define UNPOISON(p, n) ((void)0)
#endif

enum { ALIGN = 16, FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

_Static_assert(_Alignof(max_align_t) <= ALIGN, "blocks must suit any type");

struct block {
    struct block *previous;
    size_t size; /* of data */
    size_t used;
    size_t pad; /* keeps data aligned */
    unsigned char data[];
};

_Static_assert(sizeof(struct block) % ALIGN == 0, "data must start aligned");

struct arena {
    struct block *last;
    size_t limit;
    size_t used;
    size_t next_size;
};

struct arena *arena_new(size_t limit_bytes)
{
    struct arena *a = malloc(sizeof(*a));

    if (a == NULL)
        return NULL;
    *a = (struct arena){.limit = limit_bytes == 0 ? SIZE_MAX : limit_bytes,
                        .next_size = FIRST_BLOCK};
    return a;
}

static void release_blocks(struct arena *a)
{
    while (a->last != NULL) {
        struct block *b = a->last;
        a->last = b->previous;
        UNPOISON(b->data, b->size);
        free(b);
    }
}

void arena_free(struct arena *a)
{
    if (a == NULL)
        return;
    release_blocks(a);
    free(a);
}

static struct block *open_block(struct arena *a, size_t at_least)
{
    size_t size = a->next_size > at_least ? a->next_size : at_least;
    struct block *b;

    if (size > SIZE_MAX - sizeof(*b))
        return NULL;
    b = malloc(sizeof(*b) + size);
    if (b == NULL)
        return NULL;
    *b = (struct block){.previous = a->last, .size = size};
    POISON(b->data, b->size);
    a->last = b;
    a->next_size = size >= LARGEST_BLOCK / 2 ? LARGEST_BLOCK : size * 2;
    return b;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
    size_t rounded;
    struct block *b = a->last;
    void *p;

    if (bytes == 0)
        bytes = 1; /* distinct addresses, as malloc's callers expect */
    if (bytes > a->limit || bytes > SIZE_MAX - ALIGN)
        return NULL;
    rounded = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (rounded > a->limit || a->used > a->limit - rounded)
        return NULL;
    if (b == NULL || b->size - b->used < rounded) {
        b = open_block(a, rounded);
        if (b == NULL)
            return NULL;
    }
    p = b->data + b->used;
    UNPOISON(p, bytes);
    b->used += rounded;
    a->used += rounded;
    memset(p, 0, bytes);
    return p;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return arena_alloc(a, count * size);
}

char *arena_copy(struct arena *a, const char *text, size_t length)
{
    char *copy;

    if (length == SIZE_MAX)
        return NULL;
    copy = arena_alloc(a, length + 1);
    if (copy != NULL && length > 0)
        memcpy(copy, text, length);
    return copy;
}

char *arena_string(struct arena *a, const char *text)
{
    return arena_copy(a, text, strlen(text));
}

char *arena_format(struct arena *a, const char *format, ...)
{
    va_list args;
    int length;
    char *out;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        return NULL;
    out = arena_alloc(a, (size_t)length + 1);
    if (out == NULL)
        return NULL;
    va_start(args, format);
    vsnprintf(out, (size_t)length + 1, format, args);
    va_end(args);
    return out;
}

void arena_reset(struct arena *a)
{
    struct block *b = a->last;

    if (b != NULL && b->previous == NULL) {
        b->used = 0;
        POISON(b->data, b->size);
    } else if (b != NULL) {
        size_t total = 0;
        for (; b != NULL; b = b->previous)
            total = total > SIZE_MAX - b->size ? SIZE_MAX : total + b->size;
        release_blocks(a);
        a->next_size = total;
    }
    a->used = 0;
}

size_t arena_used(const struct arena *a)
{
    return a->used;
}
