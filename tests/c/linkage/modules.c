//@ property: all verdict: safe
//@ files: modules-stack.c modules-queue.c
//@ run: gcc
// A program of three files with a shared header, as people write them.
#include "modules.h"
#include <stdio.h>

static void run(const struct container *c) {
    void *it = c->create();
    for (int i = 1; i <= 5; i++)
        c->put(it, i * i);
    printf("%s:", c->name);
    for (int v; (v = c->take(it)) >= 0;)
        printf(" %d", v);
    puts("");
    c->destroy(it);
}

int main(void) {
    run(&stack);
    run(&queue);
    printf("%d\n", container_count);
    return 0;
}
