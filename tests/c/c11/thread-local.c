//@ property: all verdict: safe
//@ run: gcc
// Thread-local objects behave as statics in one thread.
#include <stdio.h>

_Thread_local int counter = 5;
static __thread struct { int a; char text[6]; } record = {1, "local"};
extern _Thread_local int later;
static _Thread_local int *pointer;

static int next(void) {
    static _Thread_local int calls;
    return ++calls;
}

int main(void) {
    counter++;
    record.a += counter;
    printf("%d %d %s\n", counter, record.a, record.text);
    pointer = &counter;
    *pointer = 10;
    printf("%d %d\n", counter, later);
    next();
    next();
    printf("%d\n", next());
    later--;
    printf("%d %d\n", later, pointer == &counter);
    return 0;
}

_Thread_local int later = 77;
