//@ model: printf
//@ property: out-of-bounds verdict: unsafe line: 8
#include <stdio.h>

int main(void)
{
    char text[3] = {'a', 'b', 'c'};
    printf("%s\n", text);
    return 0;
}
