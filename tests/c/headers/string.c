//@ property: all verdict: safe
//@ run: gcc
// string.h: a word counter built on it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word { char *text; int count; };

int main(void) {
    char text[] = "the cat and the dog and the bird";
    struct word words[8];
    int n = 0;
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " ")) {
        int i = 0;
        while (i < n && strcmp(words[i].text, w))
            i++;
        if (i == n)
            words[n++] = (struct word){strdup(w), 0};
        words[i].count++;
    }
    for (int i = 0; i < n; i++) {
        printf("%s=%d ", words[i].text, words[i].count);
        free(words[i].text);
    }
    char buffer[20] = "abc";
    strncat(buffer, "defgh", 3);
    printf("\n%s %zu %s\n", buffer, strlen(buffer), strstr(buffer, "cd"));
    memmove(buffer + 2, buffer, 5);
    printf("%s %d\n", buffer, memcmp("abc", "abd", 3) < 0);
    memset(buffer, '-', 3);
    printf("%s %s %c\n", buffer, strrchr("a/b/c", '/'), *strpbrk("hello", "lo"));
    printf("%zu %zu %d\n", strspn("aabbc", "ab"), strcspn("hello", "l"), strncmp("same", "sand", 2));
    return 0;
}
