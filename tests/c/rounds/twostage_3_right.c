//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 1
// twostage_3.c repaired: writers and reader keep the first lock until they are done with the second.
#include <assert.h>
#include <pthread.h>

#define WRITERS 2

static pthread_mutex_t lock_number = PTHREAD_MUTEX_INITIALIZER, lock_next = PTHREAD_MUTEX_INITIALIZER;
static int number, next;

static void *write_both(void *arg)
{
    pthread_mutex_lock(&lock_number);
    number = 1;
    pthread_mutex_lock(&lock_next);
    next = number + 1;
    pthread_mutex_unlock(&lock_next);
    pthread_mutex_unlock(&lock_number);
    return arg;
}

static void *read_both(void *arg)
{
    pthread_mutex_lock(&lock_number);
    int mine = number;
    pthread_mutex_lock(&lock_next);
    int after = next;
    pthread_mutex_unlock(&lock_next);
    pthread_mutex_unlock(&lock_number);
    assert(mine == 0 || after == mine + 1);
    return arg;
}

int main(void)
{
    pthread_t writers[WRITERS], reader;
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], 0, write_both, 0);
    pthread_create(&reader, 0, read_both, 0);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], 0);
    pthread_join(reader, 0);
    return 0;
}
