//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 24
//@ bounds: unwind 1 rounds 6
// Two threads add to each other's number six times. The second number reaches the Fibonacci number 377 only if they
// take turns throughout, and each turn needs a round. fib_bench.longer in table 1 of Inverso et al. (CAV 2014), there
// with unwind 6 and 6 rounds; the loops here have constant counts, so that no bound on them is needed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 1, right = 1;

static void *add_to_left(void *arg)
{
    for (int i = 0; i < 6; i++)
        left += right;
    return arg;
}

static void *add_to_right(void *arg)
{
    for (int i = 0; i < 6; i++)
        right += left;
    assert(right < 377);
    return arg;
}

int main(void)
{
    pthread_t second;
    pthread_create(&second, 0, add_to_right, 0);
    add_to_left(0);
    pthread_join(second, 0);
    return 0;
}
