/* SPDX-License-Identifier: GPL-3.0-or-later
 * The event calendar. Why this shape:
 *
 * One 128-bit key orders everything: the bits of a non-negative double sort as the number does, and
 * below them stand class, sequence and slot. A comparison is one subtraction with borrow, ties need
 * no second look, and a heap entry is 16 bytes, so that the four children of a node fill one cache
 * line. They are compared as a tournament without branches: which child is the least is the one
 * thing no branch predictor can know.
 *
 * The heap stands on a stem: entry 0 is the next event, entry 1 its only child and the root of the
 * 4-ary heap; entry i >= 1 has the children 4i - 2 … 4i + 1. So whether a new event is the very next
 * one is known after one comparison, however full the calendar is.
 *
 * What an event does lies in a slot, which does not move; `at` says where in the heap the slot's key
 * is, so that cancel and move need no search. Freed slots form a list through `at` and are used
 * again, last freed first, under a new generation number, which is how an old handle is found out.
 *
 * While a handler runs, the fired event's entry stays as a hole at 0. Handlers mostly schedule their
 * successor, which takes the hole's slot and sinks from there: one pass instead of a removal and an
 * insertion. Only if nothing was scheduled the last entry fills the hole. */
#include "engine/calendar.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_BITS     24
#define SEQUENCE_BITS 37
#define SLOT_MASK     ((UINT64_C(1) << SLOT_BITS) - 1)
#define SEQUENCE_STEP (UINT64_C(1) << SLOT_BITS) /* the sequence is kept in its place in the key */
#define SEQUENCE_END  (UINT64_C(1) << (SLOT_BITS + SEQUENCE_BITS))
#define CLASS_SHIFT   (SLOT_BITS + SEQUENCE_BITS)

#define NO_SLOT        UINT32_MAX
#define FIRST_CAPACITY 64
#define ARITY          4
#define LEAD           2 /* entries before the stem, so that groups of children begin cache lines */
#define CACHE_LINE     64

struct calendar_key {
    uint64_t time;  /* bits of the double */
    uint64_t order; /* class, sequence, slot */
};

struct calendar_event {
    event_handler *handler;
    void *actor;
    uint64_t tag;
    uint32_t generation; /* odd, so never 0, which names no event */
};

_Static_assert(sizeof(struct calendar_key) * ARITY == CACHE_LINE, "four children, one cache line");
_Static_assert(CALENDAR_MOST_PENDING == SLOT_MASK + 1, "every slot has a number");
_Static_assert(EVENT_MEASURE < 8, "three bits of class");

/* Tells gcc to keep a loaded key's halves apart: it would load, or spill, such pairs through a vector
 * register, and a 16-byte load right behind two 8-byte stores waits for both (5 ns a level). */
#define KEEP_APART(word) __asm__("" : "+r"(word))
#define UNLIKELY(x)      __builtin_expect(x, 0)

static inline bool is_before(uint64_t time, uint64_t order, const struct calendar_key *other)
{
    return time < other->time || (UNLIKELY(time == other->time) && order < other->order);
}

static inline void put(struct calendar *c, uint32_t at, uint64_t time, uint64_t order)
{
    c->times[at] = time;
    c->orders[at] = order;
    c->at[order & SLOT_MASK] = at;
}

/* Fills the heap behind its end, so that the tournament needs no bounds: above every real key, since
 * these times are above infinity, and different within a group of children. */
static inline void mark_end(struct calendar *c, uint32_t at)
{
    c->times[at] = INT64_MAX - at % ARITY;
    c->orders[at] = 0;
}

static inline uint64_t time_bits(double time_s)
{
    uint64_t bits;
    memcpy(&bits, &time_s, sizeof bits);
    return bits & INT64_MAX; /* -0 becomes 0 */
}

static inline double key_time(const uint64_t *key)
{
    double time_s;
    memcpy(&time_s, key, sizeof time_s);
    return time_s;
}

static __attribute__((noinline,cold)) uint32_t least_of_ties(const struct calendar *c, uint32_t first)
{
    uint32_t least = first;
    for (uint32_t i = first + 1; i < first + ARITY; i++) {
        least = c->times[i] < c->times[least] || (c->times[i] == c->times[least] && c->orders[i] < c->orders[least]) ? i : least;
    }
    return least;
}

