//@ model: strcat strncat
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>
#include <string.h>

int main(void)
{
    char text[20] = "a";
    char unterminated[2] = {'x', 'y'};
    strcat(text, "bc");
    strcat(strcat(text, ""), "d");
    puts(text);
    strncat(text, "efghij", 2);
    strncat(text, "k", 10);
    strncat(text, unterminated, 2);
    puts(text);
    return 0;
}
