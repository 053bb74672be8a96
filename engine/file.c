/* SPDX-License-Identifier: GPL-3.0-or-later
 * Deleting goes by open folders (openat, unlinkat), never by path, so that a link put in the way
 * meanwhile leads nowhere. */
#include "engine/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_CHUNK = 64 * 1024, DEEPEST = 32 };

#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY)

static const struct place nowhere = {0};

static enum diagnostic_kind kind_of(int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
        return DIAGNOSTIC_ERROR;
    default:
        return DIAGNOSTIC_FAILURE;
    }
}

static void complain(struct diagnostics *d, const char *verb, const char *path, int error)
{
    diagnostics_add(d, kind_of(error), nowhere, "cannot %s '%s': %s", verb, path, strerror(error));
}

/* ---- reading -------------------------------------------------------------------------------- */

static void too_large(struct diagnostics *d, const char *path, size_t limit)
{
    if (limit >= (size_t)1 << 20)
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere, "'%s' is larger than the limit of %zu MiB",
                        path, limit >> 20);
    else
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere, "'%s' is larger than the limit of %zu bytes",
                        path, limit);
}

/* Reads until the end or until limit + 1 bytes are there: the buffer (caller frees), its length in
 * *length. NULL with errno. size_hint: what the file says of itself. */
static char *read_all(int fd, size_t limit, size_t size_hint, size_t *length)
{
    size_t most = limit + 1;
    size_t capacity = size_hint > 0 && size_hint < most ? size_hint + 1 : FIRST_CHUNK;
    size_t used = 0;
    char *buffer = NULL;

    for (;;) {
        ssize_t n;
        if (buffer == NULL || used == capacity) {
            char *grown;
            if (buffer != NULL)
                capacity *= 2;
            if (capacity > most)
                capacity = most;
            grown = realloc(buffer, capacity);
            if (grown == NULL) {
                free(buffer);
                errno = ENOMEM;
                return NULL;
            }
            buffer = grown;
        }
        n = read(fd, buffer + used, capacity - used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int error = errno;
            free(buffer);
            errno = error;
            return NULL;
        }
        used += (size_t)n;
        if (n == 0 || used == most)
            break;
    }
    *length = used;
    return buffer;
}

/* Both ways of reading; what is not regular is told by its kind. */
static char *read_file(struct arena *a, const char *path, bool regular, size_t limit_bytes,
                       size_t *length, struct diagnostics *d)
{
    bool standard = !regular && strcmp(path, "-") == 0;
    const char *shown = standard ? "standard input" : path;
    int fd = standard ? STDIN_FILENO : open(path, OPEN_FLAGS | (regular ? O_NONBLOCK : 0));
    size_t limit = limit_bytes < SIZE_MAX / 4 ? limit_bytes : SIZE_MAX / 4;
    char *buffer = NULL, *copy = NULL;
    struct stat s;

    if (fd < 0 || fstat(fd, &s) != 0) {
        complain(d, "read", shown, errno);
    } else if (S_ISDIR(s.st_mode)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere, "'%s' is a folder; a file is wanted", shown);
    } else if (regular && !S_ISREG(s.st_mode)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere,
                        "'%s' is a pipe or a device; a regular file is wanted", shown);
    } else if (S_ISREG(s.st_mode) && s.st_size > 0 && (uintmax_t)s.st_size > limit && !standard) {
        too_large(d, shown, limit);
    } else {
        buffer = read_all(fd, limit, S_ISREG(s.st_mode) ? (size_t)s.st_size : 0, length);
        if (buffer == NULL) {
            complain(d, "read", shown, errno);
        } else if (*length > limit) {
            too_large(d, shown, limit);
        } else {
            copy = arena_copy(a, buffer, *length);
            if (copy == NULL)
                complain(d, "read", shown, ENOMEM);
        }
    }
    free(buffer);
    if (fd >= 0 && !standard)
        close(fd);
    return copy;
}

char *file_read(struct arena *a, const char *path, size_t limit_bytes, size_t *length,
                struct diagnostics *d)
{
    return read_file(a, path, false, limit_bytes, length, d);
}

char *file_read_regular(struct arena *a, const char *path, size_t limit_bytes, size_t *length,
                        struct diagnostics *d)
{
    return read_file(a, path, true, limit_bytes, length, d);
}

