//@ property: all verdict: safe
//@ property: thread-misuse verdict: unsafe line: 10
//@ run: gcc
// A thread cannot wait for itself; glibc says so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    return 0;
}
