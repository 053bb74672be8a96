/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/speed_error.h"

#include <math.h>

/* Residuals of the fit by situation (docs/models.md), as standard deviations of ln(speed). */
#define SIGMA_TRANSFORMER 0.13
#define SIGMA_CNN         0.14
/* FP32, TF32, FP8 */
#define SIGMA_TRANSFORMER_FORMAT 0.16
#define SIGMA_CNN_FORMAT         0.28
#define SIGMA_SHORT_STEP         0.35
#define SIGMA_CAMPAIGN           0.24
#define SIGMA_STACK              0.22 /* added where the stack is not stated */
#define SIGMA_FAR                0.15 /* added where no row is near: assumed */
#define BIAS_SHORT_STEP          0.75

double speed_error_sigma(const struct speed_situation *s, double *bias)
{
    const bool format = s->precision != PRECISION_FP16 && s->precision != PRECISION_BF16;
    const bool cnn = s->class == ROOFLINE_CNN;
    double sigma = cnn ? SIGMA_CNN : SIGMA_TRANSFORMER;
    *bias = 1;
    if (s->campaign) {
        sigma = fmax(sigma, SIGMA_CAMPAIGN);
    }
    if (format) {
        sigma = fmax(sigma, cnn ? SIGMA_CNN_FORMAT : SIGMA_TRANSFORMER_FORMAT);
    }
    if (s->short_step) {
        sigma = fmax(sigma, SIGMA_SHORT_STEP);
        *bias = BIAS_SHORT_STEP;
    }
    if (s->stack == STACK_UNSTATED) {
        sigma = hypot(sigma, SIGMA_STACK);
    }
    if (s->evidence == CHIP_EXTRAPOLATED || s->outside) {
        sigma = hypot(sigma, SIGMA_FAR);
    }
    return sigma;
}

double speed_error_factor(double sigma, double workload_score, double accelerator_score)
{
    return exp(sigma * (sqrt(SPEED_ERROR_CORRELATION) * workload_score +
                        sqrt(1 - SPEED_ERROR_CORRELATION) * accelerator_score));
}
