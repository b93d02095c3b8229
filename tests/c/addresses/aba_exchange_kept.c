//@ property: assertion,memory,data-race,deadlock verdict: safe
// The old record is freed when nobody can have its address any more, so the new one lies elsewhere.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct record {
    long value;
};

static _Atomic(struct record *) current;
static struct record mine;
static struct record *first;
static atomic_int gone;

static void *work(void *unused)
{
    struct record *seen = current;
    if (!seen || gone)
        return unused;
    /* By now it is the first record; what main does from here on may go unnoticed. */
    if (atomic_compare_exchange_strong(&current, &seen, &mine))
        assert(!gone);
    return unused;
}

int main(void)
{
    pthread_t thread;
    first = malloc(sizeof *first);
    current = first;
    pthread_create(&thread, 0, work, 0);
    struct record *fresh = 0;
    if (atomic_exchange(&current, 0) == first) {
        gone = 1;
        fresh = malloc(sizeof *fresh);
        current = fresh;
        pthread_join(thread, 0);
        free(first);
        free(fresh);
    } else {
        pthread_join(thread, 0);
        free(first);
    }
    return 0;
}
