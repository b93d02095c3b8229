//@ property: out-of-bounds verdict: unsafe line: 7
// A library function writes past the end: the place is the call.
#include <string.h>

static void greet(char *out, const char *name) {
    strcpy(out, "hello, ");
    strcat(out, name);
}

int main(void) {
    char buffer[12];
    greet(buffer, "you");
    greet(buffer, "world");
    return 0;
}
