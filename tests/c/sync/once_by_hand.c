//@ property: data-race verdict: unsafe
//@ property: assertion verdict: unsafe line: 22
//@ property: deadlock,lock-misuse,memory verdict: safe
// A flag of one's own is no once.
#include <assert.h>
#include <pthread.h>

static int done, runs;

static void *work(void *arg) {
    if (!done) {
        runs++;
        done = 1;
    }
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(runs == 1);
    return 0;
}
