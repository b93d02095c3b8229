//@ property: assertion verdict: unsafe line: 20
//@ property: data-race verdict: unsafe
//@ property: deadlock,lock-misuse,memory verdict: safe
// However long one sleeps, the other thread may not have run.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int x;

static void *set(void *arg) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    sleep(10);
    int now = x;
    assert(now == 1);
    pthread_join(t, 0);
    return 0;
}
