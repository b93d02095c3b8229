//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: data-race verdict: unsafe line: 26
//@ property: lock-misuse verdict: unsafe line: 17
// The pointer to the lock is exchanged while threads run: two of them may hold different locks, or give back another
// than they took.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *lock;
static unsigned n;

static void *worker(void *unused)
{
    pthread_mutex_lock(lock);
    n++;
    pthread_mutex_unlock(lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    lock = &m;
    while (1)
        pthread_create(&t, 0, worker, 0), lock = &other;
}

//@ known: order memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: explicit memory,misuse,assertion,deadlock,division-by-zero unknown(limit)
//@ known: portfolio memory,assertion,deadlock,thread-misuse,division-by-zero unknown(loop-bound)
//@ known: lockset memory,assertion,deadlock,thread-misuse,division-by-zero unknown(unproved)
