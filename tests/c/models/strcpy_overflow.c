//@ model: strcpy
//@ property: out-of-bounds verdict: unsafe line: 9
#include <stdio.h>
#include <string.h>

int main(void)
{
    char small[5];
    strcpy(small, "hello");
    puts(small);
    return 0;
}
