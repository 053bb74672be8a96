/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the phases of a job's progress come to: seconds worked, kept by checkpoints, carried in the
 * memory of a gang and lost, and what crews are told of them. Which phase runs, and for how long,
 * is progress.c's; nothing here schedules or cancels an event.
 *
 * Crews are told what their time went to, but work is useful only once a checkpoint holds it. So of
 * each stretch some seconds stay untold until it is known what became of them: `untold` here.
 * Inside models/training only. */
#ifndef FLEETCAST_MODELS_PROGRESS_BOOKS_H
#define FLEETCAST_MODELS_PROGRESS_BOOKS_H

#include "models/training/progress.h"

/* So many seconds of this of every crew of the gang. */
void progress_tell(const struct progress *p, enum activity activity, double s);
/* What is carried is kept now, or was lost: whatever was told of it is right, or is taken back. */
void progress_settle_carried(struct progress *p, bool kept);
/* Where the stretch of work stands now, in seconds of this gang's work. PHASE_WORK only. */
struct checkpoint_state progress_work_state(const struct progress *p);
/* Books the stretch of work up to now, but for the work that no checkpoint holds: that is the
 * caller's. Returns how many seconds of it crews were not told of. */
double progress_book_work(struct progress *p, const struct checkpoint_state *s);
/* The write of RESCUE or LEAVE is complete. */
void progress_book_write(struct progress *p);
/* Books the phase under way up to now, whichever it is. Work in no checkpoint is in carried_s then;
 * returned are the seconds of it that crews were not told of. */
double progress_book_phase(struct progress *p);

#endif
