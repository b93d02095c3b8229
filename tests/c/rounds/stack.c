//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 36
//@ bounds: unwind 2 rounds 1
// One thread pushes and another pops, as often as they like, and a flag says that there is something to pop. Nobody
// takes the flag back when the stack is empty again, so that the second pop finds nothing. stack in table 1 of Inverso
// et al. (CAV 2014), there with unwind 2 and 1 round.
#include <assert.h>
#include <pthread.h>

#define SIZE 3

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[SIZE], height, filled;

static void *push(void *arg)
{
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        if (height < SIZE) {
            stack[height] = height;
            height++;
            filled = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *pop(void *arg)
{
    while (__VERIFIER_nondet_bool()) {
        pthread_mutex_lock(&lock);
        if (filled) {
            assert(height > 0);
            height--;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t pusher, popper;
    pthread_create(&pusher, 0, push, 0);
    pthread_create(&popper, 0, pop, 0);
    pthread_join(pusher, 0);
    pthread_join(popper, 0);
    return 0;
}

//@ known: order memory,misuse,data-race,deadlock,memory-leak,memory-cleanup,division-by-zero,signed-overflow,shift unknown(loop-bound)
