/* A small program as people write them: thirty lines, two threads, a lock. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *withdraw(void *amount)
{
    pthread_mutex_lock(&lock);
    if (balance >= *(int *)amount)
        balance -= *(int *)amount;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    int amounts[2] = { 70, 60 };
    pthread_t customers[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&customers[i], 0, withdraw, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(customers[i], 0);

    assert(balance == 30 || balance == 40);
    assert(balance >= 0);
    return 0;
}
