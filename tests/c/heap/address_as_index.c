//@ unsupported: 20 control depends on addresses
// A thread computes an index from an address; whether it is inside depends on where the variable lies.
#include <pthread.h>
#include <stdint.h>

static int x;
static uintptr_t index_from_address;
static int table[1];

static void *compute(void *arg) {
    index_from_address = ((uintptr_t)&x >> 8) & 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, compute, 0);
    pthread_join(thread, 0);

    return table[index_from_address];
}
