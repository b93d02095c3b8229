//@ model: strspn strcspn strpbrk
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *text = "123abc";
    printf("%zu %zu %zu\n", strspn(text, "0123456789"), strspn(text, ""), strspn(text, "321cba"));
    printf("%zu %zu %zu\n", strcspn(text, "abc"), strcspn(text, ""), strcspn(text, "xyz"));
    printf("%s %d\n", strpbrk(text, "cb"), strpbrk(text, "xyz") == NULL);
    return 0;
}
