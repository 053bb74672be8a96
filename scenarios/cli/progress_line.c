/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/progress_line.h"

#include "engine/quantity.h"
#include "engine/text.h"
#include "plots/text/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* A rate measured over less than this is noise. */
#define SETTLED_S 0.5

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_line_init(struct progress_line *p, bool quiet)
{
    const char *terminal = getenv("TERM");
    *p = (struct progress_line){
        .shown = !quiet && isatty(STDERR_FILENO) && terminal != NULL && terminal[0] != '\0' &&
                 strcmp(terminal, "dumb") != 0,
        .start_s = now_s(),
    };
}

static int terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

char *progress_line_text(char out[256], uint32_t done, uint32_t total, double elapsed_s)
{
    char left[32];
    struct figure worlds = figure_count(done), all = figure_count(total);
    if (done == 0 || done > total || elapsed_s < SETTLED_S) {
        snprintf(out, 256, "%s of %s world%s", worlds.text, all.text, text_plural(total));
        return out;
    }
    double rate = done / elapsed_s;
    snprintf(out, 256, "%s of %s world%s, %u %%, %s/s, %s left", worlds.text, all.text,
             text_plural(total), (unsigned)(100.0 * done / total),
             figure_amount(rate, rate < 10 ? 1 : 0, FIGURE_NEAREST).text,
             quantity_time_text((total - done) / rate, left));
    return out;
}

void progress_line_draw(void *context, uint32_t done, uint32_t total)
{
    struct progress_line *p = context;
    char line[256];
    if (!p->shown) {
        return;
    }
    fprintf(stderr, "\r%.*s\033[K", terminal_columns() - 1,
            progress_line_text(line, done, total, now_s() - p->start_s));
    fflush(stderr);
    p->drawn = true;
}

void progress_line_clear(struct progress_line *p)
{
    if (p->drawn) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        p->drawn = false;
    }
}
