//@ property: lock-misuse verdict: unsafe line: 9
// Static storage is not enough: a barrier takes as many threads as its initialisation says.
#include <pthread.h>

static pthread_barrier_t b;

int main(void)
{
    pthread_barrier_wait(&b);
    return 0;
}
