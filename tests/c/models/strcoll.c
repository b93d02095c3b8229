//@ model: strcoll strxfrm
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>
#include <string.h>

int main(void)
{
    char key[8] = "#######";
    printf("%d %d\n", strcoll("B", "a") < 0, strcoll("same", "same"));
    printf("%zu %s\n", strxfrm(key, "abc", sizeof key), key);
    printf("%zu\n", strxfrm(NULL, "longer text", 0));
    return 0;
}
