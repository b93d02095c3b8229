//@ property: assertion verdict: unsafe line: 24
// One variable holds an address on one path and, on the other, a number made of one.
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);

static int first, second;
static long shared;

static void *work(void *unused)
{
    shared = (long)&second & 0xff8;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    int either = __VERIFIER_nondet_int();
    long value = either ? (long)&first : shared;
    if (!either)
        assert(!value);
    return 0;
}

//@ known: order assertion unknown(addresses)
