//@ model: _Exit
//@ property: all verdict: safe
//@ run: gcc
//@ exit: 6
#include <stdlib.h>

int main(void)
{
    _Exit(6);
}
