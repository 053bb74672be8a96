/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/program.h"

#include "tests/support/testing.h"

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "engine/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 40 };

const char program_plan[] = "version: 1\n"
                            "name: A small plan\n"
                            "start: 2025-09-01\n"
                            "horizon: 20d\n"
                            "region: us-east-1\n"
                            "replications: 60\n"
                            "seed: 3\n"
                            "budget: 2500 USD\n"
                            "workloads:\n"
                            "  train:\n"
                            "    kind: training\n"
                            "    hours: 40h..60h\n"
                            "    checkpoint: {every: auto, write: 90s, restore: 4min}\n"
                            "    deadline: 4d\n"
                            "strategies:\n"
                            "  on-demand: {instance: p4d.24xlarge, nodes: 4, buy: on-demand}\n"
                            "  spot: {instance: p4d.24xlarge, nodes: 4, buy: spot}\n"
                            "market: {spot: {p4d.24xlarge: {price_statistic: mean}}}\n";

void assert_holds(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("expected '%s' in:\n%s", part, text);
    }
}

void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) {
        fail_msg("did not expect '%s' in:\n%s", part, text);
    }
}

size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += *text == '\n';
    }
    return n;
}

json_t *parse_json(const char *text)
{
    json_error_t error;
    json_t *root = json_loads(text, 0, &error);
    if (root == NULL) {
        fail_msg("no JSON: %s in line %d of:\n%s", error.text, error.line, text);
    }
    return root;
}

/* ---- the folder ---- */

char *program_folder_new(void)
{
    const char *base = getenv("TMPDIR");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/fleetcast-test-XXXXXX", base == NULL ? "/tmp" : base);
    assert_non_null(mkdtemp(path));
    return strdup(path);
}

void program_folder_free(char *folder)
{
    struct diagnostics *d = diagnostics_new();
    assert_true(file_remove_tree(folder, d));
    diagnostics_free(d);
    free(folder);
}

int program_setup(void **state)
{
    char *folder = program_folder_new();
    program_file(folder, "plan.yaml", program_plan);
    *state = folder;
    return 0;
}

int program_teardown(void **state)
{
    program_folder_free(*state);
    return 0;
}

static void join(char out[PATH_MAX], const char *folder, const char *name)
{
    int length = snprintf(out, PATH_MAX, "%s/%s", folder, name);
    assert_in_range(length, 1, PATH_MAX - 1);
}

void program_file(const char *folder, const char *name, const char *text)
{
    char path[PATH_MAX];
    join(path, folder, name);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static char *read_text(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        fail_msg("there is no '%s'", path);
    }
    struct stat about;
    assert_int_equal(fstat(fileno(in), &about), 0);
    size_t size = (size_t)about.st_size;
    char *text = malloc(size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, size, in), size);
    text[size] = '\0';
    fclose(in);
    return text;
}

char *program_text(const char *folder, const char *name)
{
    char path[PATH_MAX];
    join(path, folder, name);
    return read_text(path);
}

char *program_text_of(const char *folder, const char *directory, const char *file)
{
    char name[300];
    snprintf(name, sizeof name, "%s/%s", directory, file);
    return program_text(folder, name);
}

void assert_same_file(const char *folder, const char *a, const char *b, const char *file)
{
    char *x = program_text_of(folder, a, file), *y = program_text_of(folder, b, file);
    if (strcmp(x, y) != 0) {
        fail_msg("%s differs between %s and %s", file, a, b);
    }
    free(x);
    free(y);
}

json_t *program_manifest(const char *folder, const char *directory)
{
    char *text = program_text_of(folder, directory, "manifest.json");
    json_t *root = parse_json(text);
    free(text);
    return root;
}

bool program_exists(const char *folder, const char *name)
{
    char path[PATH_MAX];
    join(path, folder, name);
    return file_exists(path);
}

