/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/result_folder.h"

#include "engine/csv_writer.h"
#include "engine/file.h"
#include "engine/table_read.h"
#include "scenarios/output/report_tables.h"
#include "scenarios/output/result_layouts.h"
#include "scenarios/output/world_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names tried beside the place; more are taken only by somebody who means harm. */
#define MOST_NAMES 1000

static const struct place nowhere = {0};

static bool out_of_memory(struct diagnostics *d)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
    return false;
}

/* ---- what is there ---- */

static bool is_own_name(const char *name)
{
    static const char *const others[] = {
        "manifest.json", "inputs",     "charts",      "chosen.yaml", "report.html",
        "report.md",     "report.pdf", "report.xlsx", ".",           ".."};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(name, others[i]) == 0) {
            return true;
        }
    }
    const char *file;
    for (size_t i = 0; (file = result_layout_name(i)) != NULL; i++) {
        if (length == strlen(file) + 4 && strncmp(name, file, length - 4) == 0 &&
            strcmp(name + length - 4, ".csv") == 0) {
            return true;
        }
    }
    return false;
}

/* Counts a folder's entries; *foreign (in the arena) is one that this program does not write, or
 * NULL. False when it cannot be read. */
static bool look_into(const char *folder, struct arena *a, size_t *entries, const char **foreign)
{
    DIR *dir = opendir(folder);
    *entries = 0;
    *foreign = NULL;
    if (dir == NULL) {
        return false;
    }
    for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        *entries += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
        if (*foreign == NULL && !is_own_name(e->d_name)) {
            *foreign = arena_string(a, e->d_name);
        }
    }
    closedir(dir);
    return true;
}

static bool same_folder(const struct stat *a, const char *other)
{
    struct stat b;
    return stat(other, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* A rename moves directories within one file system, and not what others stand on. */
static bool check_movable(const char *path, const struct stat *s, struct arena *a,
                          struct diagnostics *d)
{
    struct stat above;
    const char *parent = file_folder(a, path);
    if (parent == NULL) {
        return out_of_memory(d);
    }
    if (stat(parent, &above) == 0 && above.st_dev != s->st_dev) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere,
                        "'%s' is where a file system is mounted and cannot be replaced; name a "
                        "directory in it, such as '%s/results'",
                        path, path);
        return false;
    }
    if (same_folder(s, ".")) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere,
                        "'%s' is the current directory and cannot be replaced; name another one",
                        path);
        return false;
    }
    return true;
}

/* True when there is nothing at path, or what may be replaced; *taken says which. */
static bool check_free(const char *path, struct arena *a, bool *taken, struct diagnostics *d)
{
    struct stat s;
    size_t entries = 0;
    const char *foreign = NULL;
    *taken = stat(path, &s) == 0;
    if (!*taken) {
        return true;
    }
    bool is_folder = S_ISDIR(s.st_mode) && look_into(path, a, &entries, &foreign);
    if (!is_folder || (entries > 0 && !manifest_is_ours(path))) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere,
                        "'%s' exists and was not written by fleetcast, so it is not replaced; name "
                        "another directory with -o",
                        path);
        return false;
    }
    if (foreign != NULL) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere,
                        "'%s' holds '%s', which fleetcast did not write, so it is not replaced; "
                        "move that away or name another directory with -o",
                        path, foreign);
        return false;
    }
    return check_movable(path, &s, a, d);
}

/* ---- names ---- */

/* Without slashes at the end. A rename would move a link, not what it leads to. */
static const char *find(const char *path, struct arena *a, struct diagnostics *d)
{
    struct stat s;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    const char *found = arena_copy(a, path, length);
    const char *slash = found == NULL ? NULL : strrchr(found, '/');
    const char *name = slash == NULL ? found : slash + 1;
    if (found == NULL) {
        out_of_memory(d);
        return NULL;
    }
    if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere,
                        "'%s' has no name of its own and cannot be replaced; name another "
                        "directory with -o",
                        path);
        return NULL;
    }
    if (lstat(found, &s) == 0 && S_ISLNK(s.st_mode)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere,
                        "'%s' is a link, which is not replaced; name the directory it leads to",
                        found);
        return NULL;
    }
    return found;
}

/* The n-th name beside path: "out.draft-123", "out.draft-123-2" … */
static const char *beside(struct arena *a, const char *path, const char *what, int n)
{
    return n == 1 ? arena_format(a, "%s.%s-%ld", path, what, (long)getpid())
                  : arena_format(a, "%s.%s-%ld-%d", path, what, (long)getpid(), n);
}

/* A new folder beside path: never one that is there already, which another run with the same
 * process number (containers count from 1) may have left. */
