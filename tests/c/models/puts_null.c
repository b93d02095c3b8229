//@ model: puts
//@ property: null-deref verdict: unsafe line: 8
#include <stdio.h>

int main(void)
{
    const char *volatile nothing = 0;
    puts(nothing);
    return 0;
}
