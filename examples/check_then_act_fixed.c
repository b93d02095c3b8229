// check_then_act.c repaired: the check and the withdrawal stand under the same lock.
#include <assert.h>
#include <pthread.h>

static int balance = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *withdraw(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    if (balance >= 80) {
        balance -= 80;
        assert(balance >= 0);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, withdraw, 0);
    pthread_create(&b, 0, withdraw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
