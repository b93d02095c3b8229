//@ model: strdup
//@ property: null-deref verdict: unsafe line: 9
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *volatile nothing = 0;
    char *p = strdup(nothing);
    free(p);
    return 0;
}
