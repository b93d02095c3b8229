//@ property: all verdict: safe
//@ run: gcc
// Arrays of characters and of strings; literals joined, embedded zeros, no room for the terminator.
#include <stdio.h>
#include <string.h>

static const char *const words[] = {"zero", "one", "two" " and " "a half", ""};
static char exact[3] = "abc";
static char padded[8] = "abc";
static char inner[] = "a\0b";

int main(void) {
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        printf("%zu:%s ", strlen(words[i]), words[i]);
    puts("");
    printf("%.3s %zu\n", exact, sizeof exact);
    printf("%d %d\n", padded[3], padded[7]);
    printf("%zu %zu %c\n", sizeof inner, strlen(inner), inner[2]);
    char local[6] = {"hi"};
    local[2] = '!';
    printf("%s %d\n", local, local[5]);
    char matrix[2][4] = {"one", "two"};
    strcpy(matrix[0], "ONE");
    printf("%s %s\n", matrix[0], matrix[1]);
    char *rows[2] = {matrix[1], matrix[0]};
    printf("%s\n", *rows[0] == 't' ? rows[1] : "?");
    const char *p = "pointer";
    while (*p)
        putchar(*p++ - 32);
    puts("");
    printf("%s\n", "tail" + 2);
    printf("%d\n", "\x41" "1"[0]);
    printf("%s\n", &"index"[2]);
    printf("%zu\n", sizeof(char[]){"compound"});
    char escaped[] = "tab\tquote\"back\\slash\0hidden";
    printf("%s %zu\n", escaped, sizeof escaped);
    return 0;
}
