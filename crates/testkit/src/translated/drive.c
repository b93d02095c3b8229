/* Drives a program that `braid seq --backend native` has written through all its choices, and prints each assertion that
   fails: the line of the text and, if the last state is looked at, the steps before which other threads stand, by their labels:
   of a data race the one that is about to make the other access, of a deadlock all that have not ended.

   The text is included as it is (TEXT), with an assert.h that calls drive_fail and with choices from here instead of a file. It is run again and again with a longer or a greater list of choices, depth first;
   static memory is restored before each run. A state that was seen before, at the same turn of the same thread, is not
   followed again. LOOKS is the function that looks at the last state, if there is one, RUNS the number of runs at most. */
#include <setjmp.h>
#include <stdio.h>
/* Other headers may declare names that the text has for something else. */
void _exit(int) __attribute__((noreturn));
void *calloc(unsigned long, unsigned long);
void *memcpy(void *, const void *, unsigned long);
int memcmp(const void *, const void *, unsigned long);

#define DRIVER __attribute__((no_instrument_function))

enum { DRIVE_THREADS = 16, DRIVE_CHOICES = 256, DRIVE_FAILURES = 4096, DRIVE_HEAP = 4096, DRIVE_BUCKETS = 1 << 24 };
enum drive_ending { DRIVE_RETURNED = 1, DRIVE_EXITED, DRIVE_REFUSED, DRIVE_MORE, DRIVE_FAILED };

struct drive_failure {
    unsigned line;
    /* By thread; -1 if it has no part. */
    int steps[DRIVE_THREADS];
};

/* What outlives a run. It does not lie in static memory. */
struct drive_state {
    jmp_buf back;
    /* The choices that are known, their largest values, whether they say how far a thread goes, and how many the run has
       read. */
    unsigned values[DRIVE_CHOICES], most[DRIVE_CHOICES], count, read;
    unsigned char is_stop[DRIVE_CHOICES];
    /* The turn that is chosen, or none; that of the first thread; the number of its turns. */
    void *turn, *first;
    unsigned rounds;
    /* The last state is looked at; no thread runs for that; the choices before it. */
    int looking, asking;
    unsigned before;
    unsigned long runs;
    struct drive_failure failures[DRIVE_FAILURES];
    unsigned found;
    unsigned long seen[DRIVE_BUCKETS], states;
};
static struct drive_state *drive;
static char drive_heap[DRIVE_HEAP];
static unsigned drive_allocated;
extern char __data_start, _end;

DRIVER void drive_leave(int) __attribute__((noreturn));
DRIVER unsigned drive_choice(void);
DRIVER void drive_fail(unsigned line);
#define main translated_main
#define exit drive_leave
/* A call takes a choice from the driver; the definition, which has "void" between its parentheses, gets another name. */
#define nondet(nothing) DRIVE_NONDET_##nothing
#define DRIVE_NONDET_ drive_choice()
#define DRIVE_NONDET_void drive_written(void)
#define malloc drive_give
#define calloc drive_give_zeroed
#define free drive_take
#include TEXT
#undef main
#undef exit
#undef calloc

/* Ends with a message. */
DRIVER static void drive_stop(const char *why, int code)
{
    fputs(why, stderr);
    _exit(code);
}

DRIVER void *drive_give(unsigned long size)
{
    void *block = drive_heap + drive_allocated;
    if (size > DRIVE_HEAP - 16 - drive_allocated)
        drive_stop("the heap is too small", 1);
    drive_allocated += (size + 15) / 16 * 16;
    return block;
}

DRIVER void *drive_give_zeroed(unsigned long count, unsigned long size)
{
    return drive_give(count * size);
}

DRIVER void drive_take(void *block)
{
    (void)block;
}

/* The next choice, in place of what the text reads from a file. */
DRIVER unsigned drive_choice(void)
{
    if (drive->read == drive->count)
        longjmp(drive->back, DRIVE_MORE);
    return drive->values[drive->read++];
}

DRIVER void drive_leave(int code)
{
    longjmp(drive->back, code == 3 ? DRIVE_REFUSED : DRIVE_EXITED);
}

/* Returns true if static memory at this turn has not been seen before. */
DRIVER static int drive_is_new(void *turn)
{
    unsigned long hash = (unsigned long)turn * 31 + drive->rounds, word;
    char *at;
    for (at = &__data_start; at + sizeof word <= &_end; at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
    }
    hash += !hash;
    unsigned long bucket = hash % DRIVE_BUCKETS;
    while (drive->seen[bucket] && drive->seen[bucket] != hash)
        bucket = (bucket + 1) % DRIVE_BUCKETS;
    if (drive->seen[bucket] == hash)
        return 0;
    drive->seen[bucket] = hash;
    drive->states++;
    return 1;
}

