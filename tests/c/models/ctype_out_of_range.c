//@ model: isalpha
//@ property: out-of-bounds verdict: unsafe line: 8
#include <ctype.h>

int main(void)
{
    volatile int c = 1000;
    return (isalpha)(c) != 0;
}
