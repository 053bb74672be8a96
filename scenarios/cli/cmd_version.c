/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast version: the program's and its libraries', since results are the same bytes only on
 * the same ones. */
#include "scenarios/cli/command.h"

#include <gnu/libc-version.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <stdio.h>
#include <yaml.h>

int cmd_version(struct command *c)
{
    (void)c;
    printf("fleetcast %s\n", FLEETCAST_VERSION);
    printf("GSL %s, libyaml %s, jansson %s, C library %s\n", gsl_version, yaml_get_version_string(),
           JANSSON_VERSION, gnu_get_libc_version());
    return EXIT_DONE;
}