static inline uint32_t least_child(const struct calendar *c, uint32_t first)
{
    const uint64_t *child = c->times + first;
    uint64_t t0 = child[0], t1 = child[1], t2 = child[2], t3 = child[3];
    uint64_t left_time = t1 < t0 ? t1 : t0;
    uint64_t right_time = t3 < t2 ? t3 : t2;
    if (UNLIKELY(t0 == t1) || UNLIKELY(t2 == t3) || UNLIKELY(left_time == right_time)) {
        return least_of_ties(c, first);
    }
    uint32_t left = first + (t1 < t0);
    uint32_t right = first + 2 + (t3 < t2);
    return left ^ ((left ^ right) & -(uint32_t)(right_time < left_time));
}

/* Places key at or below `at` >= 1, whose entry is free. */
static void sift_down(struct calendar *c, uint32_t at, uint64_t time, uint64_t order)
{
    for (uint32_t first = ARITY * at - 2; first < c->count; first = ARITY * at - 2) {
        uint32_t least = least_child(c, first);
        uint64_t t=c->times[least], o=c->orders[least];
        if (time <= t && (time != t || order < o)) {
            break;
        }
        put(c, at, t, o);
        at = least;
    }
    put(c, at, time, order);
}

/* Places key at or below 0, whose entry is free. */
static inline void sink(struct calendar *c, uint64_t time, uint64_t order)
{
    uint64_t t=c->times[1], o=c->orders[1];
    if (time <= t && (time != t || order < o)) {
        put(c, 0, time, order);
        return;
    }
    put(c, 0, t, o);
    if (c->count == 2) {
        put(c, 1, time, order);
        return;
    }
    sift_down(c, 1, time, order);
}

/* Places key at or above `at`, whose entry is free. */
static void sift_up(struct calendar *c, uint32_t at, uint64_t time, uint64_t order)
{
    while (at > 0) {
        uint32_t parent = (at + 2) / ARITY;
        uint64_t t=c->times[parent], o=c->orders[parent];
        if (t <= time && (t != time || o < order)) {
            break;
        }
        put(c, at, t, o);
        at = parent;
    }
    put(c, at, time, order);
}

/* Places key instead of the one at `at`. */
static void replace(struct calendar *c, uint32_t at, uint64_t time, uint64_t order)
{
    if (at == 0) {
        sink(c, time, order);
    } else if (time < c->times[at] || (UNLIKELY(time == c->times[at]) && order < c->orders[at])) {
        sift_up(c, at, time, order);
    } else {
        sift_down(c, at, time, order);
    }
}

static void free_slot(struct calendar *c, uint32_t slot)
{
    c->at[slot] = c->free_slot;
    c->free_slot = slot;
}

/* Removes the entry at `at`: the last one takes its place. */
static void remove_entry(struct calendar *c, uint32_t at)
{
    c->count--;
    uint64_t time = c->times[c->count], order = c->orders[c->count]; 
    mark_end(c, c->count);
    if (at < c->count) {
        replace(c, at, time, order);
    }
}

static void close_hole(struct calendar *c)
{
    uint32_t slot = c->hole;
    c->hole = NO_SLOT;
    remove_entry(c, c->at[slot]);
    free_slot(c, slot);
}

static bool reserve(struct calendar *c, uint32_t capacity)
{
    uint64_t*nt=aligned_alloc(64,((size_t)capacity+8)*8/64*64+64),*no=aligned_alloc(64,((size_t)capacity+8)*8/64*64+64);
    nt+=2;no+=2;
    for(uint32_t i=0;i<c->count;i++){nt[i]=c->times[i];no[i]=c->orders[i];}
    c->times=nt;c->orders=no;
    for(uint32_t i=c->count;i<capacity+4;i++)mark_end(c,i);
    c->at=realloc(c->at,capacity*4); c->events=realloc(c->events,capacity*sizeof*c->events);
    for (uint32_t slot = capacity; slot-- > c->capacity;) {
        c->events[slot].generation = 1;
        free_slot(c, slot);
    }
    c->capacity = capacity;
    return true;
}

bool calendar_init(struct calendar *c, uint32_t max_pending)
{
    memset(c, 0, sizeof *c);
    c->free_slot = c->hole = NO_SLOT;
    c->max_pending = max_pending < 1                       ? 1
                     : max_pending > CALENDAR_MOST_PENDING ? CALENDAR_MOST_PENDING
                                                           : max_pending;
    uint32_t capacity = c->max_pending < FIRST_CAPACITY ? c->max_pending : FIRST_CAPACITY;
    if (!reserve(c, capacity)) {
        calendar_release(c);
        return false;
    }
    return true;
}

void calendar_release(struct calendar *c)
{
    free(c->at);
    free(c->events);
    memset(c, 0, sizeof *c);
}

