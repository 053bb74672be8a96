/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the benchmarks share: CPU time, and a row that puts a figure beside its target. A benchmark
 * prints; it never fails on a clock. */
#ifndef FLEETCAST_TESTS_BENCH_H
#define FLEETCAST_TESTS_BENCH_H

enum bench_goal { BENCH_AT_LEAST, BENCH_AT_MOST };

/* CPU seconds of the process so far, all threads. */
double bench_cpu_s(void);
/* "M/M/1, rho 0.9      52.1 M events/s   target >= 45   ok" */
void bench_row(const char *name, double value, const char *unit, double target,
               enum bench_goal goal);
/* A figure without a target, to read the one above it by. */
void bench_note(const char *name, double value, const char *unit);

#endif
