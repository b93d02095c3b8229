//@ model: strcat
//@ property: out-of-bounds verdict: unsafe line: 8
#include <string.h>

int main(void)
{
    char text[6] = "abc";
    strcat(text, "def");
    return text[0];
}
