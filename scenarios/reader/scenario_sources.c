/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/scenario_sources.h"

#include "engine/file.h"
#include "scenarios/reader/overlay.h"
#include "scenarios/reader/settings.h"
#include "scenarios/reader/yaml_text.h"

#include <string.h>

static bool out_of_memory(struct diagnostics *d, struct place where)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, where, "out of memory");
    return false;
}

/* The tree of one file, a mapping; NULL when it is none, told in d. */
static struct yaml_node *read_tree(const struct scenario_file *file, const char *name,
                                   struct arena *a, struct diagnostics *d)
{
    const struct place whole = {name, 0, 0};
    struct yaml_source source = {.file = name, .length = file->length};
    char *text = arena_copy(a, file->text, file->length);
    struct yaml_node *root;

    if (text == NULL) {
        out_of_memory(d, whole);
        return NULL;
    }
    yaml_text_normalise(text, &source.length);
    source.text = text;
    diagnostics_source(d, name, text, source.length);
    if (!yaml_text_check(&source, d))
        return NULL;
    root = yaml_tree_read(&source, a, d);
    if (root == NULL || root->kind == YAML_MAP)
        return root;
    if (yaml_tree_is_null(root))
        diagnostics_add(d, DIAGNOSTIC_ERROR, whole,
                        "the file is empty; a scenario begins with 'version: 1'");
    else
        diagnostics_add(d, DIAGNOSTIC_ERROR, root->place,
                        "a scenario is a mapping of keys such as 'version: 1', not %s",
                        root->kind == YAML_LIST ? "a list" : "text");
    return NULL;
}

static bool read_file(struct scenario_sources *s, size_t i, const char *path, struct arena *a,
                      struct diagnostics *d)
{
    struct scenario_file *file = (struct scenario_file *)s->files.items + i;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    struct yaml_node *tree;

    file->path = arena_string(a, path);
    file->text = file_read(a, path, YAML_TREE_MAX_BYTES, &file->length, d);
    if (file->text == NULL)
        return false;
    if (file->path == NULL)
        return out_of_memory(d, (struct place){name, 0, 0});
    s->hash = file_hash(s->hash, file->text, file->length + 1);
    name = arena_string(a, name);
    tree = name == NULL ? NULL : read_tree(file, name, a, d);
    if (tree == NULL)
        return false;
    if (s->root == NULL)
        s->root = tree;
    else if (!overlay_merge(s->root, tree))
        return out_of_memory(d, (struct place){name, 0, 0});
    return true;
}

/* Standard input can be read once; a file named twice is a slip. */
static bool check_paths(const struct scenario_request *request, struct diagnostics *d)
{
    bool good = true;

    for (size_t i = 0; i < request->path_count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (strcmp(request->paths[i], request->paths[k]) == 0) {
                diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){NULL, 0, 0},
                                "'%s' is given twice", request->paths[i]);
                good = false;
                break;
            }
        }
    }
    if (request->path_count == 0 || request->path_count > SCENARIO_MAX_FILES) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, (struct place){NULL, 0, 0},
                        "%zu scenario files; expected between 1 and %d", request->path_count,
                        SCENARIO_MAX_FILES);
        good = false;
    }
    return good;
}

bool scenario_sources_read(struct scenario_sources *s, const struct scenario_request *request,
                           struct arena *a, struct diagnostics *d)
{
    bool good = true;

    *s = (struct scenario_sources){.hash = FILE_HASH_START};
    if (!check_paths(request, d))
        return false;
    s->files.items = arena_array(a, request->path_count, sizeof(struct scenario_file));
    if (s->files.items == NULL)
        return out_of_memory(d, (struct place){NULL, 0, 0});
    s->files.count = request->path_count;
    for (size_t i = 0; i < request->path_count; i++)
        good &= read_file(s, i, request->paths[i], a, d);
    if (!good)
        return false;
    for (size_t i = 0; i < request->set_count; i++) {
        const char *setting = request->sets[i];
        s->hash = file_hash(s->hash, setting, strlen(setting) + 1);
        settings_apply(s->root, &scenario_schema, setting, a, d);
    }
    return true;
}
