//@ model: strtok
//@ property: null-deref verdict: unsafe line: 8
// There is no text to go on with before the first call that gives one.
#include <string.h>

int main(void)
{
    return strtok(0, " ") != 0;
}
