//@ property: assertion verdict: safe
//@ property: memory,lock-misuse verdict: safe
// A section whose assume fails was not entered: nobody sees what it wrote before.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static int ready, mark;

static void *refused(void *arg)
{
    __VERIFIER_atomic_begin();
    mark = 1;
    __VERIFIER_assume(ready);
    mark = 2;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, refused, 0);
    int seen = mark;
    assert(seen != 1);
    return 0;
}