static const char *make_draft(const char *path, struct arena *a, struct diagnostics *d)
{
    for (int n = 1; n <= MOST_NAMES; n++) {
        const char *draft = beside(a, path, "draft", n);
        if (draft == NULL) {
            out_of_memory(d);
            return NULL;
        }
        if (mkdir(draft, 0777) == 0) {
            return draft;
        }
        if (errno != EEXIST) {
            diagnostics_add(d, errno == ENAMETOOLONG ? DIAGNOSTIC_ERROR : DIAGNOSTIC_FAILURE,
                            nowhere, "cannot make folder '%s': %s", draft, strerror(errno));
            return NULL;
        }
    }
    diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "cannot make a folder beside '%s': %s", path,
                    strerror(EEXIST));
    return NULL;
}

bool result_folder_open(struct result_folder *f, struct arena *a, const char *path,
                        struct diagnostics *d)
{
    bool taken;
    *f = (struct result_folder){0};
    const char *found = find(path, a, d);
    if (found == NULL || !check_free(found, a, &taken, d)) {
        return false;
    }
    const char *parent = file_folder(a, found);
    if (parent == NULL) {
        return out_of_memory(d);
    }
    if (!file_make_folder(parent, d)) {
        return false;
    }
    f->path = found;
    f->draft = make_draft(found, a, d);
    return f->draft != NULL;
}

/* ---- the renames ---- */

/* Moves what is at path to a name beside it. NULL with errno. */
static const char *move_aside(const char *path, struct arena *a)
{
    struct stat s;
    const char *old = NULL;
    for (int n = 1; n <= MOST_NAMES; n++) {
        old = beside(a, path, "old", n);
        if (old == NULL || lstat(old, &s) != 0) {
            break;
        }
    }
    if (old == NULL) {
        errno = ENOMEM;
    }
    return old != NULL && rename(path, old) == 0 ? old : NULL;
}

static void remove_old(const char *old, struct diagnostics *d)
{
    struct diagnostics *why = diagnostics_new();
    if (why == NULL || !file_remove_tree(old, why)) {
        const char *text = why == NULL ? NULL : diagnostics_text(why, 0, NULL, NULL);
        diagnostics_add(d, DIAGNOSTIC_WARNING, nowhere,
                        "the results replaced are still in '%s': %s", old,
                        text == NULL ? "out of memory" : text);
    }
    diagnostics_free(why);
}

static bool put_in_place(const struct result_folder *f, struct arena *a, struct diagnostics *d)
{
    bool taken;
    if (!check_free(f->path, a, &taken, d)) {
        return false;
    }
    const char *old = taken ? move_aside(f->path, a) : NULL;
    if ((taken && old == NULL) || rename(f->draft, f->path) != 0) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "cannot put '%s' in place: %s", f->path,
                        strerror(errno));
        if (old != NULL) {
            (void)rename(old, f->path);
        }
        return false;
    }
    if (old != NULL) {
        remove_old(old, d);
    }
    return true;
}

bool result_folder_close(struct result_folder *f, struct diagnostics *d)
{
    struct arena *a = arena_new(0);
    bool ok = a == NULL ? out_of_memory(d) : put_in_place(f, a, d);
    if (!ok) {
        diagnostics_add(d, DIAGNOSTIC_NOTE, nowhere, "the results are in '%s'", f->draft);
    }
    f->draft = NULL; /* in its place, or kept: not to be deleted any more */
    arena_free(a);
    return ok;
}

void result_folder_abandon(const struct result_folder *f)
{
    struct diagnostics *ignored = diagnostics_new();
    if (ignored != NULL && f->draft != NULL) {
        (void)file_remove_tree(f->draft, ignored);
    }
    diagnostics_free(ignored);
}

/* ---- files ---- */

/* A new file: the draft is new and ours, so nothing of that name is there. */
static FILE *create(struct arena *a, const char *folder, const char *name, struct diagnostics *d)
{
    char *path = file_join(a, folder, name);
    FILE *out = path == NULL ? NULL : fopen(path, "wbx");
    if (out == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "cannot write '%s/%s': %s", folder, name,
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
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "cannot write '%s/%s': %s", folder, name,
                        strerror(error != 0 ? error : EIO));
        return false;
    }
    return true;
}

static bool write_table(struct arena *a, const char *folder, const struct table *t,
                        struct diagnostics *d)
{
    char *name = arena_format(a, "%s.csv", table_name(t));
    if (name == NULL) {
        return out_of_memory(d);
    }
    FILE *out = create(a, folder, name, d);
    return out != NULL && finish(out, table_write_csv(t, out), folder, name, d);
}

