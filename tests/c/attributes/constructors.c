//@ property: all verdict: safe
//@ run: gcc
// constructors by priority before main, destructors in reverse after it and after atexit handlers.
#include <stdio.h>
#include <stdlib.h>

static int order;

__attribute__((constructor)) static void plain(void) { printf("plain %d\n", order++); }
__attribute__((constructor(300))) static void later(void) { printf("300 %d\n", order++); }
__attribute__((constructor(200))) static void early(void) { printf("200 %d\n", order++); }
__attribute__((destructor)) static void done(void) { printf("done %d\n", order++); }
__attribute__((destructor(200))) static void last(void) { printf("last %d\n", order++); }
__attribute__((destructor(300))) static void nearly(void) { printf("nearly %d\n", order++); }
static void handler(void) { printf("atexit %d\n", order++); }

int main(void) {
    atexit(handler);
    printf("main %d\n", order++);
    return 0;
}
