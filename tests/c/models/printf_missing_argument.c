//@ model: printf
//@ property: out-of-bounds verdict: unsafe line: 9
#include <stdio.h>

int main(void)
{
    const char *volatile format = "%d %d\n";
    /* One argument too few: the second is read beyond the list. */
    printf(format, 1);
    return 0;
}
