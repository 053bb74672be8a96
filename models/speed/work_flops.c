/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/work_flops.h"

#define FORWARD            2.0
#define BACKWARD_INPUTS    2.0
#define BACKWARD_WEIGHTS   2.0
#define FLOPS_PER_GMAC     6e9
#define ATTENTION_PRODUCTS 12.0 /* forward 4 L h s: scores and values; backward twice that */

double flops_of_weights(double active_parameters, double parameters, double trained_parameters)
{
    const double trained = parameters > 0 ? trained_parameters / parameters : 1;
    return (FORWARD + BACKWARD_INPUTS + BACKWARD_WEIGHTS * trained) * active_parameters;
}

double flops_of_attention(double layers, double hidden, double sequence)
{
    return ATTENTION_PRODUCTS * layers * hidden * sequence;
}

double flops_of_convolution(double gmac)
{
    return FLOPS_PER_GMAC * gmac;
}
