//@ property: assertion verdict: unsafe line: 23
//@ property: data-race,deadlock,lock-misuse verdict: safe
// Three equal threads under a lock: an order of them is as good as any other, and one of them shows the bug.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn, order;

static void *work(void *arg) {
    pthread_mutex_lock(&m);
    int own = ++turn;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    order = order * 10 + own;
    pthread_mutex_unlock(&m);
    return 0;
}

static void check(void) {
    int last = order;
    // The second parts in the opposite order of the first.
    assert(last != 321);
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(order >= 123 && order <= 321);
    check();
    return 0;
}
