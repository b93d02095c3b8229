//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// main waits for the thread, the thread for main.
#include <pthread.h>

static pthread_t main_thread;

static void *wait_for_main(void *arg) {
    pthread_join(main_thread, 0);
    return 0;
}

int main(void) {
    pthread_t t;
    main_thread = pthread_self();
    pthread_create(&t, 0, wait_for_main, 0);
    pthread_join(t, 0);
    return 0;
}
