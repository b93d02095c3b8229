//@ model: abs
//@ property: signed-overflow verdict: unsafe line: 9
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    volatile int least = INT_MIN;
    return abs(least) < 0;
}
