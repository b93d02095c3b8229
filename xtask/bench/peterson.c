/* Peterson's lock, ROUNDS times in each of two threads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;

static void *enter(void *given)
{
    int self = given != 0, other = !self;
    for (int i = 0; i < ROUNDS; i++) {
        wants[self] = 1;
        turn = other;
        while (wants[other] && turn == other)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        wants[self] = 0;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, &b);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
