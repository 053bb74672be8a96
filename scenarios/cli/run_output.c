/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/run_output.h"

#include "engine/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *run_output_default(struct arena *a, const char *scenario_path)
{
    const char *slash = strrchr(scenario_path, '/');
    const char *base = slash == NULL ? scenario_path : slash + 1;
    const char *dot = strrchr(base, '.');
    size_t length = dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base);
    if (strcmp(scenario_path, "-") == 0) {
        base = "stdin";
        length = strlen(base);
    } else if (strspn(base, ".") >= length) {
        base = "scenario"; /* "." and ".." are other folders */
        length = strlen(base);
    }
    return arena_format(a, "%s/%.*s", RUN_OUTPUT_DEFAULT, (int)length, base);
}

/* Without slashes at the end. */
static const char *chosen_path(struct command *c)
{
    const char *path = c->arguments->value[OPTION_OUTPUT];
    if (path == NULL) {
        path = run_output_default(c->arena, c->arguments->operands[0]);
        if (path != NULL && c->arguments->verb == &verb_table[VERB_OPTIMIZE]) {
            path = arena_format(c->arena, "%s-optimize", path); /* beside the run's own results */
        }
    }
    size_t length = path == NULL ? 0 : strlen(path);
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    return path == NULL ? NULL : arena_copy(c->arena, path, length);
}

/* A directory is put in place by a rename, which needs a name. */
static bool check_path(struct command *c, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    if (strcmp(path, "-") == 0) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "results are a directory and cannot go to standard output; expected a "
                         "name, or --format csv or json for the summary alone");
        return false;
    }
    if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "'%s' has no name of its own and cannot be replaced; expected a directory "
                         "such as %s/plan",
                         path, RUN_OUTPUT_DEFAULT);
        return false;
    }
    return true;
}

/* Bytes of the longest part of path, up to a slash, that is there. */
static size_t existing_part(struct arena *a, const char *path)
{
    size_t length = strlen(path);
    while (length > 0) {
        while (length > 0 && path[length - 1] != '/') {
            length--;
        }
        while (length > 1 && path[length - 1] == '/') {
            length--;
        }
        const char *part = arena_copy(a, path, length);
        if (length <= 1 || part == NULL || file_exists(part)) {
            return length;
        }
    }
    return 0;
}

bool run_output_open(struct run_output *o, struct command *c)
{
    *o = (struct run_output){.path = chosen_path(c)};
    if (o->path == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    if (!check_path(c, o->path)) {
        return false;
    }
    o->kept = existing_part(c->arena, o->path);
    if (result_folder_open(&o->folder, c->arena, o->path, c->d)) {
        return true;
    }
    run_output_abandon(o);
    return false;
}

void run_output_abandon(const struct run_output *o)
{
    if (o->folder.draft != NULL) {
        result_folder_abandon(&o->folder);
    }
    /* Folders above that were made for the draft go if nothing else is in them. */
    char *part = strdup(o->path);
    for (char *slash = part == NULL ? NULL : strrchr(part, '/');
         slash != NULL && (size_t)(slash - part) > o->kept; slash = strrchr(part, '/')) {
        *slash = '\0';
        if (slash[-1] != '/' && rmdir(part) != 0) {
            break;
        }
    }
    free(part);
}
