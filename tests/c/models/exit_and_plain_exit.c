//@ property: assertion verdict: safe
// Without handlers both ways to end a program do the same, and are different functions all the same.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    void (*normal)(int) = exit, (*quick)(int) = _exit;
    assert(normal != quick);
    normal(0);
}
