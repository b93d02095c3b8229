/* THREADS dining philosophers, one of them left-handed, who eat ROUNDS times. */
#include <pthread.h>

static pthread_mutex_t forks[THREADS];
static int meals[THREADS];

static void *dine(void *given)
{
    int self = (int)(long)given, other = (self + 1) % THREADS;
    int low = self < other ? self : other, high = self < other ? other : self;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&forks[low]);
        pthread_mutex_lock(&forks[high]);
        meals[self]++;
        pthread_mutex_unlock(&forks[high]);
        pthread_mutex_unlock(&forks[low]);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, dine, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
