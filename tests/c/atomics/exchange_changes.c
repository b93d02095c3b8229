//@ property: assertion verdict: unsafe line: 26
// The loop goes on twice after it has changed the variable: both times the other thread needs to see that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
static atomic_int state = 1;

static void *answer(void *arg)
{
    __VERIFIER_assume(atomic_load(&state) == 2);
    atomic_store(&state, 1);
    __VERIFIER_assume(atomic_load(&state) == 2);
    atomic_store(&state, 0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, answer, 0);
    while (atomic_exchange(&state, 2) != 0)
        ;
    /* Here it comes after three rounds. */
    assert(0);
    return 0;
}