/* A function is entered: a turn is chosen, or the last state is looked at. */
DRIVER void __cyg_profile_func_enter(void *function, void *from)
{
    if (function == (void *)choose) {
        drive->turn = from;
        if (!drive->first)
            drive->first = from;
        drive->rounds += from == drive->first;
    }
#ifdef LOOKS
    if (function == (void *)LOOKS) {
        drive->looking = drive->asking = 1;
        drive->before = drive->read;
        if (drive->read == drive->count && !drive_is_new(function))
            longjmp(drive->back, DRIVE_RETURNED);
    }
    if (function == (void *)run)
        drive->asking = 0;
#endif
}

DRIVER void __cyg_profile_func_exit(void *function, void *from)
{
    (void)from;
    if (function == (void *)choose)
        drive->turn = 0;
#ifdef LOOKS
    if (function == (void *)run)
        drive->asking = 1;
#endif
}

DRIVER static enum drive_ending drive_run_once(const char *saved)
{
    static char *arguments[] = { "native", 0 };
    memcpy(&__data_start, saved, &_end - &__data_start);
    drive->read = drive->rounds = 0;
    drive->turn = 0;
    drive->looking = drive->asking = 0;
    drive->runs++;
    int ending = setjmp(drive->back);
    if (!ending) {
        translated_main(1, arguments);
        return DRIVE_RETURNED;
    }
    return ending;
}

/* Notes the assertion that has failed. */
DRIVER static void drive_note(unsigned line)
{
    struct drive_failure failure = { .line = line };
    unsigned i;
    for (i = 0; i < DRIVE_THREADS; i++)
        failure.steps[i] = -1;
#ifdef RACES
    unsigned other = drive->values[drive->before + 1];
    if (drive->looking)
        failure.steps[other] = position[other];
#elif defined LOOKS
    for (i = 0; drive->looking && i < THREADS; i++)
        failure.steps[i] = started[i] && !ended[i] ? (int)position[i] : -1;
#endif
    for (i = 0; i < drive->found; i++)
        if (!memcmp(&drive->failures[i], &failure, sizeof failure))
            return;
    if (i == DRIVE_FAILURES)
        drive_stop("too many failures", 2);
    drive->failures[drive->found++] = failure;
}

/* An assertion fails, which ends the run; but a section may have further data races. */
DRIVER void drive_fail(unsigned line)
{
    drive_note(line);
#ifdef RACES
    if (drive->looking)
        return;
#endif
    longjmp(drive->back, DRIVE_FAILED);
}

/* Adds the smallest value of the choice that the run wants next, unless the state is known. */
DRIVER static int drive_extends(void)
{
    if (drive->count == DRIVE_CHOICES)
        drive_stop("too many choices", 2);
    int is_stop = drive->turn != 0;
    if (is_stop && !drive_is_new(drive->turn))
        return 0;
    drive->is_stop[drive->count] = is_stop;
    drive->most[drive->count] = is_stop ? ~0u : drive->asking ? THREADS - 1 : 1;
    drive->values[drive->count++] = is_stop ? pc : 0;
    return 1;
}

/* Goes on to the next list of choices. Returns false after the last one. */
DRIVER static int drive_advances(enum drive_ending ending)
{
    /* The last choice lies beyond the steps of the thread. */
    int beyond = ending == DRIVE_REFUSED && drive->turn && drive->read == drive->count;
    while (drive->count > 0) {
        unsigned last = drive->count - 1;
        if (!beyond && drive->values[last] < drive->most[last]) {
            drive->values[last]++;
            return 1;
        }
        beyond = 0;
        drive->count--;
    }
    return 0;
}

DRIVER int main(void)
{
    unsigned long size = &_end - &__data_start;
    if ((int)THREADS > DRIVE_THREADS)
        drive_stop("too many threads", 2);
    drive = calloc(1, sizeof *drive);
    char *saved = calloc(1, size);
    if (!drive || !saved)
        drive_stop("no memory", 1);
    memcpy(saved, &__data_start, size);
    for (;;) {
        enum drive_ending ending = drive_run_once(saved);
        if (drive->runs > RUNS || drive->states > DRIVE_BUCKETS / 2)
            drive_stop("too many runs", 2);
        if (ending == DRIVE_MORE && drive_extends())
            continue;
        if (!drive_advances(ending))
            break;
    }
    for (unsigned i = 0; i < drive->found; i++) {
        printf("%u", drive->failures[i].line);
        for (int thread = 0; thread < DRIVE_THREADS; thread++)
            if (drive->failures[i].steps[thread] >= 0)
                printf(" L%d_%d", thread, drive->failures[i].steps[thread]);
        puts("");
    }
    printf("%lu runs, %lu states\n", drive->runs, drive->states);
    return 0;
}
