//@ model: printf
//@ property: all verdict: safe
#include <stdio.h>

int main(void)
{
    char unterminated[3] = {'a', 'b', 'c'};
    /* No more bytes are read than the precision says. */
    printf("[%.3s][%.0s][%.*s]\n", unterminated, unterminated, 2, unterminated);
    return 0;
}
