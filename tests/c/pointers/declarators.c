//@ property: all verdict: safe
//@ run: gcc
// Declarators read inside out.
#include <stdio.h>

static int numbers[3] = {10, 20, 30};
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }

static int (*get_array(void))[3] { return &numbers; }
static int (*choose(char op))(int, int) { return op == '+' ? add : sub; }
static int *(*pick[2])(int);
static int *at(int i) { return &numbers[i]; }
static int *from_end(int i) { return numbers + 2 - i; }
static int (*(*table_of(void))[2])(int, int) {
    static int (*table[2])(int, int) = {add, sub};
    return &table;
}

int main(void) {
    printf("%d %zu\n", (*get_array())[1], sizeof *get_array());
    printf("%d %d\n", choose('+')(1, 2), (*choose('-'))(1, 2));
    pick[0] = at;
    pick[1] = from_end;
    *pick[1](0) += 5;
    printf("%d %d\n", *pick[0](2), *(*pick[1])(2));
    printf("%d %d\n", (*table_of())[0](5, 6), (**table_of())(7, 8));
    int (*(*nested)(char))(int, int) = choose;
    printf("%d\n", nested('-')(50, 8));
    int *(*const array_of_pointers)[2] = &(int *[2]){&numbers[0], &numbers[1]};
    printf("%d\n", *(*array_of_pointers)[1]);
    int(((parens))) = 3, *(*pp) = &(int *){&parens};
    printf("%d\n", **pp);
    char (*(x[3]))[5];
    printf("%zu %zu %zu\n", sizeof x, sizeof *x, sizeof **x);
    return 0;
}
