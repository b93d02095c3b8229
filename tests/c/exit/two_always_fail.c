//@ property: assertion verdict: unsafe line: 13
//@ property: division-by-zero verdict: unsafe line: 19
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// Each thread goes wrong in every execution, unless the other one was faster.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps, zero;

static void *one(void *arg) {
    steps++;
    assert(zero != 0);
    return arg;
}

static void *two(void *arg) {
    steps++;
    return (void *)(long)(7 / zero);
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
