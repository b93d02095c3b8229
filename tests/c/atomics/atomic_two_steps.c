//@ property: assertion verdict: unsafe line: 19
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// A load and a store of an atomic variable are two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;
static void *add(void *arg) {
    counter = counter + 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(counter == 2);
    return 0;
}
