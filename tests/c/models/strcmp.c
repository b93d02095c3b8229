//@ model: strcmp strncmp strcasecmp strncasecmp
//@ property: all verdict: safe
//@ run: gcc
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

int main(void)
{
    static const char *const words[] = {"", "a", "A", "ab", "aB", "abc", "b", "\xe4"};
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 8; k++)
            printf("%d%d%d%d ", sign(strcmp(words[i], words[k])), sign(strncmp(words[i], words[k], 2)),
                   sign(strcasecmp(words[i], words[k])), sign(strncasecmp(words[i], words[k], 1)));
        printf("\n");
    }
    printf("%d\n", strncmp("abc", "xyz", 0));
    return 0;
}
