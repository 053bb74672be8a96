/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STDERR_KEPT 4096

const char *gnuplot_program(void)
{
    const char *program = getenv("GNUPLOT");

    return program != NULL && *program != '\0' ? program : "gnuplot";
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Starts argv[0] in folder; its stderr goes to error_fd. 0 or an errno. */
static int start(pid_t *pid, const char *const argv[], const char *folder, int error_fd)
{
    const char *path = getenv("PATH");
    char path_entry[PATH_MAX];
    char lc[] = "LC_ALL=C.UTF-8", term[] = "GNUTERM=dumb";
    char *environment[] = {path_entry, lc, term, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    int error;

    if (snprintf(path_entry, sizeof path_entry, "PATH=%s",
                 path != NULL && *path != '\0' ? path : "/usr/local/bin:/usr/bin:/bin") >=
        (int)sizeof path_entry)
        snprintf(path_entry, sizeof path_entry, "PATH=/usr/local/bin:/usr/bin:/bin");
    if ((error = posix_spawn_file_actions_init(&actions)) != 0)
        return error;
    if ((error = posix_spawnattr_init(&attributes)) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGTERM);
    sigaddset(&defaults, SIGPIPE);
    error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                      POSIX_SPAWN_SETSIGDEF);
    if (error == 0)
        error = posix_spawnattr_setpgroup(&attributes, 0);
    if (error == 0)
        error = posix_spawnattr_setsigmask(&attributes, &none);
    if (error == 0)
        error = posix_spawnattr_setsigdefault(&attributes, &defaults);
    if (error == 0)
        error = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, error_fd, 2);
    if (error == 0)
        error = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Reads what the program writes until it closes the pipe; false at the deadline. At least the last
 * STDERR_KEPT / 2 bytes are kept: the error is the last thing that gnuplot says. */
static bool collect(int fd, double deadline_s, char *kept, size_t *length)
{
    char chunk[1024];

    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        double left = deadline_s - now_s();
        ssize_t n;
        if (left <= 0.0)
            return false;
        if (poll(&p, 1, (int)(left * 1000.0) + 1) < 0 && errno != EINTR)
            return true;
        if (p.revents == 0)
            continue;
        n = read(fd, chunk, sizeof chunk);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return true;
        if (n <= 0)
            continue;
        if (*length + (size_t)n > STDERR_KEPT) {
            memmove(kept, kept + STDERR_KEPT / 2, *length - STDERR_KEPT / 2);
            *length -= STDERR_KEPT / 2;
        }
        memcpy(kept + *length, chunk, (size_t)n);
        *length += (size_t)n;
    }
}

/* Waits for pid until the deadline; 1 ended, 0 still running, -1 lost (errno). */
static int wait_until(pid_t pid, double deadline_s, int *status)
{
    for (;;) {
        struct timespec pause = {.tv_nsec = 2000000};
        pid_t got = waitpid(pid, status, WNOHANG);
        if (got == pid)
            return 1;
        if (got < 0 && errno != EINTR)
            return -1;
        if (now_s() >= deadline_s)
            return 0;
        nanosleep(&pause, NULL);
    }
}

/* The line that says what is wrong: the last that names a line of the script, else the last. */
static void pick_message(const char *text, size_t length, char *message, size_t size)
{
    const char *best = "", *end = text + length;
    size_t best_length = 0;
    bool best_names_line = false;

    for (const char *line = text; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((stop == NULL ? end : stop) - line);
        bool names_line = memmem(line, n, " line ", 6) != NULL;
        bool blank = true;
        for (size_t i = 0; i < n; i++)
            blank = blank && (line[i] == ' ' || line[i] == '\t' || line[i] == '\r');
        if (!blank && (names_line || !best_names_line)) {
            best = line;
            best_length = n;
            best_names_line = best_names_line || names_line;
        }
        line += n + 1;
    }
    snprintf(message, size, "%.*s", (int)(best_length < size ? best_length : size - 1), best);
}

struct gnuplot_result gnuplot_run(const char *program, const char *folder, const char *script,
                                  const char *part, double timeout_s)
{
    struct gnuplot_result r = {.status = GNUPLOT_NOT_RUN};
    char variable[80], resolved[PATH_MAX], kept[STDERR_KEPT];
    const char *argv[] = {program, "-d", "-e", variable, script, NULL};
    double deadline_s = now_s() + timeout_s;
    int ends[2], error, status = 0, ended = 0;
    size_t length = 0;
    pid_t pid;

    snprintf(variable, sizeof variable, "PART = '%.60s'", part);
    /* The child changes its folder first: a relative path must not depend on it. */
    if (strchr(program, '/') != NULL && realpath(program, resolved) != NULL)
        argv[0] = resolved;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        snprintf(r.message, sizeof r.message, "%s", strerror(errno));
        return r;
    }
    error = start(&pid, argv, folder, ends[1]);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        r.status = error == ENOENT || error == EACCES || error == ENOTDIR ? GNUPLOT_ABSENT
                                                                          : GNUPLOT_NOT_RUN;
        snprintf(r.message, sizeof r.message, "%s", strerror(error));
        return r;
    }
    if (collect(ends[0], deadline_s, kept, &length))
        ended = wait_until(pid, deadline_s, &status);
    close(ends[0]);
    if (ended == 0) {
        kill(-pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        r.status = GNUPLOT_TIMEOUT;
        snprintf(r.message, sizeof r.message, "it did not end within %g s", timeout_s);
        return r;
    }
    r.exit_code = ended < 0 ? 0 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    r.status = r.exit_code == 0 ? GNUPLOT_DONE : GNUPLOT_FAILED;
    if (r.status == GNUPLOT_FAILED)
        pick_message(kept, length, r.message, sizeof r.message);
    return r;
}
