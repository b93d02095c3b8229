// The configuration is made by whoever needs it first. The quick look at the pointer takes no lock, and
// the pointer is set before what it points to is filled in: another thread can use an empty one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct config {
    int limit;
};

static struct config *config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void)
{
    if (!config) {
        pthread_mutex_lock(&lock);
        if (!config) {
            config = calloc(1, sizeof *config);
            config->limit = 10;
        }
        pthread_mutex_unlock(&lock);
    }
    return config;
}

static void *user(void *unused)
{
    (void)unused;
    assert(get()->limit == 10);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, user, 0);
    user(0);
    pthread_join(thread, 0);
    free(config);
    return 0;
}
