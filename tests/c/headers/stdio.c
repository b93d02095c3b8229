//@ property: all verdict: safe
//@ stdin: 12 words 0x1f\nsecond line\nx
//@ run: gcc
// stdio.h: formatted and plain input and output on the standard streams.
#include <stdio.h>
#include <string.h>

int main(void) {
    int n;
    char word[16], line[32];
    unsigned hex;
    printf("%d ", scanf("%d %15s %x", &n, word, &hex));
    printf("%d %s %u\n", n, word, hex);
    int c = getchar();
    printf("%d\n", c == '\n');
    fgets(line, sizeof line, stdin);
    line[strcspn(line, "\n")] = 0;
    printf("[%s]\n", line);
    c = fgetc(stdin);
    ungetc(c + 1, stdin);
    printf("%c\n", getchar());
    printf("%d ", getchar() == EOF);
    printf("%d\n", feof(stdin) != 0);
    fprintf(stdout, "%5.2f|%-6s|%+d|%06x|%c|%%\n", 3.14159, "left", 7, 48879, 'c');
    fputs("fputs ", stdout);
    putchar('p');
    fputc('\n', stdout);
    char buffer[10];
    int need = snprintf(buffer, sizeof buffer, "%s", "truncated text");
    printf("%d %s\n", need, buffer);
    sscanf("3.5,abc", "%*f,%2[a-c]", word);
    puts(word);
    fprintf(stderr, "to stderr %d\n", 1);
    printf("%d %d\n", BUFSIZ > 0, EOF);
    return 0;
}
