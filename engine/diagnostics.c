/* SPDX-License-Identifier: GPL-3.0-or-later
 * Entries stand in an array in the order in which they came; a note carries the index of the entry
 * that it explains, so that sorting moves both. When memory is out the text is lost but never the
 * fact: the counts decide the exit code. */
#include "engine/diagnostics.h"

#include "engine/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    KINDS = DIAGNOSTIC_FAILURE + 1,
    MOST_ERRORS = 200,
    MOST_WARNINGS = 200,
    MOST_NOTES = 5,      /* to one error */
    LONGEST_TEXT = 2000, /* bytes of one message */
    SHOWN_COLUMNS = 120, /* of a source line */
    CARET_COLUMN = 80,   /* where a long line is moved so that the caret stays in sight */
    TAB = 4
};

struct entry {
    enum diagnostic_kind kind;
    struct place where;
    char *text;
    size_t leader; /* index of the entry this note belongs to; its own index if it is no note */
    size_t notes;  /* of a leader */
    size_t rank;   /* of the file, filled by diagnostics_write */
};

struct source {
    char *file;
    char *text; /* NULL: memory was out */
    size_t length;
    size_t *lines; /* byte at which each line starts; made when the first line is quoted */
    size_t line_count;
};

struct diagnostics {
    struct entry *entries;
    size_t count, capacity;
    struct source *sources;
    size_t source_count;
    char **names; /* of files in places; what a place points to may be gone when it is shown */
    size_t name_count;
    size_t added[KINDS];
    size_t kept_errors, kept_warnings;
    size_t dropped; /* beyond what is kept */
    size_t lost;    /* for want of memory */
    size_t leader;  /* the entry that the next note explains; SIZE_MAX: that one was dropped */
    bool repeats;   /* the latest was said before: its notes are dropped too */
};

struct diagnostics *diagnostics_new(void)
{
    struct diagnostics *d = calloc(1, sizeof(*d));

    if (d != NULL)
        d->leader = SIZE_MAX;
    return d;
}

void diagnostics_free(struct diagnostics *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->count; i++)
        free(d->entries[i].text);
    for (size_t i = 0; i < d->source_count; i++) {
        free(d->sources[i].file);
        free(d->sources[i].text);
        free(d->sources[i].lines);
    }
    for (size_t i = 0; i < d->name_count; i++)
        free(d->names[i]);
    free(d->names);
    free(d->entries);
    free(d->sources);
    free(d);
}

/* Whether one more of this kind is kept. */
static bool is_kept(struct diagnostics *d, enum diagnostic_kind kind)
{
    if (kind == DIAGNOSTIC_NOTE) {
        if (d->leader == SIZE_MAX)
            return d->count == 0; /* nothing before it; else its error was dropped */
        return d->entries[d->leader].notes++ < MOST_NOTES;
    }
    if (kind == DIAGNOSTIC_WARNING)
        return d->kept_warnings < MOST_WARNINGS;
    return d->kept_errors < MOST_ERRORS;
}

static char *__attribute__((format(printf, 1, 0))) make_text(const char *format, va_list args)
{
    char raw[LONGEST_TEXT + 8];
    struct text shown;
    char *out;

    if (vsnprintf(raw, sizeof(raw), format, args) < 0)
        return NULL;
    text_init(&shown, 0);
    text_add_visible(&shown, raw, LONGEST_TEXT);
    out = shown.overflow ? NULL : strdup(shown.data);
    text_release(&shown);
    return out;
}

/* An own copy of a file's name; NULL when memory is out. */
static const char *keep_name(struct diagnostics *d, const char *file)
{
    char **grown;

    for (size_t i = d->name_count; i-- > 0;) /* the latest is the likeliest */
        if (strcmp(d->names[i], file) == 0)
            return d->names[i];
    grown = realloc(d->names, (d->name_count + 1) * sizeof(*grown));
    if (grown == NULL)
        return NULL;
    d->names = grown;
    d->names[d->name_count] = strdup(file);
    return d->names[d->name_count] == NULL ? NULL : d->names[d->name_count++];
}

