//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 1
// reorder_5.c repaired: a mutex makes the two writes one step, and the two reads, too.
#include <assert.h>
#include <pthread.h>

#define SETTERS 5
#define CHECKERS 1

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void *set(void *arg)
{
    pthread_mutex_lock(&lock);
    a = 1;
    b = -1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *check(void *arg)
{
    pthread_mutex_lock(&lock);
    int first = a, second = b;
    pthread_mutex_unlock(&lock);
    assert((first == 0 && second == 0) || (first == 1 && second == -1));
    return arg;
}

int main(void)
{
    pthread_t setters[SETTERS], checkers[CHECKERS];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&setters[i], 0, set, 0);
    for (int i = 0; i < CHECKERS; i++)
        pthread_create(&checkers[i], 0, check, 0);
    for (int i = 0; i < SETTERS; i++)
        pthread_join(setters[i], 0);
    for (int i = 0; i < CHECKERS; i++)
        pthread_join(checkers[i], 0);
    return 0;
}
