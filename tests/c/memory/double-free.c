//@ property: invalid-free verdict: unsafe line: 15
// An error path frees what the caller frees again.
#include <stdlib.h>

static int parse(char *buffer, int fail) {
    if (fail)
        free(buffer);
    return !fail;
}

int main(void) {
    char *b = malloc(16);
    parse(b, 0);
    parse(b, 1);
    free(b);
    return 0;
}
