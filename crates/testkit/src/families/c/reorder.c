/* PAIRS threads write first one variable, then the other, ROUNDS times; as many look at both as often, in the
   opposite order: who sees a second write sees a first one.
   Unsafe: looks at them in the order of the writes. */
#include <assert.h>
#include <pthread.h>

static int first, second;

static void *set(void *unused)
{
    for (int k = 0; k < ROUNDS; k++) {
        first = 1;
        second = -1;
    }
    return unused;
}

static void *look(void *unused)
{
    for (int k = 0; k < ROUNDS; k++) {
#if UNSAFE
        int early = first;
        int late = second;
#else
        int late = second;
        int early = first;
#endif
        assert(late == 0 || early == 1);
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