bool result_folder_write(const struct result_folder *f, const struct run *run,
                         const struct result_tables *tables, const struct manifest_request *request,
                         struct diagnostics *d)
{
    struct arena *a = arena_new(0);
    if (a == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
        return false;
    }
    const struct table *all[] = {
        tables->summary,       tables->comparison,  tables->distribution, tables->timeline,
        tables->monthly,       tables->lines,       tables->quarters,     tables->categories,
        tables->commitments,   tables->split,       tables->levels,       tables->oracle,
        tables->break_even,    tables->market,      tables->survival,     tables->plan_world,
        tables->jobs,          tables->utilisation, tables->services,     tables->hour_of_week,
        tables->service_hours, tables->sensitivity, tables->information,  tables->choice,
        tables->limits};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof all / sizeof all[0]; i++) {
        ok = write_table(a, f->draft, all[i], d);
    }
    FILE *out = ok ? create(a, f->draft, "replications.csv", d) : NULL;
    ok = out != NULL && finish(out, write_replications(out, run), f->draft, "replications.csv", d);
    out = ok ? create(a, f->draft, "usage.csv", d) : NULL;
    ok = out != NULL && finish(out, write_usage(out, run), f->draft, "usage.csv", d);
    const char *inputs = ok ? file_join(a, f->draft, "inputs") : NULL;
    ok = ok &&
         (inputs != NULL ? input_copies_write(&run->study->copies, inputs, d) : out_of_memory(d));
    out = ok ? create(a, f->draft, "manifest.json", d) : NULL; /* last: with it all is there */
    ok =
        out != NULL && finish(out, manifest_write(out, run, request), f->draft, "manifest.json", d);
    arena_free(a);
    return ok;
}

/* ---- reading back ---- */

static struct table *read_table(struct arena *a, const char *folder, const char *name,
                                const struct manifest *m, struct diagnostics *d)
{
    struct result_table_layout layout;
    char *file = arena_format(a, "%s.csv", name);
    char *path = file == NULL ? NULL : file_join(a, folder, file);
    const bool laid_out = path != NULL && result_table_layout(name, m->currency, a, &layout);
    const size_t own = laid_out ? layout.count : 0;
    if (!laid_out ||
        !report_layout(&layout, m->currency, m->report.given ? m->report.code : NULL, a)) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
        return NULL;
    }
    return table_read_csv_older(path, name, layout.columns, own, layout.count, d);
}

/* NULL where there is none. */
static struct table *read_optional(struct arena *a, const char *folder, const char *name,
                                   const struct manifest *m, struct diagnostics *d)
{
    const char *path = arena_format(a, "%s/%s.csv", folder, name);
    return path != NULL && file_exists(path) ? read_table(a, folder, name, m, d) : NULL;
}

bool result_folder_read(struct result_tables *t, const char *folder, const struct manifest *m,
                        struct diagnostics *d)
{
    struct arena *a = arena_new(0);
    *t = (struct result_tables){0};
    if (a == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
        return false;
    }
    t->summary = read_table(a, folder, "summary", m, d);
    t->comparison = read_table(a, folder, "comparison", m, d);
    t->distribution = read_table(a, folder, "distribution", m, d);
    t->timeline = read_table(a, folder, "timeline", m, d);
    t->monthly = read_table(a, folder, "monthly", m, d);
    t->lines = read_table(a, folder, "lines", m, d);
    t->quarters = read_table(a, folder, "quarters", m, d);
    t->categories = read_table(a, folder, "categories", m, d);
    /* Directories of older versions have none of these. */
    t->levels = read_optional(a, folder, "commitment_levels", m, d);
    t->break_even = read_optional(a, folder, "break_even", m, d);
    t->oracle = read_optional(a, folder, "oracle", m, d);
    t->market = read_optional(a, folder, "market", m, d);
    t->survival = read_optional(a, folder, "survival", m, d);
    t->plan_world = read_optional(a, folder, "plan_world", m, d);
    t->jobs = read_optional(a, folder, "jobs", m, d);
    t->utilisation = read_optional(a, folder, "utilisation", m, d);
    t->commitments = read_optional(a, folder, "commitments", m, d);
    t->services = read_optional(a, folder, "services", m, d);
    t->hour_of_week = read_optional(a, folder, "hour_of_week", m, d);
    t->service_hours = read_optional(a, folder, "service_hours", m, d);
    t->sensitivity = read_optional(a, folder, "sensitivity", m, d);
    t->information = read_optional(a, folder, "information", m, d);
    t->choice = read_optional(a, folder, "choice", m, d);
    t->limits = read_optional(a, folder, "limits", m, d);
    arena_free(a);
    if (diagnostics_failed(d)) {
        result_tables_release(t);
        return false;
    }
    return true;
}
