//@ model: strncpy strlen
//@ property: out-of-bounds verdict: unsafe line: 9
#include <string.h>

int main(void)
{
    char small[5];
    strncpy(small, "hello", sizeof small);
    return (int)strlen(small);
}
