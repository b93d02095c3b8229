//@ property: all verdict: safe
//@ run: gcc
// alloca lives until the function returns, not only the block.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int build(int n) {
    struct link { struct link *next; int v; } *list = 0;
    for (int i = 0; i < n; i++) {
        struct link *l = alloca(sizeof *l);
        l->next = list;
        l->v = i;
        list = l;
    }
    int s = 0;
    for (; list; list = list->next)
        s = s * 3 + list->v;
    return s;
}

int main(void) {
    printf("%d %d\n", build(3), build(10));
    char *text;
    {
        text = __builtin_alloca(6);
        strcpy(text, "stack");
    }
    puts(text);
    return 0;
}
