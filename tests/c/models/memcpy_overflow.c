//@ model: memcpy
//@ property: out-of-bounds verdict: unsafe line: 10
#include <string.h>

int main(void)
{
    char from[16] = "0123456789";
    char to[8];
    volatile size_t length = 9;
    memcpy(to, from, length);
    return to[0];
}
