/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/input_copies.h"

#include "engine/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A folder of the scenarios, when a path climbs above it. */
#define UPPER "scenario/"
/* For files with absolute paths, beside the scenarios. */
#define MOVED "elsewhere/"
/* Paths that climb higher than this, or have more parts, are treated as absolute ones. */
#define MOST_CLIMB 8
#define MOST_PARTS 64
/* Far above any price file; a file that grows without end must end somewhere. */
#define MOST_BYTES ((size_t)1 << 30)

static const struct place nowhere = {0};

static bool out_of_memory(struct diagnostics *d)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
    return false;
}

/* ---- paths ---- */

/* The parts of a path but "" and ".", with ".." taken back where a part is before it. */
struct parts {
    const char *start[MOST_PARTS];
    size_t length[MOST_PARTS];
    size_t count;
    size_t climb; /* how far it was above its beginning at most */
    bool too_many;
};

/* climb counts also where the path comes down again: "a/../../b" climbs by one. */
static void take_apart(struct parts *p, const char *path)
{
    size_t above = 0;
    while (*path != '\0') {
        size_t length = strcspn(path, "/");
        if (length == 2 && memcmp(path, "..", 2) == 0) {
            above += p->count == 0;
            p->count -= p->count > 0;
            p->climb = above > p->climb ? above : p->climb;
        } else if (length > 0 && !(length == 1 && *path == '.')) {
            if (p->count == MOST_PARTS) {
                p->too_many = true;
                return;
            }
            p->start[p->count] = path;
            p->length[p->count++] = length;
        }
        path += length + (path[length] == '/');
    }
}

/* "a/b/c" without detours. */
static const char *put_together(struct arena *a, const struct parts *p)
{
    const char *out = "";
    for (size_t i = 0; out != NULL && i < p->count; i++) {
        out = arena_format(a, "%s%s%.*s", out, i == 0 ? "" : "/", (int)p->length[i], p->start[i]);
    }
    return out;
}

/* A path that leads nowhere from another folder. */
static bool is_fixed(const char *name)
{
    struct parts p = {.count = 0};
    take_apart(&p, name);
    return name[0] == '/' || p.too_many || p.climb > MOST_CLIMB || p.count == 0;
}

/* ---- where the copies lie ---- */

/* True when both cannot be there: the same name, or one the folder of the other. */
static bool collide(const char *a, const char *b)
{
    size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    return strncmp(a, b, length) == 0 && (a[length] == '\0' || a[length] == '/') &&
           (b[length] == '\0' || b[length] == '/');
}

/* The copy that lies where this one is to lie; NULL: the place is free. */
static const struct input_copy *in_the_way(const struct input_copies *c, const struct input_copy *i)
{
    for (size_t k = 0; k < c->count; k++) {
        const struct input_copy *other = &c->items[k];
        if (other != i && other->copy != NULL && collide(other->copy, i->copy)) {
            return other;
        }
    }
    return NULL;
}

