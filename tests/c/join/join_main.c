//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
// main can end as a thread and be joined like one.
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;
static int value;

static void *wait_for_main(void *arg) {
    void *result = 0;
    assert(pthread_join(main_thread, &result) == 0);
    assert(result == &value && value == 7);
    return 0;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, 0, wait_for_main, 0);
    value = 7;
    pthread_exit(&value);
}
