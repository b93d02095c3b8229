//@ unsupported: 21 control depends on addresses
// An address is stored as a pointer, copied byte by byte, and looked at as a number.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int x;
static int *shared;

static void *publish(void *arg) {
    shared = &x;
    return arg;
}

int main(void) {
    pthread_t thread;
    long number;
    pthread_create(&thread, 0, publish, 0);
    pthread_join(thread, 0);
    memcpy(&number, &shared, sizeof number);
    if (number & 0x100)
        assert(0);
    return 0;
}
