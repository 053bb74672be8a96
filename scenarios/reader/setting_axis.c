/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/setting_axis.h"

#include <string.h>

/* More values than a grid may have points. */
#define VALUES_MAX (SETTING_GRID_MAX + 1)

struct value_splitting {
    const char *setting;
    struct arena *arena;
    struct diagnostics *d;
    const char **values;
    size_t count;
};

static bool refuse(struct value_splitting *s, const char *reason)
{
    const char *file = arena_format(s->arena, "--set %s", s->setting);
    diagnostics_add(s->d, DIAGNOSTIC_ERROR, (struct place){file == NULL ? "--set" : file, 0, 0},
                    "%s", reason);
    return false;
}

/* Where the path ends: the first `=` outside of quotes; NULL without one. */
static const char *end_of_path(const char *s)
{
    char quote = '\0';
    for (; *s != '\0'; s++) {
        if (quote != '\0') {
            quote = *s == quote ? '\0' : quote;
        } else if (*s == '"' || *s == '\'') {
            quote = *s;
        } else if (*s == '=') {
            return s;
        }
    }
    return NULL;
}

/* Without the spaces around it. */
static bool add_value(struct value_splitting *s, const char *from, const char *to)
{
    while (from < to && (*from == ' ' || *from == '\t')) {
        from++;
    }
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) {
        to--;
    }
    if (from == to) {
        return refuse(s, "a value is empty; expected path.to.key=a,b,c");
    }
    if (s->count == VALUES_MAX) {
        return refuse(s, "too many values; at most 1,000 points can be swept");
    }
    const char *value = arena_copy(s->arena, from, (size_t)(to - from));
    if (value == NULL) {
        return refuse(s, "out of memory");
    }
    if (setting_axis_has(&(struct setting_axis){.values = s->values, .count = s->count}, value)) {
        return refuse(s, "a value stands there twice");
    }
    s->values[s->count++] = value;
    return true;
}

static bool split(struct value_splitting *s, const char *text)
{
    enum { DEEPEST = 64 };
    char close[DEEPEST], quote = '\0';
    size_t depth = 0;
    const char *from = text, *at = text;
    for (; *at != '\0'; at++) {
        if (quote != '\0') {
            quote = *at == quote ? '\0' : quote;
        } else if ((*at == '"' || *at == '\'') && strspn(from, " \t") == (size_t)(at - from)) {
            quote = *at; /* elsewhere it is a letter, as in YAML */
        } else if (*at == '(' || *at == '[' || *at == '{') {
            if (depth == DEEPEST) {
                return refuse(s, "too many brackets");
            }
            close[depth++] = *at == '(' ? ')' : *at == '[' ? ']' : '}';
        } else if (depth > 0 && *at == close[depth - 1]) {
            depth--;
        } else if (*at == ',' && depth == 0) {
            if (!add_value(s, from, at)) {
                return false;
            }
            from = at + 1;
        }
    }
    if (depth > 0 || quote != '\0') {
        return refuse(s, depth > 0 ? "a bracket is not closed" : "a quote is not closed");
    }
    return add_value(s, from, at);
}

bool setting_axis_parse(struct setting_axis *out, const char *setting, struct arena *a,
                        struct diagnostics *d)
{
    struct value_splitting s = {.setting = setting, .arena = a, .d = d};
    const char *equals = end_of_path(setting);
    if (equals == NULL) {
        return refuse(&s, "no '='; expected path.to.key=a,b,c");
    }
    s.values = arena_array(a, VALUES_MAX, sizeof *s.values);
    out->path = arena_copy(a, setting, (size_t)(equals - setting));
    if (s.values == NULL || out->path == NULL) {
        return refuse(&s, "out of memory");
    }
    if (!split(&s, equals + 1)) {
        return false;
    }
    out->values = s.values;
    out->count = s.count;
    return true;
}
