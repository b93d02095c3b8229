//@ property: data-race verdict: unsafe
//@ property: deadlock,lock-misuse,memory verdict: safe
// One byte in common is enough.
#include <pthread.h>
#include <string.h>

static char buffer[8];

static void *fill(void *arg) {
    memset(buffer, 1, 5);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, fill, 0);
    memset(buffer + 4, 2, 4);
    pthread_join(t, 0);
    return 0;
}
