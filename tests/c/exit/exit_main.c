//@ property: assertion verdict: unsafe line: 8
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// pthread_exit in main does not end the program: the other thread always goes on.
#include <assert.h>
#include <pthread.h>

static void *go_on(void *arg) {
    assert(!"reached");
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, go_on, 0);
    pthread_exit(0);
}
