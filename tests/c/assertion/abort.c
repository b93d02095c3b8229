//@ property: all verdict: safe
//@ exit: 134
// abort ends the program abnormally but is no violation by itself.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    fprintf(stderr, "giving up\n");
    abort();
}
