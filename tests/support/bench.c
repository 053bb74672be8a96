/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/bench.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

double bench_cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_row(const char *name, double value, const char *unit, double target,
               enum bench_goal goal)
{
    bool met = goal == BENCH_AT_LEAST ? value >= target : value <= target;
    printf("%-56s %12.4g %-16s target %s %-8.4g %s\n", name, value, unit,
           goal == BENCH_AT_LEAST ? ">=" : "<=", target, met ? "ok" : "missed");
    fflush(stdout);
}

void bench_note(const char *name, double value, const char *unit)
{
    printf("%-56s %12.4g %-16s\n", name, value, unit);
    fflush(stdout);
}
