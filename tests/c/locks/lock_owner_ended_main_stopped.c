//@ property: deadlock verdict: unsafe line: 19
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// The owner of a mutex has ended, and who waits for it waits for ever, also if an assumption has stopped
// everybody else.
#include <pthread.h>

void __VERIFIER_assume(int condition);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *owner(void *arg)
{
    pthread_mutex_lock(&m);
    return arg;
}

static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, owner, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, waiter, 0);
    __VERIFIER_assume(0);
    return 0;
}
