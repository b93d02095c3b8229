//@ property: assertion verdict: unsafe line: 13
//@ property: memory-leak verdict: unsafe line: 20
//@ property: data-race,deadlock,memory verdict: safe
// One thread may fail, and another loses a block in any case.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int n;

static void *fails(void *argument) {
    assert(n == 0);
    return 0;
}

static void *loses(void *argument) {
    n = 1;
    n = 0;
    return malloc(sizeof(int)) == argument ? argument : 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, fails, 0);
    pthread_create(&two, 0, loses, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
