//@ property: assertion verdict: unsafe line: 25
//@ property: memory,data-race,deadlock verdict: safe
// The exchange succeeds although the record was replaced: the new one lies where the old one was.
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
        free(first);
        fresh = malloc(sizeof *fresh);
        current = fresh;
        pthread_join(thread, 0);
        free(fresh);
    } else {
        pthread_join(thread, 0);
        free(first);
    }
    return 0;
}

//@ known: order memory,data-race,deadlock,assertion unknown(addresses)
