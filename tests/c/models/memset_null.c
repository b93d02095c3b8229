//@ model: memset
//@ property: null-deref verdict: unsafe line: 8
#include <string.h>

int main(void)
{
    char *volatile p = 0;
    memset(p, 0, 4);
    return 0;
}
