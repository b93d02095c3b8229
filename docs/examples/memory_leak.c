// Two threads make the same thing lazily; one of them is lost. FIXED: whoever comes second frees its own.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *get(void *unused)
{
    (void)unused;
    if (!shared) {
        int *made = malloc(sizeof *made);
#ifdef FIXED
        int *expected = 0;
        if (!atomic_compare_exchange_strong(&shared, &expected, made))
            free(made);
#else
        shared = made;
#endif
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, get, 0);
    get(0);
    pthread_join(thread, 0);
    return 0;
}
