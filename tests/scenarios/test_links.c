/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every relative link of the manual leads somewhere: the file is there, and so is the heading.
 * Anchors are made of headings as GitHub does it: lower case, spaces to hyphens, other punctuation
 * dropped, "-1" and so on behind what was met before. */
#include "engine/arena.h"
#include "engine/file.h"
#include "tests/support/markdown.h"
#include "tests/support/testing.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void slug_of(const char *heading, size_t length, char out[200])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used < 190; i++) {
        unsigned char c = (unsigned char)heading[i];
        if (c == ' ' || c == '-') {
            out[used++] = '-';
        } else if (isalnum(c) || c == '_' || c >= 0x80) {
            out[used++] = (char)tolower(c);
        }
    }
    out[used] = '\0';
}

/* Whether a heading of the document has this anchor. */
static bool has_anchor(const char *document, const char *anchor)
{
    char slug[200], numbered[220];
    bool in_block = false;
    for (const char *s = document; *s != '\0';) {
        size_t length = strcspn(s, "\n");
        if (strncmp(s, "```", 3) == 0) {
            in_block = !in_block;
        } else if (!in_block && *s == '#') {
            size_t level = strspn(s, "#");
            slug_of(s + level + 1, length - level - 1, slug);
            if (strcmp(slug, anchor) == 0) {
                return true;
            }
            for (int k = 1; k < 9; k++) {
                snprintf(numbered, sizeof numbered, "%s-%d", slug, k);
                if (strcmp(numbered, anchor) == 0) {
                    return true;
                }
            }
        }
        s += length + (s[length] == '\n');
    }
    return false;
}

static void check_link(struct arena *a, const char *from, const char *document, const char *target)
{
    if (strstr(target, "://") != NULL || strncmp(target, "mailto:", 7) == 0) {
        return;
    }
    const char *hash = strchr(target, '#');
    size_t length = hash == NULL ? strlen(target) : (size_t)(hash - target);
    char *name = arena_copy(a, target, length);
    char *path = file_join(a, file_folder(a, from), name);
    assert_non_null(path);
    if (length > 0 && !file_exists(path)) {
        fail_msg("%s links to '%s', which does not exist", from, target);
    }
    if (hash == NULL) {
        return;
    }
    char *other = length == 0 ? NULL : markdown_read(path);
    bool there = has_anchor(other == NULL ? document : other, hash + 1);
    free(other);
    if (!there) {
        fail_msg("%s links to '%s', but there is no such heading", from, target);
    }
}

/* All of `](target)` outside blocks and `code`. */
static void every_relative_link_leads_somewhere(void **state)
{
    const char *path = *state;
    struct arena *a = arena_new(0);
    char *document = markdown_read(path);
    bool in_block = false, in_code = false;
    for (const char *s = document; *s != '\0'; s++) {
        bool line_starts = s == document || s[-1] == '\n';
        if (line_starts && strncmp(s, "```", 3) == 0) {
            in_block = !in_block;
            s += 2;
        } else if (!in_block && *s == '`') {
            in_code = !in_code;
        } else if (!in_block && !in_code && s[0] == ']' && s[1] == '(') {
            char *target = arena_copy(a, s + 2, strcspn(s + 2, ")\n"));
            assert_non_null(target);
            check_link(a, path, document, target);
        }
        if (*s == '\n') {
            in_code = false;
        }
    }
    free(document);
    arena_free(a);
}

int main(void)
{
    struct markdown_files files;
    struct CMUnitTest tests[64];
    markdown_find(&files);
    for (size_t i = 0; i < files.count; i++) {
        tests[i] = (struct CMUnitTest){files.paths[i], every_relative_link_leads_somewhere, NULL,
                                       NULL, files.paths[i]};
    }
    int failed = _cmocka_run_group_tests("links", tests, files.count, NULL, NULL);
    markdown_free_files(&files);
    return failed;
}
