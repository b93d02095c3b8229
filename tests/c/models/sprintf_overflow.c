//@ model: sprintf
//@ property: out-of-bounds verdict: unsafe line: 9
#include <stdio.h>

int main(void)
{
    char text[6];
    volatile int n = 123456;
    sprintf(text, "%d", n);
    return text[0];
}
