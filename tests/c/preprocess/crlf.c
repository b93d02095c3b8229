//@ property: all verdict: safe
//@ run: gcc
// Windows line ends are white space.
#include <stdio.h>
int main(void) {
    printf("%s\n", "crlf");
    return 0;
}
