/* Szymanski's waiting room, THREADS threads, ROUNDS entries each; each flag is looked at by itself.
   0: elsewhere, 1: wants to enter, 2: waits for others to come in, 3: in the doorway, 4: in the room.
   Unsafe: does not wait for threads of a smaller number to leave the room. */
#include <assert.h>
#include <pthread.h>

static int flag[THREADS], inside;

static int some(int own, int value)
{
    for (int t = 0; t < THREADS; t++)
        if (t != own && flag[t] == value)
            return 1;
    return 0;
}

static void *enter(void *argument)
{
    int own = (int)(long)argument;
    for (int k = 0; k < ROUNDS; k++) {
        flag[own] = 1;
        for (int t = 0; t < THREADS; t++)
            if (t != own)
                WAIT(flag[t] < 3);
        flag[own] = 3;
        if (some(own, 1)) {
            flag[own] = 2;
            WAIT(some(own, 4));
        }
        flag[own] = 4;
        for (int t = 0; t < own && !UNSAFE; t++)
            WAIT(flag[t] < 2);
        inside = own;
        assert(inside == own);
        for (int t = own + 1; t < THREADS; t++) {
            int seen;
            WAIT((seen = flag[t], seen < 2 || seen > 3));
        }
        flag[own] = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long t = 1; t < THREADS; t++)
        pthread_create(&threads[t], 0, enter, (void *)t);
    enter((void *)0);
    for (int t = 1; t < THREADS; t++)
        pthread_join(threads[t], 0);
    return 0;
}
