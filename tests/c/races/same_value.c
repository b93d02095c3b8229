//@ property: all verdict: safe
//@ run: gcc
// Both write the same value, atomically.
#include <pthread.h>

static _Atomic int done;

static void *finish(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, finish, 0);
    finish(0);
    pthread_join(thread, 0);
    return done - 1;
}
