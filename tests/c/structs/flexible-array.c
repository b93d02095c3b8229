//@ property: all verdict: safe
//@ run: gcc
// Flexible array members on the heap and in a static object.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { int length; char data[]; };
struct table { short n; struct { int key; char tag; } rows[]; };
static struct text fixed = {5, "hello"};
static struct table rows = {2, {{1, 'a'}, {2, 'b'}}};

static struct text *make(const char *s) {
    int n = strlen(s);
    struct text *t = malloc(sizeof *t + n + 1);
    t->length = n;
    memcpy(t->data, s, n + 1);
    return t;
}

int main(void) {
    printf("%zu %zu\n", sizeof(struct text), offsetof(struct text, data));
    printf("%zu %zu\n", sizeof(struct table), offsetof(struct table, rows));
    struct text *t = make("flexible");
    printf("%d %s %c\n", t->length, t->data, t->data[t->length - 1]);
    struct text header = *t;
    printf("%d\n", header.length);
    t = realloc(t, sizeof *t + 20);
    strcat(t->data, " array");
    printf("%s\n", t->data);
    free(t);
    printf("%d %.5s %c\n", fixed.length, fixed.data, fixed.data[4]);
    for (int i = 0; i < rows.n; i++)
        printf("%d%c ", rows.rows[i].key, rows.rows[i].tag);
    puts("");
    return 0;
}
