/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/console/regret_lines.h"

#include "engine/text.h"
#include "plots/sentences/regrets.h"
#include "plots/text/terminal_line.h"

bool regret_lines(const struct study_facts *f, const struct table *oracle, int decimals,
                  const struct terminal_style *style, FILE *out, struct diagnostics *d)
{
    struct text line;
    struct regrets r;
    bool ok = true;

    text_init(&line, 65536);
    for (size_t w = 0; ok && regrets_read(&r, f, oracle, w, d); w++) {
        text_clear(&line);
        regrets_headline(&line, &r, f, decimals);
        ok = terminal_paragraph(style, out, line.data);
        text_clear(&line);
        text_add(&line, "regret, the mean of what was paid above that: ");
        for (size_t i = 0, n = 0; ok && i < f->count; i++) {
            if (r.of[i].n < 0.0)
                continue;
            text_add(&line, n++ > 0 ? "; " : "");
            regrets_entry(&line, &r, f, i, decimals);
        }
        ok = ok && terminal_paragraph(style, out, line.data);
    }
    text_release(&line);
    return ok && !diagnostics_failed(d);
}
