/* Dekker's mutual exclusion of two threads, ROUNDS entries each. Who has the turn keeps it until it has been
   inside, so backing off once is enough.
   Unsafe: after backing off it takes the turn for permission and does not look at the other's wish again. */
#include <assert.h>
#include <pthread.h>

static int wants[2], turn, inside;

static void *enter(void *argument)
{
    int own = (int)(long)argument, other = 1 - own;
    for (int k = 0; k < ROUNDS; k++) {
        wants[own] = 1;
        if (wants[other]) {
            int back_off = turn != own;
            if (back_off) {
                wants[own] = 0;
                WAIT(turn == own);
                wants[own] = 1;
            }
            if (!back_off || !UNSAFE)
                WAIT(!wants[other]);
        }
        inside = own;
        assert(inside == own);
        turn = other;
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
