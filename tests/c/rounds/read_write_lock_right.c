//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 2
// read_write_lock.c repaired: the writer waits for readers, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int writing, readers;
static atomic_int value;

static void *write_value(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!writing && !readers);
    writing = 1;
    __VERIFIER_atomic_end();
    value = (int)(long)arg;
    __VERIFIER_atomic_begin();
    writing = 0;
    __VERIFIER_atomic_end();
    return 0;
}

static void *read_value(void *arg)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!writing);
    readers++;
    __VERIFIER_atomic_end();
    int copy = value;
    assert(copy == value);
    __VERIFIER_atomic_begin();
    readers--;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void)
{
    pthread_t threads[4];
    pthread_create(&threads[0], 0, write_value, (void *)1);
    pthread_create(&threads[1], 0, read_value, 0);
    pthread_create(&threads[2], 0, write_value, (void *)2);
    pthread_create(&threads[3], 0, read_value, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}
