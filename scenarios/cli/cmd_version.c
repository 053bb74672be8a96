/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast version: the program's and its libraries', since results are the same bytes only on
 * the same ones. */
#include "scenarios/cli/command.h"

#include <gnu/libc-version.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <stdio.h>
#include <yajl/yajl_version.h>
#include <yaml.h>

int cmd_version(struct command *c)
{
    (void)c;
    printf("fleetcast %s\n", FLEETCAST_VERSION);
    int yajl = yajl_version();
    printf("GSL %s, libyaml %s, jansson %s, yajl %d.%d.%d, C library %s\n", gsl_version,
           yaml_get_version_string(), JANSSON_VERSION, yajl / 10000, yajl / 100 % 100, yajl % 100,
           gnu_get_libc_version());
    return EXIT_DONE;
}
