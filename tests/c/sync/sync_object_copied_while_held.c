//@ unsupported: 23 copy of a synchronisation object
// Whether the mutex is in use when it is copied depends on the other thread.
#include <pthread.h>

struct pair {
    pthread_mutex_t mutex;
    int value;
};
static struct pair a = {PTHREAD_MUTEX_INITIALIZER, 1};

static void *lock(void *arg)
{
    pthread_mutex_lock(&a.mutex);
    pthread_mutex_unlock(&a.mutex);
    return arg;
}

int main(void)
{
    pthread_t thread;
    struct pair b;
    pthread_create(&thread, 0, lock, 0);
    b = a;
    pthread_mutex_lock(&b.mutex);
    pthread_mutex_unlock(&b.mutex);
    pthread_join(thread, 0);
    return 0;
}
