//@ property: memory-leak verdict: unsafe
//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
// Without a destructor the value of an ended thread is lost.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work(void *arg) {
    pthread_setspecific(key, malloc(8));
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, 0);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
