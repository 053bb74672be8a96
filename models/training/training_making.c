/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_making.h"

#include "models/fleet/work_making.h"

struct place making_place(const struct making *m)
{
    return work_terms_place(&m->terms, m->strategy);
}

bool making_complain(const struct making *m, enum diagnostic_kind kind, struct place where,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    work_complainv(m->context, kind, where, false, format, args);
    va_end(args);
    return false;
}

bool making_complain_once(const struct making *m, enum diagnostic_kind kind, struct place where,
                          const char *format, ...)
{
    va_list args;
    va_start(args, format);
    work_complainv(m->context, kind, where, true, format, args);
    va_end(args);
    return false;
}

const char *making_name(const struct making *m, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *name = work_textv(m->context, format, args);
    va_end(args);
    return name;
}
