//@ property: assertion,data-race,deadlock verdict: safe
// However long a section takes that starts a thread, the thread runs after it.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;

static void *reader(void *arg)
{
    __VERIFIER_atomic_begin();
    assert(x == 0);
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t thread;
    __VERIFIER_atomic_begin();
    pthread_create(&thread, 0, reader, 0);
    x = 1;
    for (int i = 0; i < 6000; i++);
    x = 0;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
