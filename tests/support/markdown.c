/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/markdown.h"

#include "tests/support/testing.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void markdown_find(struct markdown_files *files)
{
    static const char *const patterns[] = {"README.md", "docs/*.md", "models/*/data/README.md",
                                           "tests/*/README.md", "scenarios/README.md"};
    *files = (struct markdown_files){.count = 0};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found) != 0) {
            continue;
        }
        for (size_t k = 0; k < found.gl_pathc; k++) {
            assert_true(files->count < sizeof files->paths / sizeof files->paths[0]);
            files->paths[files->count] = strdup(found.gl_pathv[k]);
            assert_non_null(files->paths[files->count]);
            files->count++;
        }
        globfree(&found);
    }
}

void markdown_free_files(struct markdown_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->paths[i]);
    }
    files->count = 0;
}

char *markdown_read(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        fail_msg("cannot open '%s'; tests run from the project's root", path);
        return NULL;
    }
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    char chunk[4096];
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, in)) > 0;) {
        assert_int_equal(fwrite(chunk, 1, n, out), n);
    }
    fclose(in);
    assert_int_equal(fclose(out), 0);
    return text;
}

static const char *next_line(const char *s)
{
    const char *end = strchr(s, '\n');
    return end == NULL ? s + strlen(s) : end + 1;
}

static int line_of(const char *file, const char *at)
{
    int line = 1;
    for (const char *s = file; s < at; s++) {
        line += *s == '\n';
    }
    return line;
}

int markdown_next_block(const char *file, const char **at, struct markdown_block *out)
{
    const char *s = *at;
    while (*s != '\0' && strncmp(s, "```", 3) != 0) {
        s = next_line(s);
    }
    if (*s == '\0') {
        *at = s;
        return 0;
    }
    out->info = s + 3;
    out->info_length = strcspn(out->info, "\n");
    out->text = next_line(s);
    out->line = line_of(file, out->text);
    for (s = out->text; *s != '\0' && strncmp(s, "```", 3) != 0;) {
        s = next_line(s);
    }
    out->length = (size_t)(s - out->text);
    *at = next_line(s);
    return 1;
}

int markdown_is(const struct markdown_block *b, const char *language)
{
    size_t n = strlen(language);
    return b->info_length >= n && strncmp(b->info, language, n) == 0 &&
           (b->info_length == n || b->info[n] == ' ');
}

char *markdown_copy(const struct markdown_block *b)
{
    char *copy = strndup(b->text, b->length);
    assert_non_null(copy);
    return copy;
}
