//@ property: data-race verdict: unsafe line: 11
//@ property: assertion verdict: unsafe line: 21
//@ property: deadlock,lock-misuse,memory verdict: safe
// The lost update.
#include <assert.h>
#include <pthread.h>

static int counter;

static void *add(void *arg) {
    counter++;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
