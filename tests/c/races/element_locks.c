//@ property: all verdict: safe
//@ run: gcc
// Each element has a lock of its own.
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int cell[2];

static void add(int at, int which)
{
    pthread_mutex_lock(&lock[which]);
    cell[at]++;
    pthread_mutex_unlock(&lock[which]);
}

static void *work(void *unused)
{
    add(0, 0);
    add(1, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    add(1, 1);
    add(0, 0);
    pthread_join(thread, 0);
    return 0;
}
