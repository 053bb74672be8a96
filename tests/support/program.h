/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs the built program (path in FLEETCAST_BIN, default build/fleetcast) in a temporary folder and
 * catches what it prints. */
#ifndef FLEETCAST_TESTS_PROGRAM_H
#define FLEETCAST_TESTS_PROGRAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A folder under TMPDIR, deleted with all in it by program_folder_free. */
char *program_folder_new(void);
void program_folder_free(char *folder);
/* Writes a file in it. */
void program_file(const char *folder, const char *name, const char *text);
/* The text of a file in it, the caller's; fails the test when there is none. */
char *program_text(const char *folder, const char *name);
/* The same of directory/file in it. */
char *program_text_of(const char *folder, const char *directory, const char *file);
/* directory/manifest.json in it. */
json_t *program_manifest(const char *folder, const char *directory);
/* Fails when a/file and b/file in it are not the same bytes. */
void assert_same_file(const char *folder, const char *a, const char *b, const char *file);
bool program_exists(const char *folder, const char *name);
/* Entries of a folder in it, without "." and ".."; 0 when there is no such folder. */
size_t program_entries(const char *folder, const char *name);

/* A training job on four p4d.24xlarge, `on-demand` (the baseline) and `spot`, in 60 worlds; budget
 * and deadline. */
extern const char program_plan[];
/* Set-up and teardown of a case whose state is a folder with plan.yaml in it. */
int program_setup(void **state);
int program_teardown(void **state);
#define PROGRAM_CASE(f) cmocka_unit_test_setup_teardown(f, program_setup, program_teardown)

size_t count_lines(const char *text);
/* Fails the test when it is no JSON; the caller decrefs. */
json_t *parse_json(const char *text);

void assert_holds(const char *text, const char *part);
void assert_lacks(const char *text, const char *part);

struct program_call {
    const char *folder;         /* where it runs */
    const char *input;          /* of standard input; NULL: none */
    const char *output;         /* a path for standard output; NULL: it is caught */
    const char *environment[4]; /* "NAME=VALUE", NULL-terminated */
    long file_bytes;            /* most bytes of a file that it may write; 0: any */
    bool terminal;              /* standard error is a terminal */
};

struct program {
    pid_t pid;
    int code; /* 128 + signal when a signal ended it */
    char *out, *err;
    int terminal; /* the terminal's other end; -1: none */
    char out_path[64], err_path[64];
};

/* words: the arguments, separated by single spaces. */
void program_start(struct program *p, const struct program_call *call, const char *words);
/* Until this was written to its terminal; fails the test after a minute. */
void program_await(struct program *p, const char *text);
void program_wait(struct program *p);
void program_release(struct program *p);
/* Both, and no release. */
void program_run(struct program *p, const struct program_call *call, const char *words);

/* Runs and expects this exit code; shows what was printed when it is another. */
void program_expect(struct program *p, const char *folder, const char *words, int code);
/* The same, with no interest in what is printed. */
void program_expect_code(const char *folder, const char *words, int code);

#endif
