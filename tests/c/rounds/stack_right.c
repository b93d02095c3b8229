//@ property: all verdict: safe
//@ bounds: unwind 2 rounds 1
// stack.c repaired: the thread that pops the last element takes the flag back.
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
            filled = height > 0;
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

//@ known: order all unknown(loop-bound)
