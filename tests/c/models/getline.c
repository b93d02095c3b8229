//@ model: getline getdelim __getdelim
//@ property: all verdict: safe
//@ run: gcc
//@ stdin: short\na,b,c\nlast
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

ssize_t __getdelim(char **, size_t *, int, FILE *);

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    printf("%d ", (int)getline(&line, &size, stdin));
    printf("%s%zu\n", line, size);
    printf("%d ", (int)getdelim(&line, &size, ',', stdin));
    printf("%s\n", line);
    printf("%d ", (int)__getdelim(&line, &size, ',', stdin));
    printf("%s\n", line);
    while (getline(&line, &size, stdin) >= 0)
        printf("<%s>", line);
    printf("\n%d\n", feof(stdin) != 0);
    free(line);
    return 0;
}
