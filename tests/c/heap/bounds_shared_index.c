//@ property: all verdict: safe
//@ property: out-of-bounds verdict: unsafe line: 17
// The index is checked and used under different sections of the lock: both threads take the last place.
#include <pthread.h>

struct queue { int slots[2]; int count; int dropped; };
static struct queue q = {.count = 1};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *put(void *arg) {
    pthread_mutex_lock(&m);
    int room = q.count < 2;
    pthread_mutex_unlock(&m);
    if (room) {
        pthread_mutex_lock(&m);
        int at = q.count++;
        q.slots[at] = 1;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, put, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
