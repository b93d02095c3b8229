//@ property: assertion verdict: unsafe line: 25
// A record of two members is copied before another thread frees it: the copy is over by then, with both members.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct record { int one, two; } *record, copy;
static atomic_int freed;

static void *release(void *arg)
{
    free(record);
    freed = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    record = calloc(1, sizeof *record);
    pthread_create(&thread, 0, release, 0);
    copy = *record;
    // The other thread may be done already.
    assert(!freed);
    return 0;
}