/* True when the same was said of the same place: a workload's fault shows in every strategy. */
static bool is_known(const struct diagnostics *d, const struct entry *e)
{
    for (size_t i = 0; i < d->count; i++) {
        const struct entry *k = &d->entries[i];
        if (k->kind == e->kind && k->where.file == e->where.file &&
            k->where.line == e->where.line && k->where.column == e->where.column &&
            strcmp(k->text, e->text) == 0)
            return true;
    }
    return false;
}

void diagnostics_addv(struct diagnostics *d, enum diagnostic_kind kind, struct place where,
                      const char *format, va_list args)
{
    struct entry e = {.kind = kind, .where = where, .leader = d->count};

    if (kind == DIAGNOSTIC_NOTE && d->repeats)
        return; /* belongs to what was not said twice */
    d->repeats = false;
    d->added[kind]++;
    if (!is_kept(d, kind)) {
        d->dropped += kind != DIAGNOSTIC_NOTE;
        if (kind != DIAGNOSTIC_NOTE)
            d->leader = SIZE_MAX;
        return;
    }
    if (kind == DIAGNOSTIC_NOTE && d->leader != SIZE_MAX)
        e.leader = d->leader;
    if (d->count == d->capacity) {
        size_t capacity = d->capacity == 0 ? 16 : d->capacity * 2;
        struct entry *grown = realloc(d->entries, capacity * sizeof(*grown));
        if (grown == NULL) {
            d->lost++;
            d->leader = SIZE_MAX;
            return;
        }
        d->entries = grown;
        d->capacity = capacity;
    }
    if (where.file != NULL)
        e.where.file = keep_name(d, where.file);
    e.text = make_text(format, args);
    if (e.text == NULL) {
        d->lost++;
        d->leader = SIZE_MAX;
        return;
    }
    if (kind != DIAGNOSTIC_NOTE && is_known(d, &e)) {
        free(e.text);
        d->added[kind]--;
        d->repeats = true;
        return;
    }
    if (kind == DIAGNOSTIC_WARNING)
        d->kept_warnings++;
    else if (kind != DIAGNOSTIC_NOTE)
        d->kept_errors++;
    d->entries[d->count] = e;
    d->leader = e.leader;
    d->count++;
}

void diagnostics_add(struct diagnostics *d, enum diagnostic_kind kind, struct place where,
                     const char *format, ...)
{
    va_list args;

    va_start(args, format);
    diagnostics_addv(d, kind, where, format, args);
    va_end(args);
}

/* Index of the source of this name, or source_count. */
static size_t find_source(const struct diagnostics *d, const char *file)
{
    size_t i = 0;

    while (i < d->source_count && strcmp(d->sources[i].file, file) != 0)
        i++;
    return i;
}

void diagnostics_source(struct diagnostics *d, const char *file, const char *text, size_t length)
{
    struct source s = {.length = length};
    struct source *grown;

    if (find_source(d, file) < d->source_count)
        return;
    grown = realloc(d->sources, (d->source_count + 1) * sizeof(*grown));
    if (grown == NULL)
        return;
    d->sources = grown;
    s.file = strdup(file);
    if (s.file == NULL)
        return;
    s.text = malloc(length + 1);
    if (s.text != NULL) {
        if (length > 0)
            memcpy(s.text, text, length);
        s.text[length] = '\0';
    }
    d->sources[d->source_count++] = s;
}

size_t diagnostics_count(const struct diagnostics *d, enum diagnostic_kind kind)
{
    return d->added[kind];
}

bool diagnostics_failed(const struct diagnostics *d)
{
    return diagnostics_exit_code(d) != 0;
}

int diagnostics_exit_code(const struct diagnostics *d)
{
    if (d->added[DIAGNOSTIC_FAILURE] > 0)
        return 1;
    if (d->added[DIAGNOSTIC_ERROR] > 0)
        return 2;
    return d->added[DIAGNOSTIC_INFEASIBLE] > 0 ? 4 : 0;
}

