//@ property: out-of-bounds verdict: unsafe line: 9
// No room for the terminator.
#include <stdlib.h>
#include <string.h>

static char *duplicate(const char *s) {
    char *copy = malloc(strlen(s));
    for (size_t i = 0; i <= strlen(s); i++)
        copy[i] = s[i];
    return copy;
}

int main(void) {
    free(duplicate("text"));
    return 0;
}
