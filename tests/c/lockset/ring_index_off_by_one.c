//@ property: out-of-bounds verdict: unsafe line: 13
// A ring whose index reaches its size.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ring[2];
static unsigned head;

static void *worker(void *unused)
{
    while (1) {
        pthread_mutex_lock(&m);
        ring[head] = 1;
        head = (head + 1) % 3;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
