//@ property: data-race verdict: unsafe line: 17
//@ property: assertion,deadlock,lock-misuse,null-deref,out-of-bounds,invalid-free verdict: safe
//@ property: use-after-free verdict: unsafe
// Uses the block after it has given up its share of it. Lines 15 and 17 race.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static int *block;

static void *use(void *unused)
{
    int last = atomic_fetch_sub(&users, 1) == 1;
    int seen = *block;
    if (last)
        free(block);
    return seen == 7 ? &users : unused;
}

int main(void)
{
    pthread_t thread;
    block = calloc(1, sizeof *block);
    pthread_create(&thread, 0, use, 0);
    use(0);
    pthread_join(thread, 0);
    return 0;
}
