//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 6
// fib_6.c repaired: the second number may reach 377, and never more.
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
    assert(right <= 377);
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
