/* SPDX-License-Identifier: GPL-3.0-or-later
 * The manual as data: its files and the fenced blocks in them. Tests run from the project's root.
 */
#ifndef FLEETCAST_TESTS_MARKDOWN_H
#define FLEETCAST_TESTS_MARKDOWN_H

#include <stddef.h>

/* README.md, every docs/ *.md and the README.md files below models/, tests/ and scenarios/, in the
 * order of their names; the caller frees with markdown_free_files. */
struct markdown_files {
    char *paths[64];
    size_t count;
};
void markdown_find(struct markdown_files *files);
void markdown_free_files(struct markdown_files *files);

/* The text of a file, NUL-terminated, the caller's; fails the test when it cannot be read. */
char *markdown_read(const char *path);

/* ```yaml name\nTEXT```: info and text point into the file's text and are not NUL-terminated. */
struct markdown_block {
    const char *info;
    size_t info_length;
    const char *text;
    size_t length;
    int line; /* of the first line of text, from 1 */
};
/* The next block at or after *at, which moves behind it; 0 when there is none. */
int markdown_next_block(const char *file, const char **at, struct markdown_block *out);
/* Whether the first word of the block's info is this language. */
int markdown_is(const struct markdown_block *b, const char *language);
/* A copy of the block's text, the caller's. */
char *markdown_copy(const struct markdown_block *b);

#endif
