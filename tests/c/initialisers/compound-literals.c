//@ property: all verdict: safe
//@ run: gcc
// Unnamed objects: modifiable, addressable, fresh in each iteration, static at file scope.
#include <stdio.h>

struct p { int x, y; };
static struct p *global = &(struct p){1, 2};
static int *numbers = (int[]){[3] = 4, 5};

static int sum(const int *a, int n) {
    int s = 0;
    while (n--)
        s += *a++;
    return s;
}
static void move(struct p *p, struct p by) {
    p->x += by.x;
    p->y += by.y;
}

int main(void) {
    move(global, (struct p){10, 20});
    printf("%d %d\n", global->x, global->y);
    printf("%d %d\n", numbers[3], numbers[4]);
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    struct p *q = &(struct p){.y = 7};
    move(q, *q);
    printf("%d %d\n", q->x, q->y);
    int *seen = 0, fresh = 0;
    for (int i = 0; i < 3; i++) {
        int *cell = (int[]){i};
        fresh += *cell == i;
        (*cell)++;
        seen = &fresh;
    }
    printf("%d\n", *seen);
    (struct p){1, 2}.x;
    printf("%d %zu\n", (struct p){3, 4}.y, sizeof(int[]){1, 2, 3});
    int *scalar = &(int){5};
    *scalar *= 2;
    printf("%d\n", *scalar);
    char *text = (char[]){"writable"};
    text[0] = 'W';
    puts(text);
    (int){0}++;
    struct p a[2] = {(struct p){1, 2}, *global};
    printf("%d %d\n", a[0].y, a[1].x);
    const char *const *words = (const char *const[]){"a", "b", 0};
    while (*words)
        printf("%s ", *words++);
    puts("");
    return 0;
}
