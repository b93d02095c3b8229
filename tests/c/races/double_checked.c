//@ property: all verdict: safe
//@ run: gcc
// Double-checked locking with an atomic pointer, set when the object is complete.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int object;
static int *_Atomic shown;

static int *get(void)
{
    if (!shown) {
        pthread_mutex_lock(&mutex);
        if (!shown) {
            object = 42;
            shown = &object;
        }
        pthread_mutex_unlock(&mutex);
    }
    return shown;
}

static void *use(void *unused)
{
    int seen = *get();
    return seen == 7 ? &object : unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    use(0);
    pthread_join(thread, 0);
    return 0;
}
