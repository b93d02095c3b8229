/* WRITERS threads change two variables under the write lock, READERS threads compare them under the read lock,
   ROUNDS times each.
   Unsafe: the writers take the read lock. */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *change(void *unused)
{
    for (int k = 0; k < ROUNDS; k++) {
#if UNSAFE
        pthread_rwlock_rdlock(&lock);
#else
        pthread_rwlock_wrlock(&lock);
#endif
        left++;
        right++;
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *compare(void *unused)
{
    for (int k = 0; k < ROUNDS; k++) {
        pthread_rwlock_rdlock(&lock);
        assert(left == right);
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t writers[WRITERS], readers[READERS];
    for (int t = 0; t < WRITERS; t++)
        pthread_create(&writers[t], 0, change, 0);
    for (int t = 0; t < READERS; t++)
        pthread_create(&readers[t], 0, compare, 0);
    for (int t = 0; t < WRITERS; t++)
        pthread_join(writers[t], 0);
    for (int t = 0; t < READERS; t++)
        pthread_join(readers[t], 0);
    assert(left == WRITERS * ROUNDS && right == left);
    return 0;
}
