/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/file.h"
#include "tests/support/testing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A folder of one's own for each test, an arena and diagnostics. */
struct bench {
    char folder[64];
    struct arena *arena;
    struct diagnostics *d;
};

static int set_up(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));

    strcpy(b->folder, "/tmp/fleetcast-test-XXXXXX");
    if (mkdtemp(b->folder) == NULL)
        return -1;
    b->arena = arena_new(0);
    b->d = diagnostics_new();
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;
    struct diagnostics *d = diagnostics_new();
    bool good = file_remove_tree(b->folder, d);

    diagnostics_free(d);
    diagnostics_free(b->d);
    arena_free(b->arena);
    free(b);
    return good ? 0 : -1;
}

static char *in(struct bench *b, const char *name)
{
    return file_join(b->arena, b->folder, name);
}

static void put(const char *path, const char *bytes, size_t length)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

/* The one message there is begins with `want`. */
static void assert_told(struct diagnostics *d, enum diagnostic_kind kind, const char *want)
{
    enum diagnostic_kind got;
    const char *text = diagnostics_text(d, 0, &got, NULL);

    assert_non_null(text);
    if (strncmp(text, want, strlen(want)) != 0)
        fail_msg("got: %s, want: %s", text, want);
    assert_int_equal(got, kind);
    assert_null(diagnostics_text(d, 1, NULL, NULL));
}

static void a_file_is_read_whole(void **state)
{
    struct bench *b = *state;
    size_t length = 200000, got;
    char *bytes = malloc(length), *text;

    for (size_t i = 0; i < length; i++)
        bytes[i] = (char)(i * 31 % 256); /* NUL bytes are among them */
    put(in(b, "f"), bytes, length);
    text = file_read(b->arena, in(b, "f"), length, &got, b->d);
    assert_non_null(text);
    assert_int_equal(got, length);
    assert_memory_equal(text, bytes, length);
    assert_int_equal(text[length], 0);
    put(in(b, "empty"), "", 0);
    text = file_read(b->arena, in(b, "empty"), 10, &got, b->d);
    assert_non_null(text);
    assert_int_equal(got, 0);
    assert_int_equal(text[0], 0);
    assert_non_null(file_read(b->arena, in(b, "empty"), 0, &got, b->d));
    assert_false(diagnostics_failed(b->d));
    free(bytes);
}

static void a_file_above_the_limit_is_refused(void **state)
{
    struct bench *b = *state;
    char want[128];
    size_t length;

    put(in(b, "f"), "0123456789", 10);
    assert_non_null(file_read(b->arena, in(b, "f"), 10, &length, b->d));
    assert_null(file_read(b->arena, in(b, "f"), 9, &length, b->d));
    snprintf(want, sizeof(want), "'%s/f' is larger than the limit of 9 bytes", b->folder);
    assert_told(b->d, DIAGNOSTIC_ERROR, want);
}

static void an_endless_device_ends(void **state)
{
    struct bench *b = *state;
    size_t length;

    assert_null(file_read(b->arena, "/dev/zero", (size_t)2 << 20, &length, b->d));
    assert_told(b->d, DIAGNOSTIC_ERROR, "'/dev/zero' is larger than the limit of 2 MiB");
}

static void a_pipe_is_read(void **state)
{
    struct bench *b = *state;
    size_t length;
    char *text;
    pid_t child;

    assert_int_equal(mkfifo(in(b, "pipe"), 0600), 0);
    child = fork();
    if (child == 0) {
        int fd = open(in(b, "pipe"), O_WRONLY);
        for (int i = 0; i < 1000; i++)
            if (write(fd, "0123456789abcdef", 16) != 16)
                _exit(1);
        _exit(0);
    }
    text = file_read(b->arena, in(b, "pipe"), 1 << 20, &length, b->d);
    assert_non_null(text);
    assert_int_equal(length, 16000);
    assert_memory_equal(text + 15984, "0123456789abcdef", 16);
    waitpid(child, NULL, 0);
}

