/* SPDX-License-Identifier: GPL-3.0-or-later
 * The program's one mutable variable of its own: a signal handler has no context. */
#include "scenarios/cli/interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool interrupted;

static void on_signal(int signal)
{
    (void)signal;
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
}

atomic_bool *interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
    return &interrupted;
}
