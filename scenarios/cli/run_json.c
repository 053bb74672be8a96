/* SPDX-License-Identifier: GPL-3.0-or-later
 * The parts are JSON already; they are put into one object with two spaces before each line, which
 * is safe since no text of a JSON document holds a line break. */
#include "scenarios/cli/run_json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Copies `in`, indenting all lines but the first. */
static void copy_indented(FILE *out, FILE *in)
{
    int c;
    bool line_begins = false;
    while ((c = getc(in)) != EOF) {
        if (line_begins) {
            fputs("\n  ", out);
            line_begins = false;
        }
        if (c == '\n') {
            line_begins = true;
        } else {
            putc(c, out);
        }
    }
}

static bool put_manifest(FILE *out, const char *folder)
{
    char *path = NULL;
    if (asprintf(&path, "%s/manifest.json", folder) < 0) {
        errno = ENOMEM;
        return false;
    }
    FILE *in = fopen(path, "rb");
    free(path);
    if (in == NULL) {
        return false;
    }
    fputs("  \"manifest\": ", out);
    copy_indented(out, in);
    bool ok = !ferror(in);
    fclose(in);
    return ok;
}

static bool put_table(FILE *out, const struct table *t)
{
    FILE *memory = tmpfile();
    bool ok = memory != NULL && table_write_json(t, memory) && fseek(memory, 0, SEEK_SET) == 0;
    if (ok) {
        fprintf(out, ",\n  \"%s\": ", table_name(t));
        copy_indented(out, memory);
        ok = !ferror(memory);
    }
    if (memory != NULL) {
        fclose(memory);
    }
    return ok;
}

bool run_json_write(FILE *out, const char *folder, const struct result_tables *tables)
{
    fputs("{\n", out);
    bool ok = put_manifest(out, folder) && put_table(out, tables->summary) &&
              put_table(out, tables->comparison) && put_table(out, tables->choice) &&
              put_table(out, tables->limits);
    fputs("\n}\n", out);
    return ok && !ferror(out);
}
