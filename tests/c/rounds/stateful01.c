//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 33
//@ bounds: unwind 1 rounds 1
// Two threads change two numbers, each under its own mutex, and the second claims that a certain end is never reached,
// although it is whenever the first thread is done. stateful01 in table 1 of Inverso et al. (CAV 2014), there with
// unwind 1 and 1 round.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock_first = PTHREAD_MUTEX_INITIALIZER, lock_second = PTHREAD_MUTEX_INITIALIZER;
static int first = 10, second = 10;

static int change(pthread_mutex_t *lock, int *number, int by)
{
    pthread_mutex_lock(lock);
    *number += by;
    int now = *number;
    pthread_mutex_unlock(lock);
    return now;
}

static void *add_one(void *arg)
{
    change(&lock_first, &first, 1);
    change(&lock_second, &second, 1);
    return arg;
}

static void *add_more(void *arg)
{
    int x = change(&lock_first, &first, 5);
    int y = change(&lock_second, &second, -6);
    assert(x != 16 || y != 5);
    return arg;
}

int main(void)
{
    pthread_t one, more;
    pthread_create(&one, 0, add_one, 0);
    pthread_create(&more, 0, add_more, 0);
    pthread_join(one, 0);
    pthread_join(more, 0);
    return 0;
}
