//@ property: invalid-free verdict: unsafe line: 10
// free of a default value that is a string literal.
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *name = strdup("given");
    free(name);
    name = "default";
    free(name);
    return 0;
}
