/* SPDX-License-Identifier: GPL-3.0-or-later
 * With our handler a GSL function that fails returns its status; the process lives on. */
#include "engine/gsl_errors.h"
#include "tests/support/testing.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_log.h>
#include <math.h>

static void domain_error_returns(void **state)
{
    (void)state;
    gsl_sf_result result;
    assert_int_equal(gsl_sf_log_e(-1.0, &result), GSL_EDOM);
    assert_true(isnan(result.val));
    assert_true(isnan(gsl_cdf_beta_Pinv(2.0, 1.0, 1.0)));
}

int main(void)
{
    gsl_errors_install();
    const struct CMUnitTest tests[] = {cmocka_unit_test(domain_error_returns)};
    return cmocka_run_group_tests_name("gsl_errors", tests, NULL, NULL);
}