/* A pipe that nobody writes to would keep the program waiting for ever. */
static void only_a_regular_file_is_read_as_one(void **state)
{
    struct bench *b = *state;
    size_t length;

    assert_int_equal(mkfifo(in(b, "pipe"), 0600), 0);
    put(in(b, "file"), "abc", 3);
    assert_int_equal(symlink("file", in(b, "link")), 0);
    assert_string_equal(file_read_regular(b->arena, in(b, "link"), 9, &length, b->d), "abc");
    assert_null(diagnostics_text(b->d, 0, NULL, NULL));
    assert_null(file_read_regular(b->arena, "/dev/zero", 9, &length, b->d));
    assert_null(file_read_regular(b->arena, in(b, "pipe"), 9, &length, b->d));
    assert_null(file_read_regular(b->arena, "-", 9, &length, b->d));
    assert_int_equal(diagnostics_count(b->d, DIAGNOSTIC_ERROR), 3);
    assert_non_null(strstr(diagnostics_text(b->d, 0, NULL, NULL), "is a pipe or a device"));
    assert_non_null(strstr(diagnostics_text(b->d, 1, NULL, NULL), "is a pipe or a device"));
    assert_non_null(strstr(diagnostics_text(b->d, 2, NULL, NULL), "cannot read '-'"));
}

static void standard_input_is_dash(void **state)
{
    struct bench *b = *state;
    int saved = dup(STDIN_FILENO), ends[2];
    size_t length;
    char *text;

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "version: 1\n", 11), 11);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    text = file_read(b->arena, "-", 100, &length, b->d);
    assert_non_null(text);
    assert_string_equal(text, "version: 1\n");
    /* Standard input stays open: it is at its end now. */
    assert_non_null(file_read(b->arena, "-", 100, &length, b->d));
    assert_int_equal(length, 0);
    dup2(saved, STDIN_FILENO);
    close(saved);
    close(ends[0]);
}

static void what_cannot_be_read_is_named(void **state)
{
    struct bench *b = *state;
    char want[160];
    size_t length;

    assert_null(file_read(b->arena, in(b, "absent"), 10, &length, b->d));
    snprintf(want, sizeof(want), "cannot read '%s/absent': No such file or directory", b->folder);
    assert_told(b->d, DIAGNOSTIC_ERROR, want);
    assert_int_equal(diagnostics_exit_code(b->d), 2);
    diagnostics_free(b->d);
    b->d = diagnostics_new();
    assert_null(file_read(b->arena, b->folder, 10, &length, b->d));
    snprintf(want, sizeof(want), "'%s' is a folder; a file is wanted", b->folder);
    assert_told(b->d, DIAGNOSTIC_ERROR, want);
}

static void memory_that_is_out_is_a_failure(void **state)
{
    struct bench *b = *state;
    struct arena *small = arena_new(100);
    size_t length;

    put(in(b, "f"), "a text that is longer than what is left of the arena", 52);
    assert_non_null(arena_alloc(small, 60));
    assert_null(file_read(small, in(b, "f"), 1000, &length, b->d));
    assert_int_equal(diagnostics_exit_code(b->d), 1);
    arena_free(small);
}

