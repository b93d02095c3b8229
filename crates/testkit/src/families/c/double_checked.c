/* THREADS threads get a common object that the first of them makes: looked at without the mutex, and once more
   under it (double-checked initialisation).
   Unsafe: shows the object before it is ready. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int made, object, *shown;

static int *get(void)
{
    int *seen = __atomic_load_n(&shown, __ATOMIC_SEQ_CST);
    if (!seen) {
        pthread_mutex_lock(&mutex);
        if (!shown) {
#if UNSAFE
            __atomic_store_n(&shown, &object, __ATOMIC_SEQ_CST);
            object = 42;
#else
            object = 42;
            __atomic_store_n(&shown, &object, __ATOMIC_SEQ_CST);
#endif
            made++;
        }
        pthread_mutex_unlock(&mutex);
        seen = shown;
    }
    return seen;
}

static void *use(void *unused)
{
    for (int k = 0; k < ROUNDS; k++)
        assert(*get() == 42);
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], 0, use, 0);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], 0);
    assert(made == 1);
    return 0;
}
