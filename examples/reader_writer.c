// Two balances always add up to 100, which readers rely on. So that readers need not starve, the writer
// lets go of the lock between its two changes, and it is the invariant that starves: a reader coming in
// there sees money missing.
#include <assert.h>
#include <pthread.h>

static int left = 100, right;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    assert(left + right == 100);
    pthread_rwlock_unlock(&lock);
    return 0;
}

static void *writer(void *unused)
{
    (void)unused;
    pthread_rwlock_wrlock(&lock);
    left -= 30;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_wrlock(&lock);
    right += 30;
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
