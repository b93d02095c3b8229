//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 31
//@ bounds: unwind 2 rounds 1
// A loop of any number of iterations adds under a lock as long as there is room, but its test is off by one: the second
// iteration adds one too many. buggy_simple_loop1 in table 1 of Inverso et al. (CAV 2014), there with unwind 2 and
// 1 round.
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
        if (used <= ROOM)
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

//@ known: order memory,misuse,data-race,deadlock,memory-leak,memory-cleanup,division-by-zero,signed-overflow,shift unknown(loop-bound)
