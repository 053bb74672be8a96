/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/new_file.h"

#include "engine/file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool to_standard_output(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

bool new_file_allowed(struct command *c, const char *path, struct new_file_kind kind)
{
    if (to_standard_output(path)) {
        return true;
    }
    FILE *in = fopen(path, "rb");
    char start[64] = "";
    if (in == NULL && errno == ENOENT) {
        return true;
    }
    bool ours = in != NULL && !file_is_folder(path) && fgets(start, sizeof start, in) != NULL &&
                strncmp(start, kind.begins, strlen(kind.begins)) == 0;
    if (in != NULL) {
        fclose(in);
    }
    if (!ours) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "'%s' is there and is no %s; expected a new file, or one to replace", path,
                         kind.noun);
    }
    return ours;
}

static bool write_failed(struct command *c, const char *path)
{
    command_complain(c, DIAGNOSTIC_FAILURE, "cannot write '%s': %s", path, strerror(errno));
    return false;
}

bool new_file_write(struct command *c, const char *path, bool (*write)(const void *what, FILE *out),
                    const void *what)
{
    if (to_standard_output(path)) {
        return write(what, stdout) || write_failed(c, "standard output");
    }
    const char *draft = arena_format(c->arena, "%s.%ld.part", path, (long)getpid());
    if (draft == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    FILE *out = fopen(draft, "wbx");
    if (out == NULL) {
        return write_failed(c, draft);
    }
    bool ok = write(what, out);
    ok = fclose(out) == 0 && ok;
    ok = ok && rename(draft, path) == 0;
    if (!ok) {
        int why = errno;
        unlink(draft);
        errno = why;
        return write_failed(c, path);
    }
    return true;
}

static bool write_table(const void *what, FILE *out)
{
    return table_write_csv(what, out);
}

bool new_file_table(struct command *c, const char *path, const struct table *t)
{
    return new_file_write(c, path, write_table, t);
}
