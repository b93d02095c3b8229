//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 18
//@ bounds: unwind 2 rounds 2
// Two variables are meant to be equal whenever the lock is free, but the writer changes them in two critical sections.
// Its first iteration writes what they hold already, and the reader comes before the writer in a round.
// pthread5_vs in table 1 of Inverso et al. (CAV 2014), there with unwind 2 and 2 rounds.
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
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
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

//@ known: order memory,misuse,data-race,deadlock,memory-leak,memory-cleanup,division-by-zero,signed-overflow,shift unknown(loop-bound)
