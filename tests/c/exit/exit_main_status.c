//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
// When the last thread ends, the program ends with status 0.
#include <pthread.h>

static void *nothing(void *arg) {
    return (void *)5;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, nothing, 0);
    pthread_exit((void *)7);
}
