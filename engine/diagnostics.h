/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is wrong, collected: every error of every input is kept, sorted by place and shown with its
 * source line and a caret. The one way in which fleetcast's own code reports a failure; nothing
 * below scenarios/cli prints or exits. */
#ifndef FLEETCAST_ENGINE_DIAGNOSTICS_H
#define FLEETCAST_ENGINE_DIAGNOSTICS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The kinds decide the exit code (DESIGN: 1 failure, 2 usage or scenario error, 4 infeasible). */
enum diagnostic_kind {
    DIAGNOSTIC_NOTE, /* belongs to the error before it */
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_INFEASIBLE, /* right in form, but cannot be done: does not fit, no such offer */
    DIAGNOSTIC_ERROR,      /* the input is wrong */
    DIAGNOSTIC_FAILURE     /* the machine failed: I/O, memory */
};

/* A place in an input. file NULL = no place; line 0 = the whole file; column 0 = the whole line.
 * Lines and columns count from 1, columns in code points. Diagnostics copy the file's name, so it
 * may belong to what is given up because of the error. Command-line values have file "--set" or the
 * like and line 0. */
struct place {
    const char *file;
    int line;
    int column;
};

struct diagnostics;

/* NULL when out of memory. */
struct diagnostics *diagnostics_new(void);
void diagnostics_free(struct diagnostics *d);

/* format: a lower-case sentence without a full stop, the subject in single quotes:
 * "unknown key 'gpuz'; did you mean 'gpus'?". Control characters in the result are made visible.
 * What was said of the same place before in the same
 * words is not said again. At most 200 errors, 200 warnings and 5 notes to each are kept; the rest
 * is counted and said, and a text is cut at 2,000 bytes. Thread-compatible, not thread-safe. */
void diagnostics_add(struct diagnostics *d, enum diagnostic_kind kind, struct place where,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
void diagnostics_addv(struct diagnostics *d, enum diagnostic_kind kind, struct place where,
                      const char *format, va_list args) __attribute__((format(printf, 4, 0)));

/* Copies the text of an input file so that its lines can be quoted. The name is copied too. A name
 * given twice keeps its place in the order and its first text. */
void diagnostics_source(struct diagnostics *d, const char *file, const char *text, size_t length);

/* All that were added of this kind, also those beyond the number kept. */
size_t diagnostics_count(const struct diagnostics *d, enum diagnostic_kind kind);
/* True when anything of kind INFEASIBLE, ERROR or FAILURE was added. */
bool diagnostics_failed(const struct diagnostics *d);
/* 0 when nothing failed; else 1 if any FAILURE, else 2 if any ERROR, else 4. */
int diagnostics_exit_code(const struct diagnostics *d);

/* The text of the index-th kept diagnostic, in the order in which they were added, as it will be
 * shown; NULL beyond the last. kind and where may be NULL. Borrowed until diagnostics_free. */
const char *diagnostics_text(const struct diagnostics *d, size_t index, enum diagnostic_kind *kind,
                             struct place *where);

/* Writes all, stably sorted by (order in which files were added, line, column), notes staying with
 * their error: "file:line:column: error: text", then the source line and a caret under it. Files
 * whose text was not added follow, then command-line values, then what has no place. */
void diagnostics_write(struct diagnostics *d, FILE *out);

#endif
