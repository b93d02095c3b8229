//@ property: assertion verdict: safe
//@ property: data-race verdict: safe
// What a large block held before the threads started is not known exactly to a formula engine, if only a part of it was
// set: then it may not report what it finds with an arbitrary value.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static unsigned char *block;
static int place;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    assert(block[place] == 0);
    block[60000] = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    block = malloc(100000);
    memset(block, 0, 50000);
    place = __VERIFIER_nondet_int();
    if (place < 0 || place >= 50000)
        return 0;
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_lock(&lock);
    block[60001] = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    free(block);
    return 0;
}

//@ known: order assertion unknown(approximate)
//@ known: explicit all unknown(cut)
//@ known: portfolio assertion unknown(approximate)
