//@ model: rawmemchr
//@ property: out-of-bounds verdict: unsafe line: 9
#define _GNU_SOURCE
#include <string.h>

int main(void)
{
    char text[4] = "abc";
    return rawmemchr(text, 'z') != 0;
}
