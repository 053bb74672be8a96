/* SPDX-License-Identifier: GPL-3.0-or-later
 * GSL's default error handler aborts the process. This one only lets the status return. */
#ifndef FLEETCAST_ENGINE_GSL_ERRORS_H
#define FLEETCAST_ENGINE_GSL_ERRORS_H

/* Once, first thing in main and in each test program that uses GSL. */
void gsl_errors_install(void);

#endif
