//@ property: use-after-free verdict: unsafe line: 11
// A library function reads a freed block.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = strdup("gone");
    puts(text);
    free(text);
    puts(text);
    return 0;
}
