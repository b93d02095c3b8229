//@ model: div
//@ property: division-by-zero verdict: unsafe line: 8
#include <stdlib.h>

int main(void)
{
    volatile int zero = 0;
    return div(1, zero).quot;
}
