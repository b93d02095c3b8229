//@ property: all verdict: safe
// The amount decides who gives, not which mutex comes first.
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int in_a, in_b;

static void move(int amount)
{
    pthread_mutex_t *first = &a, *second = &b;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    in_a -= amount;
    in_b += amount;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *work(void *unused)
{
    move(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int amount = __VERIFIER_nondet_bool() ? 1 : -1;
    pthread_create(&thread, 0, work, 0);
    move(amount);
    pthread_join(thread, 0);
    return 0;
}