const char *diagnostics_text(const struct diagnostics *d, size_t index, enum diagnostic_kind *kind,
                             struct place *where)
{
    if (index >= d->count)
        return NULL;
    if (kind != NULL)
        *kind = d->entries[index].kind;
    if (where != NULL)
        *where = d->entries[index].where;
    return d->entries[index].text;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* The position of a file in the order of display (see the header). */
static size_t rank_of(const struct diagnostics *d, size_t index)
{
    const char *file = d->entries[index].where.file;
    size_t known;

    if (file == NULL)
        return SIZE_MAX;
    known = find_source(d, file);
    if (known < d->source_count)
        return known;
    if (strncmp(file, "--", 2) == 0)
        return SIZE_MAX - 1;
    for (size_t i = 0; i < index; i++) {
        const char *other = d->entries[i].where.file;
        if (other != NULL && strcmp(other, file) == 0)
            return d->entries[i].rank;
    }
    return d->source_count + index;
}

static int compare(const struct entry *a, const struct entry *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->where.line != b->where.line)
        return a->where.line < b->where.line ? -1 : 1;
    if (a->where.column != b->where.column)
        return a->where.column < b->where.column ? -1 : 1;
    return a->leader < b->leader ? -1 : a->leader > b->leader;
}

static int compare_pointers(const void *a, const void *b)
{
    return compare(*(const struct entry *const *)a, *(const struct entry *const *)b);
}

/* Fills s->lines. A line ends at LF, CR LF or a lone CR. False when memory is out. */
static bool index_lines(struct source *s)
{
    size_t count = 1;

    for (size_t i = 0; i < s->length; i++)
        count += s->text[i] == '\n' || s->text[i] == '\r';
    s->lines = malloc(count * sizeof(*s->lines));
    if (s->lines == NULL)
        return false;
    s->lines[s->line_count++] = 0;
    for (size_t i = 0; i < s->length; i++) {
        if (s->text[i] == '\r' && s->text[i + 1] == '\n')
            i++;
        if (s->text[i] == '\n' || s->text[i] == '\r')
            s->lines[s->line_count++] = i + 1;
    }
    return true;
}

/* The line without its end and without a byte-order mark; false when there is no such line. */
static bool find_line(struct source *s, int line, const char **start, size_t *length)
{
    size_t from, to;

    if (s->text == NULL || line < 1 || (s->lines == NULL && !index_lines(s)) ||
        (size_t)line > s->line_count)
        return false;
    from = s->lines[line - 1];
    to = (size_t)line < s->line_count ? s->lines[line] : s->length;
    while (to > from && (s->text[to - 1] == '\n' || s->text[to - 1] == '\r'))
        to--;
    if (from == 0 && to >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0)
        from = 3;
    *start = s->text + from;
    *length = to - from;
    return true;
}

/* What stands on the terminal for the character at s: its text into cell and its columns. Returns
 * the bytes taken. column: where it will stand, for tabs. */
static size_t make_cell(const char *s, size_t length, size_t column, struct text *cell,
                        size_t *columns)
{
    char bytes[5] = {0};
    uint32_t c;
    size_t n = text_decode(s, length, &c);

    text_clear(cell);
    if (n == 0)
        n = 1;
    if (*s == '\t') {
        *columns = TAB - column % TAB;
        text_format(cell, "%*s", (int)*columns, "");
        return n;
    }
    if (*s == '\0') {
        text_add(cell, "\\x00");
    } else {
        memcpy(bytes, s, n);
        text_add_visible(cell, bytes, n);
    }
    *columns = text_width(cell->data);
    return n;
}

/* The byte at which the character-th character (from 0) starts, or length. */
static size_t find_character(const char *s, size_t length, int character)
{
    size_t i = 0;
    uint32_t c;

    for (int k = 0; k < character && i < length; k++) {
        size_t n = (unsigned char)s[i] < 0x80 ? 1 : text_decode(s + i, length - i, &c);
        i += n == 0 ? 1 : n;
    }
    return i;
}

/* "   12 | source line" and the caret below the character `column` (from 1; 0: no caret). Only the
 * neighbourhood of the caret is looked at closely: a hostile line is 1 MiB and has many errors. */
