/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/text/font_coverage.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LIST_LIMIT  ((size_t)16 << 20)
#define TIMEOUT_MS  5000
#define BASIC_PLANE 0x10000u

void font_coverage_parse(struct font_coverage *c, const char *list)
{
    const char *s = list;

    memset(c, 0, sizeof *c);
    while ((s = strchr(s, '=')) != NULL) {
        s++;
        for (;;) {
            char *end;
            unsigned long first = strtoul(s, &end, 16), last = first;
            if (end == s || *s == '\n')
                break;
            s = end;
            if (*s == '-') {
                last = strtoul(s + 1, &end, 16);
                s = end;
            }
            for (; first <= last && first < BASIC_PLANE; first++)
                c->bits[first / 8] |= (uint8_t)(1u << first % 8);
            c->known = true;
            if (*s != ' ')
                break;
            s++;
        }
    }
}

/* ---- fc-list -------------------------------------------------------------------------------- */

/* Starts fc-list with the environment that gnuplot gets, so that both see the same fonts. */
static bool start(pid_t *pid, int out_fd)
{
    char *argv[] = {"fc-list", ":", "charset", NULL};
    const char *path = getenv("PATH");
    char path_entry[PATH_MAX], lc[] = "LC_ALL=C.UTF-8";
    char *environment[] = {path_entry, lc, NULL};
    posix_spawn_file_actions_t actions;
    bool ok;

    if (path == NULL || *path == '\0' ||
        snprintf(path_entry, sizeof path_entry, "PATH=%s", path) >= (int)sizeof path_entry)
        snprintf(path_entry, sizeof path_entry, "PATH=/usr/local/bin:/usr/bin:/bin");
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    ok = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
         posix_spawn_file_actions_adddup2(&actions, out_fd, 1) == 0 &&
         posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0 &&
         posix_spawnp(pid, argv[0], &actions, NULL, argv, environment) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

static long long now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads to the end; false at the deadline. */
static bool read_list(int fd, struct text *list)
{
    const long long deadline = now_ms() + TIMEOUT_MS;
    char chunk[16384];

    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        long long left = deadline - now_ms();
        ssize_t n;
        if (left <= 0 || list->overflow)
            return false;
        if (poll(&p, 1, (int)left) <= 0)
            continue;
        n = read(fd, chunk, sizeof chunk);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            text_add_bytes(list, chunk, (size_t)n);
    }
}

void font_coverage_of_machine(struct font_coverage *c)
{
    struct text list;
    pid_t pid;
    int ends[2];

    memset(c, 0, sizeof *c);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    if (!start(&pid, ends[1])) {
        close(ends[0]);
        close(ends[1]);
        return;
    }
    close(ends[1]);
    text_init(&list, LIST_LIMIT);
    if (read_list(ends[0], &list))
        font_coverage_parse(c, list.data);
    else
        kill(pid, SIGKILL);
    close(ends[0]);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    text_release(&list);
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Latin, Greek, Cyrillic and common punctuation. */
static bool in_any_font(uint32_t p)
{
    return p < 0x250 || (p >= 0x370 && p < 0x530) || (p >= 0x2010 && p < 0x2028) || p == 0x25a1;
}

/* Drawn as nothing whatever the font: joiners and variation selectors. */
static bool draws_nothing(uint32_t p)
{
    return p == 0x200c || p == 0x200d || (p >= 0xfe00 && p <= 0xfe0f);
}

bool font_coverage_any_font(const char *s, size_t length)
{
    for (size_t i = 0, n; i < length; i += n) {
        uint32_t p = '?';
        n = text_decode(s + i, length - i, &p);
        n = n == 0 ? 1 : n;
        if (!in_any_font(p))
            return false;
    }
    return true;
}

size_t font_coverage_mask(const struct font_coverage *c, struct text *out, const char *s,
                          size_t length)
{
    size_t masked = 0;

    for (size_t i = 0, n; i < length; i += n) {
        uint32_t p = '?';
        n = text_decode(s + i, length - i, &p);
        n = n == 0 ? 1 : n;
        if (!c->known || in_any_font(p) || draws_nothing(p) ||
            (p < BASIC_PLANE && (c->bits[p / 8] >> p % 8 & 1) != 0)) {
            text_add_bytes(out, s + i, n);
        } else {
            text_add(out, "\xe2\x96\xa1");
            masked++;
        }
    }
    return masked;
}