/* folder + name, or folder + "2-" + name …, whichever is free. False when out of memory. */
static bool choose_free(struct input_copies *c, struct input_copy *i, const char *folder,
                        const char *name)
{
    size_t length = strlen(name), most = 200; /* room for a number within what a name may have */
    i->copy = arena_format(c->arena, "%s%s", folder, name);
    for (size_t n = 2; i->copy != NULL && in_the_way(c, i) != NULL; n++) {
        i->copy = arena_format(c->arena, "%s%zu-%s", folder, n,
                               length > most ? name + length - most : name);
    }
    i->way = i->copy;
    return i->copy != NULL;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* A file that is named twice is copied once. */
static bool is_repetition(const struct input_copy *of, const struct input_copy *i)
{
    return strcmp(of->copy, i->copy) == 0 && of->length == i->length &&
           memcmp(of->text, i->text, i->length) == 0;
}

/* To where its name leads from the scenarios' folder; elsewhere when it cannot be there. */
static bool place_data(struct input_copies *c, struct input_copy *i)
{
    if (!is_fixed(i->name)) {
        struct parts p = {.count = 0};
        i->way = arena_format(c->arena, "%s%s", c->folder, i->name);
        if (i->way == NULL) {
            return false;
        }
        take_apart(&p, i->way);
        i->copy = put_together(c->arena, &p);
        const struct input_copy *other = i->copy == NULL ? NULL : in_the_way(c, i);
        i->again = other != NULL && is_repetition(other, i);
        if (other == NULL || i->again) {
            return i->copy != NULL;
        }
    }
    const char *folder = arena_format(c->arena, "%s" MOVED, c->folder);
    i->moved = true;
    return folder != NULL && choose_free(c, i, folder, base_of(i->path));
}

static bool choose_folder(struct input_copies *c)
{
    size_t climb = 0;
    for (size_t k = 0; k < c->count; k++) {
        struct parts p = {.count = 0};
        if (c->items[k].name != NULL && !is_fixed(c->items[k].name)) {
            take_apart(&p, c->items[k].name);
            climb = p.climb > climb ? p.climb : climb;
        }
    }
    c->folder = "";
    for (size_t k = 0; c->folder != NULL && k < climb; k++) {
        c->folder = arena_format(c->arena, "%s" UPPER, c->folder);
    }
    return c->folder != NULL;
}

/* Data first: their names cannot be chosen. */
static bool place_all(struct input_copies *c)
{
    bool ok = choose_folder(c);
    for (size_t k = 0; ok && k < c->count; k++) {
        struct input_copy *i = &c->items[k];
        ok = i->kind == INPUT_SCENARIO || place_data(c, i);
    }
    for (size_t k = 0; ok && k < c->count; k++) {
        struct input_copy *i = &c->items[k];
        const char *base = strcmp(i->path, "-") == 0 ? "scenario.yaml" : base_of(i->path);
        ok = i->kind != INPUT_SCENARIO || choose_free(c, i, c->folder, base);
    }
    return ok;
}

/* ---- reading ---- */

static bool add_data(struct input_copies *c, const struct scenario *s, enum input_kind kind,
                     const char *name, struct diagnostics *d)
{
    struct input_copy *i = &c->items[c->count++];
    *i = (struct input_copy){.kind = kind,
                             .path = file_join(c->arena, s->folder, name),
                             .name = arena_string(c->arena, name)};
    if (i->path == NULL || i->name == NULL) {
        return out_of_memory(d);
    }
    i->text = file_read_regular(c->arena, i->path, MOST_BYTES, &i->length, d);
    return i->text != NULL;
}

static void add_scenario(struct input_copies *c, const struct scenario_file *f)
{
    c->items[c->count++] = (struct input_copy){
        .kind = INPUT_SCENARIO, .path = f->path, .text = f->text, .length = f->length};
}

bool input_copies_init(struct input_copies *c, const struct scenario *s, struct diagnostics *d)
{
    const struct scenario_file *files = s->files.items;
    const char *const *prices = s->price_files.items;
    size_t most = s->files.count + s->price_files.count + inputs_files(s->inputs);
    *c = (struct input_copies){.arena = arena_new(0)};
    c->items = c->arena == NULL ? NULL : arena_array(c->arena, most + 1, sizeof *c->items);
    if (c->items == NULL) {
        return out_of_memory(d);
    }
    bool ok = true;
    for (size_t i = 0; i < s->files.count; i++) {
        add_scenario(c, &files[i]);
    }
    for (size_t i = 0; ok && i < s->price_files.count; i++) {
        ok = add_data(c, s, INPUT_PRICES, prices[i], d);
    }
    for (size_t i = 0; ok && i < inputs_files(s->inputs); i++) {
        ok = add_data(c, s, INPUT_DATA, inputs_file(s->inputs, i), d);
    }
    return ok && (place_all(c) || out_of_memory(d));
}

void input_copies_release(struct input_copies *c)
{
    arena_free(c->arena);
    *c = (struct input_copies){0};
}

/* ---- writing ---- */

static bool write_copy(const struct input_copy *i, const char *folder, struct arena *a,
                       struct diagnostics *d)
{
    const char *path = file_join(a, folder, i->way);
    const char *above = path == NULL ? NULL : file_folder(a, path);
    if (above == NULL) {
        return out_of_memory(d);
    }
    if (!file_make_folder(above, d)) {
        return false;
    }
    FILE *out = fopen(path, "wbx");
    bool written = out != NULL && fwrite(i->text, 1, i->length, out) == i->length;
    int error = written ? 0 : errno;
    if (out != NULL && fclose(out) != 0 && error == 0) {
        error = errno;
    }
    if (error != 0) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "cannot write '%s': %s", path,
                        strerror(error));
    }
    return error == 0;
}

bool input_copies_write(const struct input_copies *c, const char *folder, struct diagnostics *d)
{
    struct arena *a = arena_new(0);
    bool ok = a != NULL || out_of_memory(d);
    ok = ok && file_make_folder(folder, d);
    for (size_t k = 0; ok && k < c->count; k++) {
        const struct input_copy *i = &c->items[k];
        ok = i->again || write_copy(i, folder, a, d);
    }
    arena_free(a);
    return ok;
}
