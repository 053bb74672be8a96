/* SPDX-License-Identifier: GPL-3.0-or-later
 * GSL reports a failure twice: by the status (or NaN) it returns, and by a process-wide handler,
 * which by default aborts. The status is what our callers check, so the handler does nothing. */
#include "engine/gsl_errors.h"

#include <gsl/gsl_errno.h>

static void let_status_return(const char *reason, const char *file, int line, int status)
{
    (void)reason;
    (void)file;
    (void)line;
    (void)status;
}

void gsl_errors_install(void)
{
    gsl_set_error_handler(let_status_return);
}