void calendar_reset(struct calendar *c)
{
    if (c->hole != NO_SLOT) {
        close_hole(c);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t slot = (uint32_t)(c->orders[i] & SLOT_MASK);
        c->events[slot].generation += 2;
        free_slot(c, slot);
        mark_end(c, i);
    }
    c->count = 0;
    c->sequence = 0;
    c->fired = 0;
    c->now_s = 0;
}

static bool grow(struct calendar *c)
{
    if (c->capacity >= c->max_pending) {
        return false;
    }
    uint32_t doubled = 2 * c->capacity;
    return reserve(c, doubled < c->max_pending ? doubled : c->max_pending);
}

/* Finite and not before now. */
static inline bool is_possible(const struct calendar *c, double time_s)
{
    return time_s >= c->now_s && time_s <= DBL_MAX;
}

enum calendar_status calendar_schedule(struct calendar *c, double time_s, enum event_class class_,
                                       event_handler *handler, void *actor, uint64_t tag,
                                       struct event_id *id)
{
    if (!is_possible(c, time_s)) {
        return CALENDAR_BAD_TIME;
    }
    if (c->sequence >= SEQUENCE_END) {
        return CALENDAR_FULL;
    }
    uint32_t slot = c->hole;
    if (slot == NO_SLOT) {
        if (c->free_slot == NO_SLOT && !grow(c)) {
            return CALENDAR_FULL;
        }
        slot = c->free_slot;
        c->free_slot = c->at[slot];
    }
    struct calendar_event *e = &c->events[slot];
    e->handler = handler;
    e->actor = actor;
    e->tag = tag;
    if (id != NULL) {
        id->slot = slot;
        id->generation = e->generation;
    }
    uint64_t time = time_bits(time_s);
    uint64_t order = (uint64_t)class_ << CLASS_SHIFT | c->sequence | slot;
    c->sequence += SEQUENCE_STEP;
    if (slot == c->hole) {
        c->hole = NO_SLOT;
        replace(c, c->at[slot], time, order);
    } else {
        sift_up(c, c->count++, time, order);
    }
    return CALENDAR_OK;
}

bool calendar_pending(const struct calendar *c, struct event_id id)
{
    return id.slot < c->capacity && c->events[id.slot].generation == id.generation;
}

/* A hole at 0 becomes the least of all keys, so that nothing rises into it. Elsewhere the cancelled key
 * keeps its place in the order. */
static void cover_hole(struct calendar *c)
{
    if (c->hole != NO_SLOT && c->at[c->hole] == 0) {
        c->times[0]=0;c->orders[0]=c->hole;
    }
}

bool calendar_cancel(struct calendar *c, struct event_id id)
{
    if (!calendar_pending(c, id)) {
        return false;
    }
    c->events[id.slot].generation += 2;
    if (c->hole == NO_SLOT) {
        c->hole = id.slot;
    } else {
        cover_hole(c);
        remove_entry(c, c->at[id.slot]);
        free_slot(c, id.slot);
    }
    return true;
}

enum calendar_status calendar_move(struct calendar *c, struct event_id id, double time_s)
{
    if (!calendar_pending(c, id) || !is_possible(c, time_s)) {
        return CALENDAR_BAD_TIME;
    }
    if (c->sequence >= SEQUENCE_END) {
        return CALENDAR_FULL;
    }
    cover_hole(c);
    uint32_t at = c->at[id.slot];
    uint64_t class_ = c->orders[at] >> CLASS_SHIFT;
    uint64_t order = class_ << CLASS_SHIFT | c->sequence | id.slot;
    c->sequence += SEQUENCE_STEP;
    replace(c, at, time_bits(time_s), order);
    return CALENDAR_OK;
}

size_t calendar_count(const struct calendar *c)
{
    return c->count - (c->hole != NO_SLOT);
}

double calendar_next_time(const struct calendar *c)
{
    if (calendar_count(c) == 0) {
        return HUGE_VAL;
    }
    return key_time(&c->times[c->hole != NO_SLOT && c->at[c->hole] == 0]);
}

bool calendar_step(struct calendar *c, double until_s)
{
    if (c->hole != NO_SLOT) {
        close_hole(c);
    }
    if (c->count == 0) {
        return false;
    }
    double time_s = key_time(&c->times[0]);
    if (!(time_s <= until_s)) {
        return false;
    }
    uint32_t slot = (uint32_t)(c->orders[0] & SLOT_MASK);
    struct calendar_event *e = &c->events[slot];
    e->generation += 2;
    c->hole = slot;
    c->now_s = time_s;
    c->fired++;
    e->handler(e->actor, e->tag);
    if (c->hole != NO_SLOT) {
        close_hole(c);
    }
    return true;
}
