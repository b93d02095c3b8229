//@ unsupported: 9 mystery
// A function that is declared, called and nowhere defined.
#include <stdio.h>

int mystery(int);

int main(void) {
    puts("before");
    return mystery(3);
}
