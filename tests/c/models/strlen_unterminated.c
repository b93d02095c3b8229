//@ model: strlen
//@ property: out-of-bounds verdict: unsafe line: 8
#include <string.h>

int main(void)
{
    char text[3] = {'x', 'y', 'z'};
    return (int)strlen(text);
}
