/* Lamport's bakery, THREADS threads, ROUNDS entries each.
   Unsafe: does not wait for those who are just drawing a number. */
#include <assert.h>
#include <pthread.h>

static int drawing[THREADS], number[THREADS], inside;

static void *enter(void *argument)
{
    int own = (int)(long)argument;
    for (int k = 0; k < ROUNDS; k++) {
        int largest = 0;
        drawing[own] = 1;
        for (int t = 0; t < THREADS; t++) {
            int seen = number[t];
            if (seen > largest)
                largest = seen;
        }
        int mine = largest + 1;
        number[own] = mine;
        drawing[own] = 0;
        for (int t = 0; t < THREADS; t++) {
            if (t == own)
                continue;
            if (!UNSAFE)
                WAIT(!drawing[t]);
            int seen;
            WAIT((seen = number[t], seen == 0 || seen > mine || (seen == mine && t > own)));
        }
        inside = own;
        assert(inside == own);
        number[own] = 0;
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
