//@ model: fgets
//@ property: out-of-bounds verdict: unsafe line: 9
//@ stdin: more than four\n
#include <stdio.h>

int main(void)
{
    char text[4];
    fgets(text, 100, stdin);
    return text[0];
}
