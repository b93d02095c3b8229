//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
//@ run: gcc
//@ exit: 3
// exit in any thread ends the program: main never returns from its join.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *leave(void *arg) {
    exit(3);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, leave, 0);
    pthread_join(t, 0);
    assert(0);
}