uint64_t file_hash(uint64_t seed, const void *bytes, size_t length)
{
    const unsigned char *b = bytes;

    for (size_t i = 0; i < length; i++)
        seed = (seed ^ b[i]) * UINT64_C(0x100000001b3);
    return seed;
}

/* ---- names ---------------------------------------------------------------------------------- */

bool file_exists(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0;
}

bool file_is_folder(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

char *file_folder(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return arena_string(a, ".");
    while (slash > path && slash[-1] == '/')
        slash--;
    return slash == path ? arena_string(a, "/") : arena_copy(a, path, (size_t)(slash - path));
}

char *file_join(struct arena *a, const char *folder, const char *name)
{
    size_t length = strlen(folder);

    if (name[0] == '/')
        return arena_string(a, name);
    if (length == 0 || strcmp(folder, ".") == 0)
        return arena_format(a, "%s%s", strcmp(name, "-") == 0 ? "./" : "", name);
    return arena_format(a, "%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", name);
}

/* ---- folders -------------------------------------------------------------------------------- */

bool file_make_folder(const char *path, struct diagnostics *d)
{
    char *part = strdup(path);
    size_t end = 0;
    bool good = part != NULL && path[0] != '\0';

    if (!good)
        complain(d, "make folder", path, part == NULL ? ENOMEM : ENOENT);
    while (good && part[end] != '\0') {
        char kept;
        int error = 0;
        end += strspn(part + end, "/");
        end += strcspn(part + end, "/");
        kept = part[end];
        part[end] = '\0';
        if (mkdir(part, 0777) != 0)
            error = errno;
        good = error == 0 || file_is_folder(part);
        if (!good && (error == EEXIST || error == ENOTDIR))
            diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere,
                            "cannot make folder '%s': '%s' is not a folder", path, part);
        else if (!good)
            complain(d, "make folder", path, error);
        part[end] = kept;
    }
    free(part);
    return good;
}

enum { TOO_DEEP = -1 }; /* beside the values of errno */

/* Empties the folder behind fd, which it takes. 0, an errno or TOO_DEEP. */
static int empty_folder(int fd, int depth)
{
    DIR *folder = depth > DEEPEST ? NULL : fdopendir(fd);
    bool removed;
    int error = 0;

    if (folder == NULL) {
        error = depth > DEEPEST ? TOO_DEEP : errno;
        close(fd);
        return error;
    }
    do { /* removing while reading may hide entries from some file systems: read again */
        struct dirent *e;
        removed = false;
        rewinddir(folder);
        while (error == 0 && (errno = 0, e = readdir(folder)) != NULL) {
            int below;
            if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
                continue;
            if (unlinkat(fd, e->d_name, 0) == 0) {
                removed = true;
                continue;
            }
            if (errno != EISDIR && errno != EPERM) { /* Linux says EISDIR, POSIX EPERM */
                error = errno;
                break;
            }
            below = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (below < 0)
                error = errno == ENOTDIR ? EPERM : errno; /* a file that may not be deleted */
            else
                error = empty_folder(below, depth + 1);
            if (error == 0 && unlinkat(fd, e->d_name, AT_REMOVEDIR) != 0)
                error = errno;
            removed = removed || error == 0;
        }
        if (error == 0)
            error = errno;
    } while (error == 0 && removed);
    closedir(folder);
    return error;
}

bool file_remove_tree(const char *path, struct diagnostics *d)
{
    struct stat s;
    int fd, error;

    if (lstat(path, &s) != 0) {
        if (errno == ENOENT)
            return true;
        complain(d, "delete folder", path, errno);
        return false;
    }
    if (!S_ISDIR(s.st_mode)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, nowhere, "cannot delete folder '%s': it is a %s", path,
                        S_ISLNK(s.st_mode) ? "link" : "file");
        return false;
    }
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    error = fd < 0 ? errno : empty_folder(fd, 1);
    if (error == 0 && rmdir(path) != 0)
        error = errno;
    if (error == 0)
        return true;
    if (error == TOO_DEEP)
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere,
                        "cannot delete folder '%s': it is more than %d folders deep", path,
                        DEEPEST);
    else
        complain(d, "delete folder", path, error);
    return false;
}
