//@ property: memory-cleanup,memory-leak,assertion verdict: safe
// Handlers that never run are no blocks of the program's, and the ways to end it are different functions.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static void handler(void) {
}

int main(void) {
    void (*normal)(int) = exit, (*quick)(int) = _exit;
    for (int i = 0; i < 5; i++)
        atexit(handler);
    assert(normal != quick);
    _exit(0);
}
