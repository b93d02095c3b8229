//@ property: all verdict: safe
//@ bounds: unwind 2 rounds 2
// pthread5.c repaired: the writer changes both variables in one critical section.
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left, right;

static void *read_both(void *arg)
{
    pthread_mutex_lock(&lock);
    assert(left == right);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *write_both(void *arg)
{
    int value = 0;
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        left = value;
        right = value;
        pthread_mutex_unlock(&lock);
        value = !value;
    }
    return arg;
}

int main(void)
{
    pthread_t reader, writer;
    pthread_create(&reader, 0, read_both, 0);
    pthread_create(&writer, 0, write_both, 0);
    pthread_join(reader, 0);
    pthread_join(writer, 0);
    return 0;
}

//@ known: order all unknown(loop-bound)
