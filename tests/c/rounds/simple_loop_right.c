//@ property: all verdict: safe
//@ bounds: unwind 2 rounds 1
// simple_loop.c repaired: the loop adds only while there is room.
#include <assert.h>
#include <pthread.h>

#define ROOM 1

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int used;

static void *add(void *arg)
{
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        if (used < ROOM)
            used++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *look(void *arg)
{
    pthread_mutex_lock(&lock);
    assert(used <= ROOM);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t adder, looker;
    pthread_create(&adder, 0, add, 0);
    pthread_create(&looker, 0, look, 0);
    pthread_join(adder, 0);
    pthread_join(looker, 0);
    return 0;
}

//@ known: order all unknown(loop-bound)
