/* PAIRS threads set a value in two stages, each under a mutex of its own, ROUNDS times; as many look at the stages
   as often, the second one first: who finds the second stage done finds the first one done.
   Unsafe: looks at the first stage first, and takes the second for done if the first is. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first_mutex = PTHREAD_MUTEX_INITIALIZER, second_mutex = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *set(void *unused)
{
    for (int k = 0; k < ROUNDS; k++) {
        pthread_mutex_lock(&first_mutex);
        first = 1;
        pthread_mutex_unlock(&first_mutex);
        pthread_mutex_lock(&second_mutex);
        second = first + 1;
        pthread_mutex_unlock(&second_mutex);
    }
    return unused;
}

static int look_at(pthread_mutex_t *mutex, int *stage)
{
    pthread_mutex_lock(mutex);
    int seen = *stage;
    pthread_mutex_unlock(mutex);
    return seen;
}

static void *look(void *unused)
{
    for (int k = 0; k < ROUNDS; k++) {
#if UNSAFE
        int early = look_at(&first_mutex, &first);
        if (early == 0)
            continue;
        int late = look_at(&second_mutex, &second);
#else
        int late = look_at(&second_mutex, &second);
        if (late == 0)
            continue;
        int early = look_at(&first_mutex, &first);
#endif
        assert(late == early + 1);
    }
    return unused;
}

int main(void)
{
    pthread_t setters[PAIRS], lookers[PAIRS];
    for (int t = 0; t < PAIRS; t++)
        pthread_create(&setters[t], 0, set, 0);
    for (int t = 0; t < PAIRS; t++)
        pthread_create(&lookers[t], 0, look, 0);
    for (int t = 0; t < PAIRS; t++)
        pthread_join(setters[t], 0);
    for (int t = 0; t < PAIRS; t++)
        pthread_join(lookers[t], 0);
    return 0;
}
