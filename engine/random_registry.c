/* SPDX-License-Identifier: GPL-3.0-or-later
 * Names of random sources: their hash, and a registry that finds two names with one hash. With
 * 64 bits a million names collide with probability 3e-8, so a collision found is a bug in a name.
 */
#include "engine/random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a (Fowler, Noll, Vo), then the 64-bit finaliser of MurmurHash3, so that all bits of the
 * counter differ between names that differ in one character. */
static uint64_t hash_name(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    }
    hash = (hash ^ hash >> 33) * UINT64_C(0xff51afd7ed558ccd);
    hash = (hash ^ hash >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return hash ^ hash >> 33;
}

uint64_t random_source(const char *format, ...)
{
    char name[1024]; /* a scenario's longest key is 256 bytes */
    va_list args;
    va_start(args, format);
    int length = vsnprintf(name, sizeof name, format, args);
    va_end(args);
    if (length < 0) {
        return hash_name(format, strlen(format));
    }
    if ((size_t)length < sizeof name) {
        return hash_name(name, (size_t)length);
    }
    char *longer = malloc((size_t)length + 1);
    if (longer == NULL) {
        return hash_name(name, sizeof name - 1);
    }
    va_start(args, format);
    vsnprintf(longer, (size_t)length + 1, format, args);
    va_end(args);
    uint64_t hash = hash_name(longer, (size_t)length);
    free(longer);
    return hash;
}

#define MOST_NAMES (UINT32_C(1) << 24)

struct registered {
    uint64_t source;
    char *name; /* NULL = free */
};

/* Open addressing, at most half full. */
struct random_registry {
    struct registered *entries;
    size_t capacity; /* a power of two */
    size_t count;
};

struct random_registry *random_registry_new(void)
{
    struct random_registry *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    r->capacity = 64;
    r->entries = calloc(r->capacity, sizeof *r->entries);
    if (r->entries == NULL) {
        free(r);
        return NULL;
    }
    return r;
}

void random_registry_free(struct random_registry *r)
{
    if (r == NULL) {
        return;
    }
    for (size_t i = 0; i < r->capacity; i++) {
        free(r->entries[i].name);
    }
    free(r->entries);
    free(r);
}

/* The entry of this source, or the free one where it belongs. */
static struct registered *find_entry(struct registered *entries, size_t capacity, uint64_t source)
{
    size_t at = (size_t)source & (capacity - 1);
    while (entries[at].name != NULL && entries[at].source != source) {
        at = (at + 1) & (capacity - 1);
    }
    return &entries[at];
}

static bool grow(struct random_registry *r)
{
    size_t capacity = 2 * r->capacity;
    struct registered *entries = calloc(capacity, sizeof *entries);
    if (entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < r->capacity; i++) {
        if (r->entries[i].name != NULL) {
            *find_entry(entries, capacity, r->entries[i].source) = r->entries[i];
        }
    }
    free(r->entries);
    r->entries = entries;
    r->capacity = capacity;
    return true;
}

bool random_registry_add(struct random_registry *r, uint64_t source, const char *name)
{
    struct registered *entry = find_entry(r->entries, r->capacity, source);
    if (entry->name != NULL) {
        return strcmp(entry->name, name) == 0;
    }
    if (r->count >= MOST_NAMES || (2 * (r->count + 1) > r->capacity && !grow(r))) {
        return false;
    }
    entry = find_entry(r->entries, r->capacity, source);
    entry->name = strdup(name);
    if (entry->name == NULL) {
        return false;
    }
    entry->source = source;
    r->count++;
    return true;
}
