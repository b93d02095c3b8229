//@ property: data-race verdict: unsafe
//@ property: assertion verdict: unsafe line: 29
//@ property: division-by-zero verdict: unsafe line: 19
//@ property: deadlock,lock-misuse,memory verdict: safe
// Line 19 races with line 13, and with line 14; two other properties are violated besides.
#include <assert.h>
#include <pthread.h>

static int divisor = 1, sum;

static void *writer(void *arg) {
    (void)arg;
    divisor = 0;
    int seen = sum;
    return (void *)(long)seen;
}

static void *reader(void *arg) {
    sum = 6 / divisor;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(sum == 0);
    return 0;
}
