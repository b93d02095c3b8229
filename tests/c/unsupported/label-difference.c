//@ property: all verdict: safe
//@ run: gcc
// The address of a label that is taken but not used for a jump.
#include <stdio.h>

int main(int argc, char **argv) {
    void *target = argc > 10 ? &&far : 0;
    if (target)
        goto *target;
    puts("stayed");
    return 0;
far:
    puts("jumped");
    return 1;
}
