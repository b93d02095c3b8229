//@ model: gets
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: one\n\nlast
#include <stdio.h>

char *gets(char *);

int main(void)
{
    char text[10];
    while (gets(text))
        printf("[%s]", text);
    printf("\n");
    return 0;
}
