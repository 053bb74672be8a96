/* SPDX-License-Identifier: GPL-3.0-or-later
 * How far a run is: one line on standard error, and only where a person can see it. */
#ifndef FLEETCAST_SCENARIOS_PROGRESS_LINE_H
#define FLEETCAST_SCENARIOS_PROGRESS_LINE_H

#include <stdbool.h>
#include <stdint.h>

struct progress_line {
    bool shown; /* there is a terminal, and nobody asked for quiet */
    bool drawn;
    double start_s;
};

void progress_line_init(struct progress_line *p, bool quiet);
/* As run_options.progress; context is a struct progress_line. */
void progress_line_draw(void *context, uint32_t done, uint32_t total);
/* Takes the line away. */
void progress_line_clear(struct progress_line *p);

/* "1,240 of 10,000 worlds, 12 %, 410/s, 21 s left"; elapsed_s: since the start. Returns out. */
char *progress_line_text(char out[256], uint32_t done, uint32_t total, double elapsed_s);

#endif
