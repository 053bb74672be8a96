/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include <math.h>

void assert_near(double got, double want, double tolerance, const char *what)
{
    if (!(fabs(got - want) <= tolerance)) {
        fail_msg("%s: got %.17g, want %.17g +- %.3g (off by %.3g)", what, got, want, tolerance,
                 got - want);
    }
}

void assert_relative(double got, double want, double relative, const char *what)
{
    assert_near(got, want, relative * fabs(want), what);
}
