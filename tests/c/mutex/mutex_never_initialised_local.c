//@ property: lock-misuse verdict: unsafe
// A mutex in a frame that the thread gets before it has been initialised.
#include <pthread.h>

struct shared {
    pthread_mutex_t lock;
    int value;
};

static void *work(void *arg);

int main(void) {
    struct shared shared;
    pthread_t t;
    pthread_create(&t, 0, work, &shared);
    pthread_mutex_init(&shared.lock, 0);
    pthread_join(t, 0);
    return 0;
}
static void *work(void *arg)
{
    struct shared *shared = arg;
    pthread_mutex_lock(&shared->lock);
    pthread_mutex_unlock(&shared->lock);
    return 0;
}
