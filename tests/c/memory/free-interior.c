//@ property: invalid-free verdict: unsafe line: 11
// free of a pointer that has moved on.
#include <stdlib.h>

int main(void) {
    char *text = malloc(8);
    text[0] = ' ';
    text[1] = 0;
    while (*text == ' ')
        text++;
    free(text);
    return 0;
}
