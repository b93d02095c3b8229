//@ property: assertion verdict: unsafe
// A pointer somewhere in a large array is read at any byte.
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static char table[40000];
static int object;
static unsigned place;

static void *work(void *arg)
{
    void *found = *(void **)(table + place);
    assert(found == &object || found == 0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    unsigned index = __VERIFIER_nondet_int();
    *(void **)(table + 8 * (index % 4000)) = &object;
    place = __VERIFIER_nondet_int();
    __VERIFIER_assume(place < 39992);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    table[0] = 0;
    return 0;
}
