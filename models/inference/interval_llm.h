/* SPDX-License-Identifier: GPL-3.0-or-later
 * A service of a language model in steps of time, with the table of llm_table in place of formulas:
 * the number N of requests inside follows the fluid
 *
 *   dN/dt = lambda - c g(N / c)
 *
 * (Wang, Tipper, Banerjee, "A single server priority queue and its pointwise stationary fluid flow
 * approximation", IEEE INFOCOM 1996), where g is the inverse of the table's number in flight of a
 * replica by its load, along lines; between two rows of the table the solution is exponential, so
 * that a step takes one or two of them. What comes at N has the latencies of the load g(N / c).
 * What comes when replicas are full is a backlog, first come, first served (interval_backlog), and
 * has those of a full replica after its wait.
 *
 * Monitoring sees N / c with the noise that the number in flight has, as an Ornstein-Uhlenbeck
 * process of the table's variance and time of correlation. */
#ifndef FLEETCAST_MODELS_INTERVAL_LLM_H
#define FLEETCAST_MODELS_INTERVAL_LLM_H

#include "models/inference/interval_state.h"

#include <stdbool.h>
#include <stdint.h>

struct interval_llm;

/* NULL when out of memory. The table is borrowed, and made before a world begins. */
struct interval_llm *interval_llm_new(const struct llm_table *table);
void interval_llm_free(struct interval_llm *l);

/* For a new world, whose numbers are resolved. */
void interval_llm_begin(struct service_run *s);
/* The step that ended, from the arrivals and the replicas counted in it. */
void interval_llm_step(struct service_run *s, struct interval_step *p);
/* Requests/s that a replica serves at most, in this world. */
double interval_llm_most_rate(const struct service_run *s);

struct replica;
/* A replica is not wanted any more: takes what it has out of the fluid, notes it there, and says
 * how long that goes on when so many drain at once. */
double interval_llm_drain(struct service_run *s, struct replica *r, double draining);
/* It is wanted again after `drained_s`: what it still has is in the fluid again. */
void interval_llm_resume(struct service_run *s, const struct replica *r, double drained_s);
/* A replica vanished that drained for `drained_s` (0: it served): what is lost. */
double interval_llm_lose(struct service_run *s, const struct replica *r, double drained_s);

/* So many requests of a mix begin to be served on full replicas, after having waited; spread: not
 * exactly so long, since those ahead of each take a time that varies. Returns how many of them are
 * within the objectives. */
double interval_llm_serve_full(struct service_run *s, const struct request_mix *mix, double wait_s,
                               bool spread, double amount, bool measured);
/* How long what is given to a full replica now waits there. */
double interval_llm_ahead_s(const struct service_run *s);
/* Requests inside, now. */
double interval_llm_inside(const struct service_run *s);

#endif
