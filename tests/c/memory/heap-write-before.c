//@ property: out-of-bounds verdict: unsafe line: 9
// One byte before a heap block.
#include <stdlib.h>

int main(void) {
    char *text = malloc(4);
    char *end = text + 3;
    while (1) {
        *end = 'x';
        if (end < text - 1)
            break;
        end--;
    }
    free(text);
    return 0;
}
