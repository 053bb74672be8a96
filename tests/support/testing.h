/* SPDX-License-Identifier: GPL-3.0-or-later
 * What every test program includes: cmocka with its own prerequisites, and comparisons of doubles
 * (cmocka 1.1.5 compares floats only). */
#ifndef FLEETCAST_TESTS_TESTING_H
#define FLEETCAST_TESTS_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Sanitizers look for other faults than wrong numbers, and take many times as long: under them a
 * test may do with fewer cases of one kind. */
#ifdef FLEETCAST_SLOW_CHECKS
#define UNDER_SANITIZERS 1
#else
#define UNDER_SANITIZERS 0
#endif

/* Draws of a statistical test whose tolerance follows from their number. */
#define DRAWS_OF(all) (UNDER_SANITIZERS ? (all) / 10 : (all))

/* Fails unless |got - want| <= tolerance; prints both. NaN never passes. */
void assert_near(double got, double want, double tolerance, const char *what);

/* Fails unless got and want agree to the relative error; prints both. */
void assert_relative(double got, double want, double relative, const char *what);

#endif
