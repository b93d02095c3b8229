//@ property: assertion,data-race,deadlock,memory verdict: safe
// Where nothing runs at the end, `exit` just ends the program, whoever calls it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x, y;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *argument) {
    pthread_mutex_lock(&guard);
    x++;
    if (x > 5)
        exit(1);
    y = x;
    pthread_mutex_unlock(&guard);
    return 0;
}

int main(void) {
    pthread_t one, two;
    if (pthread_create(&one, 0, count, 0))
        exit(2);
    if (pthread_create(&two, 0, count, 0))
        exit(2);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(y == 2);
    exit(0);
}
