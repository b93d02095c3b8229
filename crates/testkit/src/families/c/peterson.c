/* Peterson's mutual exclusion of two threads, ROUNDS entries each.
   Unsafe: gives way before saying that it wants to enter. */
#include <assert.h>
#include <pthread.h>

static int wants[2], turn, inside;

static void *enter(void *argument)
{
    int own = (int)(long)argument, other = 1 - own;
    for (int k = 0; k < ROUNDS; k++) {
#if UNSAFE
        turn = other;
        wants[own] = 1;
#else
        wants[own] = 1;
        turn = other;
#endif
        WAIT(!wants[other] || turn == own);
        inside = own;
        assert(inside == own);
        wants[own] = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, enter, (void *)1);
    enter((void *)0);
    pthread_join(thread, 0);
    return 0;
}