static void hash_is_fnv_1a(void **state)
{
    (void)state;
    /* Vectors of draft-eastlake-fnv-17, appendix C (64 bits). */
    assert_true(file_hash(FILE_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(file_hash(FILE_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(file_hash(FILE_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(file_hash(file_hash(FILE_HASH_START, "foo", 3), "bar", 3) ==
                UINT64_C(0x85944171f73967e8));
}

static void names_are_taken_apart_and_joined(void **state)
{
    struct bench *b = *state;
    struct arena *a = b->arena;

    assert_string_equal(file_folder(a, "scenarios/quickstart.yaml"), "scenarios");
    assert_string_equal(file_folder(a, "a/b//c"), "a/b");
    assert_string_equal(file_folder(a, "c"), ".");
    assert_string_equal(file_folder(a, "-"), ".");
    assert_string_equal(file_folder(a, "/c"), "/");
    assert_string_equal(file_folder(a, "//c"), "/");
    assert_string_equal(file_folder(a, ""), ".");
    assert_string_equal(file_join(a, "a", "b"), "a/b");
    assert_string_equal(file_join(a, "a/", "b"), "a/b");
    assert_string_equal(file_join(a, "/", "b"), "/b");
    assert_string_equal(file_join(a, ".", "b"), "b");
    assert_string_equal(file_join(a, "", "b"), "b");
    assert_string_equal(file_join(a, "a", "/b"), "/b");
    assert_string_equal(file_join(a, ".", "-"), "./-"); /* never standard input */
}

static void kinds_are_told_apart(void **state)
{
    struct bench *b = *state;

    put(in(b, "f"), "x", 1);
    assert_int_equal(symlink("nowhere", in(b, "broken")), 0);
    assert_true(file_exists(in(b, "f")));
    assert_true(file_exists(b->folder));
    assert_false(file_exists(in(b, "absent")));
    assert_false(file_exists(in(b, "broken")));
    assert_true(file_is_folder(b->folder));
    assert_false(file_is_folder(in(b, "f")));
}

static void folders_are_made_with_their_parents(void **state)
{
    struct bench *b = *state;
    char want[200];

    assert_true(file_make_folder(in(b, "x/y/z"), b->d));
    assert_true(file_is_folder(in(b, "x/y/z")));
    assert_true(file_make_folder(in(b, "x/y/z"), b->d));
    assert_true(file_make_folder(in(b, "x//y/w/"), b->d));
    assert_true(file_is_folder(in(b, "x/y/w")));
    assert_false(diagnostics_failed(b->d));
    put(in(b, "x/file"), "", 0);
    assert_false(file_make_folder(in(b, "x/file/sub"), b->d));
    snprintf(want, sizeof(want), "cannot make folder '%s/x/file/sub': '%s/x/file' is not a folder",
             b->folder, b->folder);
    assert_told(b->d, DIAGNOSTIC_ERROR, want);
    assert_false(file_make_folder("", b->d));
    assert_false(file_make_folder("/proc/fleetcast/x", b->d));
}

static void a_tree_is_deleted_without_following_links(void **state)
{
    struct bench *b = *state;

    assert_true(file_make_folder(in(b, "keep/deep"), b->d));
    put(in(b, "keep/deep/f"), "x", 1);
    assert_true(file_make_folder(in(b, "tree/a/b"), b->d));
    for (int i = 0; i < 300; i++)
        put(arena_format(b->arena, "%s/tree/a/%d", b->folder, i), "x", 1);
    assert_int_equal(symlink("../keep", in(b, "tree/link")), 0);
    assert_int_equal(symlink("../../keep/deep/f", in(b, "tree/a/file-link")), 0);
    assert_int_equal(mkfifo(in(b, "tree/pipe"), 0600), 0);
    assert_true(file_remove_tree(in(b, "tree"), b->d));
    assert_false(file_exists(in(b, "tree")));
    assert_true(file_exists(in(b, "keep/deep/f")));
    assert_true(file_remove_tree(in(b, "tree"), b->d)); /* nothing there: nothing to do */
    assert_false(diagnostics_failed(b->d));
}

static void a_link_or_file_is_no_tree(void **state)
{
    struct bench *b = *state;

    assert_true(file_make_folder(in(b, "keep"), b->d));
    assert_int_equal(symlink("keep", in(b, "link")), 0);
    put(in(b, "f"), "x", 1);
    assert_false(file_remove_tree(in(b, "link"), b->d));
    assert_false(file_remove_tree(in(b, "f"), b->d));
    assert_int_equal(diagnostics_count(b->d, DIAGNOSTIC_ERROR), 2);
    assert_true(file_is_folder(in(b, "keep")));
    assert_true(file_is_folder(in(b, "link")));
    assert_true(file_exists(in(b, "f")));
}

static void a_bottomless_tree_is_refused(void **state)
{
    struct bench *b = *state;
    char *path = in(b, "deep");

    for (int i = 0; i < 40; i++)
        path = file_join(b->arena, path, "d");
    assert_true(file_make_folder(path, b->d));
    assert_false(file_remove_tree(in(b, "deep"), b->d));
    assert_int_equal(diagnostics_count(b->d, DIAGNOSTIC_FAILURE), 1);
    /* for the tear-down: halve the depth */
    path = in(b, "deep");
    for (int i = 0; i < 20; i++)
        path = file_join(b->arena, path, "d");
    assert_int_equal(rename(path, in(b, "half")), 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_file_is_read_whole),
        CASE(a_file_above_the_limit_is_refused),
        CASE(an_endless_device_ends),
        CASE(a_pipe_is_read),
        CASE(only_a_regular_file_is_read_as_one),
        CASE(standard_input_is_dash),
        CASE(what_cannot_be_read_is_named),
        CASE(memory_that_is_out_is_a_failure),
        CASE(hash_is_fnv_1a),
        CASE(names_are_taken_apart_and_joined),
        CASE(kinds_are_told_apart),
        CASE(folders_are_made_with_their_parents),
        CASE(a_tree_is_deleted_without_following_links),
        CASE(a_link_or_file_is_no_tree),
        CASE(a_bottomless_tree_is_refused),
    };
    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
