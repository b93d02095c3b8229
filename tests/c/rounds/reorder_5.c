//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 25
//@ bounds: unwind 1 rounds 1
// Setters write two variables one after the other, and a checker claims to see both writes or none. reorder.5 in
// table 1 of Inverso et al. (CAV 2014), there with unwind 4 and 1 round; the loops here have constant counts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SETTERS 5
#define CHECKERS 1

static atomic_int a, b;

static void *set(void *arg)
{
    a = 1;
    b = -1;
    return arg;
}

static void *check(void *arg)
{
    int first = a, second = b;
    assert((first == 0 && second == 0) || (first == 1 && second == -1));
    return arg;
}

int main(void)
{
    pthread_t setters[SETTERS], checkers[CHECKERS];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&setters[i], 0, set, 0);
    for (int i = 0; i < CHECKERS; i++)
        pthread_create(&checkers[i], 0, check, 0);
    for (int i = 0; i < SETTERS; i++)
        pthread_join(setters[i], 0);
    for (int i = 0; i < CHECKERS; i++)
        pthread_join(checkers[i], 0);
    return 0;
}