static void quote_line(FILE *out, const char *s, size_t length, int line, int column)
{
    size_t skipped = column > SHOWN_COLUMNS ? find_character(s, length, column - SHOWN_COLUMNS) : 0;
    int character = skipped > 0 ? column - SHOWN_COLUMNS + 1 : 1;
    size_t caret = 0, total = 0, from = 0, columns, i, at = 0;
    struct text shown, cell;
    bool cut;

    if (skipped == length) { /* the line is shorter than that: show its end */
        skipped = 0;
        character = 1;
    }
    s += skipped;
    length -= skipped;
    text_init(&shown, 0);
    text_init(&cell, 0);
    for (i = 0; i < length && (character <= column || total <= SHOWN_COLUMNS); character++) {
        if (character == column)
            caret = total;
        i += make_cell(s + i, length - i, total, &cell, &columns);
        total += columns;
    }
    if (column >= character)
        caret = total; /* just behind the end of the line */
    if (total > SHOWN_COLUMNS && caret > CARET_COLUMN)
        from = caret - CARET_COLUMN;
    cut = from > 0 || skipped > 0;
    if (cut)
        text_add(&shown, "...");
    for (i = 0; i < length && at < from + SHOWN_COLUMNS; at += columns) {
        i += make_cell(s + i, length - i, at, &cell, &columns);
        if (at < from && at + columns > from)
            from = at + columns; /* a wide character on the edge is left out whole */
        else if (at >= from)
            text_add(&shown, cell.data);
    }
    if (i < length)
        text_add(&shown, "...");
    fprintf(out, "%5d | %s\n", line, shown.data);
    if (column > 0)
        fprintf(out, "      | %*s^\n", (int)(caret - from + (cut ? 3 : 0)), "");
    text_release(&shown);
    text_release(&cell);
}

static void write_entry(struct diagnostics *d, const struct entry *e, FILE *out)
{
    static const char *const labels[KINDS] = {"note", "warning", "error", "error", "error"};
    struct text file;
    const char *start;
    size_t length, source;

    if (e->where.file == NULL) {
        fprintf(out, "fleetcast: %s: %s\n", labels[e->kind], e->text);
        return;
    }
    text_init(&file, 0);
    text_add_visible(&file, e->where.file, 4096);
    fprintf(out, "%s:", file.data);
    text_release(&file);
    if (e->where.line > 0)
        fprintf(out, "%d:", e->where.line);
    if (e->where.line > 0 && e->where.column > 0)
        fprintf(out, "%d:", e->where.column);
    fprintf(out, " %s: %s\n", labels[e->kind], e->text);
    source = find_source(d, e->where.file);
    if (source < d->source_count && find_line(&d->sources[source], e->where.line, &start, &length))
        quote_line(out, start, length, e->where.line, e->where.column);
}

static void write_with_notes(struct diagnostics *d, const struct entry *leader, FILE *out)
{
    size_t first = (size_t)(leader - d->entries);

    write_entry(d, leader, out);
    for (size_t i = first + 1; i < d->count && d->entries[i].leader == first; i++)
        write_entry(d, &d->entries[i], out);
}

void diagnostics_write(struct diagnostics *d, FILE *out)
{
    const struct entry **order = malloc((d->count + 1) * sizeof(*order));
    size_t leaders = 0;

    for (size_t i = 0; i < d->count; i++) {
        d->entries[i].rank = rank_of(d, i);
        if (d->entries[i].leader != i)
            continue;
        if (order != NULL)
            order[leaders++] = &d->entries[i];
        else
            write_with_notes(d, &d->entries[i], out); /* unsorted is better than unsaid */
    }
    if (order != NULL && leaders > 0)
        qsort(order, leaders, sizeof(*order), compare_pointers);
    for (size_t i = 0; i < leaders; i++)
        write_with_notes(d, order[i], out);
    free(order);
    if (d->dropped > 0)
        fprintf(out, "fleetcast: note: %zu more %s not shown\n", d->dropped,
                d->dropped == 1 ? "is" : "are");
    if (d->lost > 0)
        fprintf(out, "fleetcast: error: memory is out; %zu messages were lost\n", d->lost);
}
