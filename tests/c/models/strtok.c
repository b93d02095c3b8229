//@ model: strtok strtok_r __strtok_r strsep
//@ property: all verdict: safe
//@ run: gcc
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

char *__strtok_r(char *, const char *, char **);

int main(void)
{
    char line[] = " one, two,,three ";
    for (char *word = strtok(line, " ,"); word; word = strtok(NULL, " ,"))
        printf("[%s]", word);
    printf("\n");

    char outer[] = "a b;c d";
    char *rest, *inner_rest;
    for (char *part = strtok_r(outer, ";", &rest); part; part = strtok_r(NULL, ";", &rest))
        for (char *word = __strtok_r(part, " ", &inner_rest); word; word = __strtok_r(NULL, " ", &inner_rest))
            printf("<%s>", word);
    printf("\n");

    char fields[] = "x,,y";
    char *cursor = fields;
    for (char *field = strsep(&cursor, ","); field; field = strsep(&cursor, ","))
        printf("{%s}", field);
    printf("\n");

    char none[] = ",,";
    printf("%d\n", strtok(none, ",") == NULL);
    return 0;
}
