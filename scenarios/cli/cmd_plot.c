/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast plot: the charts of a result directory, drawn again from its tables. */
#include "scenarios/cli/result_charts.h"
#include "scenarios/output/result_folder.h"

#include <stdio.h>

int cmd_plot(struct command *c)
{
    const char *folder = c->arguments->operands[0];
    struct result_tables tables = {0};
    struct chart_frame frame;
    const struct manifest *m = manifest_read(c->arena, folder, c->d);
    if (m == NULL || !result_folder_read(&tables, folder, m, c->d)) {
        return EXIT_USAGE;
    }
    const bool framed = result_charts_frame(c, m, &frame);
    if (framed) {
        result_charts_mark(&frame, &tables);
    }
    if (framed && result_charts_draw(c, &frame, &tables, folder) && !c->quiet) {
        fputs("Charts: ", stdout);
        command_print(folder);
        puts("/charts");
    }
    result_tables_release(&tables);
    return EXIT_DONE;
}
