// Withdrawals check the balance and then take the money, each under the lock, but not both under one:
// two withdrawals can pass the check before either pays out. There is no data race here.
#include <assert.h>
#include <pthread.h>

static int balance = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int covers(int amount)
{
    pthread_mutex_lock(&lock);
    int enough = balance >= amount;
    pthread_mutex_unlock(&lock);
    return enough;
}

static void *withdraw(void *unused)
{
    (void)unused;
    if (covers(80)) {
        pthread_mutex_lock(&lock);
        balance -= 80;
        assert(balance >= 0);
        pthread_mutex_unlock(&lock);
    }
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
