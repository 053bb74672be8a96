/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/result_folder.h"

#include "engine/csv_writer.h"
#include "engine/file.h"
#include "scenarios/study/world_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the place ---- */

static bool is_empty(const char *folder)
{
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        return false;
    }
    size_t entries = 0;
    for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        entries += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    }
    closedir(dir);
    return entries == 0;
}

bool result_folder_open(struct result_folder *f, struct arena *a, const char *path,
                        struct diagnostics *d)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    f->path = arena_copy(a, path, length);
    f->draft = f->path == NULL ? NULL : arena_format(a, "%s.draft-%ld", f->path, (long)getpid());
    if (f->draft == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return false;
    }
    struct stat s;
    if (lstat(f->path, &s) == 0 && S_ISLNK(s.st_mode)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                        "'%s' is a link, which is not replaced; name the directory it leads to",
                        f->path);
        return false;
    }
    if (file_exists(f->path) && !(file_is_folder(f->path) && is_empty(f->path)) &&
        !manifest_is_ours(f->path)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){0},
                        "'%s' exists and was not written by fleetcast, so it is not replaced; name "
                        "another directory with -o",
                        f->path);
        return false;
    }
    return file_make_folder(f->draft, d);
}

bool result_folder_close(const struct result_folder *f, struct diagnostics *d)
{
    char old[4096];
    snprintf(old, sizeof old, "%s.old-%ld", f->path, (long)getpid());
    bool replaces = file_exists(f->path);
    if (replaces && rename(f->path, old) != 0) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "cannot move '%s' aside: %s",
                        f->path, strerror(errno));
        return false;
    }
    if (rename(f->draft, f->path) != 0) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "cannot put '%s' in place: %s",
                        f->path, strerror(errno));
        if (replaces) {
            (void)rename(old, f->path);
        }
        return false;
    }
    return !replaces || file_remove_tree(old, d);
}

void result_folder_abandon(const struct result_folder *f)
{
    struct diagnostics *ignored = diagnostics_new();
    if (ignored != NULL && file_exists(f->draft)) {
        (void)file_remove_tree(f->draft, ignored);
    }
    diagnostics_free(ignored);
}

/* ---- files ---- */

static FILE *create(struct arena *a, const char *folder, const char *name, struct diagnostics *d)
{
    char *path = file_join(a, folder, name);
    FILE *out = path == NULL ? NULL : fopen(path, "wb");
    if (out == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "cannot write '%s': %s", name,
                        path == NULL ? "out of memory" : strerror(errno));
    }
    return out;
}

/* Closes and tells a full disk, which may show only now. */
static bool finish(FILE *out, bool written, const char *folder, const char *name,
                   struct diagnostics *d)
{
    int error = written ? 0 : errno;
    if (fclose(out) != 0 && error == 0) {
        error = errno;
    }
    if (error != 0 || !written) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "cannot write '%s/%s': %s",
                        folder, name, strerror(error != 0 ? error : EIO));
        return false;
    }
    return true;
}

static bool write_table(struct arena *a, const char *folder, const struct table *t,
                        struct diagnostics *d)
{
    char *name = arena_format(a, "%s.csv", table_name(t));
    FILE *out = name == NULL ? NULL : create(a, folder, name, d);
    return out != NULL && finish(out, table_write_csv(t, out), folder, name, d);
}

static bool write_bytes(struct arena *a, const char *folder, const char *name, const char *text,
                        size_t length, struct diagnostics *d)
{
    FILE *out = create(a, folder, name, d);
    return out != NULL && finish(out, fwrite(text, 1, length, out) == length, folder, name, d);
}

/* inputs/1-quickstart.yaml, inputs/2-prices.csv …: in the order in which they were read. */
static bool write_inputs(struct arena *a, const char *draft, const struct study *s,
                         struct manifest_input **inputs, size_t *count, struct diagnostics *d)
{
    const struct scenario *sc = s->scenario;
    const struct scenario_file *files = sc->files.items;
    const char *const *prices = sc->price_files.items;
    size_t total = sc->files.count + sc->price_files.count;
    char *folder = file_join(a, draft, "inputs");
    *count = 0;
    *inputs = arena_array(a, total + 1, sizeof **inputs);
    if (folder == NULL || *inputs == NULL || !file_make_folder(folder, d)) {
        return false;
    }
    for (size_t i = 0; i < total; i++) {
        bool scenario = i < sc->files.count;
        const char *path =
            scenario ? files[i].path : file_join(a, sc->folder, prices[i - sc->files.count]);
        const char *slash = strrchr(path, '/');
        const char *base = strcmp(path, "-") == 0 ? "stdin.yaml" : slash != NULL ? slash + 1 : path;
        char *name = arena_format(a, "%zu-%s", i + 1, base);
        size_t length = scenario ? files[i].length : 0;
        const char *text =
            scenario ? files[i].text : file_read_regular(a, path, 1u << 30, &length, d);
        if (name == NULL || text == NULL || !write_bytes(a, folder, name, text, length, d)) {
            return false;
        }
        (*inputs)[(*count)++] = (struct manifest_input){.path = path, .copy = name};
    }
    return true;
}

bool result_folder_write(const struct result_folder *f, const struct run *run,
                         const struct result_tables *tables, const struct manifest_request *request,
                         struct diagnostics *d)
{
    struct arena *a = arena_new(0);
    if (a == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return false;
    }
    const struct table *all[] = {tables->summary,  tables->comparison, tables->distribution,
                                 tables->timeline, tables->monthly,    tables->lines};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof all / sizeof all[0]; i++) {
        ok = write_table(a, f->draft, all[i], d);
    }
    FILE *out = ok ? create(a, f->draft, "replications.csv", d) : NULL;
    ok = out != NULL && finish(out, write_replications(out, run), f->draft, "replications.csv", d);
    out = ok ? create(a, f->draft, "usage.csv", d) : NULL;
    ok = out != NULL && finish(out, write_usage(out, run), f->draft, "usage.csv", d);
    struct manifest_input *inputs = NULL;
    size_t input_count = 0;
    ok = ok && write_inputs(a, f->draft, run->study, &inputs, &input_count, d);
    out = ok ? create(a, f->draft, "manifest.json", d) : NULL;
    ok = out != NULL && finish(out, manifest_write(out, run, request, inputs, input_count),
                               f->draft, "manifest.json", d);
    arena_free(a);
    return ok;
}

/* ---- reading back ---- */

static struct table *read_table(struct arena *a, const char *folder, const char *name,
                                const char *currency, struct diagnostics *d)
{
    struct result_table_layout layout;
    char *file = arena_format(a, "%s.csv", name);
    char *path = file == NULL ? NULL : file_join(a, folder, file);
    if (path == NULL || !result_table_layout(name, currency, a, &layout)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return NULL;
    }
    return table_read_csv(path, name, layout.columns, layout.count, d);
}

bool result_folder_read(struct result_tables *t, const char *folder, const char *currency,
                        struct diagnostics *d)
{
    struct arena *a = arena_new(0);
    *t = (struct result_tables){0};
    if (a == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
        return false;
    }
    t->summary = read_table(a, folder, "summary", currency, d);
    t->comparison = read_table(a, folder, "comparison", currency, d);
    t->distribution = read_table(a, folder, "distribution", currency, d);
    t->timeline = read_table(a, folder, "timeline", currency, d);
    t->monthly = read_table(a, folder, "monthly", currency, d);
    t->lines = read_table(a, folder, "lines", currency, d);
    arena_free(a);
    if (diagnostics_failed(d)) {
        result_tables_release(t);
        return false;
    }
    return true;
}