size_t program_entries(const char *folder, const char *name)
{
    char path[PATH_MAX];
    join(path, folder, name);
    DIR *dir = opendir(path);
    size_t count = 0;
    for (const struct dirent *e = dir == NULL ? NULL : readdir(dir); e != NULL; e = readdir(dir)) {
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return count;
}

/* ---- the program ---- */

static const char *program_path(void)
{
    static char path[PATH_MAX];
    if (path[0] == '\0') {
        const char *name = getenv("FLEETCAST_BIN");
        name = name == NULL ? "build/fleetcast" : name;
        if (realpath(name, path) == NULL) {
            fail_msg("there is no program '%s'; build it first", name);
        }
    }
    return path;
}

static int temporary(char path[64])
{
    snprintf(path, 64, "/tmp/fleetcast-out-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    return fd;
}

/* A file whose bytes are what the program reads; it has no name any more. */
static int input_file(const char *text)
{
    char path[64];
    int fd = temporary(path);
    unlink(path);
    size_t length = strlen(text);
    assert_int_equal(write(fd, text, length), (ssize_t)length);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

/* A new terminal: its program's end; the other one is kept in p. */
static int terminal(struct program *p)
{
    int end;
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    assert_int_equal(openpty(&p->terminal, &end, NULL, NULL, &size), 0);
    p->err = strdup("");
    return end;
}

/* Adds what has come from the terminal to p->err; false when nothing came within a second, or
 * nothing will. */
static bool read_terminal(struct program *p)
{
    struct pollfd ready = {.fd = p->terminal, .events = POLLIN};
    char bytes[1000], *longer = NULL;
    if (poll(&ready, 1, 1000) <= 0) {
        return false;
    }
    ssize_t length = read(p->terminal, bytes, sizeof bytes);
    if (length <= 0) {
        return false;
    }
    assert_true(asprintf(&longer, "%s%.*s", p->err, (int)length, bytes) >= 0);
    free(p->err);
    p->err = longer;
    return true;
}

void program_await(struct program *p, const char *text)
{
    for (int idle = 0; strstr(p->err, text) == NULL;) {
        idle += !read_terminal(p);
        if (idle > 60) {
            fail_msg("waited for '%s' in vain, got: %s", text, p->err);
        }
    }
}

static void become(const struct program_call *call, char *const *arguments)
{
    for (size_t i = 0; call->environment[i] != NULL; i++) {
        putenv((char *)(uintptr_t)call->environment[i]);
    }
    if (call->file_bytes > 0) {
        struct rlimit limit = {(rlim_t)call->file_bytes, (rlim_t)call->file_bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (call->folder == NULL || chdir(call->folder) == 0) {
        execv(arguments[0], arguments);
    }
    _exit(126);
}

void program_start(struct program *p, const struct program_call *call, const char *words)
{
    char *arguments[MOST_WORDS + 2] = {(char *)(uintptr_t)program_path()};
    char *copy = strdup(words), *rest = copy;
    assert_non_null(copy);
    for (size_t i = 1; rest != NULL && rest[0] != '\0'; i++) {
        assert_true(i <= MOST_WORDS);
        arguments[i] = strsep(&rest, " ");
    }
    *p = (struct program){.terminal = -1};
    int out = temporary(p->out_path);
    int err = call->terminal ? terminal(p) : temporary(p->err_path);
    if (call->output != NULL) {
        close(out);
        out = open(call->output, O_WRONLY);
        assert_true(out >= 0);
    }
    int in = input_file(call->input == NULL ? "" : call->input);
    fflush(NULL);
    p->pid = fork();
    assert_true(p->pid >= 0);
    if (p->pid == 0) {
        dup2(in, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        close(in);
        close(out);
        close(err);
        become(call, arguments);
    }
    close(in);
    close(out);
    close(err);
    free(copy);
}

void program_wait(struct program *p)
{
    int status;
    while (p->terminal >= 0 && (read_terminal(p) || kill(p->pid, 0) == 0)) {
        if (waitpid(p->pid, &status, WNOHANG) == p->pid) {
            while (read_terminal(p)) {
            }
            break;
        }
    }
    if (p->terminal < 0) {
        assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
        p->err = read_text(p->err_path);
        unlink(p->err_path);
    } else {
        close(p->terminal);
    }
    p->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    p->out = read_text(p->out_path);
    unlink(p->out_path);
}

void program_release(struct program *p)
{
    free(p->out);
    free(p->err);
    p->out = p->err = NULL;
}

void program_run(struct program *p, const struct program_call *call, const char *words)
{
    program_start(p, call, words);
    program_wait(p);
}

void program_expect(struct program *p, const char *folder, const char *words, int code)
{
    const struct program_call call = {.folder = folder};
    program_run(p, &call, words);
    if (p->code != code) {
        fail_msg("fleetcast %s: exit code %d, expected %d\n%s%s", words, p->code, code, p->out,
                 p->err);
    }
}

void program_expect_code(const char *folder, const char *words, int code)
{
    struct program p;
    program_expect(&p, folder, words, code);
    program_release(&p);
}
