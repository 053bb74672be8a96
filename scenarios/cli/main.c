/* SPDX-License-Identifier: GPL-3.0-or-later
 * The program. setlocale is not called: numbers are read and printed the same everywhere. */
#include "engine/gsl_errors.h"
#include "scenarios/cli/command.h"

int main(int argc, char **argv)
{
    gsl_errors_install();
    return command_main(argc, argv);
}
