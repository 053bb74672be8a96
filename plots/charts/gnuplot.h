/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs gnuplot on a script file. From a file (and not a pipe) gnuplot stops at the first error with
 * exit code 1 and `"file" line N: message`. It runs with -d (no ~/.gnuplot), in its own process
 * group, with an environment of its own, and is killed with all its children after a time. */
#ifndef FLEETCAST_PLOTS_GNUPLOT_H
#define FLEETCAST_PLOTS_GNUPLOT_H

enum gnuplot_status {
    GNUPLOT_DONE,
    GNUPLOT_ABSENT,  /* there is no such program */
    GNUPLOT_FAILED,  /* it ended with another exit code than 0; message says what it wrote */
    GNUPLOT_TIMEOUT, /* killed */
    GNUPLOT_NOT_RUN  /* no process or pipe to be had; message says why */
};

#define GNUPLOT_TIMEOUT_S 30.0

struct gnuplot_result {
    enum gnuplot_status status;
    int exit_code;     /* 128 + signal when a signal ended it */
    char message[400]; /* one line; "" when all is well */
};

/* The program: $GNUPLOT when set and not empty, else "gnuplot" (looked for along PATH). */
const char *gnuplot_program(void);

/* Runs `program` in `folder` on the script `script` (a plain file name in it) with the gnuplot
 * variable PART set to `part`, which the script appends to the names of what it draws: a half-made
 * picture never stands under the real name. folder must exist. */
struct gnuplot_result gnuplot_run(const char *program, const char *folder, const char *script,
                                  const char *part, double timeout_s);

#endif
