// torn_read.c repaired: both copies are made under one lock.
#include <assert.h>
#include <pthread.h>

struct position {
    int x, y;
};

static struct position position;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *move(void *unused)
{
    (void)unused;
    struct position there = { 7, 7 };
    pthread_mutex_lock(&lock);
    position = there;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, move, 0);
    pthread_mutex_lock(&lock);
    struct position seen = position;
    pthread_mutex_unlock(&lock);
    assert(seen.x == seen.y);
    pthread_join(thread, 0);
    return 0;
}
