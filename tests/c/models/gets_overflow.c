//@ model: gets
//@ property: out-of-bounds verdict: unsafe line: 11
//@ stdin: too long\n
#include <stdio.h>

char *gets(char *);

int main(void)
{
    char text[4];
    gets(text);
    return text[0];
}
