//@ property: all verdict: safe
//@ args: one "two words" 3
//@ exit: 9
//@ run: gcc
// argc, argv, the terminating null, writable argument strings, the exit code of main.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char *argv[]) {
    printf("%d\n", argc);
    for (int i = 1; i < argc; i++)
        printf("[%s] %zu\n", argv[i], strlen(argv[i]));
    printf("%d\n", argv[argc] == NULL);
    argv[1][0] = 'O';
    argv++;
    printf("%s\n", *argv);
    char **second = argv + 1;
    printf("%c\n", (*second)[4]);
    return atoi(argv[2]) * argc - 3;
}
