//@ property: all verdict: safe
//@ run: gcc
// The index is checked and used in one section of the lock.
#include <pthread.h>

struct queue { int slots[2]; int count; int dropped; };
static struct queue q = {.count = 1};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *arg) {
    pthread_mutex_lock(&m);
    if (q.count < 2)
        q.slots[q.count++] = 1;
    else
        q.dropped++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, put, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return q.dropped != 1;
}
