// double_checked.c repaired: the pointer is atomic and set last, so whoever sees it sees a full one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
    int limit;
};

static struct config *_Atomic config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get(void)
{
    struct config *found = config;
    if (!found) {
        pthread_mutex_lock(&lock);
        found = config;
        if (!found) {
            found = calloc(1, sizeof *found);
            found->limit = 10;
            config = found;
        }
        pthread_mutex_unlock(&lock);
    }
    return found;
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
