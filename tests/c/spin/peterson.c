//@ property: all verdict: safe
//@ run: gcc
// Mutual exclusion by loads and stores alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int x;

static void *enter(void *arg) {
    int own = (int)(long)arg, other = 1 - own;
    wants[own] = 1;
    turn = other;
    while (wants[other] && turn == other)
        ;
    x++;
    wants[own] = 0;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, enter, (void *)1);
    enter((void *)0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
